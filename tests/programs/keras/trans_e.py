"""TransE: triples of a knowledge graph, negative sampling in tf.data, a margin loss, ranks of tails."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

ENTITIES, RELATIONS, WIDTH, NEGATIVES = 60, 6, 16, 4


class TransE(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.entities = keras.layers.Embedding(
            ENTITIES, WIDTH, embeddings_constraint=keras.constraints.UnitNorm(axis=1))
        self.relations = keras.layers.Embedding(RELATIONS, WIDTH)

    def call(self, triples):
        heads, relations, tails = tf.unstack(triples, axis=-1)
        return tf.norm(self.entities(heads) + self.relations(relations) - self.entities(tails), ord=1, axis=-1)

    def train_step(self, data):
        right, wrong = data
        with tf.GradientTape() as tape:
            near, far = self(right, training=True), self(wrong, training=True)
            # wrong: loss = tf.reduce_mean(tf.nn.relu(1.0 + near - far))  # E: SF101
            loss = tf.reduce_mean(tf.nn.relu(1.0 + near[:, None] - far))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int32)])
    def rank(self, pairs):
        points = self.entities(pairs[:, 0]) + self.relations(pairs[:, 1])
        distances = tf.reduce_sum(tf.abs(points[:, None, :] - self.entities.embeddings[None]), axis=-1)
        return tf.math.top_k(-distances, k=5).indices


def with_negatives(triples):
    count = tf.shape(triples)[0]
    tails = tf.random.uniform([count, NEGATIVES, 1], 0, ENTITIES, tf.int32)
    kept = tf.repeat(triples[:, None, :2], NEGATIVES, axis=1)
    return triples, tf.concat([kept, tails], axis=-1)


triples = np.stack([np.random.randint(0, n, 96) for n in (ENTITIES, RELATIONS, ENTITIES)], 1).astype("int32")
data = tf.data.Dataset.from_tensor_slices(triples).shuffle(96).batch(16, drop_remainder=True).map(with_negatives)
model = TransE()
model.compile(keras.optimizers.Adam(0.01))
history = model.fit(data, epochs=3, verbose=0)
assert len(history.history["loss"]) == 3
assert model.rank(triples[:7, :2]).shape == (7, 5)
