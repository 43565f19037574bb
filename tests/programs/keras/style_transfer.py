"""Neural style: features of a VGG, Gram matrices, and an image that is what is trained."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications import vgg19

rows, cols = 64, 80
base = vgg19.VGG19(weights=None, include_top=False)
outputs_dict = {layer.name: layer.output for layer in base.layers}
feature_extractor = tf.keras.Model(inputs=base.inputs, outputs=outputs_dict)
style_layers = ["block1_conv1", "block2_conv1", "block3_conv1"]
content_layer = "block4_conv2"


def gram_matrix(x):
    x = tf.transpose(x, (2, 0, 1))
    features = tf.reshape(x, (tf.shape(x)[0], -1))
    return tf.matmul(features, tf.transpose(features))


def style_loss(style, combination):
    size = rows * cols
    return tf.reduce_sum(tf.square(gram_matrix(style) - gram_matrix(combination))) / (4.0 * 9 * size ** 2)


def content_loss(base, combination):
    return tf.reduce_sum(tf.square(combination - base))


def total_variation(x):
    a = tf.square(x[:, : rows - 1, : cols - 1, :] - x[:, 1:, : cols - 1, :])
    # wrong: b = tf.square(x[:, : rows - 1, : cols - 1, :] - x[:, : rows - 1, 2:, :])  # E: SF101
    b = tf.square(x[:, : rows - 1, : cols - 1, :] - x[:, : rows - 1, 1:, :])
    return tf.reduce_sum(tf.pow(a + b, 1.25))


def compute_loss(combination, base_image, style_reference):
    features = feature_extractor(tf.concat([base_image, style_reference, combination], axis=0))
    loss = tf.zeros(shape=())
    layer_features = features[content_layer]
    loss = loss + 2.5e-8 * content_loss(layer_features[0, :, :, :], layer_features[2, :, :, :])
    for name in style_layers:
        layer_features = features[name]
        loss += (1e-6 / len(style_layers)) * style_loss(layer_features[1], layer_features[2])
    return loss + 1e-6 * total_variation(combination)


@tf.function
def compute_loss_and_grads(combination, base_image, style_reference):
    with tf.GradientTape() as tape:
        loss = compute_loss(combination, base_image, style_reference)
    return loss, tape.gradient(loss, combination)


def image():
    return tf.convert_to_tensor(vgg19.preprocess_input(np.random.uniform(0, 255, (1, rows, cols, 3))),
                                tf.float32)


optimizer = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(100.0, 100, 0.96))
base_image, style_reference = image(), image()
combination_image = tf.Variable(image())
for i in range(1, 4):
    loss, grads = compute_loss_and_grads(combination_image, base_image, style_reference)
    optimizer.apply_gradients([(grads, combination_image)])
picture = combination_image.numpy().reshape((rows, cols, 3))
