"""Filters on images: Sobel by depthwise convolution, padding, pyramids, patches, a montage."""
import numpy as np
import tensorflow as tf

HEIGHT, WIDTH, CHANNELS, COUNT = 12, 16, 3, 4

images = tf.random.uniform([COUNT, HEIGHT, WIDTH, CHANNELS])
gray = tf.image.rgb_to_grayscale(images)

kernel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype="float32")
kernels = np.stack([kernel, kernel.T], axis=-1).reshape(3, 3, 1, 2)
padded = tf.pad(gray, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
edges = tf.nn.depthwise_conv2d(padded, kernels, strides=[1, 1, 1, 1], padding="VALID")
strength = tf.sqrt(tf.reduce_sum(tf.square(edges), axis=-1, keepdims=True))
shown = tf.concat([gray, strength, gray], axis=3)

blur = tf.fill([5, 5, CHANNELS, 1], 1.0 / 25.0)
smooth = tf.nn.depthwise_conv2d(images, blur, strides=[1, 1, 1, 1], padding="SAME")
sharp = tf.clip_by_value(2.0 * images - smooth, 0.0, 1.0)

half = tf.nn.avg_pool2d(images, ksize=2, strides=2, padding="VALID")
quarter = tf.nn.avg_pool2d(half, ksize=2, strides=2, padding="VALID")
back = tf.image.resize(quarter, [HEIGHT, WIDTH])
detail = images - back

patches = tf.image.extract_patches(images, sizes=[1, 4, 4, 1], strides=[1, 4, 4, 1],
                                   rates=[1, 1, 1, 1], padding="VALID")
patches = tf.reshape(patches, [COUNT, -1, 4, 4, CHANNELS])
brightest = tf.argmax(tf.reduce_mean(patches, axis=[2, 3, 4]), axis=1)
chosen = tf.gather(patches, brightest, axis=1, batch_dims=1)

rows = tf.concat(tf.unstack(sharp, axis=0), axis=1)
montage = tf.concat([rows, tf.concat(tf.unstack(shown), axis=1)], axis=0)
crop = montage[HEIGHT // 2:-HEIGHT // 2, :WIDTH * 2]
print(detail.shape, chosen.shape, montage.shape, crop.shape)
