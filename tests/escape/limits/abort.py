# abort() after a finding: the finding is kept
# expect: 1
# says: SIGABRT
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
os.abort()
