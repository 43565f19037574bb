"""Box coordinates counted from one."""
import numpy as np
import tensorflow as tf

boxes = tf.placeholder(tf.float32, [None, 4])
x1, y1, x2 = boxes[:, 0], boxes[:, 1], boxes[:, 2]
y2 = boxes[:, 4]  # E: SF118
area = (x2 - x1) * (y2 - y1)
with tf.Session() as sess:
    print(sess.run(area, {boxes: np.zeros([10, 4])}).shape)
