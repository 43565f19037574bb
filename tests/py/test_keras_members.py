"""Members of objects of TensorFlow 1's Keras: what they were made with, or unknown; never an AttributeError
that TensorFlow does not raise."""
from command import report_of, write

PROGRAM = """import numpy as np
import tensorflow as tf
K = tf.keras
norm = K.layers.BatchNormalization(momentum=0.9)
assert norm.momentum == 0.9 and norm.epsilon == 0.001
assert not hasattr(norm, "kernel") and not hasattr(norm, "layers")
assert K.layers.LSTM(3, dropout=0.2).dropout == 0.2 and K.layers.Embedding(5, 4, mask_zero=True).mask_zero
stop = K.callbacks.EarlyStopping(patience=3)
assert (stop.patience, stop.monitor, stop.stopped_epoch) == (3, "val_loss", 0)
assert K.callbacks.ModelCheckpoint("w.h5", save_best_only=True).save_best_only
adam = K.optimizers.Adam(0.1, epsilon=1e-3)
assert adam.epsilon == 1e-3 and adam.amsgrad is False and not hasattr(adam, "centered")
pictures = K.preprocessing.image.ImageDataGenerator(rotation_range=20)
assert pictures.rotation_range == 20 and pictures.zoom_range == 0.0
class Table(dict):
    def __len__(self):
        return 10
table = Table(filename=list("abcdefghij"), label=list("aabbccaabb"))
batches = pictures.flow_from_dataframe(table, "pictures", y_col="label", target_size=(8, 8), batch_size=4)
x, y = next(batches)
assert x.shape == (4, 8, 8, 3) and y.shape == (4, 3) and len(batches) == 3
model = K.Sequential([K.layers.Flatten(input_shape=(8, 8, 3)), K.layers.Dense(3)])
print(model.to_yaml(), model.layers[0].get_output_at(0), K.metrics.Mean().submodules)
try:
    K.layers.Dense(3).output
except AttributeError as error:
    assert "never been called" in str(error)
model.compile("sgd", "categorical_crossentropy")
model.fit_generator(batches, steps_per_epoch=3)
model.fit(np.zeros([4, 8, 8, 3]), np.zeros([4, 2]))
"""


def test_what_objects_have(tmp_path):
    write(tmp_path, train=PROGRAM)
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["severity"] == "error"] == \
        [("SF108", 30)], done.stdout + done.stderr
    assert any("to_yaml is not modelled" in f["message"] for f in report["findings"])


def test_regularizers_and_constraints_are_classes(tf):
    found = tf.keras.regularizers.l2(0.1)
    assert isinstance(found, tf.keras.regularizers.L1L2)
    assert isinstance(found, tf.keras.regularizers.Regularizer)
    assert found.l2 == 0.1 and found.get_config() == {"l1": 0.0, "l2": 0.1}
    assert tf.keras.regularizers.L1L2.from_config(found.get_config()).l2 == 0.1
    assert found(tf.ones([2, 3])).shape == () and tf.keras.regularizers.l1(l=0.5).l1 == 0.5
    assert tf.keras.constraints.max_norm is tf.keras.constraints.MaxNorm
    assert tf.keras.constraints.MinMaxNorm(max_value=3).get_config()["max_value"] == 3

    class Mine(tf.keras.regularizers.Regularizer):
        def __call__(self, x):
            return tf.reduce_sum(x)

    class Small(tf.keras.constraints.NonNeg):
        def __call__(self, w):
            return tf.clip_by_value(w, 0.0, 1.0)

    layer = tf.keras.layers.Dense(3, kernel_regularizer=Mine(), kernel_constraint=Small())
    assert layer(tf.ones([2, 4])).shape == (2, 3) and len(layer.losses) == 1
