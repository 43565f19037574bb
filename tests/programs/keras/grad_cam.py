"""Where a network looks: gradients of a class with respect to an inner layer."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.applications.ResNet50(weights=None, classes=10, input_shape=(64, 64, 3))
model.layers[-1].activation = None
inner = keras.Model(model.inputs, [model.get_layer("conv5_block3_out").output, model.output])
image = np.random.rand(1, 64, 64, 3).astype("float32")
with tf.GradientTape() as tape:
    features, predicted = inner(image)
    best = tf.argmax(predicted[0])
    channel = predicted[:, best]
grads = tape.gradient(channel, features)
pooled = tf.reduce_mean(grads, axis=(0, 1, 2))
# wrong: heat = features[0] @ pooled[tf.newaxis, :]
heat = features[0] @ pooled[..., tf.newaxis]  # E: SF114
heat = tf.squeeze(heat)
heat = tf.maximum(heat, 0) / (tf.math.reduce_max(heat) + 1e-6)
shown = np.uint8(255 * heat.numpy())
print(features.shape, heat.shape, shown.dtype)
