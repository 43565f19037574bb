"""Two feature vectors of one sample, joined along the wrong axis."""
import numpy as np
import tensorflow as tf

user = tf.placeholder(tf.int32, [None])
item = tf.placeholder(tf.int32, [None])
rating = tf.placeholder(tf.float32, [None])
users = tf.get_variable("users", [1000, 32])
items = tf.get_variable("items", [500, 16])
u = tf.nn.embedding_lookup(users, user)
i = tf.nn.embedding_lookup(items, item)
both = tf.concat([u, i], 0)  # E: SF107
h = tf.layers.dense(both, 64, activation=tf.nn.relu)
score = tf.squeeze(tf.layers.dense(h, 1), 1)
loss = tf.reduce_mean(tf.square(score - rating))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {user: [1, 2], item: [3, 4], rating: [5.0, 1.0]})
