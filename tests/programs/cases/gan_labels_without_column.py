"""A discriminator gives a column, its labels are a row."""
import numpy as np
import tensorflow as tf

BATCH, NOISE = 64, 100
real = tf.placeholder(tf.float32, [BATCH, 784])
z = tf.placeholder(tf.float32, [BATCH, NOISE])


def generator(z):
    with tf.variable_scope("g"):
        h = tf.layers.dense(z, 128, tf.nn.leaky_relu)
        return tf.layers.dense(h, 784, tf.nn.tanh)


def discriminator(x, reuse):
    with tf.variable_scope("d", reuse=reuse):
        h = tf.layers.dense(x, 128, tf.nn.leaky_relu)
        return tf.layers.dense(h, 1)


d_real, d_fake = discriminator(real, False), discriminator(generator(z), True)
d_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=d_real, labels=tf.ones([BATCH])))  # E: SF132
d_loss += tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.zeros_like(d_fake)))
d_vars = [v for v in tf.trainable_variables() if v.name.startswith("d/")]
train = tf.train.AdamOptimizer(2e-4).minimize(d_loss, var_list=d_vars)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {real: np.zeros([BATCH, 784]), z: np.zeros([BATCH, NOISE])})
