"""WaveNet: dilated causal convolutions with gates and skips, that predict the next sample."""
import numpy as np
from tensorflow.keras import Model, layers, losses, optimizers

steps, bins = 128, 32
signal = np.sin(np.linspace(0, 60, 3000)) + 0.1 * np.random.randn(3000)
quantized = np.digitize(signal, np.linspace(-1.3, 1.3, bins - 1)).astype("int32")


def windows(series, length, stride):
    starts = range(0, len(series) - length - 1, stride)
    x = np.stack([series[i:i + length] for i in starts])
    y = np.stack([series[i + 1:i + length + 1] for i in starts])
    return np.eye(bins, dtype="float32")[x], y


def residual_block(x, filters, dilation):
    gate = layers.Conv1D(filters, 2, padding="causal", dilation_rate=dilation, activation="sigmoid")(x)
    # wrong: wave = layers.Conv1D(filters, 2, padding="valid", dilation_rate=dilation, activation="tanh")(x)
    wave = layers.Conv1D(filters, 2, padding="causal", dilation_rate=dilation, activation="tanh")(x)
    z = layers.Multiply()([wave, gate])  # E: SF107
    skip = layers.Conv1D(filters, 1)(z)
    return layers.Add()([skip, x]), skip


x_in = layers.Input((steps, bins))
x = layers.Conv1D(24, 2, padding="causal")(x_in)
skips = []
for dilation in [2 ** i for i in range(5)]:
    x, skip = residual_block(x, 24, dilation)
    skips.append(skip)
out = layers.Activation("relu")(layers.Add()(skips))
out = layers.Conv1D(24, 1, activation="relu")(out)
out = layers.Conv1D(bins, 1)(out)
model = Model(x_in, out)
model.compile(optimizers.Nadam(1e-3), losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["acc"])
x_train, y_train = windows(quantized, steps, 64)
model.fit(x_train, y_train, batch_size=16, epochs=2, verbose=0)
made = list(quantized[:steps])
for _ in range(3):
    logits = model.predict(np.eye(bins)[np.array(made[-steps:])][np.newaxis], verbose=0)[0, -1]
    made.append(int(np.argmax(logits)))
