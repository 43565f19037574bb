# SIGKILL to itself after a finding: the finding is kept
# expect: 1
# says: SIGKILL
import os
import signal

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
os.kill(os.getpid(), signal.SIGKILL)
