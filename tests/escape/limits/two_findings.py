# two findings, then os._exit(7): both are kept
# expect: 1
# findings: 2
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
tf.reshape(x, [4])
os._exit(7)
