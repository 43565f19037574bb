# every descriptor but 0, 1, 2 closed after a finding: the finding is kept
# expect: 1
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
os.closerange(3, 4096)
