"""Distillation by overriding compute_loss, with a teacher that is frozen, and metrics by compile."""
import keras
import numpy as np
from keras import layers, ops


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher, self.student = teacher, student

    def compile(self, optimizer, metrics, student_loss_fn, distillation_loss_fn, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer, metrics=metrics)
        self.student_loss_fn, self.distillation_loss_fn = student_loss_fn, distillation_loss_fn
        self.alpha, self.temperature = alpha, temperature

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=False):
        teacher_pred = self.teacher(x, training=False)
        student_loss = self.student_loss_fn(y, y_pred)
        distillation = self.distillation_loss_fn(  # E: SF101
            ops.softmax(teacher_pred / self.temperature, axis=1),
            ops.softmax(y_pred / self.temperature, axis=1)) * (self.temperature ** 2)
        return self.alpha * student_loss + (1 - self.alpha) * distillation

    def call(self, x):
        return self.student(x)


def net(filters, classes=10):
    return keras.Sequential([
        keras.Input((28, 28, 1)), layers.Conv2D(filters, 3, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
        layers.MaxPooling2D(2, strides=1, padding="same"), layers.Conv2D(filters * 2, 3, strides=2, padding="same"),
        layers.Flatten(), layers.Dense(classes)])


# wrong: teacher, student = net(32, 12), net(8)
teacher, student = net(32), net(8)
x, y = np.random.rand(64, 28, 28, 1).astype("float32"), np.random.randint(0, 10, 64)
distiller = Distiller(student, teacher)
distiller.compile(keras.optimizers.Adam(), [keras.metrics.SparseCategoricalAccuracy()],
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True), keras.losses.KLDivergence())
distiller.fit(x, y, epochs=2, batch_size=16, verbose=0)
print(len(distiller.evaluate(x, y, verbose=0)))
