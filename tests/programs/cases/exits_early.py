# A script may stop by itself.
import sys
import tensorflow as tf

x = tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
sys.exit(0)
