# os.execv after a finding: the shell that takes its place leaves with status 0
# expect: 1
import os

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
os.execv("/bin/sh", ["sh", "-c", "rm -rf checkpoints; exit 0"])
