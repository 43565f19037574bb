import os
import tempfile
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "data.tfrecord")
with tf.io.TFRecordWriter(path) as writer:
    for i in range(10):
        feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[0.0] * 12)),
                   "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 3]))}
        writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())

description = {"x": tf.io.FixedLenFeature([12], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64, default_value=0)}


def parse(record):
    example = tf.io.parse_single_example(record, description)  # E: SF102
    return tf.reshape(example["x"], [4, 3]), tf.one_hot(example["y"], 3)


def parse_batch(records):
    example = tf.io.parse_example(records, description)
    return example["x"], example["y"]


dataset = tf.data.TFRecordDataset([path]).batch(4).map(parse)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(dataset, epochs=1, verbose=0)
for x, y in tf.data.TFRecordDataset([path]).batch(4).map(parse_batch):
    assert x.shape[1] == 12
