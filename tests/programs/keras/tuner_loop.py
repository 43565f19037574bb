"""A search over hyperparameters by hand, as a KerasTuner-like loop with cloned and reset models."""
import itertools
import random

import keras
import numpy as np
from keras import layers, regularizers

x = np.random.rand(120, 16, 16, 1).astype("float32")
y = keras.utils.to_categorical(np.random.randint(0, 3, 120), 3)


class Choices:
    def __init__(self, **values):
        self.values = values

    def __getattr__(self, name):
        return self.values[name]


def build(hp):
    model = keras.Sequential([keras.Input((16, 16, 1))])
    for depth in range(hp.blocks):
        model.add(layers.Conv2D(hp.filters * 2 ** depth, 3, padding=hp.padding, activation=hp.activation,  # E: SF110
                                kernel_regularizer=regularizers.l2(1e-4)))
        model.add(layers.MaxPooling2D())
    model.add(layers.Flatten())
    if hp.dropout:
        model.add(layers.Dropout(hp.dropout))
    model.add(layers.Dense(3, activation="softmax"))
    model.compile(getattr(keras.optimizers, hp.optimizer)(10 ** -random.uniform(2, 4)), "categorical_crossentropy",
                  metrics=["accuracy"])
    return model


best, best_score = None, -1.0
# wrong: space = {"blocks": [1, 4], "filters": [4], "padding": ["same", "valid"]}
space = {"blocks": [1, 4], "filters": [4], "padding": ["same"]}
space.update(activation=["relu", "elu"], dropout=[0, 0.25], optimizer=["Adam", "RMSprop"])
for values in itertools.product(*space.values()):
    hp = Choices(**dict(zip(space, values)))
    model = build(hp)
    history = model.fit(x, y, validation_split=0.2, epochs=1, batch_size=24, verbose=0)
    score = max(history.history["val_accuracy"])
    if score > best_score:
        best, best_score = model, score
    copy = keras.models.clone_model(model)
    print(values, copy.count_params() == model.count_params())
    keras.backend.clear_session()
print(best.output_shape)
