# Scripts look at __file__, sys.argv, __main__ and the insides of contrib.
import os
import sys
import time

import tensorflow as tf

start_time = time.time()
assert os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "forks.py"))
assert len(sys.argv) == 1, sys.argv
from __main__ import start_time as same

assert same == start_time
cell = tf.contrib.rnn.__dict__["BasicLSTMCell"](8)
loss = tf.reduce_mean(tf.random_normal([4, 4]))
with tf.Session() as sess:
    print("loss %g %.3f %d" % (sess.run(loss), sess.run(loss), sess.run(tf.constant(7))))
