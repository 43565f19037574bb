# argmax over the only column: the answer is 0 for every input.
import tensorflow as tf

x = tf.placeholder(tf.float32, [8, 2])
truth = tf.placeholder(tf.float32, [8, 1])
guess = tf.matmul(x, tf.Variable(tf.zeros([2, 1])))
right = tf.equal(tf.greater(truth, 0.5), tf.greater(guess, 0.5))  # W: SF502
