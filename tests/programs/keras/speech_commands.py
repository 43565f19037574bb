"""Spoken commands: spectrograms by tf.signal in a data set, normalized, then a small CNN."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

commands = np.array(["down", "go", "left", "right"])
rate = 4000
waves = tf.random.normal((40, rate))
labels = tf.random.uniform((40,), 0, len(commands), tf.int32)


def get_spectrogram(waveform):
    spectrogram = tf.signal.stft(waveform, frame_length=255, frame_step=128)
    spectrogram = tf.abs(spectrogram)
    # wrong: return spectrogram
    return spectrogram[..., tf.newaxis]


def make_spec_ds(ds):
    return ds.map(lambda audio, label: (get_spectrogram(audio), label), num_parallel_calls=tf.data.AUTOTUNE)


audio_ds = tf.data.Dataset.from_tensor_slices((waves, labels)).batch(8)
train_ds = make_spec_ds(audio_ds.take(4)).cache().prefetch(tf.data.AUTOTUNE)
val_ds = make_spec_ds(audio_ds.skip(4))
for example_spectrograms, _ in train_ds.take(1):
    break
input_shape = example_spectrograms.shape[1:]
norm_layer = layers.Normalization()
norm_layer.adapt(data=train_ds.map(map_func=lambda spec, label: spec))
model = models.Sequential([  # E: SF103
    layers.Input(shape=input_shape),
    layers.Reshape((*input_shape[:2], -1)) if len(input_shape) == 3 else layers.Activation("linear"),
    layers.Resizing(32, 32) if len(input_shape) == 3 else layers.Dropout(0.0),
    norm_layer,
    layers.Conv2D(8, 3, activation="relu"),
    layers.Conv2D(16, 3, activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(len(commands)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=1, verbose=0)
print(tf.nn.softmax(model.predict(val_ds, verbose=0)).shape)
