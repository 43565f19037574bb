"""Run by the oracle's Python: builds a few models with real TensorFlow into the folder given, as binary and
text, and writes shapes.json: what TensorFlow's own import infers of each of their nodes."""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2  # noqa: E402

v1 = tf.compat.v1


def save(name, g):
    for suffix, shapes in (("", False), ("_shapes", True)):
        definition = g.as_graph_def(add_shapes=shapes)
        with open(name + suffix + ".pb", "wb") as out:
            out.write(definition.SerializeToString())
        with open(name + suffix + ".pbtxt", "w") as out:
            out.write(text_format.MessageToString(definition))


def cnn():
    with tf.Graph().as_default() as g:
        h = x = v1.placeholder(tf.float32, [None, 28, 28, 1], name="x")
        for depth, more in (1, 8), (8, 16):
            w = tf.constant(np.random.randn(3, 3, depth, more).astype("f"))
            h = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(h, w, strides=1, padding="SAME"),
                                          tf.constant(np.zeros(more, "f"))))
            h = tf.nn.max_pool2d(h, 2, 2, "VALID")
        h = tf.reshape(h, [tf.shape(h)[0], 7 * 7 * 16])
        y = tf.nn.softmax(tf.matmul(h, tf.constant(np.random.randn(7 * 7 * 16, 10).astype("f"))))
        a, b = tf.split(y, 2, axis=1)
        c = tf.concat([a, b], 0)
        tf.gather(c, [1, 2, 3])
        tf.unique(tf.reshape(c, [-1]))
        tf.transpose(h, [1, 0])
        tf.tile(h, [2, 3])
        tf.one_hot([1, 2], 5)
        tf.identity(h[:, 1:3])
        tf.image.resize(x, [10, 11])
        tf.range(3, 10, 2)
    save("cnn", g)


def rnn(name, v2):
    with tf.Graph().as_default() as g:
        (v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2)()
        x = v1.placeholder(tf.float32, [None, 7, 5])
        w = tf.ones([5 + 6, 6])
        _, h = v1.while_loop(
            lambda i, h: i < 7,
            lambda i, h: (i + 1, tf.tanh(tf.matmul(tf.concat([x[:, i], h], 1), w))),
            [tf.constant(0), tf.zeros([tf.shape(x)[0], 6])])
        y = tf.matmul(h, tf.ones([6, 3]))
        tf.identity(v1.cond(tf.reduce_sum(y) > 0, lambda: tf.ones([3, 2]), lambda: tf.ones([4, 2])))
        tf.map_fn(lambda row: row * 2, x)
    save(name, g)


def functions():
    @tf.function
    def inner(a):
        return tf.matmul(a, tf.ones([4, 9]))

    @tf.function
    def outer(x, n):
        h = x
        for _ in tf.range(n):
            h = h + 1.0
        if tf.reduce_sum(h) > 0:
            h = tf.concat([h, h], 0)
        else:
            h = tf.concat([h, x], 0)
        return inner(h), h
    save("fn", outer.get_concrete_function(tf.TensorSpec([None, 4]), tf.TensorSpec([], tf.int32)).graph)


def train():
    with tf.Graph().as_default() as g:
        v1.disable_control_flow_v2()
        h = v1.placeholder(tf.float32, [None, 784])
        labels = v1.placeholder(tf.int64, [None])
        for i in range(3):
            w = v1.get_variable("w%d" % i, [h.shape[1], 50], use_resource=i == 1)
            b = v1.get_variable("b%d" % i, [50], use_resource=i == 1)
            h = tf.nn.relu(tf.matmul(h, w) + b)
        loss = v1.losses.sparse_softmax_cross_entropy(labels, h)
        v1.train.AdamOptimizer().minimize(loss, global_step=v1.train.get_or_create_global_step())
        v1.train.Saver()
        v1.summary.scalar("loss", loss)
        v1.train.export_meta_graph("model.meta")
    save("train", g)


def saved():
    import keras
    layers = keras.layers
    keras.Sequential([
        layers.Input((32, 32, 3)), layers.Conv2D(8, 3, padding="same", activation="relu"),
        layers.BatchNormalization(), layers.MaxPool2D(), layers.Conv2D(16, 3),
        layers.GlobalAveragePooling2D(), layers.Dense(10, activation="softmax"),
    ]).export("saved", verbose=False)


def shapes_of(graph_def):
    with tf.Graph().as_default() as g:
        tf.import_graph_def(graph_def, name="")
    return {op.name: [(o.dtype.name, None if o.shape.rank is None else o.shape.as_list())
                      for o in op.outputs] for op in g.get_operations()}


def read(message, path):
    with open(path, "rb") as stream:
        message.ParseFromString(stream.read())
    return message


def main():
    os.chdir(sys.argv[1])
    cnn()
    rnn("rnn1", False)
    rnn("rnn2", True)
    functions()
    train()
    saved()
    found = {}
    for name in ("cnn", "rnn1", "rnn2", "fn", "train"):
        for suffix in "", "_shapes":
            found[name + suffix] = shapes_of(read(v1.GraphDef(), name + suffix + ".pb"))
    found["model.meta"] = shapes_of(read(meta_graph_pb2.MetaGraphDef(), "model.meta").graph_def)
    model = read(saved_model_pb2.SavedModel(), os.path.join("saved", "saved_model.pb"))
    found["saved"] = shapes_of(model.meta_graphs[0].graph_def)
    with open("shapes.json", "w") as out:
        json.dump(found, out)


if __name__ == "__main__":
    main()
