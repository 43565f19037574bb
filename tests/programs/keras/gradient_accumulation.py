"""A Model whose train_step adds up gradients over some steps, with loss scale and clipping by hand."""
import numpy as np
import tensorflow as tf


class Accumulating(tf.keras.Model):
    def __init__(self, steps, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.steps = tf.constant(steps, tf.int32)
        self.count = tf.Variable(0, dtype=tf.int32, trainable=False)
        self.sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in self.trainable_variables]

    def train_step(self, data):
        self.count.assign_add(1)
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            # wrong: loss = self.compute_loss(x=x, y=tf.transpose(y), y_pred=y_pred)  # E: SF108
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        for kept, gradient in zip(self.sums, gradients):
            kept.assign_add(gradient)
        tf.cond(tf.equal(self.count, self.steps), self.apply, lambda: None)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {metric.name: metric.result() for metric in self.metrics}

    def apply(self):
        self.optimizer.apply_gradients(zip(self.sums, self.trainable_variables))
        self.count.assign(0)
        for kept in self.sums:
            kept.assign(tf.zeros_like(kept))


inputs = tf.keras.Input((14, 14, 1))
x = tf.keras.layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(inputs)
x = tf.keras.layers.Flatten()(x)
model = Accumulating(4, inputs, tf.keras.layers.Dense(10, activation="softmax")(x))
model.compile(tf.keras.optimizers.Adam(), tf.keras.losses.CategoricalCrossentropy(), metrics=["accuracy"])
pictures = np.random.rand(64, 14, 14, 1).astype("float32")
answers = tf.one_hot(np.random.randint(0, 10, 64), 10)
history = model.fit(pictures, answers, batch_size=16, epochs=2, verbose=0)
print(sorted(history.history))
