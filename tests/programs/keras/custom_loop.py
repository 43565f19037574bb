"""A loop of its own around a tf.function, with metrics, regularization losses and a schedule."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((784,), name="digits")
x = keras.layers.Dense(64, activation="relu", kernel_regularizer=keras.regularizers.l2(1e-4))(inputs)
x = keras.layers.ActivityRegularization(l2=1e-4)(x)
model = keras.Model(inputs, keras.layers.Dense(10, name="predictions")(x))
schedule = keras.optimizers.schedules.ExponentialDecay(1e-2, 100, 0.9)
optimizer = keras.optimizers.SGD(schedule, momentum=0.9, nesterov=True)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_metric = keras.metrics.SparseCategoricalAccuracy()
val_metric = keras.metrics.SparseCategoricalAccuracy()
x_train = np.random.rand(100, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, 100)
# wrong: data = tf.data.Dataset.from_tensor_slices((x_train[:, :, :27].reshape(-1, 756), y_train))
data = tf.data.Dataset.from_tensor_slices((x_train.reshape(-1, 784), y_train))
train, val = data.take(80).shuffle(80).batch(16), data.skip(80).batch(10)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)  # E: SF106
        loss = loss_fn(y, logits) + sum(model.losses)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_metric.update_state(y, logits)
    return loss


@tf.function
def test_step(x, y):
    val_metric.update_state(y, model(x, training=False))


for epoch in range(2):
    for step, (x, y) in enumerate(train):
        loss = train_step(x, y)
        if step % 2 == 0:
            print("%d %d %.2f" % (epoch, step, float(loss)))
    print(float(train_metric.result()))
    train_metric.reset_state()
    for x, y in val:
        test_step(x, y)
