# os._exit(0) after a finding: the finding is kept
# expect: 1
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
os._exit(0)
