"""Graph mode: a stacked autoencoder with tied sizes, cost by squared error."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

num_input = 20
num_hidden_1 = 12
num_hidden_2 = 5
batch_size = 8

X = tf.placeholder("float", [None, num_input])
weights = {
    "encoder_h1": tf.Variable(tf.random_normal([num_input, num_hidden_1])),
    "encoder_h2": tf.Variable(tf.random_normal([num_hidden_1, num_hidden_2])),
    "decoder_h1": tf.Variable(tf.random_normal([num_hidden_2, num_hidden_1])),
    "decoder_h2": tf.Variable(tf.random_normal([num_hidden_1, num_input])),
}
biases = {
    "encoder_b1": tf.Variable(tf.random_normal([num_hidden_1])),
    "encoder_b2": tf.Variable(tf.random_normal([num_hidden_2])),
    "decoder_b1": tf.Variable(tf.random_normal([num_hidden_1])),
    "decoder_b2": tf.Variable(tf.random_normal([num_input])),
}


def encoder(x):
    layer_1 = tf.nn.sigmoid(tf.add(tf.matmul(x, weights["encoder_h1"]), biases["encoder_b1"]))
    return tf.nn.sigmoid(tf.add(tf.matmul(layer_1, weights["encoder_h2"]), biases["encoder_b2"]))


def decoder(x):
    layer_1 = tf.nn.sigmoid(tf.add(tf.matmul(x, weights["decoder_h1"]), biases["decoder_b1"]))
    return tf.nn.sigmoid(tf.add(tf.matmul(layer_1, weights["decoder_h2"]), biases["decoder_b2"]))


encoder_op = encoder(X)
decoder_op = decoder(encoder_op)
loss = tf.reduce_mean(tf.pow(X - decoder_op, 2))
optimizer = tf.train.RMSPropOptimizer(0.01).minimize(loss)

data = np.random.rand(32, num_input)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        batch = data[i * batch_size:(i + 1) * batch_size]
        _, l = sess.run([optimizer, loss], feed_dict={X: batch})
    side = 4
    canvas = np.empty((4 * side, 5 * side))
    shown = sess.run(decoder_op, feed_dict={X: data[:side]})
    for j in range(side):
        canvas[j * 4:(j + 1) * 4, 0:5] = shown[j].reshape([4, 5])
print("loss", l, canvas.shape)
