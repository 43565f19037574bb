"""ResNet-50 and BERT-base, each as a frozen GraphDef and as ONNX: what onnx_peer.py compares.

    PYTHON benchmarks/onnx_models.py FOLDER     PYTHON has tensorflow-cpu, onnx and tf2onnx

The weights are zeros: shapes are all that matters here. In the ONNX files large weights are inputs of
their shape, so that its inference does not spend its time on copying them.
"""
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf2onnx  # noqa: E402
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2  # noqa: E402

HIDDEN, HEADS, LAYERS, WORDS, LENGTH = 768, 12, 12, 30522, 128


def resnet50():
    model = tf.keras.applications.ResNet50(weights=None)
    return lambda image: model(image, training=False), [tf.TensorSpec([None, 224, 224, 3], name="image")]


class Bert(tf.Module):
    """The encoder of BERT-base: embeddings, twelve layers of attention, the pooler."""

    def __init__(self):
        self.kept = []
        self.word, self.place = self.weight(WORDS, HIDDEN), self.weight(512, HIDDEN)
        self.kind = self.weight(2, HIDDEN)
        self.first = self.norm()
        self.layers = [[self.dense(HIDDEN, HIDDEN) for _ in range(4)] + [self.norm()] + [
            self.dense(HIDDEN, 4 * HIDDEN), self.dense(4 * HIDDEN, HIDDEN), self.norm()]
            for _ in range(LAYERS)]
        self.pooler = self.dense(HIDDEN, HIDDEN)

    def weight(self, *shape):
        self.kept.append(tf.Variable(tf.zeros(shape)))
        return self.kept[-1]

    def dense(self, rows, columns):
        w, b = self.weight(rows, columns), self.weight(columns)
        return lambda x: tf.tensordot(x, w, 1) + b

    def norm(self):
        gamma, beta = self.weight(HIDDEN), self.weight(HIDDEN)

        def apply(x):
            mean = tf.reduce_mean(x, -1, keepdims=True)
            variance = tf.reduce_mean(tf.math.squared_difference(x, mean), -1, keepdims=True)
            return (x - mean) * tf.math.rsqrt(variance + 1e-12) * gamma + beta
        return apply

    def heads(self, x):
        return tf.transpose(tf.reshape(x, [-1, LENGTH, HEADS, HIDDEN // HEADS]), [0, 2, 1, 3])

    def __call__(self, ids, kinds, mask):
        x = tf.gather(self.word, ids) + tf.gather(self.kind, kinds) + self.place[:LENGTH]
        x = self.first(x)
        bias = (1.0 - tf.cast(mask, tf.float32)[:, None, None, :]) * -1e4
        for query, key, value, out, norm, wide, narrow, last in self.layers:
            scores = tf.matmul(self.heads(query(x)), self.heads(key(x)), transpose_b=True) / 8.0
            read = tf.matmul(tf.nn.softmax(scores + bias), self.heads(value(x)))
            read = tf.reshape(tf.transpose(read, [0, 2, 1, 3]), [-1, LENGTH, HIDDEN])
            x = norm(x + out(read))
            inner = wide(x)
            inner = 0.5 * inner * (1.0 + tf.math.erf(inner / 1.4142135))
            x = last(x + narrow(inner))
        return tf.tanh(self.pooler(x[:, 0]))


def bert():
    spec = [tf.TensorSpec([None, LENGTH], tf.int32, name=n) for n in ("ids", "kinds", "mask")]
    return Bert(), spec


def weights_to_inputs(graph, small=1000):
    """Initialisers of more than `small` elements become inputs: their bytes are nobody's business."""
    known = {value.name for value in graph.input}
    for tensor in [t for t in graph.initializer if np.prod(t.dims or [1]) > small]:
        graph.initializer.remove(tensor)
        if tensor.name not in known:
            graph.input.append(onnx.helper.make_tensor_value_info(
                tensor.name, tensor.data_type, list(tensor.dims)))


def write(name, make, folder):
    call, spec = make()
    function = tf.function(call, input_signature=spec)
    frozen = convert_variables_to_constants_v2(function.get_concrete_function())
    graph = frozen.graph.as_graph_def()
    (folder / (name + ".pb")).write_bytes(graph.SerializeToString())
    model, _ = tf2onnx.convert.from_graph_def(
        graph, input_names=[t.name for t in frozen.inputs], output_names=[t.name for t in frozen.outputs],
        opset=17)
    del model.graph.value_info[:]
    weights_to_inputs(model.graph)
    onnx.save(model, folder / (name + ".onnx"))
    print("%s: %d nodes of TensorFlow, %d of ONNX" % (name, len(graph.node), len(model.graph.node)))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in (("resnet50", resnet50), ("bert", bert)):
        write(name, make, folder)


if __name__ == "__main__":
    main()
