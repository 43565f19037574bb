# descriptors: all that can be had are opened, then a finding is made
# expect: 1
import os

import tensorflow as tf

kept = []
try:
    for _ in range(100_000):
        kept.append(os.dup(0))
except OSError:
    pass
x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
