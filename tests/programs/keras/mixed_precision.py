"""mixed_float16 with a float32 output, EinsumDense and GroupNormalization."""
import numpy as np
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
inputs = keras.Input((16, 16, 8))
x = layers.Conv2D(32, 3, padding="same", activation="silu")(inputs)
# wrong: x = layers.GroupNormalization(groups=5)(x)
x = layers.GroupNormalization(groups=4)(x)  # E: SF101
x = layers.DepthwiseConv2D(3, padding="same")(x)
x = layers.EinsumDense("bhwc,cd->bhwd", output_shape=(16, 16, 24), bias_axes="d")(x)
x = layers.SpatialDropout2D(0.2)(x)
x = layers.Flatten()(layers.AveragePooling2D(4)(x))
outputs = layers.Dense(10, activation="softmax", dtype="float32")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "categorical_crossentropy")
print(x.dtype, outputs.dtype, model.layers[1].kernel.dtype, x.shape)
model.fit(np.random.rand(16, 16, 16, 8), np.eye(10)[np.random.randint(0, 10, 16)], verbose=0)
