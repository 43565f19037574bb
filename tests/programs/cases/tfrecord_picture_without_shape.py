"""Pictures written to records and read back, with a queue and with a data set."""
import os
import tempfile
import numpy as np
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "train.tfrecords")


def _bytes(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def _int64(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


with tf.python_io.TFRecordWriter(path) as writer:
    for i in range(20):
        image = np.zeros((28, 28, 3), np.uint8)
        example = tf.train.Example(features=tf.train.Features(feature={
            "image": _bytes(image.tobytes()), "label": _int64(i % 10),
            "words": tf.train.Feature(int64_list=tf.train.Int64List(value=list(range(i % 4))))}))
        writer.write(example.SerializeToString())


def parse(serialized):
    features = tf.parse_single_example(serialized, features={
        "image": tf.FixedLenFeature([], tf.string), "label": tf.FixedLenFeature([], tf.int64),
        "words": tf.VarLenFeature(tf.int64)})
    image = tf.decode_raw(features["image"], tf.uint8)
    image = image
    image = tf.cast(image, tf.float32) / 255.0
    return image, tf.cast(features["label"], tf.int32), features["words"]


queue = tf.train.string_input_producer([path], num_epochs=1)
_, serialized = tf.TFRecordReader().read(queue)
image, label, words = parse(serialized)
images, labels = tf.train.shuffle_batch([image, label], batch_size=5, capacity=50, min_after_dequeue=10)  # E: SF132
logits = tf.layers.dense(tf.layers.flatten(images), 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)

dataset = tf.data.TFRecordDataset(path).map(parse).repeat(2).batch(8)
x, y, w = dataset.make_one_shot_iterator().get_next()
embedded = tf.nn.embedding_lookup_sparse(tf.Variable(tf.zeros([30, 6])), w, None, combiner="mean")
both = tf.concat([tf.layers.flatten(x), embedded], 1)
score = tf.layers.dense(both, 1)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    try:
        while not coord.should_stop():
            print(sess.run([images, loss])[0].shape)
    except tf.errors.OutOfRangeError:
        pass
    coord.request_stop()
    coord.join(threads)
    print(sess.run(score).shape)
