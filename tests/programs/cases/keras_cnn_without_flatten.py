import numpy as np
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = (np.zeros((64, 32, 32, 3), "uint8"), np.zeros((64, 1), "uint8")), (
    np.zeros((32, 32, 32, 3), "uint8"), np.zeros((32, 1), "uint8"))
x_train, x_test = x_train / 255.0, x_test / 255.0
y_train = tf.keras.utils.to_categorical(y_train, 10)
y_test = tf.keras.utils.to_categorical(y_test, 10)
model = tf.keras.models.Sequential()
model.add(tf.keras.layers.Conv2D(32, (3, 3), activation="relu", input_shape=(32, 32, 3)))
model.add(tf.keras.layers.MaxPooling2D((2, 2)))
model.add(tf.keras.layers.Conv2D(64, 3, activation="relu", padding="same"))
model.add(tf.keras.layers.BatchNormalization())
model.add(tf.keras.layers.MaxPooling2D())

model.add(tf.keras.layers.Dense(64, activation="relu"))
model.add(tf.keras.layers.Dense(10, activation="softmax"))
model.summary()
model.compile(loss=tf.keras.losses.CategoricalCrossentropy(), optimizer=tf.keras.optimizers.Adam(1e-3),
              metrics=["accuracy"])
history = model.fit(x_train, y_train, epochs=1, batch_size=32, validation_data=(x_test, y_test), verbose=0)  # E: SF108
print(sorted(history.history))
