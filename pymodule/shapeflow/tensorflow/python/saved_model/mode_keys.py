"""What Keras 2 calls its modes. Source: tensorflow/python/saved_model/model_utils/mode_keys.py."""
from shapeflow.api.registry import export


@export("tensorflow.python.saved_model.model_utils.mode_keys.KerasModeKeys", v1=False, v2=True)
class KerasModeKeys:
    """Parts of names: of hooks (on_train_batch_begin) and of logs."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"
