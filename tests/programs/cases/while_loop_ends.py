# A loop that waits for the loss to fall, or forever, ends.
import tensorflow as tf

w = tf.Variable(5.0)
loss = tf.square(w)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while True:
        _, value = sess.run([step, loss])
        if value < 1e-3:
            break
