"""A subclassed model with nested blocks, activity regularization, training flags and a build by shape."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, regularizers


class ConvBlock(layers.Layer):
    def __init__(self, filters, kernel=3, pool=True):
        super().__init__()
        self.conv = layers.Conv2D(filters, kernel, padding="same", use_bias=False)
        self.norm = layers.BatchNormalization()
        self.act = layers.ReLU()
        self.pool = layers.MaxPool2D() if pool else None

    def call(self, x, training=None):
        x = self.act(self.norm(self.conv(x), training=training))
        return self.pool(x) if self.pool is not None else x


class SqueezeExcite(layers.Layer):
    def __init__(self, ratio=4):
        super().__init__()
        self.ratio = ratio

    def build(self, shape):
        channels = shape[-1]
        self.squeeze = layers.Dense(channels // self.ratio, activation="relu")
        # wrong: self.excite = layers.Dense(channels // self.ratio, activation="sigmoid")
        self.excite = layers.Dense(channels, activation="sigmoid")

    def call(self, x):
        s = tf.reduce_mean(x, axis=[1, 2])
        s = self.excite(self.squeeze(s))
        return x * s[:, tf.newaxis, tf.newaxis, :]  # E: SF101


class Classifier(Model):
    def __init__(self, classes):
        super().__init__()
        self.blocks = [ConvBlock(8), ConvBlock(16), ConvBlock(32, pool=False)]
        self.attention = SqueezeExcite()
        self.flatten = layers.Flatten()
        self.features = layers.Dense(32, activation="relu", activity_regularizer=regularizers.L1(1e-5))
        self.drop = layers.Dropout(0.5)
        self.head = layers.Dense(classes)

    def call(self, inputs, training=False):
        x = inputs
        for block in self.blocks:
            x = block(x, training=training)
        x = self.flatten(self.attention(x))
        return self.head(self.drop(self.features(x), training=training))


model = Classifier(5)
model.compile(optimizer="nadam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
x, y = np.random.rand(40, 20, 20, 3), np.random.randint(0, 5, 40)
model.fit(x, y, batch_size=10, epochs=1, validation_data=(x[:10], y[:10]), verbose=0)
model.summary(print_fn=lambda *args, **kwargs: None)
print(model.predict(x[:3], verbose=0).shape, len(model.trainable_weights), len(model.losses))
