# tf-keras
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tf_keras as keras

m = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(8,)),
                      keras.layers.Dense(3, activation="softmax")])
m.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
print("SHAPE", m.output_shape, m.count_params())
i = keras.Input((8,))
f = keras.Model(i, keras.layers.Dense(2)(keras.layers.Dropout(.5)(i)))
print("SHAPE", f.output_shape)
h = m.fit(np.zeros((20, 8), "float32"), np.zeros((20,), "int64"), epochs=2, verbose=0)
print("HIST", sorted(h.history))
