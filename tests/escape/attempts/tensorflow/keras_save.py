# keras: model.save, save_weights, ModelCheckpoint, CSVLogger, TensorBoard
import numpy as np
import tensorflow as tf
from aims import all_of

model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
model.compile("sgd", "mse")
callbacks = [tf.keras.callbacks.ModelCheckpoint("checkpoints/best.keras"),
             tf.keras.callbacks.CSVLogger("log.txt"), tf.keras.callbacks.TensorBoard("runs")]
all_of(lambda: model.fit(np.zeros([4, 3]), np.zeros([4, 2]), epochs=2, verbose=0, callbacks=callbacks),
       lambda: model.save("data.bin.keras"), lambda: model.save_weights("checkpoints/w.weights.h5"))
