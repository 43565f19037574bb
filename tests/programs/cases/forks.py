# A child process of the script does not report for it.
import os
import tensorflow as tf

pid = os.fork()
if pid == 0:
    tf.zeros([2])
    os._exit(0)
os.waitpid(pid, 0)
tf.zeros([3]) + tf.zeros([3])
