# tensorflow-estimator on TensorFlow 2.15.0
import tensorflow.compat.v1 as tf
from tensorflow_estimator.python.estimator.estimator import Estimator
from tensorflow_estimator.python.estimator.model_fn import EstimatorSpec


def model_fn(features, labels, mode):
    logits = tf.matmul(features, tf.get_variable("w", [4, 3]))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    print("SHAPE", logits.shape)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return EstimatorSpec(mode, loss=loss, train_op=step)


def input_fn():
    return tf.data.Dataset.from_tensors((tf.zeros([5, 4]), tf.zeros([5], tf.int64))).repeat(2)


Estimator(model_fn).train(input_fn, steps=2)
print("DONE")
