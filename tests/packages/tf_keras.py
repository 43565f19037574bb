# tf-keras
import os
import tempfile

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
import tf_keras as keras

m = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(8,)),
                      keras.layers.Dense(3, activation="softmax")])
m.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
print("SHAPE", m.output_shape, m.count_params())
i = keras.Input((8,))
f = keras.Model(i, keras.layers.Dense(2)(keras.layers.Dropout(.5)(i)))
print("SHAPE", f.output_shape)
h = m.fit(np.zeros((20, 8), "float32"), np.zeros((20,), "int64"), epochs=2, verbose=0)
print("HIST", sorted(h.history))
print("NAMES", [w.name for w in m.weights])
told = m.evaluate(np.zeros((3, 8)), np.zeros(3), verbose=0)
print("SHAPE", m.predict(np.zeros((3, 8)), verbose=0).shape, len(told))
with tempfile.TemporaryDirectory() as folder:
    m.save(folder + "/m.h5")
    print("SHAPE", keras.models.load_model(folder + "/m.h5").output_shape)
s = keras.Sequential([keras.layers.Embedding(100, 8, mask_zero=True),
                      keras.layers.Bidirectional(keras.layers.LSTM(4)), keras.layers.Dense(1)])
print("SHAPE", s(np.zeros((2, 5), int)).shape, [tuple(w.shape) for w in s.weights])


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.parts = [keras.layers.Dense(4), keras.layers.Dense(1)]

    def call(self, x, training=False):
        for part in self.parts:
            x = part(x)
        return x

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


own = Own()
own.compile("sgd")
h = own.fit(np.zeros((10, 3)), np.zeros((10, 1)), verbose=0)
print("HIST", sorted(h.history), len(own.weights))
