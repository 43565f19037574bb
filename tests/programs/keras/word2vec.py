"""Skip-grams with negative samples: a subclassed model with two embeddings and an einsum."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Embedding

SENTENCES = ["the wide road shimmered in the hot sun", "a dog ran over the wide road", "the sun was hot"]
vocab, index = {"<pad>": 0}, 1
for sentence in SENTENCES:
    for token in sentence.split():
        if token not in vocab:
            vocab[token] = index
            index += 1
vocab_size, num_ns, window = len(vocab), 4, 2

targets, contexts, labels = [], [], []
for sentence in SENTENCES:
    ids = [vocab[token] for token in sentence.split()]
    for i, target in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if i == j:
                continue
            context_class = tf.expand_dims(tf.constant([ids[j]], dtype="int64"), 1)
            negatives, _, _ = tf.random.log_uniform_candidate_sampler(
                true_classes=context_class, num_true=1, num_sampled=num_ns, unique=True,
                range_max=vocab_size, seed=42)
            # wrong: context = tf.concat([context_class, negatives], 0)  # E: SF115
            context = tf.concat([tf.squeeze(context_class, 1), negatives], 0)
            targets.append(target)
            contexts.append(context)
            labels.append(tf.constant([1] + [0] * num_ns, dtype="int64"))

targets, contexts, labels = np.array(targets), np.array(contexts), np.array(labels)
dataset = tf.data.Dataset.from_tensor_slices(((targets, contexts), labels))
dataset = dataset.shuffle(1000).batch(16, drop_remainder=True).cache().prefetch(tf.data.AUTOTUNE)


class Word2Vec(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        self.target_embedding = Embedding(vocab_size, embedding_dim, name="w2v_embedding")
        self.context_embedding = Embedding(vocab_size, embedding_dim)

    def call(self, pair):
        target, context = pair
        if len(target.shape) == 2:
            target = tf.squeeze(target, axis=1)
        word_emb = self.target_embedding(target)
        context_emb = self.context_embedding(context)
        return tf.einsum("be,bce->bc", word_emb, context_emb)


word2vec = Word2Vec(vocab_size, 16)
word2vec.compile(optimizer="adam", loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True),
                 metrics=["accuracy"])
word2vec.fit(dataset, epochs=2, verbose=0)
weights = word2vec.get_layer("w2v_embedding").get_weights()[0]
print(weights.shape)
