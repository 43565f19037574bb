"""What the installed Keras makes of hundreds of small things: `python keras_probes.py [--ours] > keras.json`.

Layers: paths, shapes and dtypes of the weights, specs of the outputs, counts, masks, configs that come back.
Errors: class and text. Models: summaries, configs. fit, evaluate and predict: what callbacks see, logs.
Never a number that was computed. With --ours Keras stands on ShapeFlow, without on TensorFlow.
"""
import io
import json
import os
import re
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
if "--ours" in sys.argv:
    import shapeflow as tf

    tf.keras  # noqa: B018 from now on `tensorflow` is ours
else:
    import tensorflow as tf
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers, ops  # noqa: E402
from verdicts import lines_of  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))

# (layer, shapes of its inputs without the batch)
LAYERS = """
Dense(4) 8
Dense(4, use_bias=False, activation="relu") 5,8
Dense(4, lora_rank=2) 8
EinsumDense("abc,cd->abd", output_shape=(None, 16), bias_axes="d") 5,8
Embedding(10, 4) 7
Embedding(10, 4, mask_zero=True) 7
Activation("gelu") 3,4
Identity() 3,4
Masking() 5,4
Lambda(lambda x: x * 2) 3
Conv1D(4, 3) 10,2
Conv1D(4, 3, padding="causal", dilation_rate=2) 10,2
Conv1D(4, 3, groups=2) 10,4
Conv2D(4, 3) 9,9,2
Conv2D(4, (3, 5), strides=2, padding="same") 9,8,2
Conv2D(4, 3, data_format="channels_first") 2,9,9
Conv2D(4, 3, dilation_rate=(2, 1), use_bias=False) 9,9,2
Conv3D(4, 3) 6,6,6,1
Conv1DTranspose(4, 3, strides=2) 10,2
Conv2DTranspose(4, 3, strides=2, padding="same") 9,9,2
Conv2DTranspose(4, 3, strides=2, output_padding=1) 9,9,2
Conv3DTranspose(4, 2, strides=2) 4,4,4,1
DepthwiseConv1D(3, depth_multiplier=2) 10,2
DepthwiseConv2D(3, depth_multiplier=2) 9,9,2
SeparableConv1D(4, 3) 10,2
SeparableConv2D(4, 3, depth_multiplier=2) 9,9,2
MaxPooling1D(2) 9,3
MaxPooling1D(2, padding="same") 9,3
MaxPooling2D((2, 3)) 9,9,3
MaxPooling3D(2) 6,6,6,1
AveragePooling1D(3, strides=2) 9,3
AveragePooling2D(2, padding="same") 9,9,3
AveragePooling3D(2) 6,6,6,1
GlobalMaxPooling1D() 9,3
GlobalMaxPooling2D(keepdims=True) 9,9,3
GlobalMaxPooling3D() 4,4,4,2
GlobalAveragePooling1D() 9,3
GlobalAveragePooling2D() 9,9,3
GlobalAveragePooling3D(data_format="channels_first") 2,4,4,4
AdaptiveAveragePooling2D(3) 9,9,3
AdaptiveMaxPooling1D(3) 9,3
BatchNormalization() 5,4
BatchNormalization(axis=1, scale=False) 5,4
LayerNormalization() 5,4
LayerNormalization(axis=[1, 2], center=False) 5,4
GroupNormalization(2) 5,5,4
RMSNormalization() 5,4
UnitNormalization() 5,4
SpectralNormalization(layers.Dense(3)) 4
Normalization(mean=1.0, variance=2.0) 4
Dropout(0.5) 4
SpatialDropout1D(0.5) 5,4
SpatialDropout2D(0.5) 5,5,4
SpatialDropout3D(0.5) 5,5,5,4
AlphaDropout(0.5) 4
GaussianDropout(0.5) 4
GaussianNoise(0.5) 4
ActivityRegularization(0.1) 4
ReLU(max_value=6) 4
LeakyReLU(0.2) 4
PReLU() 5,4
PReLU(shared_axes=[1]) 5,4
ELU() 4
Softmax(axis=1) 5,4
Reshape((2, 6)) 12
Reshape((-1, 3)) 12
Flatten() 3,4,5
Flatten(data_format="channels_first") 3,4,5
Permute((2, 1)) 3,4
RepeatVector(3) 4
Cropping1D((1, 2)) 9,2
Cropping2D(((1, 2), (0, 1))) 9,9,2
Cropping3D(1) 5,5,5,1
ZeroPadding1D((1, 2)) 9,2
ZeroPadding2D(((1, 2), (0, 1))) 9,9,2
ZeroPadding3D(1) 5,5,5,1
UpSampling1D(3) 4,2
UpSampling2D((2, 3), interpolation="bilinear") 4,4,2
UpSampling3D(2) 3,3,3,1
Add() 4 4
Add() 5,4 4
Subtract() 4 4
Multiply() 4 4 4
Average() 4 4
Maximum() 4 4
Minimum() 4 4
Concatenate() 4 6
Concatenate(axis=1) 5,4 2,4
Dot(axes=1) 4 4
Dot(axes=(2, 1), normalize=True) 5,4 4,6
SimpleRNN(6) 5,4
SimpleRNN(6, return_sequences=True, return_state=True) 5,4
LSTM(6) 5,4
LSTM(6, return_sequences=True, return_state=True) 5,4
LSTM(6, go_backwards=True, use_bias=False) 5,4
GRU(6) 5,4
GRU(6, reset_after=False, return_sequences=True) 5,4
RNN([layers.LSTMCell(3), layers.GRUCell(4)]) 5,4
RNN(layers.SimpleRNNCell(3), return_state=True) 5,4
Bidirectional(layers.LSTM(6)) 5,4
Bidirectional(layers.GRU(6, return_sequences=True), merge_mode="sum") 5,4
Bidirectional(layers.LSTM(6, return_state=True), merge_mode=None) 5,4
TimeDistributed(layers.Dense(3)) 5,4
ConvLSTM1D(3, 2) 4,8,2
ConvLSTM2D(3, 2, return_sequences=True) 4,8,8,2
ConvLSTM3D(3, 2) 3,5,5,5,1
MultiHeadAttention(2, 4) 5,8 5,8
MultiHeadAttention(2, 4, value_dim=3, output_shape=7) 5,8 6,8
GroupQueryAttention(4, 4, 2) 5,8 6,8
Attention(use_scale=True) ^5,8 6,8
AdditiveAttention() ^5,8 6,8
CenterCrop(4, 5) 8,8,3
Resizing(4, 5) 8,8,3
Rescaling(0.1) 8,8,3
RandomFlip() 8,8,3
RandomRotation(0.1) 8,8,3
RandomZoom(0.1) 8,8,3
RandomTranslation(0.1, 0.1) 8,8,3
RandomContrast(0.1) 8,8,3
RandomBrightness(0.1) 8,8,3
RandomCrop(4, 5) 8,8,3
RandomGrayscale() 8,8,3
Discretization([0.0, 1.0]) 4
CategoryEncoding(5, output_mode="multi_hot") 3
CategoryEncoding(5, output_mode="count") 3
Hashing(5) 3
IntegerLookup(vocabulary=[1, 2, 3]) 3
IntegerLookup(vocabulary=[1, 2, 3], output_mode="multi_hot") 3
MelSpectrogram() 4000
STFTSpectrogram() 4000,1
"""
# What a layer refuses: the same, and class and text of the error.
REFUSED = """
Conv2D(4, 3) 9,9
Conv2D(4, 30) 9,9,2
Conv2D(4, 3, groups=3) 9,9,4
Conv1D(4, 3) 9,9,2
Conv2DTranspose(4, 3) 9,9
DepthwiseConv2D(30) 9,9,2
LSTM(4) 9
GRU(4) 9,9,2
SimpleRNN(4) 9
Bidirectional(layers.LSTM(4)) 9
ConvLSTM2D(3, 2) 8,8,2
MaxPooling2D() 9,9
MaxPooling1D() 9,9,2
AveragePooling3D() 9,9,2
GlobalAveragePooling2D() 9,2
GlobalMaxPooling1D() 9
MaxPooling2D(20) 9,9,2
Add() 4 5
Add() 4
Subtract() 4 4 4
Multiply() 5,4 5,3
Concatenate() 5,4 6,4
Concatenate() 4
Concatenate(axis=1) 5,4 6,3
Dot(axes=1) 4 5
Dot(axes=(1, 2)) 5,4 5,4
Reshape((5, 2)) 12
Reshape((-1, 5)) 12
Permute((1, 3)) 3,4
RepeatVector(3) 3,4
UpSampling2D() 4,2
ZeroPadding2D() 4,2
Cropping2D(5) 9,9,2
Cropping1D(5) 9,2
Embedding(10, 4)
GroupNormalization(3) 5,5,4
BatchNormalization(axis=5) 5,4
LayerNormalization(axis=3) 5,4
SpatialDropout2D(0.5) 5,4
TimeDistributed(layers.Dense(3)) 4
MultiHeadAttention(2, 4) 5,8 5
Attention() ^5,8 6,7
EinsumDense("abc,cd->abd", output_shape=(None, 16)) 8
Softmax(axis=7) 4
RandomCrop(9, 9) 8,8,3
CategoryEncoding() 3
Dense(0) 4
Dense(-1) 4
Dropout(2) 4
Conv2D(4, 3, padding="wrong") 9,9,2
Conv2D(0, 3) 9,9,2
Conv2D(4, (3, 3, 3)) 9,9,2
Conv2D(4, 3, strides=2, dilation_rate=2) 9,9,2
Dense(4, activation="wrong") 4
Dense(4, kernel_initializer="wrong") 4
Dense("a") 4
Dense(4, wrong=1) 4
LSTM(4, activation="wrong") 5,4
Normalization() 4
"""
OF_MODELS = {
    "sequential": lambda: keras.Sequential([keras.Input((8,)), layers.Dense(4), layers.Dropout(0.5),
                                            layers.Dense(2)]),
    "unbuilt": lambda: keras.Sequential([layers.Dense(4), layers.Dense(2)]),
    "functional": lambda: _functional(),
    "nested": lambda: _nested(),
    "two inputs": lambda: _two_inputs(),
    "shared": lambda: _shared(),
    "recurrent": lambda: keras.Sequential([keras.Input((None, 3)), layers.LSTM(4), layers.Dense(1)]),
    "convolutions": lambda: keras.Sequential([
        keras.Input((28, 28, 1)), layers.Conv2D(4, 3), layers.MaxPooling2D(),
        layers.Flatten(), layers.Dense(10)]),
    "frozen": lambda: _frozen(),
    "named": lambda: keras.Sequential([keras.Input((2,), name="given"), layers.Dense(1, name="out")],
                                      name="mine"),
    "attention": lambda: _attention(),
    "mobilenet": lambda: keras.applications.MobileNetV2(input_shape=(32, 32, 3), weights=None, classes=5),
}
LOSSES = """MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError
Huber LogCosh
CategoricalCrossentropy BinaryCrossentropy KLDivergence Poisson CosineSimilarity Hinge SquaredHinge
CategoricalHinge
CategoricalFocalCrossentropy BinaryFocalCrossentropy Tversky Dice""".split()
METRICS = """Accuracy BinaryAccuracy CategoricalAccuracy TopKCategoricalAccuracy Precision Recall AUC
F1Score FBetaScore
MeanSquaredError RootMeanSquaredError MeanAbsoluteError CosineSimilarity Hinge KLDivergence Poisson R2Score
TruePositives FalseNegatives BinaryCrossentropy CategoricalCrossentropy LogCoshError""".split()
METRICS += ["MeanIoU(3)", "IoU(3, [0])", "OneHotIoU(3, [0])", "PrecisionAtRecall(0.5)",
            "SensitivityAtSpecificity(0.5)"]
OPTIMIZERS = "SGD RMSprop Adam AdamW Adadelta Adagrad Adamax Adafactor Nadam Ftrl Lion Lamb Muon".split()
FITS = {
    "plain": {}, "one epoch": {"epochs": 1}, "split": {"validation_split": 0.25},
    "validation": {"validation_data": True}, "freq": {"validation_data": True, "validation_freq": 2},
    "steps": {"steps_per_epoch": 2}, "initial": {"initial_epoch": 1},
    "weights": {"class_weight": {0: 1.0, 1: 2.0}},
    "batch": {"batch_size": 7}, "no shuffle": {"shuffle": False},
}


def _functional():
    a = keras.Input((8,), name="a")
    x = layers.Dense(4, activation="relu")(a)
    return keras.Model(a, [layers.Dense(1, name="p")(x), layers.Dense(3, name="q")(x)])


def _nested():
    inner = keras.Sequential([keras.Input((4,)), layers.Dense(3)], name="inner")
    a = keras.Input((4,))
    return keras.Model(a, layers.Dense(1)(inner(a)))


def _two_inputs():
    a, b = keras.Input((4,), name="a"), keras.Input((6,), name="b")
    return keras.Model({"a": a, "b": b}, layers.Dense(2)(layers.concatenate([a, b])))


def _shared():
    one, a, b = layers.Dense(3, name="one"), keras.Input((4,)), keras.Input((4,))
    return keras.Model([a, b], layers.Dot(1)([one(a), one(b)]))


def _frozen():
    made = keras.Sequential([keras.Input((4,)), layers.Dense(3), layers.BatchNormalization(),
                             layers.Dense(1)])
    made.layers[0].trainable = False
    return made


def _attention():
    a = keras.Input((6,), dtype="int32")
    x = layers.Embedding(20, 8, mask_zero=True)(a)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
    return keras.Model(a, layers.Dense(2)(layers.GlobalAveragePooling1D()(x)))


# --- what is asked ------------------------------------------------------------------------------------------
def spec(value):
    if isinstance(value, (list, tuple)):
        return [spec(one) for one in value]
    if isinstance(value, dict):
        return {key: spec(one) for key, one in value.items()}
    return None if value is None else [list(value.shape), keras.backend.standardize_dtype(value.dtype)]


def weights(of):
    return [[w.path, list(w.shape), str(w.dtype), bool(w.trainable)] for w in of.weights]


def failure(error):
    text = re.sub(r"0x[0-9a-f]+", "0x", str(error))
    text = re.sub(r"(dtype=\w+, value=)\[[^<>]*\]>", r"\1...>", text)  # of a variable, drawn at random
    return ["raises", type(error).__name__, re.sub(r"\x1b\[\d+m", "", text)]


def call(line):
    """The layer of a line, and its inputs."""
    made, shapes = re.match(r"(.*?\))((?: \^?[\d,]+)*)$", line).groups()
    inputs = [keras.Input(tuple(int(n) for n in one.strip("^").split(","))) for one in shapes.split()]
    layer = eval("layers." + made, {"layers": layers})
    merges = isinstance(layer, keras.src.layers.merging.base_merge.Merge) or "^" in shapes
    return layer, ([inputs] if merges else inputs)


def _plain(config):
    return json.loads(json.dumps(config, default=str))


def of_layer(line):
    layer, inputs = call(line)
    outputs = layer(*inputs)
    config = layer.get_config()
    again = None
    if "Lambda" not in line:
        again = type(layer).from_config(config)
        again = _plain(again.get_config()) == _plain(config)
    return {"weights": weights(layer), "outputs": spec(outputs), "count": layer.count_params(),
            "name": layer.name,
            "config": sorted(config), "again": again, "masking": layer.supports_masking,
            "computed": spec(outputs) == spec(layer.compute_output_spec(*inputs))}


def of_refusal(line):
    layer, inputs = call(line)
    return {"outputs": spec(layer(*inputs))}


def of_model(make):
    model = make()
    lines = []
    model.summary(print_fn=lambda text, line_break=None: lines.append(text), line_length=88)
    config = model.get_config()
    facts = {"summary": "\n".join(lines), "names": [layer.name for layer in model.layers], "name": model.name,
             "config": sorted(config), "built": model.built}
    if model.built:
        twin = type(model).from_config(config)
        facts.update(weights=weights(model), count=model.count_params(), input=spec(model.inputs),
                     output=spec(model.outputs), twin=[spec(twin.outputs), len(twin.weights)],
                     trainable=len(model.trainable_weights),
                     clone=[list(w.shape) for w in keras.models.clone_model(model).weights])
    return facts


def of_loss(name):
    loss = getattr(keras.losses, name)()
    y, p = np.ones((6, 4), "float32"), np.ones((6, 4), "float32")
    facts = {"name": loss.name, "config": {key: str(value) for key, value in loss.get_config().items()},
             "reduced": spec(loss(y, p))}
    each = getattr(keras.losses, name)(reduction=None)
    facts["each"] = spec(each(y, p))
    facts["weighted"] = spec(loss(y, p, sample_weight=np.ones(6)))
    try:
        facts["refused"] = spec(loss(np.ones((6, 4)), np.ones((6, 3))))
    except Exception as error:
        facts["refused"] = type(error).__name__
    return facts


def of_metric(name):
    metric = eval("keras.metrics.%s" % (name if name.endswith(")") else name + "()"))
    y, p = np.eye(3, dtype="float32")[[0, 1, 2, 0]], np.eye(3, dtype="float32")[[0, 1, 1, 0]]
    if "IoU" in name and not name.startswith("One"):
        y, p = y.argmax(1), p.argmax(1)
    metric.update_state(y, p)
    return {"name": metric.name, "result": spec(metric.result()), "variables": [
        [v.path, list(v.shape), str(v.dtype)] for v in metric.variables],
        "config": sorted(metric.get_config())}


def of_optimizer(name):
    made = getattr(keras.optimizers, name)()
    model = keras.Sequential([keras.Input((4,)), layers.Dense(3)])
    made.build(model.trainable_variables)
    made.apply([ops.ones(w.shape) for w in model.trainable_variables])
    return {"name": made.name, "variables": [[v.path, list(v.shape), str(v.dtype)] for v in made.variables],
            "iterations": int(made.iterations), "config": sorted(made.get_config())}


class Seen(keras.callbacks.Callback):
    """Which calls came, with which numbers and logs."""

    def __init__(self):
        super().__init__()
        self.calls = []


def _noting(method):
    def note(self, *args, **kwargs):
        given = [sorted(one) if isinstance(one, dict) else one for one in (*args, *kwargs.values())]
        self.calls.append([method, *given])
    return note


for _method in ("train_begin train_end epoch_begin epoch_end train_batch_begin train_batch_end test_begin "
                "test_end "
                "test_batch_begin test_batch_end predict_begin predict_end predict_batch_end").split():
    setattr(Seen, "on_" + _method, _noting(_method))


def of_fit(options):
    options = {"epochs": 2, "batch_size": 8, **options}
    model = keras.Sequential([keras.Input((4,)), layers.Dense(2, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x, y = np.ones((20, 4), "float32"), np.arange(20) % 2
    if "validation_data" in options:
        options["validation_data"] = x[:6], y[:6]
    seen = Seen()
    history = model.fit(x, y, verbose=0, callbacks=[seen], **options)
    model.evaluate(x, y, verbose=0, callbacks=[seen])
    made = model.predict(x, verbose=0, batch_size=9, callbacks=[seen])
    return {"history": {key: len(value) for key, value in history.history.items()}, "epochs": history.epoch,
            "params": {key: str(value) for key, value in history.params.items()}, "calls": seen.calls,
            "predicted": spec(made), "steps": int(model.optimizer.iterations), "metrics": model.metrics_names}


def of_mask(line):
    mask = ops.convert_to_tensor([[True, True, False]])
    x = ops.ones((1, 3, 4))
    x._keras_mask = mask
    layer = eval("layers." + line, {"layers": layers})
    found = getattr(layer(x), "_keras_mask", None)
    return None if found is None else spec(found)


def of_use(line):
    *statements, expression = line.split(" ;; ")
    scope = {"keras": keras, "layers": layers, "ops": ops, "np": np, "tf": tf, "spec": spec,
             "weights": weights}
    for statement in statements:
        exec(statement, scope)
    return _plain(eval(expression, scope))


MASKS = ("Dense(3)", "Dropout(0.5)", "LSTM(3)", "LSTM(3, return_sequences=True)", "Activation('relu')",
         "Flatten()",
         "LayerNormalization()", "BatchNormalization()", "GlobalAveragePooling1D()",
         "TimeDistributed(layers.Dense(2))",
         "Bidirectional(layers.GRU(2, return_sequences=True))", "Reshape((12,))", "Conv1D(2, 1)", "Masking()",
         "Softmax()")
GROUPS = {"layer": (of_layer, LAYERS.strip().splitlines()),
          "refused": (of_refusal, REFUSED.strip().splitlines()),
          "model": (of_model, OF_MODELS), "loss": (of_loss, LOSSES), "metric": (of_metric, METRICS),
          "optimizer": (of_optimizer, OPTIMIZERS), "fit": (of_fit, FITS), "mask": (of_mask, MASKS),
          "use": (of_use, lines_of(os.path.join(HERE, "keras_uses.txt")))}


def answers(every=1):
    found = {}
    for group, (ask, cases) in GROUPS.items():
        for case in list(cases)[::every]:
            keras.backend.clear_session()
            given = cases[case] if isinstance(cases, dict) else case
            try:
                found["%s: %s" % (group, case)] = ask(given)
            except Exception as error:
                found["%s: %s" % (group, case)] = failure(error)
    return found


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, io.StringIO()
    os.chdir(tempfile.mkdtemp())
    result = answers(int(os.environ.get("SHAPEFLOW_EVERY", "1")))
    json.dump(result, out, indent=0, sort_keys=True)
