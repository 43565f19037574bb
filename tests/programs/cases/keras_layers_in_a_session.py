import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
h = tf.keras.layers.Dense(64, activation="relu", name="hidden")(x)
h = tf.keras.layers.Dropout(0.5)(h)
logits = tf.keras.layers.Dense(10, name="out")(h)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
print([v.name for v in tf.trainable_variables()])
with tf.Session() as sess:
    K.set_session(sess)
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        _, l = sess.run([train, loss], {x: np.random.rand(32, 784), y: np.eye(10)[np.random.randint(0, 10, 32)], K.learning_phase(): 1})
