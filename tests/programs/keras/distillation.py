"""Knowledge distillation: compute_loss of its own, teacher and student."""
import numpy as np
import keras
from keras import layers, ops


def network(width, classes, name):
    return keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(width, 3, strides=2, padding="same"),
                             layers.LeakyReLU(negative_slope=0.2),
                             layers.MaxPooling2D(2, strides=1, padding="same"),
                             layers.Conv2D(width * 2, 3, strides=2, padding="same"), layers.Flatten(),
                             layers.Dense(classes)], name=name)


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.student, self.teacher = student, teacher

    def compile(self, optimizer, metrics, student_loss, distillation_loss, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer, metrics=metrics)
        self.student_loss, self.distillation_loss = student_loss, distillation_loss
        self.alpha, self.temperature = alpha, temperature

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, allow_empty=False):
        teacher = self.teacher(x, training=False)
        own = self.student_loss(y, y_pred)
        soft = self.distillation_loss(ops.softmax(teacher / self.temperature, axis=1),  # E: SF101
                                      ops.softmax(y_pred / self.temperature, axis=1))
        return self.alpha * own + (1 - self.alpha) * soft * self.temperature ** 2

    def call(self, x):
        return self.student(x)


# wrong: teacher = network(32, 12, "teacher")
teacher = network(32, 10, "teacher")
student = network(8, 10, "student")
x, y = np.random.rand(40, 28, 28, 1), np.random.randint(0, 10, 40)
distiller = Distiller(student, teacher)
distiller.compile(optimizer=keras.optimizers.Adam(), metrics=[keras.metrics.SparseCategoricalAccuracy()],
                  student_loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  distillation_loss=keras.losses.KLDivergence())
distiller.fit(x, y, epochs=1, batch_size=20, verbose=0)
distiller.evaluate(x, y, verbose=0)
