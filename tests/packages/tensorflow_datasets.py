# tensorflow-datasets
import tensorflow as tf
import tensorflow_datasets as tfds

train, info = tfds.load("mnist", split="train", as_supervised=True, with_info=True)
print("SPEC", train.element_spec[0].shape, train.element_spec[1].dtype.name)
print("CLASSES", info.features["label"].num_classes)
first, second = tfds.load("mnist", split=["train[:80%]", "train[80%:]"])
print("COUNTS", len(first), len(second), info.splits["test"].num_examples)
batches = train.map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label)).batch(32)
for images, labels in batches.take(1):
    print("SHAPE", images.shape[1:], labels.dtype.name)
boxes = tfds.load("voc/2007", split="train")  # nobody knows how many
print("BOXES", boxes.element_spec["objects"]["bbox"].shape)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(batches, epochs=1, verbose=0)
print("DONE")
