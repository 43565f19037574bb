# every open descriptor replaced by /dev/null after a finding: the finding is kept
# expect: 1
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
sink = os.open("/dev/null", os.O_RDWR)
for fd in range(3, 64):
    if fd != sink:
        try:
            os.fstat(fd)
            os.dup2(sink, fd)
        except OSError:
            pass
