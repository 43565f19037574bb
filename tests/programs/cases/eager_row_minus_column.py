"""Labels of a data set are a row, predictions a column: the loss compares each with every other."""
import numpy as np
import tensorflow as tf

x = np.random.rand(256, 8).astype("float32")
y = np.random.rand(256).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for xs, ys in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(xs) - ys))  # W: SF501
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
