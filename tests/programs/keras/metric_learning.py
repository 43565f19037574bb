"""Similarity of images: anchors and positives of each class, cosine similarities as logits."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

num_classes, height_width = 6, 16
x_train = np.random.rand(120, height_width, height_width, 3).astype("float32")
y_train = np.repeat(np.arange(num_classes), 20)
class_idx_to_train_idxs = {c: np.where(y_train == c)[0] for c in range(num_classes)}


class AnchorPositivePairs(keras.utils.Sequence):
    def __init__(self, num_batches):
        super().__init__()
        self.steps = num_batches

    def __len__(self):
        return self.steps

    def __getitem__(self, _idx):
        x = np.empty((2, num_classes, height_width, height_width, 3), dtype=np.float32)
        for class_idx in range(num_classes):
            examples = class_idx_to_train_idxs[class_idx]
            anchor_idx, positive_idx = np.random.choice(examples, 2, replace=False)
            x[0, class_idx] = x_train[anchor_idx]
            x[1, class_idx] = x_train[positive_idx]
        return x


class EmbeddingModel(keras.Model):
    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        anchors, positives = data[0], data[1]
        with tf.GradientTape() as tape:
            anchor_embeddings = self(anchors, training=True)
            positive_embeddings = self(positives, training=True)
            # wrong: similarities = keras.ops.einsum("ae,pf->ap", anchor_embeddings, positive_embeddings)[None]
            similarities = keras.ops.einsum("ae,pe->ap", anchor_embeddings, positive_embeddings)
            similarities /= 0.2
            sparse_labels = keras.ops.arange(num_classes)
            loss = self.compute_loss(y=sparse_labels, y_pred=similarities)  # E: SF108
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(sparse_labels, similarities)
        return {m.name: m.result() for m in self.metrics}


inputs = layers.Input(shape=(height_width, height_width, 3))
x = layers.Conv2D(filters=16, kernel_size=3, strides=2, activation="relu")(inputs)
x = layers.Conv2D(filters=32, kernel_size=3, strides=2, activation="relu")(x)
x = layers.GlobalAveragePooling2D()(x)
embeddings = layers.UnitNormalization()(layers.Dense(units=8, activation=None)(x))
model = EmbeddingModel(inputs, embeddings)
model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-3),
              loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(AnchorPositivePairs(num_batches=4), epochs=2, verbose=0)
near = np.einsum("ae,be->ab", *2 * [model.predict(x_train[:12], verbose=0)])
print(np.argsort(near, axis=1)[:, -3:].shape)
