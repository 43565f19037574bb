# Two datasets share an iterator; every epoch ends by OutOfRangeError after the right number of steps.
import numpy as np
import tensorflow as tf

train_x = tf.placeholder(tf.float32, [None, 20])
train_y = tf.placeholder(tf.int32, [None])
batch = tf.placeholder(tf.int64, [])


def scaled(x, y):
    return x / 255.0, tf.one_hot(y, 5)


train_set = tf.data.Dataset.from_tensor_slices((train_x, train_y)).map(scaled).batch(batch)
test_set = tf.data.Dataset.from_tensor_slices(
    (np.ones((17, 20), np.float32), np.ones(17, np.int32))).map(scaled).batch(17)
iterator = tf.data.Iterator.from_structure(train_set.output_types, train_set.output_shapes)
start_train, start_test = iterator.make_initializer(train_set), iterator.make_initializer(test_set)
x, y = iterator.get_next()
logits = tf.layers.dense(x, 5)
loss = tf.losses.softmax_cross_entropy(y, logits)
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        sess.run(start_train, {train_x: np.ones((100, 20)), train_y: np.ones(100), batch: 32})
        sizes = []
        while True:
            try:
                _, out = sess.run([train, logits])
                sizes.append(out.shape[0])
            except tf.errors.OutOfRangeError:
                break
        assert sizes == [32, 32, 32, 4], sizes
        sess.run(start_test)
        assert sess.run(logits).shape == (17, 5)
    assert sess.run(step) == 12
