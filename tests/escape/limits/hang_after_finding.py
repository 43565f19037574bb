# time: a hang in C after a finding, which is reported
# options: --time-limit 1
# expect: 1
# says: stopped after
import ctypes

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
ctypes.PyDLL(None).sleep(30)
