# Channels first fed to a channels-last placeholder: the value handed in is guilty.
import numpy as np
import tensorflow as tf

images = tf.placeholder(tf.float32, [None, 32, 32, 3], name="images")
mean = tf.reduce_mean(images)
sess = tf.Session()
sess.run(mean, {images: np.zeros([8, 32, 32, 3])})
sess.run(mean, feed_dict={images: np.zeros([8, 3, 32, 32])})  # E: SF301
