# tensorflow-datasets
import tensorflow as tf
import tensorflow_datasets as tfds

train, info = tfds.load("mnist", split="train", as_supervised=True, with_info=True)
print("SPEC", train.element_spec[0].shape, train.element_spec[1].dtype.name)
print("CLASSES", info.features["label"].num_classes)
batches = train.map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label)).batch(32)
for images, labels in batches.take(1):
    print("SHAPE", images.shape[1:], labels.dtype.name)
