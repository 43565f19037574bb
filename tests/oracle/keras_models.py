"""Models of all kinds of layers: `shapeflow summary` lists them, and real Keras says here what it counts.

    python keras_models.py     prints {model: {layers: [[name, parameters, output shape]], trainable, frozen}}
"""
import json
import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")

import tensorflow as tf  # noqa: E402

layers = tf.keras.layers
made = []


def sequential(name, shape, *stack, dtype=None):
    made.append(tf.keras.Sequential([tf.keras.Input(shape, dtype=dtype), *stack], name=name))


sequential("dense", (20,), layers.Dense(7, name="a"), layers.Dense(3, use_bias=False, name="b"),
           layers.Activation("relu", name="c"), layers.Dropout(0.5, name="d"), layers.PReLU(name="e"))
sequential("conv2d", (28, 28, 3), layers.Conv2D(8, 3, name="a"),
           layers.Conv2D(4, (3, 5), strides=2, padding="same", use_bias=False, name="b"),
           layers.BatchNormalization(name="c"), layers.MaxPooling2D(name="d"),
           layers.DepthwiseConv2D(3, depth_multiplier=2, name="e"), layers.SeparableConv2D(6, 2, name="f"),
           layers.Conv2DTranspose(5, 3, name="g"), layers.GlobalAveragePooling2D(name="h"))
sequential("conv1d", (40, 6), layers.Conv1D(9, 4, name="a"), layers.LayerNormalization(name="b"),
           layers.SeparableConv1D(3, 2, name="c"), layers.UpSampling1D(2, name="d"),
           layers.AveragePooling1D(3, name="e"), layers.Flatten(name="f"))
sequential("conv3d", (8, 8, 8, 2), layers.Conv3D(3, 2, name="a"), layers.MaxPooling3D(name="b"))
sequential("recurrent", (11, 5), layers.LSTM(6, return_sequences=True, name="a"),
           layers.GRU(4, return_sequences=True, name="b"),
           layers.GRU(4, reset_after=False, return_sequences=True, name="c"),
           layers.Bidirectional(layers.LSTM(3, return_sequences=True), name="d"),
           layers.TimeDistributed(layers.Dense(2), name="e"), layers.SimpleRNN(8, name="f"))
sequential("embedding", (None,), layers.Embedding(1000, 16, name="a"), layers.LSTM(4, name="b"),
           dtype="int32")
sequential("frozen", (4,), layers.Dense(5, trainable=False, name="a"),
           layers.BatchNormalization(scale=False, name="b"),
           layers.BatchNormalization(trainable=False, center=False, name="c"))

x = tf.keras.Input((16, 12), name="x")
attended = layers.MultiHeadAttention(3, 4, name="attention")(x, x)
shared = layers.Dense(5, name="shared")
joined = layers.Concatenate(name="joined")([shared(attended), shared(x)])
made.append(tf.keras.Model(x, layers.Dense(1, name="last")(joined), name="functional"))

inner = tf.keras.Sequential([tf.keras.Input((6,)), layers.Dense(5, name="i"), layers.Dense(4, name="j")],
                            name="inner")
y = tf.keras.Input((6,), name="y")
made.append(tf.keras.Model(y, layers.Dense(2, name="out")(inner(y)), name="nested"))


class Own(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), name="scale")
        self.seen = self.add_weight(shape=(), name="seen", trainable=False)

    def call(self, inputs):
        return inputs * self.scale


class Subclass(tf.keras.Model):
    def __init__(self):
        super().__init__(name="subclass")
        self.first = layers.Dense(6, name="first")
        self.own = Own(name="own")
        self.blocks = [layers.Dense(6, name="block0"), layers.Dense(6, name="block1")]

    def call(self, inputs):
        value = self.own(self.first(inputs))
        for block in self.blocks:
            value = block(value)
        return value


subclass = Subclass()
subclass(tf.zeros([32, 3]))
made.append(subclass)


def counted(variables):
    total = 0
    for variable in variables:
        count = 1
        for dim in variable.shape:
            count *= int(dim)
        total += count
    return total


def outputs(layer):
    try:
        return str(tuple(layer.output.shape))
    except (AttributeError, ValueError):
        return None  # of a subclass


if __name__ == "__main__":
    print(json.dumps({model.name: {
        "layers": [[layer.name, layer.count_params(), outputs(layer)] for layer in model.layers],
        "trainable": counted(model.trainable_weights),
        "not_trainable": counted(model.non_trainable_weights),
        "parameters": model.count_params(),
    } for model in made}), file=sys.__stdout__)
