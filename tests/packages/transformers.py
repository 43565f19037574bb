# transformers on TensorFlow 2.15.0
import tensorflow as tf
from transformers import BertConfig, TFBertForSequenceClassification

config = BertConfig(vocab_size=100, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                    intermediate_size=32, num_labels=4)
model = TFBertForSequenceClassification(config)
outputs = model(tf.ones([3, 7], tf.int32))
print("SHAPE", outputs.logits.shape)
