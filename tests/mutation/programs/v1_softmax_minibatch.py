"""Graph mode: placeholders, a hidden layer, a feed for each mini-batch, the accuracy at the end."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

n_input, n_hidden, n_classes = 16, 9, 4
batch_size, training_epochs = 10, 2

data_x = np.random.rand(50, n_input)
data_y = np.eye(n_classes)[np.random.randint(0, n_classes, 50)]

x = tf.placeholder(tf.float32, [None, n_input], name="x")
y = tf.placeholder(tf.float32, [None, n_classes], name="y")

weights = {
    "h1": tf.Variable(tf.random_normal([n_input, n_hidden])),
    "out": tf.Variable(tf.random_normal([n_hidden, n_classes])),
}
biases = {
    "b1": tf.Variable(tf.random_normal([n_hidden])),
    "out": tf.Variable(tf.random_normal([n_classes])),
}


def multilayer_perceptron(inputs):
    layer_1 = tf.nn.relu(tf.add(tf.matmul(inputs, weights["h1"]), biases["b1"]))
    return tf.matmul(layer_1, weights["out"]) + biases["out"]


logits = multilayer_perceptron(x)
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
train_op = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost)
correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(training_epochs):
        total_batch = len(data_x) // batch_size
        for i in range(total_batch):
            batch_x = data_x[i * batch_size:(i + 1) * batch_size]
            batch_y = data_y[i * batch_size:(i + 1) * batch_size]
            _, c = sess.run([train_op, cost], feed_dict={x: batch_x, y: batch_y})
        print("epoch", epoch, "cost", c)
    print("accuracy", sess.run(accuracy, feed_dict={x: data_x, y: data_y}))
