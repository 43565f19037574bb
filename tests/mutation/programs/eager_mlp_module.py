"""A two-layer network as a tf.Module, trained by a tf.function."""
import numpy as np
import tensorflow as tf

PIXELS = 8 * 8
HIDDEN = 24
CLASSES = 10


class Dense(tf.Module):
    def __init__(self, inputs, outputs, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([inputs, outputs], stddev=0.1), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.hidden = Dense(PIXELS, HIDDEN)
        self.out = Dense(HIDDEN, CLASSES)

    def __call__(self, images):
        flat = tf.reshape(images, [-1, PIXELS])
        return self.out(tf.nn.relu(self.hidden(flat)))


network = Network()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = network(images)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, network.trainable_variables)
    for variable, gradient in zip(network.trainable_variables, gradients):
        variable.assign_sub(0.05 * gradient)
    return loss


images = np.random.RandomState(1).rand(48, 8, 8).astype("float32")
labels = np.arange(48) % CLASSES
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(48).batch(16)
for epoch in range(2):
    for batch_images, batch_labels in dataset:
        loss = train_step(batch_images, batch_labels)
    print("epoch", epoch, "loss", float(loss))
