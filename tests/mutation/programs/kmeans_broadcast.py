"""K-means by broadcasting, with the means recomputed by unsorted_segment_mean; then k nearest."""
import numpy as np
import tensorflow as tf

POINTS, DIMENSIONS, CLUSTERS = 40, 3, 4

points = tf.constant(np.random.RandomState(2).rand(POINTS, DIMENSIONS), dtype=tf.float32)
centroids = tf.Variable(tf.slice(tf.random.shuffle(points), [0, 0], [CLUSTERS, -1]))


def assign(points, centroids):
    points_expanded = tf.expand_dims(points, 0)
    centroids_expanded = tf.expand_dims(centroids, 1)
    distances = tf.reduce_sum(tf.square(tf.subtract(points_expanded, centroids_expanded)), 2)
    return tf.argmin(distances, 0), distances


for step in range(3):
    assignments, distances = assign(points, centroids)
    means = tf.math.unsorted_segment_mean(points, assignments, CLUSTERS)
    centroids.assign(means)

sizes = tf.math.bincount(tf.cast(assignments, tf.int32), minlength=CLUSTERS)
member = tf.cast(tf.equal(assignments[:, tf.newaxis], tf.range(CLUSTERS, dtype=tf.int64)), tf.float32)
by_matmul = tf.matmul(member, points, transpose_a=True)
nearest = tf.math.top_k(-tf.transpose(distances), k=2)
first = tf.gather(centroids, nearest.indices[:, 0])
within = tf.reduce_mean(tf.norm(points - first, axis=1))

pairwise = tf.norm(points[:, None, :] - points[None, :, :], axis=-1)
neighbours = tf.argsort(pairwise, axis=1)[:, 1:6]
around = tf.gather(points, neighbours)
spread = tf.math.reduce_std(around, axis=1)
print(sizes.shape, by_matmul.shape, float(within), spread.shape)
