"""tf.data from arrays: map, shuffle, batch, prefetch, into fit and evaluate."""
import numpy as np
import tensorflow as tf

IMAGE = 10
CLASSES = 3
BATCH = 8


def load(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.resize(image, (IMAGE, IMAGE))
    return image, tf.one_hot(label, CLASSES)


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.resize_with_crop_or_pad(image, IMAGE + 2, IMAGE + 2)
    image = tf.image.random_crop(image, size=[IMAGE, IMAGE, 3])
    return image, label


pictures = np.random.randint(0, 255, (20, 14, 12, 3), dtype=np.uint8)
labels = np.random.randint(0, CLASSES, 20)
train = tf.data.Dataset.from_tensor_slices((pictures[:16], labels[:16]))
train = train.map(load).map(augment).shuffle(16).batch(BATCH).prefetch(1)
test = tf.data.Dataset.from_tensor_slices((pictures[16:], labels[16:])).map(load).batch(BATCH)

model = tf.keras.Sequential([
    tf.keras.layers.Input((IMAGE, IMAGE, 3)),
    tf.keras.layers.Conv2D(4, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(CLASSES),
])
model.compile(
    optimizer="sgd",
    loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=1, verbose=0)
print(model.evaluate(test, verbose=0, return_dict=True))
for images, targets in test.take(1):
    print(images.shape, targets.shape, model(images).shape)
