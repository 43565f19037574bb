"""A label is missing: features and labels cannot be sliced together."""
import numpy as np
import tensorflow as tf

features = np.random.rand(100, 8).astype(np.float32)
labels = np.random.randint(0, 2, 99)
dataset = tf.data.Dataset.from_tensor_slices((features, labels))  # E: SF132
dataset = dataset.shuffle(100).batch(10)
x, y = dataset.make_one_shot_iterator().get_next()
logits = tf.layers.dense(x, 2)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(loss))
