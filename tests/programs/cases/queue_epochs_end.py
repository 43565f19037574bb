# A queue pipeline that waits for OutOfRangeError: 2 epochs of 5 lines, in batches of 3.
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
path = os.path.join(folder, "rows.csv")
with open(path, "w") as file:
    file.write("1,2,0\n" * 5)

queue = tf.train.string_input_producer([path], num_epochs=2)
_, line = tf.TextLineReader().read(queue)
a, b, label = tf.decode_csv(line, [[0.0], [0.0], [0]])
x, y = tf.train.batch([tf.stack([a, b]), label], batch_size=3, allow_smaller_final_batch=True)
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 4))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    steps = 0
    try:
        while not coord.should_stop():
            sess.run(train)
            steps += 1
    except tf.errors.OutOfRangeError:
        pass
    finally:
        coord.request_stop()
    coord.join(threads)
    assert steps == 4, steps
