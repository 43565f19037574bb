"""An image classifier of patches: a ViT, as the Keras examples have it."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

num_classes = 10
input_shape = (32, 32, 3)
image_size, patch_size = 36, 6
num_patches = (image_size // patch_size) ** 2
projection_dim, num_heads = 32, 4
transformer_units = [projection_dim * 2, projection_dim]
# wrong: num_patches = image_size // patch_size

x_train = np.random.randint(0, 256, (64, 32, 32, 3)).astype("uint8")
y_train = np.random.randint(0, num_classes, (64, 1))
data_augmentation = keras.Sequential([layers.Normalization(), layers.Resizing(image_size, image_size),
                                      layers.RandomFlip("horizontal"), layers.RandomRotation(0.02)])
data_augmentation.layers[0].adapt(x_train)


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        batch_size = tf.shape(images)[0]
        patches = tf.image.extract_patches(
            images=images, sizes=[1, self.patch_size, self.patch_size, 1],
            strides=[1, self.patch_size, self.patch_size, 1], rates=[1, 1, 1, 1], padding="VALID")
        return tf.reshape(patches, [batch_size, -1, patches.shape[-1]])


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=projection_dim)
        self.position_embedding = layers.Embedding(num_patches, projection_dim)

    def call(self, patch):
        positions = tf.range(start=0, limit=self.num_patches, delta=1)
        return self.projection(patch) + self.position_embedding(positions)  # E: SF101


def create_vit_classifier():
    inputs = layers.Input(shape=input_shape)
    augmented = data_augmentation(inputs)
    encoded_patches = PatchEncoder(num_patches, projection_dim)(Patches(patch_size)(augmented))
    for _ in range(2):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
        attention = layers.MultiHeadAttention(num_heads=num_heads, key_dim=projection_dim, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, encoded_patches])
        x3 = mlp(layers.LayerNormalization(epsilon=1e-6)(x2), transformer_units, 0.1)
        encoded_patches = layers.Add()([x3, x2])
    representation = layers.Flatten()(layers.LayerNormalization(epsilon=1e-6)(encoded_patches))
    features = mlp(layers.Dropout(0.5)(representation), [64], 0.5)
    return keras.Model(inputs=inputs, outputs=layers.Dense(num_classes)(features))


model = create_vit_classifier()
model.compile(keras.optimizers.AdamW(1e-3, weight_decay=1e-4),
              keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
                       keras.metrics.SparseTopKCategoricalAccuracy(5, name="top-5")])
history = model.fit(x_train, y_train, batch_size=32, epochs=1, validation_split=0.1, verbose=0)
_, accuracy, top_5 = model.evaluate(x_train, y_train, verbose=0)
