"""Layers less common: EinsumDense, GroupNormalization, UnitNormalization, Conv3D, UpSampling, ZeroPadding, Permute."""
import keras
import numpy as np
from keras import layers, ops


class PatchEmbedding(layers.Layer):
    def __init__(self, size, width, **kwargs):
        super().__init__(**kwargs)
        self.size, self.width = size, width
        self.project = layers.EinsumDense("abc,cd->abd", output_shape=(None, width), bias_axes="d")

    def build(self, input_shape):
        patches = (input_shape[1] // self.size) * (input_shape[2] // self.size)
        # wrong: self.places = self.add_weight(shape=(1, patches + 1, self.width), initializer="zeros", name="places")
        self.places = self.add_weight(shape=(1, patches, self.width), initializer="zeros", name="places")
        super().build(input_shape)

    def call(self, images):
        patches = ops.image.extract_patches(images, self.size)
        batch, rows, columns, depth = ops.shape(patches)
        patches = ops.reshape(patches, (batch, rows * columns, depth))
        return self.project(patches) + self.places  # E: SF101


image = keras.Input((32, 32, 4))
x = layers.GroupNormalization(groups=2)(layers.ZeroPadding2D(((1, 1), (2, 2)))(image))
x = layers.Cropping2D(((1, 1), (2, 2)))(layers.UpSampling2D(1)(x))
tokens = PatchEmbedding(8, 24)(x)
mixed = layers.Permute((2, 1))(layers.Dense(16)(layers.Permute((2, 1))(tokens)))
tokens = layers.Add()([tokens, mixed])
tokens = layers.GroupQueryAttention(6, 4, 2)(tokens, tokens)
summary = layers.UnitNormalization()(layers.GlobalAveragePooling1D()(tokens))
volume = keras.Input((8, 16, 16, 1))
v = layers.MaxPooling3D(2)(layers.Conv3D(4, 3, padding="same", activation="swish")(volume))
v = layers.GlobalMaxPooling3D()(layers.SpatialDropout3D(0.2)(v))
out = layers.Dense(2)(layers.Concatenate()([summary, v, layers.RepeatVector(3)(v)[:, 0]]))
model = keras.Model([image, volume], out)
model.compile("lion", "huber")
model.fit([np.zeros((8, 32, 32, 4)), np.zeros((8, 8, 16, 16, 1))], np.zeros((8, 2)), batch_size=4, verbose=0)
print(model.output_shape, model.count_params() > 100)
