# keras-hub
import keras_hub
import numpy as np

backbone = keras_hub.models.BertBackbone(vocabulary_size=100, num_layers=2, num_heads=2, hidden_dim=16,
                                         intermediate_dim=32, max_sequence_length=12)
outputs = backbone({"token_ids": np.ones((3, 12), "int32"), "segment_ids": np.zeros((3, 12), "int32"),
                    "padding_mask": np.ones((3, 12), "int32")})
print("SHAPE", outputs["sequence_output"].shape, outputs["pooled_output"].shape)
classifier = keras_hub.models.BertTextClassifier(backbone=backbone, num_classes=4)
print("SHAPE", classifier.output_shape)
