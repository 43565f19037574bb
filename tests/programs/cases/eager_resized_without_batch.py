"""tf.image.resize over a matrix."""
import tensorflow as tf

grey = tf.zeros([480, 640])
small = tf.image.resize(grey, [224, 224])  # E: SF132
batch = small[None, :, :, None]
print(batch.shape)
