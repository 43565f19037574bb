# A reshape to the batch size fails at the last batch of the epoch, and only there.
import numpy as np
import tensorflow as tf

images = np.zeros((1000, 784), np.float32)
labels = np.zeros((1000, 10), np.float32)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(1000).batch(64)
x, y = dataset.make_one_shot_iterator().get_next()
net = tf.reshape(x, [-1, 28, 28, 1])  # E: SF126
net = tf.layers.conv2d(net, 8, 3, padding="same", activation=tf.nn.relu)
logits = tf.layers.dense(tf.layers.flatten(net), 10)
loss = tf.losses.softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    steps = 0
    while True:
        try:
            sess.run(train)  # R
            steps += 1
        except tf.errors.OutOfRangeError:
            break
