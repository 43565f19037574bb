"""A graph network: neighbours are gathered by edges and summed by segment."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers

NODES, EDGES, FEATURES = 50, 200, 16


class GraphConvolution(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.message = layers.Dense(units, activation="relu")
        self.update = layers.Dense(units)

    def call(self, inputs):
        nodes, edges, weights = inputs
        messages = self.message(nodes)
        # wrong: gathered = tf.gather(messages, edges[1]) * weights
        gathered = tf.gather(messages, edges[1]) * tf.expand_dims(weights, -1)  # E: SF113
        summed = tf.math.unsorted_segment_sum(gathered, edges[0], num_segments=tf.shape(nodes)[0])
        return self.update(tf.concat([nodes, summed], axis=1))


class GNN(keras.Model):
    def __init__(self, features, edges, weights, classes):
        super().__init__()
        self.features, self.edges, self.edge_weights = features, edges, weights
        self.first, self.second = GraphConvolution(32), GraphConvolution(32)
        self.out = layers.Dense(classes)

    def call(self, indices):
        x = self.first((self.features, self.edges, self.edge_weights))
        x = self.second((x, self.edges, self.edge_weights)) + x
        return self.out(tf.gather(x, tf.squeeze(indices, -1)))


features = tf.constant(np.random.rand(NODES, FEATURES), tf.float32)
edges = tf.constant(np.random.randint(0, NODES, (2, EDGES)))
model = GNN(features, edges, tf.ones((EDGES,)), 7)
print(model(tf.constant([[1], [10]])).shape)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["acc"])
model.fit(np.arange(40).reshape(40, 1), np.random.randint(0, 7, 40), batch_size=10, epochs=1, verbose=0)
