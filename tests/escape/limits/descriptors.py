# descriptors: all that can be had are opened after a finding, which is kept
# expect: 1
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
kept = []
try:
    for _ in range(100_000):
        kept.append(os.dup(0))
except OSError:
    pass
