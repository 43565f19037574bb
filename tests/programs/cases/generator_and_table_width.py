"""The padded shape of a data set has no place for its second feature."""
import tensorflow as tf

pairs = [([1, 2, 3], [[0.1, 0.2]] * 3), ([4], [[0.3, 0.4]])]
dataset = tf.data.Dataset.from_generator(lambda: iter(pairs), output_signature=(
    tf.TensorSpec([None], tf.int32), tf.TensorSpec([None, 2], tf.float32)))
for ids, features in dataset.padded_batch(2, padded_shapes=([None], [None, 1])):  # E: SF132
    print(ids.shape, features.shape)
