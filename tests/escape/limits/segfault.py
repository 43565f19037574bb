# a crash in C after a finding: the finding is kept
# expect: 1
# says: SIGSEGV
import ctypes

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
ctypes.string_at(0)
