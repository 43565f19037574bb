"""Text by characters: windows of tf.data, a stateful GRU that writes."""
import numpy as np
import tensorflow as tf

text = "the quick brown fox jumps over the lazy dog, and the dog sleeps on. " * 12
vocab = sorted(set(text))
char2idx = {ch: i for i, ch in enumerate(vocab)}
idx2char = np.array(vocab)
text_as_int = np.array([char2idx[c] for c in text])

SEQ, BATCH, EMB, UNITS = 20, 8, 16, 32
char_dataset = tf.data.Dataset.from_tensor_slices(text_as_int)
sequences = char_dataset.batch(SEQ + 1, drop_remainder=True)


def split_input_target(chunk):
    return chunk[:-1], chunk[1:]


dataset = sequences.map(split_input_target).shuffle(100).batch(BATCH, drop_remainder=True)


def build_model(vocab_size, batch_size):
    return tf.keras.Sequential([
        tf.keras.Input(batch_shape=(batch_size, None)),
        tf.keras.layers.Embedding(vocab_size, EMB),
        # wrong: tf.keras.layers.GRU(UNITS, stateful=True),
        tf.keras.layers.GRU(UNITS, return_sequences=True, stateful=True),
        tf.keras.layers.Dense(vocab_size),
    ])


model = build_model(len(vocab), BATCH)


def loss(labels, logits):
    return tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)  # E: SF108


model.compile(optimizer="adam", loss=loss)
model.fit(dataset, epochs=2, verbose=0)
model.save_weights("chars.weights.h5")

writer = build_model(len(vocab), 1)
writer.load_weights("chars.weights.h5")
for layer in writer.layers:
    if hasattr(layer, "reset_states"):
        layer.reset_states()
generated = []
ids = tf.expand_dims([char2idx[c] for c in "the "], 0)
for _ in range(8):
    predictions = writer(ids)
    last = predictions[:, -1, :] if len(predictions.shape) == 3 else predictions
    picked = tf.random.categorical(last, num_samples=1)[-1, 0].numpy()
    ids = tf.expand_dims([picked], 0)
    generated.append(idx2char[picked])
print("".join(generated))
