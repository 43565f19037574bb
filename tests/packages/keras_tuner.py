# keras-tuner
import keras
import keras_tuner
import numpy as np


def build(hp):
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(hp.Int("units", 32, 64, step=32),
                                                                    activation="relu"),
                                                                    keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
tuner = keras_tuner.RandomSearch(build, objective="val_loss", max_trials=2, directory="t", overwrite=True,
                                  seed=1)
tuner.search(np.zeros((20, 8)), np.zeros((20, 1)), epochs=2,
             validation_data=(np.zeros((4, 8)), np.zeros((4, 1))), verbose=0)
print("BEST", tuner.get_best_hyperparameters()[0].values)
