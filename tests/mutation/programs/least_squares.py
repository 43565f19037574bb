"""Ridge regression by the normal equations, by QR and by lstsq; principal components by SVD."""
import numpy as np
import tensorflow as tf

rows, columns, outputs = 30, 4, 2
rng = np.random.RandomState(5)
design = rng.randn(rows, columns).astype("float32")
truth = rng.randn(columns, outputs).astype("float32")
noise = 0.01 * rng.randn(rows, outputs).astype("float32")
targets = design @ truth + noise

a = tf.constant(np.concatenate([np.ones((rows, 1), "float32"), design], axis=1))
b = tf.constant(targets)

gram = tf.matmul(a, a, transpose_a=True) + 0.1 * tf.eye(columns + 1)
moment = tf.matmul(a, b, transpose_a=True)
weights = tf.linalg.solve(gram, moment)
lower = tf.linalg.cholesky(gram)
by_cholesky = tf.linalg.cholesky_solve(lower, moment)
q, r = tf.linalg.qr(a)
by_qr = tf.linalg.triangular_solve(r, tf.matmul(tf.transpose(q), b), lower=False)
by_lstsq = tf.linalg.lstsq(a, b, l2_regularizer=0.1)

residuals = b - a @ weights
variance = tf.reduce_sum(residuals ** 2, axis=0) / (rows - columns - 1)
errors = tf.sqrt(tf.tensordot(tf.linalg.diag_part(tf.linalg.inv(gram)), variance, axes=0))
scores = weights / errors

centred = a[:, 1:] - tf.reduce_mean(a[:, 1:], axis=0, keepdims=True)
s, u, v = tf.linalg.svd(centred)
components = tf.matmul(centred, v[:, :2])
shares = tf.square(s) / tf.reduce_sum(tf.square(s))
covariance = tf.einsum("ij,ik->jk", centred, centred) / rows
print(scores.shape, components.shape, shares.shape, covariance.shape)
print(float(tf.norm(weights - by_cholesky)), by_qr.shape, by_lstsq.shape, u.shape)
