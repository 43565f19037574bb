"""A model that is saved in each of the ways that there are, read again and used."""
import os
import tempfile

import numpy as np
import tensorflow as tf
import keras
from keras import layers

inputs = keras.Input((4,))
model = keras.Model(inputs, layers.Dense(1)(layers.Dense(8, activation="relu")(inputs)))
model.compile(optimizer="adam", loss="mean_squared_error")
model.fit(np.zeros((10, 4)), np.zeros((10, 1)), verbose=0)
with tempfile.TemporaryDirectory() as folder:
    model.save(folder + "/model.h5")
    read = keras.models.load_model(folder + "/model.h5")
    read.evaluate(np.zeros((3, 4)), np.zeros((3, 1)), verbose=0)
    model.export(folder + "/exported", verbose=False)
    served = tf.saved_model.load(folder + "/exported")
    assert served.serve(np.zeros((3, 4), "float32")).shape == (3, 1)
    layer = keras.layers.TFSMLayer(folder + "/exported", call_endpoint="serve")
    assert layer(np.zeros((2, 4), "float32")).shape == (2, 1)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    manager = tf.train.CheckpointManager(checkpoint, folder + "/kept", max_to_keep=2)
    for _ in range(3):
        manager.save()
    assert len(manager.checkpoints) == 2 and os.path.basename(manager.latest_checkpoint) == "ckpt-3"
    checkpoint.restore(manager.latest_checkpoint)
copy = keras.models.clone_model(model)
copy.set_weights(model.get_weights())
parts = keras.Model(model.inputs, [part.output for part in model.layers])
# wrong: rest = keras.Sequential(model.layers[2:])
rest = keras.Sequential(model.layers[1:])
rest(np.zeros((3, 4)))  # E: SF106
assert [part.shape for part in parts(np.zeros((2, 4)))] == [(2, 4), (2, 8), (2, 1)]
