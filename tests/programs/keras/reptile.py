"""Few shots: Reptile moves the weights toward those that small tasks end with."""
import random

import keras
import numpy as np
import tensorflow as tf
from keras import layers

classes, shots, inner_batch, inner_iters, eval_interval = 5, 3, 10, 2, 2


class Dataset:
    def __init__(self):
        self.data = {f"letter{i}": [np.random.rand(28, 28, 1) for _ in range(20)] for i in range(12)}
        self.labels = list(self.data)

    def get_mini_dataset(self, batch_size, repetitions, shots, num_classes, split=False):
        temp_labels = np.zeros(shape=(num_classes * shots))
        temp_images = np.zeros(shape=(num_classes * shots, 28, 28, 1))
        if split:
            test_labels = np.zeros(shape=(num_classes))
            test_images = np.zeros(shape=(num_classes, 28, 28, 1))
        label_subset = random.choices(self.labels, k=num_classes)
        for class_idx, _ in enumerate(label_subset):
            temp_labels[class_idx * shots:(class_idx + 1) * shots] = class_idx
            if split:
                test_labels[class_idx] = class_idx
                images = random.choices(self.data[label_subset[class_idx]], k=shots + 1)
                test_images[class_idx] = images[-1]
                temp_images[class_idx * shots:(class_idx + 1) * shots] = images[:-1]
            else:
                temp_images[class_idx * shots:(class_idx + 1) * shots] = random.choices(
                    self.data[label_subset[class_idx]], k=shots)
        dataset = tf.data.Dataset.from_tensor_slices(
            (temp_images.astype(np.float32), temp_labels.astype(np.int32)))
        dataset = dataset.shuffle(100).batch(batch_size).repeat(repetitions)
        return (dataset, test_images, test_labels) if split else dataset


def conv_bn(x):
    x = layers.Conv2D(filters=16, kernel_size=3, strides=2, padding="same")(x)
    return layers.ReLU()(layers.BatchNormalization()(x))


inputs = layers.Input(shape=(28, 28, 1))
x = layers.Flatten()(conv_bn(conv_bn(conv_bn(inputs))))
model = keras.Model(inputs=inputs, outputs=layers.Dense(classes, activation="softmax")(x))
model.compile()
optimizer = keras.optimizers.SGD(learning_rate=0.003)
train_dataset = Dataset()
for meta_iter in range(3):
    cur_meta_step_size = (1 - meta_iter / 3) * 0.25
    old_vars = model.get_weights()
    for images, labels in train_dataset.get_mini_dataset(inner_batch, inner_iters, shots, classes):
        with tf.GradientTape() as tape:
            loss = keras.losses.sparse_categorical_crossentropy(labels, model(images))
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
    new_vars = model.get_weights()
    # wrong: mixed = [new_vars[i] + (old_vars[-i] - new_vars[i]) * cur_meta_step_size for i in range(len(new_vars))]  # E: SF401
    mixed = [old_vars[i] + (new_vars[i] - old_vars[i]) * cur_meta_step_size for i in range(len(new_vars))]
    model.set_weights(mixed)
train_set, test_images, test_labels = train_dataset.get_mini_dataset(5, 1, shots, classes, split=True)
test_preds = tf.argmax(model.predict(test_images, verbose=0), axis=1).numpy()
print((test_preds == test_labels).sum() / classes)
