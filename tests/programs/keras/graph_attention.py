"""Graph attention: edges gathered, softmax by segments, a train_step of its own over node indices."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

nodes, width, classes = 40, 12, 3
edges = np.random.randint(0, nodes, (160, 2)).astype("int32")
node_states = np.random.rand(nodes, width).astype("float32")
labels = np.random.randint(0, classes, nodes)


class GraphAttention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[0][-1], self.units), initializer="glorot_uniform",
                                      name="kernel")
        # wrong: self.kernel_attention = self.add_weight(shape=(self.units, 1), name="kernel_attention")
        self.kernel_attention = self.add_weight(shape=(self.units * 2, 1), name="kernel_attention")
        self.built = True

    def call(self, inputs):
        states, edges = inputs
        transformed = tf.matmul(states, self.kernel)
        expanded = tf.gather(transformed, edges)
        expanded = tf.reshape(expanded, (tf.shape(edges)[0], -1))
        scores = tf.nn.leaky_relu(tf.matmul(expanded, self.kernel_attention))  # E: SF101
        scores = tf.math.exp(tf.clip_by_value(tf.squeeze(scores, -1), -2, 2))
        total = tf.math.unsorted_segment_sum(data=scores, segment_ids=edges[:, 0],
                                             num_segments=tf.reduce_max(edges[:, 0]) + 1)
        total = tf.repeat(total, tf.math.bincount(tf.cast(edges[:, 0], "int32")))
        scores = scores / total
        neighbours = tf.gather(transformed, edges[:, 1])
        return tf.math.unsorted_segment_sum(data=neighbours * scores[:, tf.newaxis], segment_ids=edges[:, 0],
                                            num_segments=tf.shape(states)[0])


class MultiHeadGraphAttention(layers.Layer):
    def __init__(self, units, num_heads=4, **kwargs):
        super().__init__(**kwargs)
        self.heads = [GraphAttention(units) for _ in range(num_heads)]

    def call(self, inputs):
        return tf.nn.relu(tf.concat([head(inputs) for head in self.heads], axis=-1))


class GraphAttentionNetwork(keras.Model):
    def __init__(self, node_states, edges, units, heads, depth, output_dim, **kwargs):
        super().__init__(**kwargs)
        self.node_states, self.edges = node_states, edges
        self.preprocess = layers.Dense(units * heads, activation="relu")
        self.attention_layers = [MultiHeadGraphAttention(units, heads) for _ in range(depth)]
        self.output_layer = layers.Dense(output_dim)

    def call(self, inputs):
        states, edges = inputs
        x = self.preprocess(states)
        for layer in self.attention_layers:
            x = layer([x, edges]) + x
        return self.output_layer(x)

    def train_step(self, data):
        indices, labels = data
        with tf.GradientTape() as tape:
            outputs = self([self.node_states, self.edges])
            loss = self.compute_loss(y=labels, y_pred=tf.gather(outputs, indices))
        grads = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply(grads, self.trainable_weights)
        return self.compute_metrics(None, labels, tf.gather(outputs, indices), None)


edges = edges[np.argsort(edges[:, 0], kind="stable")]
model = GraphAttentionNetwork(tf.constant(node_states), tf.constant(edges), 8, 2, 2, classes)
model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              optimizer=keras.optimizers.SGD(0.1, momentum=0.9),
              metrics=[keras.metrics.SparseCategoricalAccuracy(name="acc")])
model.fit(x=np.arange(nodes), y=labels, batch_size=20, epochs=1, verbose=0)
