# the C library's _exit(0) after a finding: the finding is kept
# expect: 1
import ctypes

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
ctypes.CDLL(None)._exit(0)
