"""Mixed precision with a loss-scaled custom loop, and fit under the same policy."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")
inputs = tf.keras.Input((32,))
x = layers.Dense(64, activation="relu")(inputs)
x = layers.LayerNormalization()(x)
outputs = layers.Activation("softmax", dtype="float32")(layers.Dense(10)(x))
model = tf.keras.Model(inputs, outputs)
print(model.layers[1].kernel.dtype, model.layers[1].compute_dtype, outputs.dtype)
optimizer = mixed_precision.LossScaleOptimizer(tf.keras.optimizers.RMSprop())
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
data = tf.data.Dataset.from_tensor_slices(
    (np.random.rand(100, 32).astype("float32"), np.random.randint(0, 10, 100))).batch(25)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        # wrong: loss = loss_fn(y[:10], model(x, training=True))  # E: SF108
        loss = loss_fn(y, model(x, training=True))
        scaled = optimizer.scale_loss(loss)
    gradients = tape.gradient(scaled, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in data:
    value = step(x, y)
print(value.dtype, value.shape)
model.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
model.fit(data, epochs=1, verbose=0)
mixed_precision.set_global_policy("float32")
print(layers.Dense(3)(tf.zeros([1, 2])).dtype)
