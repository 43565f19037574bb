"""Graph mode with tf.data: an initializable iterator, convolutions by hand, epochs until it ends."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

SIDE, CLASSES, BATCH = 8, 3, 5

features = np.random.rand(20, SIDE * SIDE).astype(np.float32)
labels = np.random.randint(0, CLASSES, size=20).astype(np.int64)

features_placeholder = tf.placeholder(features.dtype, features.shape)
labels_placeholder = tf.placeholder(labels.dtype, labels.shape)


def parse(image, label):
    image = tf.reshape(image, [SIDE, SIDE, 1])
    return tf.image.per_image_standardization(image), tf.one_hot(label, CLASSES)


dataset = tf.data.Dataset.from_tensor_slices((features_placeholder, labels_placeholder))
dataset = dataset.map(parse).shuffle(20).batch(BATCH)
iterator = tf.data.make_initializable_iterator(dataset)
images, targets = iterator.get_next()

with tf.variable_scope("conv"):
    kernel = tf.get_variable("kernel", [3, 3, 1, 4])
    bias = tf.get_variable("bias", [4])
    net = tf.nn.bias_add(tf.nn.conv2d(images, kernel, strides=[1, 2, 2, 1], padding="SAME"), bias)
    net = tf.nn.relu(net)
with tf.variable_scope("dense"):
    size = int(np.prod(net.get_shape().as_list()[1:]))
    flat = tf.reshape(net, [-1, size])
    weights = tf.get_variable("weights", [size, CLASSES])
    logits = tf.nn.xw_plus_b(flat, weights, tf.get_variable("bias", [CLASSES]))

loss = tf.losses.softmax_cross_entropy(onehot_labels=targets, logits=logits)
step = tf.train.get_or_create_global_step()
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step)
accuracy = tf.reduce_mean(tf.to_float(tf.equal(tf.argmax(logits, 1), tf.argmax(targets, 1))))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        sess.run(iterator.initializer, feed_dict={features_placeholder: features,
                                                  labels_placeholder: labels})
        try:
            while True:
                _, value = sess.run([train, accuracy])
        except tf.errors.OutOfRangeError:
            print(epoch, sess.run(step), value)
