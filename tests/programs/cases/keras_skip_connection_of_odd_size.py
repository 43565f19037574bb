"""A small U-Net over 30 x 30: half of 15 is 7, twice 7 is 14, and the skip connection has 15."""
import tensorflow as tf

layers = tf.keras.layers
inputs = tf.keras.Input([30, 30, 1])
d1 = layers.Conv2D(8, 3, padding="same", activation="relu")(inputs)
p1 = layers.MaxPooling2D()(d1)
d2 = layers.Conv2D(16, 3, padding="same", activation="relu")(p1)
p2 = layers.MaxPooling2D()(d2)
middle = layers.Conv2D(32, 3, padding="same", activation="relu")(p2)
u2 = layers.Concatenate()([layers.UpSampling2D()(middle), d2])  # E: SF108
u1 = layers.Concatenate()([layers.UpSampling2D()(u2), d1])
outputs = layers.Conv2D(1, 1, activation="sigmoid")(u1)
model = tf.keras.Model(inputs, outputs)
