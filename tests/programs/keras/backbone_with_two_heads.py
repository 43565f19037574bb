"""Transfer learning: a frozen backbone, augmentation before it, two heads, then fine tuning."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import applications, layers, models, optimizers

SIZE = 96
base = applications.MobileNetV2(input_shape=(SIZE, SIZE, 3), include_top=False, weights=None)
base.trainable = False

augment = tf.keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomRotation(0.1), layers.RandomZoom(0.1)])
inputs = tf.keras.Input((SIZE, SIZE, 3))
x = augment(inputs)
x = applications.mobilenet_v2.preprocess_input(x)
x = base(x, training=False)
pooled = layers.GlobalAveragePooling2D()(x)
pooled = layers.Dropout(0.3)(pooled)
breed = layers.Dense(37, activation="softmax", name="breed")(pooled)
box = layers.Dense(4, name="box")(pooled)
model = models.Model(inputs, {"breed": breed, "box": box})
model.compile(
    optimizers.Adam(1e-3),
    loss={"breed": "sparse_categorical_crossentropy", "box": "mse"},
    loss_weights={"breed": 1.0, "box": 5.0},
    metrics={"breed": ["accuracy"], "box": ["mae"]})


def example(index):
    image = tf.random.stateless_uniform((120, 160, 3), [index, 0], 0, 255)
    # wrong: image = tf.image.resize(image, (SIZE, SIZE // 2))
    image = tf.image.resize(image, (SIZE, SIZE))
    return image, {"breed": index % 37, "box": tf.zeros([4])}


data = tf.data.Dataset.range(24).map(lambda i: example(tf.cast(i, tf.int32))).batch(8).prefetch(2)
model.fit(data, epochs=1, verbose=0)  # E: SF106
base.trainable = True
for layer in base.layers[:100]:
    layer.trainable = False
print(len(model.trainable_weights) > 4)
model.compile(optimizers.Adam(1e-5), loss={"breed": "sparse_categorical_crossentropy", "box": "mse"})
model.fit(data, epochs=1, verbose=0)
print({name: value.shape for name, value in model.predict(np.zeros((2, SIZE, SIZE, 3)), verbose=0).items()})
