"""A metric with state of its own, a loss class, a loss with a closure, and both saved in the config."""
import keras
import numpy as np
from keras import ops


@keras.saving.register_keras_serializable(package="own")
class CategoricalTruePositives(keras.metrics.Metric):
    def __init__(self, classes, name="categorical_true_positives", **kwargs):
        super().__init__(name=name, **kwargs)
        self.classes = classes
        self.hits = self.add_weight(shape=(classes,), initializer="zeros", name="hits")

    def update_state(self, y_true, y_pred, sample_weight=None):
        guess = ops.argmax(y_pred, axis=-1)
        truth = ops.cast(ops.reshape(y_true, (-1,)), "int64")
        same = ops.cast(ops.equal(guess, truth), "float32")
        # wrong: self.hits.assign_add(same)  # E: SF101
        self.hits.assign_add(ops.sum(ops.one_hot(truth, self.classes) * same[:, None], axis=0))

    def result(self):
        return ops.sum(self.hits)

    def reset_state(self):
        self.hits.assign(ops.zeros((self.classes,)))

    def get_config(self):
        return {**super().get_config(), "classes": self.classes}


@keras.saving.register_keras_serializable(package="own")
class SmoothedLoss(keras.losses.Loss):
    def __init__(self, smoothing=0.1, **kwargs):
        super().__init__(**kwargs)
        self.smoothing = smoothing

    def call(self, y_true, y_pred):
        classes = y_pred.shape[-1]
        hot = ops.one_hot(ops.cast(ops.reshape(y_true, (-1,)), "int32"), classes)
        hot = hot * (1 - self.smoothing) + self.smoothing / classes
        return keras.losses.categorical_crossentropy(hot, y_pred, from_logits=True)

    def get_config(self):
        return {**super().get_config(), "smoothing": self.smoothing}


def focal(gamma):
    def loss(y_true, y_pred):
        hot = ops.one_hot(ops.cast(ops.reshape(y_true, (-1,)), "int32"), 5)
        chance = ops.sum(ops.softmax(y_pred) * hot, axis=-1)
        return -ops.power(1 - chance, gamma) * ops.log(chance + 1e-7)
    return loss


x, y = np.random.rand(96, 8).astype("float32"), np.random.randint(0, 5, (96, 1))
for loss in (SmoothedLoss(0.2), focal(2.0)):
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(12, "gelu"), keras.layers.Dense(5)])
    model.compile("sgd", loss, metrics=[CategoricalTruePositives(5), "sparse_categorical_accuracy"])
    model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    print(sorted(model.evaluate(x, y, verbose=0, return_dict=True)))
metric = keras.metrics.deserialize(keras.metrics.serialize(CategoricalTruePositives(5)))
metric.update_state(y, np.random.rand(96, 5))
print(metric.result().shape)
