# tf-slim
import tensorflow.compat.v1 as tf
import tf_slim as slim

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 28, 28, 1])
with slim.arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(0.0005)):
    net = slim.conv2d(x, 32, [5, 5], scope="conv1")
    net = slim.max_pool2d(net, [2, 2], scope="pool1")
    net = slim.flatten(net)
    logits = slim.fully_connected(net, 10, activation_fn=None)
print("SHAPE", logits.shape, len(slim.get_model_variables()))
