"""What fit, evaluate and predict do with their data: one look at each size of a batch.

Source: tensorflow/python/keras/engine/{training,training_utils}.py (1.15).
"""

from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from shapeflow import _core
from shapeflow.api import training_data
from shapeflow.api.names import emulated
from shapeflow.api.registry import export, own_module
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.keras import logs as keras_logs
from shapeflow.tensorflow.keras.base_layer import _trace_graph
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework.error_report import about, during, fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest

_EPOCHS = 3      # epochs whose hooks run: the others would look the same
_HISTORY = 10 ** 6  # epochs that a history has room for
_ELEMENTS = 64   # elements of a data set or generator that are looked at
_RUNS = 100000   # kinds of batches whose samples are counted
_LOOKS = 16  # at batches of one form: after that their content is taken for data
_KEYS = ("mean_squared_error", "binary_crossentropy", "categorical_crossentropy")


class Part:
    """One array of the data: what is known of its dtype and shape."""

    def __init__(self, dtype: Any, dims: Any, name: str = "") -> None:
        self.dtype, self.dims, self.name = dtype, dims, name

    @classmethod
    def of(cls, item: Any) -> Optional[Part]:
        if item is None:
            return None
        if is_unmodelled(item):
            return cls("float32", None if item._sf_shape is None else list(item._sf_shape))
        if isinstance(item, _core.Tensor) or isinstance(item, _core.VariableBase):
            shape = item.get_shape()
            return cls(item.dtype.base_dtype, None if shape.ndims is None else shape.as_list())
        if not isinstance(item, np.ndarray):
            dense = getattr(item, "values", None)
            item = dense if isinstance(dense, np.ndarray) else np.asarray(item)
        if item.dtype == object and (item.ndim == 0 or any(
                is_unmodelled(i) for i in item.ravel()[:4])):
            return cls("float32", None)
        name = item.dtype.name
        dtype = "float32" if name in ("float64", "object") else "string" if item.dtype.kind in "US" \
            else name
        return cls(dtype, list(item.shape))

    def batch(self, size: Optional[int]) -> Any:
        if self.dims is None:
            from shapeflow.tensorflow.python.framework.op_builders import unknown

            return unknown()
        dims = self.dims if size is None else [size] + self.dims[1:]
        return tf.placeholder(self.dtype, dims)


def _parts(data: Any) -> Any:
    """A nest of Parts. A list of numbers (or of lists) is one array; of arrays: several."""
    if data is None:
        return None
    if isinstance(data, dict):
        return {k: _parts(v) for k, v in data.items()}
    if isinstance(data, (list, tuple)) and data and any(
            isinstance(i, np.ndarray) or hasattr(i, "get_shape") or is_unmodelled(i)
            for i in data):
        return [_parts(i) for i in data]
    return Part.of(data)


def _flat(parts: Any) -> List[Part]:
    return [p for p in nest.flatten(parts) if isinstance(p, Part)]


def _counts(parts: Any) -> List[int]:
    return [p.dims[0] for p in _flat(parts) if p.dims and p.dims[0] is not None]


# --- checks of whole arrays -----------------------------------------------------------------------
def _check_counts(x: Any, y: Any, w: Any) -> None:
    sizes = [_counts(x), _counts(y), _counts(w)]
    if len({n for found in sizes for n in found}) < 2:
        return
    for label, found in zip(("input", "target"), sizes):
        if len(set(found)) > 1:
            raise fail("SF132", "All {text} arrays ({text}) should have the same number of samples. Got "
                       "array shapes: {text}", label, "x" if label == "input" else "y",
                       [tuple(p.dims) for p in _flat(x if label == "input" else y)])
    if sizes[0] and sizes[1]:
        raise fail("SF132", "Input arrays should have the same number of samples as target arrays. Found "
                   "{dim} input samples and {dim} target samples.", sizes[0][0], sizes[1][0])


def _named(parts: Any, names: List[str], kind: str) -> List[Optional[Part]]:
    """The arrays in the order of the model's inputs or outputs."""
    if isinstance(parts, dict):
        missing = [n for n in names if n not in parts]
        if missing:
            raise fail("SF201", "No data provided for \"{name}\". Need data for each key in: {text}",
                       missing[0], names)
        return [parts[n] for n in names]
    found = parts if isinstance(parts, list) else [parts]
    if len(found) != len(names):
        raise fail("SF201", "Error when checking model {text}: the list of Numpy arrays that you are passing "
                   "to your model is not the size the model expected. Expected to see {int} array(s), but "
                   "instead got the following list of {int} arrays", kind, len(names), len(found))
    return found


def _standardized(model: Any, x: Any, y: Any) -> Tuple[Any, Any]:
    """TensorFlow 1's standardize_input_data: vectors become columns; shapes are those of the inputs."""
    for part in _flat(x) + _flat(y):
        if part.dims is not None and len(part.dims) == 1:
            part.dims = part.dims + [1]
    if not model._functional:
        return x, y
    names = model.input_names
    for name, given, tensor in zip(names, _named(x, names, "input"), model.inputs):
        want = tensor.get_shape()
        if given is None or given.dims is None or want.ndims is None:
            continue
        wanted, shape = want.as_list(), tuple(given.dims)
        if len(shape) != len(wanted):
            raise fail("SF102", "Error when checking input: expected {name} to have {rank} dimensions, but "
                       "got array with shape {shape}", name, len(wanted), shape)
        axis = _differing(wanted, shape)
        if axis is not None:
            with _about_data("x", given, name, tensor):
                raise fail("SF106", "Error when checking input: expected {name} to have shape {shape} but "
                           "got array with shape {shape}", name, tuple(wanted[1:]), tuple(shape[1:]),
                           axis=axis)
    if y is None or not model._compiled.get("loss"):
        return x, y
    names = model.output_names
    for given, tensor, loss in zip(_named(y, names, "target"), model.outputs, _losses(model, len(names))):
        if given is not None and given.dims is not None and loss is not None:
            _check_target(given, tensor, _loss_name(loss))
    return x, y


def _loss_name(loss: Any) -> str:
    from shapeflow.tensorflow.keras.losses import _FUNCTIONS, Loss

    if isinstance(loss, Loss):
        return loss.name if own_module(type(loss)).startswith("shapeflow") else ""
    name = getattr(loss, "__name__", "")
    return name if _FUNCTIONS.get(name) is loss else ""


def _check_target(given: Part, output: Any, loss: str) -> None:
    shape = tuple(given.dims or ())
    dims = None if output.get_shape().ndims is None else output.get_shape().as_list()
    if loss == "categorical_crossentropy" and shape[-1] == 1:
        with _about_data("y_true", given, "y_pred", output):
            raise fail("SF108", "You are passing a target array of shape {shape} while using as loss "
                       "`categorical_crossentropy`. `categorical_crossentropy` expects targets to be binary "
                       "matrices (1s and 0s) of shape (samples, classes). If your targets are integer "
                       "classes, you can convert them to the expected format via:\n```\nfrom keras.utils "
                       "import to_categorical\ny_binary = to_categorical(y_int)\n```\n\nAlternatively, you "
                       "can use the loss function `sparse_categorical_crossentropy` instead, which does "
                       "expect integer targets.", shape, axis=len(shape) - 1)
    axis = _differing(shape, dims) if loss in _KEYS and dims is not None else None
    if axis is not None:
        with _about_data("y_true", given, "y_pred", output):
            raise fail("SF108", "A target array with shape {shape} was passed for an output of shape "
                       "{shape} while using as loss `{name}`. This loss expects targets to have the same "
                       "shape as the output.", shape, tuple(dims or ()), loss, axis=axis)


@contextlib.contextmanager
def _about_data(name: str, given: Part, other: str, tensor: Any) -> Iterator[None]:
    """What fails is about an array and a tensor of the model."""
    with _trace_graph().as_default(), about((name, given.batch(None)), (other, tensor)):
        yield


def _differing(a: Any, b: Any) -> Optional[int]:
    """The first axis, but for that of the batch, in which two known shapes differ."""
    return next((axis for axis, pair in enumerate(zip(a, b))
                 if axis and None not in pair and pair[0] != pair[1]), None)


# --- batches --------------------------------------------------------------------------------------
def _batch_sizes(n: int, batch: Any) -> List[int]:
    batch = int(batch) if batch else 32
    if n <= 0:
        return []
    return sorted({min(batch, n), n % batch or min(batch, n)}, reverse=True)


def _unpacked(element: Any) -> Tuple[Any, Any, Any]:
    if isinstance(element, (list, tuple)) and not hasattr(element, "_fields"):
        items = list(element) + [None, None]
        return items[0], items[1], items[2]
    return element, None, None


def _is_stream(x: Any) -> bool:
    if isinstance(x, (np.ndarray, list, tuple, dict)) or isinstance(x, (_core.Tensor, _core.VariableBase)):
        return False
    return hasattr(x, "__next__") or hasattr(x, "_runs") or (
        hasattr(x, "__getitem__") and hasattr(x, "__len__") and not hasattr(x, "shape")
        and not is_unmodelled(x))


def _stream(x: Any, steps: Any) -> Iterator[Any]:
    """Some elements of a data set, iterator or Sequence."""
    limit = min(int(steps), _ELEMENTS) if isinstance(steps, (int, float)) and steps else _ELEMENTS
    if hasattr(x, "_runs"):
        from shapeflow.tensorflow.python.data.traced_function import Env

        seen = 0
        for element, _ in x._runs(Env()):
            yield x._structure.pack(element)
            seen += 1
            if seen >= limit:
                return
    elif hasattr(x, "__next__"):
        for _ in range(min(limit, 2)):  # drawing is the user's code: an epoch of it may be long
            try:
                yield next(x)
            except StopIteration:
                return
    else:
        count = len(x)
        for index in sorted({0, count - 1}) if count > 0 else []:
            yield x[index]


def _batches(model: Any, x: Any, y: Any, w: Any, batch: Any, steps: Any) -> Iterator[Any]:
    """(x, y, sample_weight, size) with a nest of Parts for each kind of batch."""
    if is_unmodelled(x) and x._sf_shape is None and y is None:
        return  # data that may have the targets in them
    if not is_unmodelled(x) and _is_stream(x):
        seen = set()
        for element in _stream(x, steps):
            if is_unmodelled(element):
                return
            parts = [_parts(p) for p in _unpacked(element)]
            key = str([(p.dims, str(p.dtype)) for group in parts for p in _flat(group)])
            if key not in seen:
                seen.add(key)
                parts[0], parts[1] = _standardized(model, parts[0], parts[1])
                yield parts[0], parts[1], parts[2], None
        return
    px, py, pw = _parts(x), _parts(y), _parts(w)
    _check_counts(px, py, pw)
    px, py = _standardized(model, px, py)
    counts = _counts(px)
    if not counts:
        yield px, py, pw, None
        return
    for size in _batch_sizes(counts[0], batch):
        yield px, py, pw, size


def _losses(model: Any, n: int) -> List[Any]:
    given = model._compiled.get("loss")
    if isinstance(given, dict):
        return [given.get(name) for name in keras_logs.output_keys(model)] if model._functional \
            else [None] * n
    if isinstance(given, (list, tuple)):
        return list(given) + [None] * (n - len(given))
    return [given] * n


def _tensors(parts: Any, size: Optional[int]) -> Any:
    return nest.map_structure(lambda p: p.batch(size) if isinstance(p, Part) else p, parts)


def _outputs(model: Any, x: Any, size: Optional[int], training: bool) -> Any:
    """What the model makes of one batch."""
    if model._functional:  # checked when it was made; here only the batch is new
        def one(tensor: Any) -> Any:
            shape = tensor.get_shape()
            dims = None if shape.ndims is None else shape.as_list()
            if dims and size is not None and dims[0] is None:
                dims[0] = size
            return tf.placeholder(tensor.dtype.base_dtype, dims)

        return nest.map_structure(one, model._outs)
    kwargs = {"training": training} if model._takes("training") else {}
    return model(_tensors(x, size), **kwargs)


def _stage_graph(model: Any, stage: str) -> Any:
    """Where a batch is looked at; a picture names it by the model and its stage (train, test, predict)."""
    return _trace_graph()


def _short_batch(x: Any, size: Optional[int], usual: Optional[int], training: bool) -> Any:
    """While the last, shorter batch is looked at, findings say so."""
    from contextlib import nullcontext

    if size is None or usual is None or size == usual:
        return nullcontext()
    number = -(-_counts(x)[0] // usual)
    return during("batch %d, the last of the %s: %d of %d samples"
                  % (number, "epoch" if training else "data", size, usual))


def look(model: Any, x: Any, y: Any, w: Any, batch: Any, training: bool, steps: Any = None,
         once: bool = False) -> None:
    """Runs the model and its losses on each kind of batch, in a graph that nobody keeps. `once`: all of the
    data is one batch."""
    with training_data.given({"x": x, "y": y, "sample_weight": w}):
        usual: Optional[int] = None
        for px, py, pw, size in _batches(model, x, y, w, 1 << 40 if once else batch, steps):
            usual = usual or size
            graph = _stage_graph(model, "train" if training else "test")
            with graph.as_default(), _short_batch(px, size, usual, training):
                outputs = _outputs(model, px, size, training)
                if py is not None:
                    _apply_losses(model, outputs, _tensors(py, size), pw, size)


def look_at_one(model: Any, x: Any, y: Any, w: Any, training: bool) -> None:
    """The same of one batch, but for one of a form that was looked at often enough: Keras runs what it has
    traced, without the Python of layers and losses."""
    form = None if model.run_eagerly else _form((x, y, w))
    looked = model.__dict__.get("_looked")
    if looked is None or looked[0] is not model._compiled or looked[1] != len(model.layers):
        looked = model.__dict__["_looked"] = model._compiled, len(model.layers), {}
    count = looked[2].get((training, form), 0)
    if form is None or count < _LOOKS:
        look(model, x, y, w, None, training, once=True)
        looked[2][training, form] = count + 1


def _form(value: Any) -> Any:
    """Structure, shapes and dtypes of arrays and tensors; None where there is anything else."""
    if value is None:
        return "none"
    if isinstance(value, dict):
        forms: Any = tuple((key, _form(item)) for key, item in value.items())
        return None if any(form is None for _, form in forms) else forms
    if isinstance(value, (list, tuple)):
        forms = tuple(map(_form, value)) if len(value) <= _ELEMENTS else (None,)
        return None if None in forms else forms
    return _core.shape_and_dtype(value)


def _apply_losses(model: Any, outputs: Any, targets: Any, weights: Any, size: Optional[int]) -> None:
    from shapeflow.tensorflow.keras.losses import Loss

    flat = nest.flatten(outputs)
    if isinstance(targets, dict):
        names = keras_logs.output_keys(model) if model._functional else sorted(targets)
        wanted = [targets.get(n) for n in names]
    else:
        wanted = nest.flatten(targets)
    losses = _losses(model, len(flat))
    for loss, y_true, y_pred in zip(losses, wanted, flat):
        if loss is None or y_true is None or not callable(loss):
            continue
        if isinstance(loss, Loss) and weights is not None and not nest.is_nested(weights) and len(flat) == 1:
            weight = weights.batch(size) if isinstance(weights, Part) else weights
            value = loss(y_true, y_pred, sample_weight=weight)
        else:
            value = loss(_as_placeholder(loss, y_true, y_pred), y_pred)
        if isinstance(value, _core.Tensor):
            _core.lint_loss(value)


def _as_placeholder(loss: object, y_true: object, y_pred: object) -> object:
    """A target as the user's own loss gets it: in TensorFlow 1 the placeholder for it has the output's dtype.

    Source: training_utils._TrainingTarget and Keras 2.3's compile(), K.placeholder(dtype=K.dtype(output)).
    """
    own = emulated() < (2, 0) and not getattr(loss, "__module__", "shapeflow").startswith("shapeflow")
    if own and isinstance(y_true, _core.Tensor) and isinstance(y_pred, _core.Tensor) and \
            y_true.dtype.base_dtype != y_pred.dtype.base_dtype and y_pred.dtype.is_floating:
        return tf.cast(y_true, y_pred.dtype)
    return y_true


# --- fit ------------------------------------------------------------------------------------------
class Logs(dict):  # type: ignore[type-arg]
    """Any number that a callback or plot may ask for."""

    def __init__(self, names: List[str], value: Any) -> None:
        super().__init__((n, value) for n in names)
        self._value = value

    def __missing__(self, key: str) -> Any:
        return self._value

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self or default is None else default


def _split(data: Any, at: int, first: bool) -> Any:
    if data is None or is_unmodelled(data):
        return data
    if isinstance(data, dict):
        return {k: _split(v, at, first) for k, v in data.items()}
    if isinstance(data, (list, tuple)) and data and any(
            isinstance(i, np.ndarray) or hasattr(i, "get_shape") for i in data):
        return [_split(i, at, first) for i in data]
    return data[:at] if first else data[at:]


def fit(model: Any, x: Any, y: Any, w: Any, batch: Any, epochs: Any, callbacks: Any, split: float,
        validation: Any, initial: int, steps: Any) -> Any:
    if split and 0 < split < 1 and not _is_stream(x):
        counts = _counts(_parts(x))
        _check_counts(_parts(x), _parts(y), _parts(w))
        _standardized(model, _parts(x), _parts(y))
        if counts:
            at = int(counts[0] * (1.0 - split))
            validation = tuple(_split(d, at, False) for d in (x, y, w))
            x, y, w = (_split(d, at, True) for d in (x, y, w))
    look(model, x, y, w, batch, True, steps)
    names = keras_logs.told(model)
    if validation is not None:
        if _is_stream(validation):
            look(model, validation, None, None, batch, False)
        elif not is_unmodelled(validation):
            vx, vy, vw = _unpacked(validation)
            look(model, vx, vy, vw, batch, False)
        names.update({"val_" + n: dims for n, dims in names.items()})
    epochs = int(epochs) if isinstance(epochs, (int, float)) else 1
    made = History()
    made.model = model
    times = min(max(epochs - initial, 0), _HISTORY)
    made.epoch = list(range(initial, initial + times))
    made.history = Logs([], [0.0] * times)
    made.history.update((n, [keras_logs.value(dims)] * times) for n, dims in names.items())
    model.history = made
    _hooks(model, callbacks, list(names), initial, epochs)
    return made


def _hooks(model: Any, callbacks: Any, names: List[str], initial: int, epochs: int) -> None:
    given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks] if callbacks else []
    known = [c for c in given if isinstance(c, Callback)]
    if not known:
        return
    logs = Logs(names, 0.0)

    def tell(hook: str, *arguments: Any) -> None:
        for c in known:
            getattr(c, hook)(*arguments)

    for c in known:
        c.set_params({"epochs": epochs, "metrics": names, "verbose": 0, "steps": 1})
        c.set_model(model)
    model.stop_training = False
    tell("on_train_begin", logs)
    for epoch in range(initial, min(epochs, initial + _EPOCHS)):
        tell("on_epoch_begin", epoch, logs)
        tell("on_train_batch_begin", 0, logs)
        tell("on_train_batch_end", 0, logs)
        tell("on_epoch_end", epoch, logs)
        if model.stop_training:
            break
    tell("on_train_end", logs)


def _stream_rows(x: Any, steps: Any) -> Optional[int]:
    """Samples of all batches of a data set, Sequence or generator; None when that is not known."""
    def of(element: Any) -> Optional[int]:
        if is_unmodelled(element):
            return None
        counts = _counts(_parts(_unpacked(element)[0]))
        return counts[0] if counts else None

    limit = int(steps) if isinstance(steps, (int, float)) and steps else None
    if is_unmodelled(x):
        return None
    if hasattr(x, "_runs"):
        from shapeflow.tensorflow.python.data.element_runs import Soft, take
        from shapeflow.tensorflow.python.data.traced_function import Env

        total = 0
        for number, (element, count) in enumerate(take(x._runs(Env()), limit)):
            rows = of(x._structure.pack(element))
            if rows is None or count is None or isinstance(count, Soft) or number > _RUNS:
                return None
            total += rows * count
        return total
    if hasattr(x, "__next__"):
        return None  # drawing all of it is the user's code
    count = min(len(x), limit or len(x))
    if count < 1:
        return 0
    first, last = of(x[0]), of(x[count - 1])
    return None if first is None or last is None else first * (count - 1) + last


def predict(model: Any, x: Any, batch: Any, steps: Any) -> Any:
    """Zeros of the shape of the predictions; unknown when it is not known."""
    from shapeflow.api.unmodelled import Opaque

    rows: Any = None
    if not _is_stream(x) and not is_unmodelled(x):
        counts = _counts(_parts(x))
        rows = counts[0] if counts else None
    else:
        rows = _stream_rows(x, steps)
    outputs: Any = None
    with training_data.given({"x": x}):
        for px, _, _, size in _batches(model, x, None, None, batch, steps):
            with _stage_graph(model, "predict").as_default():
                outputs = nest.map_structure(
                    lambda t: (t.get_shape(), t.dtype), _outputs(model, px, size, False))
    if outputs is None:
        return Opaque("tf.keras.Model.predict")

    def made(pair: Any) -> Any:
        shape, dtype = pair
        dims = None if shape.ndims is None else shape.as_list()
        if dims is None or None in dims[1:] or dims and rows is None:
            return Opaque("tf.keras.Model.predict")
        return np.zeros(([rows] + dims[1:]) if dims else [], dtype.as_numpy_dtype)

    if isinstance(outputs, tuple) and len(outputs) == 2 and isinstance(outputs[0], _core.TensorShape):
        return made(outputs)
    if isinstance(outputs, dict):
        return {k: made(v) for k, v in outputs.items()}
    return [made(p) for p in outputs]


# --- callbacks ------------------------------------------------------------------------------------
@export("tf.keras.callbacks.Callback")
class Callback(Members):
    """What users subclass: its hooks run for the first epochs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._sf_made_with = (None, args, kwargs)
        self.model: Any = None
        self.params: Dict[str, Any] = {}
        self.validation_data: Any = None

    def set_model(self, model: Any) -> None:
        self.model = model

    def set_params(self, params: Any) -> None:
        self.params = params

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.on_batch_end(batch, logs)

    def _hook(self, *args: Any, **kwargs: Any) -> None:
        pass

    on_batch_begin = on_batch_end = on_epoch_begin = on_epoch_end = _hook
    on_train_begin = on_train_end = on_test_begin = on_test_end = _hook
    on_test_batch_begin = on_test_batch_end = on_predict_begin = on_predict_end = _hook
    on_predict_batch_begin = on_predict_batch_end = _hook


def _callback(name: str) -> type:
    return export("tf.keras.callbacks." + name)(type(name, (Callback,), {"__module__": __name__}))


History = _callback("History")
for _name in ("EarlyStopping", "TensorBoard", "ReduceLROnPlateau", "TerminateOnNaN", "ProgbarLogger",
              "BaseLogger"):
    _callback(_name)


class _Scheduled(Callback):
    """LearningRateScheduler, LambdaCallback: they hold the user's functions."""

    def __init__(self, schedule: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*(() if schedule is None else (schedule,)), *args, **kwargs)
        for key, value in kwargs.items():
            if key.startswith("on_") and callable(value):
                setattr(self, key, value)


export("tf.keras.callbacks.LearningRateScheduler", "tf.keras.callbacks.LambdaCallback")(_Scheduled)
