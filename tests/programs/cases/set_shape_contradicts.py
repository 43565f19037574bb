import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
x.set_shape([60])
y = tf.identity(x)
y.set_shape([3, 4, 5])  # E: SF124
