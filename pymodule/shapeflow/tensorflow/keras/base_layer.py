"""tf.keras.layers.Layer and what symbolic models are made of: history, Input, re-calling.

A layer computes with the same code as its tf.layers twin; what differs is how it is named, where its
variables live, and that each call is remembered, so that a model can be applied to other tensors.
In eager mode symbolic tensors live in one scratch graph. Source: tensorflow/python/keras/engine/
{base_layer,input_layer,node}.py (1.15).
"""

from __future__ import annotations

import functools
import inspect
import numbers
import sys
from typing import Any, Dict, Iterator, List, Optional, Set

from shapeflow import _core
from shapeflow.api import layer_places
from shapeflow.api.base_classes import Base
from shapeflow.api.registry import export, own_module, put
from shapeflow.tensorflow.keras import image_format, keras_1, mixed_precision
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework import framework_lib, object_log, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import Layer, as_inputs, shapes_of, to_snake_case
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.variables import Variable
from shapeflow.tensorflow.python.util import nest

_CALL_ONLY = ("input_shape", "batch_input_shape", "batch_size", "input_dim", "input_length", "weights",
              "autocast", "dynamic")
_state: Dict[str, Any] = {"graph": None, "names": {}}


# --- symbolic tensors -----------------------------------------------------------------------------
def scratch_graph() -> Any:
    """Where symbolic tensors live: the default graph, or a graph of their own in eager mode."""
    if not _core.executing_eagerly():
        return get_default_graph()
    if _state["graph"] is None:
        from shapeflow.tensorflow.python.data.traced_function import FunctionGraph

        _state["graph"] = FunctionGraph()
    return _state["graph"]


def is_symbolic(tensor: object) -> bool:
    return isinstance(tensor, _core.Tensor) and _graph_of(tensor) is not None


def _graph_of(tensor: object) -> Any:
    return getattr(tensor, "graph", None)  # an eager tensor has none


class Call:
    """One call of a layer on symbolic tensors."""

    def __init__(self, layer: Any, inputs: Any, args: Any, kwargs: Any, outputs: Any) -> None:
        self.layer, self.inputs, self.args, self.kwargs = layer, inputs, args, kwargs
        self.outputs = outputs
        self.flat_outputs = nest.flatten(outputs)


def remember(call: Call) -> None:
    """Notes where the outputs come from, in their graph: it ends with the graph."""
    for index, tensor in enumerate(call.flat_outputs):
        if isinstance(tensor, _core.Tensor) and _graph_of(tensor) is not None:
            made = tensor.graph.__dict__.setdefault("_sf_keras", {})
            made[tensor.name] = call, index  # the outermost layer that gave it


def history(tensor: Any) -> Any:
    """(call, index) that made a symbolic tensor, or None."""
    graph = _graph_of(tensor)
    return None if graph is None else graph.__dict__.get("_sf_keras", {}).get(tensor.name)


class Replay:
    """Computes symbolic tensors again, from other tensors in place of the inputs."""

    def __init__(self, replaced: Dict[str, Any], graph: Any, kwargs: Dict[str, Any]) -> None:
        self.known = dict(replaced)  # by name of the symbolic tensor
        self.graph, self.kwargs = graph, kwargs
        self.calls: Dict[int, Any] = {}
        self.ops: Dict[str, Any] = {}

    def get(self, structure: Any) -> Any:
        return nest.map_structure(self._get, structure)

    def _get(self, tensor: object) -> Any:
        if not isinstance(tensor, _core.Tensor) or _graph_of(tensor) is not self.graph:
            return tensor
        found = self.known.get(tensor.name)
        if found is None:
            made = history(tensor)
            found = self._called(*made) if made is not None else self._copied(tensor)
            self.known[tensor.name] = found
        return found

    def _called(self, call: Call, index: int) -> Any:
        outputs = self.calls.get(id(call))
        if outputs is None:
            inputs, args = self.get(call.inputs), self.get(call.args)
            kwargs = dict(self.get(call.kwargs))
            for key, value in self.kwargs.items():
                if value is not None and call.layer._takes(key):
                    kwargs[key] = value
            outputs = nest.flatten(call.layer(inputs, *args, **kwargs))
            self.calls[id(call)] = outputs
        return outputs[index]

    def _copied(self, tensor: Any) -> Any:
        """What a plain operator made: the same op on the new inputs."""
        node = tensor.op
        outputs = self.ops.get(node.name)
        if outputs is None:
            inputs = [self._get(t) for t in node.inputs]
            if all(a is b for a, b in zip(inputs, node.inputs)):
                outputs = list(node.outputs)
                if _core.executing_eagerly() or get_default_graph() is not self.graph:
                    outputs = [self._constant(t) for t in outputs]
            else:
                made = op_builders.copy_op(node, inputs)
                outputs = list(getattr(made, "outputs", made))
            self.ops[node.name] = outputs
        index = [t.name for t in node.outputs].index(tensor.name)
        return outputs[index]

    @staticmethod
    def _constant(tensor: Any) -> Any:
        from shapeflow.tensorflow.python.data.element_runs import component

        value = _core.constant_value(tensor)
        if not _core.executing_eagerly():
            return tensor if value is None else tf.constant(value, tensor.dtype.base_dtype)  # captured
        return component(tensor.dtype.base_dtype, tensor.get_shape(), value)


# --- names ----------------------------------------------------------------------------------------
def _counts() -> Dict[str, int]:
    if _core.executing_eagerly():
        return _state["names"]
    return get_default_graph().__dict__.setdefault("_sf_keras_names", {})


def unique_name(base: str) -> str:
    """dense, dense_1, dense_2..."""
    counts = _counts()
    count = counts.get(base, 0)
    counts[base] = count + 1
    return base if count == 0 else "%s_%d" % (base, count)


def _input_name() -> str:
    """input_1, input_2..."""
    counts = _counts()
    counts["input"] = counts.get("input", 0) + 1
    return "input_%d" % counts["input"]


def is_plain(value: object) -> bool:
    return value is None or isinstance(value, (bool, numbers.Number, str)) or (
        isinstance(value, (list, tuple)) and all(is_plain(item) for item in value))


# --- the layer ------------------------------------------------------------------------------------
_takers: Dict[object, bool] = {}


class KerasLayer(Layer, Members, Base):
    """tf.keras.layers.Layer, which in TensorFlow is below tf.layers.Layer, and here above it."""

    _base_class_name: Optional[str] = None

    def __init_subclass__(cls, **kwargs: object) -> None:
        """A layer of ours remembers what it was made with, also as the base of one of the script's."""
        super().__init_subclass__(**kwargs)
        init = vars(cls).get("__init__")
        if init is None or not own_module(cls).startswith("shapeflow."):
            return

        @functools.wraps(init)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            args, kwargs = keras_1.modern(cls.__name__, args, kwargs)
            kwargs = image_format.chosen(init, args, kwargs)
            self.__dict__.setdefault("_sf_made_with", (init, args, kwargs))
            init(self, *args, **kwargs)

        setattr(cls, "__init__", __init__)  # noqa: B010

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None,
                 **kwargs: Any) -> None:
        given = {k: kwargs.pop(k) for k in _CALL_ONLY if k in kwargs}
        self._sf_policy = mixed_precision.policy_of(dtype)
        layer_places.note(self)
        super().__init__(trainable, name, self._sf_policy and self._sf_policy.variable_dtype, **kwargs)
        self._given = given
        if object_log.layers is not None:
            object_log.add(object_log.layers, self)

    def _set_name(self, name: object) -> None:
        base = to_snake_case(self._base_class_name or type(self).__name__)
        self._base_name = base
        self._name = str(name) if name else unique_name(base)
        self._name_given = bool(name)

    @property
    def _first_shape(self) -> Any:
        """The batch shape that `input_shape=` and its kin declare, or None."""
        given = self.__dict__.get("_given", {})
        if given.get("batch_input_shape") is not None:
            return tuple(given["batch_input_shape"])
        shape = given.get("input_shape")
        if shape is None and given.get("input_dim") is not None:
            length = given.get("input_length")
            shape = (given["input_dim"],) if length is None else (length, given["input_dim"])
        if shape is None:
            return None
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        return (given.get("batch_size"),) + shape

    # --- what it owns
    def _sublayers(self) -> Iterator[Any]:
        """Layers among the attributes, in the order in which they were set."""
        seen: Set[int] = set()

        def walk(value: object, depth: int) -> Iterator[Any]:
            if isinstance(value, Layer):
                if id(value) not in seen and value is not self:
                    seen.add(id(value))
                    yield value
            elif depth < 4 and isinstance(value, (list, tuple)):
                for item in value:
                    yield from walk(item, depth + 1)
            elif depth < 4 and isinstance(value, dict):
                for item in list(value.values()):
                    yield from walk(item, depth + 1)

        for key, value in list(self.__dict__.items()):
            if key not in ("_io", "_calls", "_given", "_sf_made_with"):
                yield from walk(value, 0)

    def _own_variables(self) -> List[Any]:
        """Variables that the user's code made and kept as attributes."""
        found: List[Any] = []
        known = self._trainable_weights + self._non_trainable_weights
        for value in list(self.__dict__.values()):
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(item, Variable) and not any(item is k for k in known + found):
                    found.append(item)
        return found

    def _collect(self, trainable: bool) -> List[Any]:
        on = bool(self.trainable)
        own = self._own_variables()
        found = (self._trainable_weights + [v for v in own if v.trainable]) if trainable == on else []
        if not on and not trainable:
            found = list(self._trainable_weights) + list(self._non_trainable_weights) + own
        elif not trainable:
            found = self._non_trainable_weights + [v for v in own if not v.trainable]
        elif not on:
            found = []
        for layer in self._sublayers():
            if on or not trainable:
                found = found + layer._collect(trainable) if on else found + layer.weights
        made: List[Any] = []
        for v in found:
            if not any(v is m for m in made):
                made.append(v)
        return made

    trainable_weights = property(lambda self: self._collect(True))
    non_trainable_weights = property(lambda self: self._collect(False))
    weights = property(lambda self: self._collect(True) + self._collect(False))
    variables = property(lambda self: self._collect(True) + self._collect(False))
    trainable_variables = property(lambda self: self._collect(True))
    non_trainable_variables = property(lambda self: self._collect(False))

    @property
    def losses(self) -> List[object]:
        found = self._losses + self._weight_losses
        for layer in self._sublayers():
            found.extend(layer.losses)
        return found

    @property
    def updates(self) -> List[Any]:
        found = list(self._updates)
        for layer in self._sublayers():
            found.extend(layer.updates)
        return found

    def count_params(self) -> int:
        return int(sum(w.get_shape().num_elements() or 0 for w in self.weights))

    def get_weights(self) -> List[Any]:
        import numpy as np

        return [np.zeros([d or 1 for d in w.shape.as_list()], w.dtype.base_dtype.as_numpy_dtype)
                for w in self.weights]

    def set_weights(self, weights: Any) -> None:
        mine = self.weights
        if len(mine) != len(weights):
            raise ValueError("You called `set_weights(weights)` on layer '%s' with a weight list of "
                             "length %d, but the layer was expecting %d weights."
                             % (self.name, len(weights), len(mine)))
        for variable, value in zip(mine, weights):
            shape = getattr(value, "shape", None)
            if isinstance(shape, tuple) and tuple(variable.shape.as_list()) != shape:
                raise fail("SF204", "Layer {name} weight shape {shape} is not compatible with provided "
                           "weight shape {shape}.", self.name, tuple(variable.shape.as_list()), shape)

    # --- variables
    def add_weight(self, *args: Any, **kwargs: Any) -> Variable:
        """add_weight(name, shape...) of TensorFlow 1; add_weight(shape, initializer...) of Keras 3."""
        given = list(args)
        name = kwargs.pop("name", None)
        if given and (given[0] is None or isinstance(given[0], str)):
            name = given.pop(0) or name
            order = ["shape", "dtype", "initializer", "regularizer", "trainable", "constraint"]
        else:
            order = ["shape", "initializer", "dtype", "trainable", "autocast", "regularizer",
                     "constraint"]
        kwargs.update(zip(order, given))
        if not sys._getframe(1).f_globals.get("__name__", "").startswith("shapeflow."):
            return self._make_weight(name, **kwargs)  # a layer of the script's own says itself what it makes
        with layer_places.weights_of(self):
            return self._make_weight(name, **kwargs)

    add_variable = add_weight

    def _make_weight(self, name: Optional[str], shape: Any = None, dtype: object = None,
                     initializer: object = None, regularizer: object = None, trainable: object = None,
                     constraint: object = None, **kwargs: object) -> Variable:
        trainable = True if trainable is None else bool(trainable)
        shape = () if shape is None else (shape,) if isinstance(shape, int) else tuple(
            getattr(d, "value", d) for d in shape)
        dtype = _core.as_dtype(dtype or self._dtype or "float32")
        if isinstance(initializer, (str, dict, type)):
            initializer = init_ops.get(initializer)
        if initializer is None:
            initializer = init_ops.get("glorot_uniform" if dtype.is_floating else "zeros")
        if None in shape:
            if not getattr(self, "_from_guess", False):
                raise fail("SF128", "Variable '{name}' has unknown dimensions in its shape {shape}",
                           name, shape)
            value: Any = lambda: op_builders.unknown(dtype, _core.TensorShape(shape))  # noqa: E731
        else:
            value = _initial(initializer, shape, dtype)
        with framework_lib.name_scope(self._scope_path()), _lifted():
            variable = Variable(value, trainable=trainable, name=name or "Variable", dtype=dtype,
                                constraint=constraint, use_resource=True, validate_shape=None not in shape)
            if None in shape:
                variable.set_shape(_core.TensorShape(shape))
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        if callable(regularizer):
            loss = regularizer(variable)
            if loss is not None:
                self._weight_losses = self._weight_losses + [loss]
        return variable

    def _scope_path(self) -> Optional[str]:
        return (self._name + "/") if not _core.executing_eagerly() else self._name

    def add_loss(self, losses: object, inputs: object = None) -> None:
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            self._losses.append(loss() if callable(loss) and not isinstance(loss, _core.Tensor) else loss)

    _weight_losses: List[object] = []  # of regularizers: these stay

    def add_metric(self, *args: object, **kwargs: object) -> None:
        pass

    # --- use
    def _takes(self, name: str) -> bool:
        key = (type(self), name)
        found = _takers.get(key)
        if found is None:
            parameters = inspect.signature(self.call).parameters
            found = _takers[key] = name in parameters or (
                name == "training" and any(p.kind == p.VAR_KEYWORD for p in parameters.values()))
        return found

    def _check_spec(self, inputs: object) -> None:
        check_spec(self.input_spec, inputs, self)

    def _build_once(self, inputs: object) -> None:
        if self.built:
            return
        if self._dtype is None:
            self._dtype = next((i.dtype.base_dtype for i in nest.flatten(inputs) if hasattr(i, "dtype")
                                and i.dtype.is_floating), _core.as_dtype("float32"))
        flat = [i for i in nest.flatten(inputs) if isinstance(i, _core.Tensor)]
        self._from_guess = any(_core.is_unmodelled(i) for i in flat)
        self._built_from = inputs
        try:
            self.build(shapes_of(inputs))
        finally:
            del self._built_from
        self.built = True

    def __call__(self, inputs: Any = None, *args: Any, **kwargs: Any) -> Any:
        if "_trainable_weights" not in self.__dict__:
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        if inputs is None and kwargs:  # the first tensor by its own name: layer(query=...)
            first = next(iter(inspect.signature(self.call).parameters), None)
            inputs = kwargs.pop(first, None) if first is not None else None
        inputs = as_inputs(inputs)
        flat = nest.flatten((inputs, args, list(kwargs.values())))
        graph = next((t.graph for t in flat if isinstance(t, _core.Tensor)
                      and _graph_of(t) is not None), None)
        if graph is None or not _core.executing_eagerly():
            return self._call_here(inputs, args, kwargs, graph is not None)
        with graph.as_default():
            return self._call_here(inputs, args, kwargs, True)

    def _call_here(self, inputs: Any, args: Any, kwargs: Any, symbolic: bool) -> Any:
        if kwargs.get("training") is None and self._takes("training"):
            kwargs.pop("training", None)
            if _training[-1] is not None:
                kwargs["training"] = _training[-1]
        if "mask" in kwargs and not self._takes("mask"):
            kwargs.pop("mask")
        inputs = self._ranked(inputs)
        self._check_spec(inputs)
        _training.append(kwargs.get("training", _training[-1]))
        try:
            with _named(self):
                self._build_once(inputs)
                self._check_spec(inputs)
                outputs = self.call(inputs, *args, **kwargs)
        finally:
            _training.pop()
        if self._activity_regularizer and callable(self._activity_regularizer):
            for output in nest.flatten(outputs):
                self._losses.append(self._activity_regularizer(output))
        if symbolic:
            if any(o is i for o in nest.flatten(outputs) for i in nest.flatten(inputs)
                   if isinstance(o, _core.Tensor)):
                outputs = nest.map_structure(
                    lambda o: tf.identity(o) if isinstance(o, _core.Tensor) else o, outputs)
            remember(Call(self, inputs, args, kwargs, outputs))
        if self._io is None or symbolic and not self._io_symbolic:
            self._io, self._io_symbolic = (inputs, outputs), symbolic
        return outputs

    def _ranked(self, inputs: object) -> Any:
        """What comes from something that is not modelled has the rank that the layer takes."""
        ndim = getattr(self.input_spec, "ndim", None)
        if ndim is None or not isinstance(inputs, _core.Tensor) or inputs.get_shape().ndims is not None or \
                not _core.is_unmodelled(inputs):
            return inputs
        return op_builders.like_shape([inputs], inputs.dtype, [None] * ndim)

    def get_config(self) -> Dict[str, Any]:
        """What makes such a layer again: what it was made with, but for initializers and their kin."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype or "float32"}
        init, args, kwargs = self.__dict__.get("_sf_made_with", (KerasLayer.__init__, (), {}))
        signature = inspect.signature(init)
        given = signature.bind(self, *args, **kwargs).arguments
        for parameter in list(signature.parameters.values())[1:]:
            if parameter.kind == parameter.VAR_KEYWORD:
                given.update(given.pop(parameter.name, {}))
            elif parameter.kind == parameter.VAR_POSITIONAL:
                given.pop(parameter.name, None)
        for name, value in list(given.items())[1:]:
            if name not in config and (is_plain(value) or isinstance(value, KerasLayer)):
                config[name] = value
            elif name == "activation" and hasattr(tf.nn, getattr(value, "__name__", "")):
                config[name] = value.__name__
        return config

    @classmethod
    def from_config(cls, config: Dict[str, Any]) -> KerasLayer:
        return cls(**config)

    def compute_output_shape(self, input_shape: object) -> Any:
        graph = _trace_graph()
        with graph.as_default():
            inputs = nest.map_structure(
                lambda s: tf.placeholder("float32", s),
                input_shape if not _is_shape(input_shape) else _core.TensorShape(input_shape))
            outputs = self(inputs)
        return nest.map_structure(lambda t: t.get_shape(), outputs)

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        return mask

    @property
    def dtype(self) -> Any:
        return None if self._dtype is None else self._dtype.name

    variable_dtype = dtype

    _io_symbolic = False  # are they of the model that was built, which later data does not change?
    supports_masking = False

    def _ends(self, index: int, kind: str) -> Any:
        if self._io is None:
            raise AttributeError("The layer has never been called and thus has no defined %s." % kind)
        return self._io[index]


put(KerasLayer, "tf.keras.layers.Layer", "tf.keras.Layer")
KerasLayer.__name__ = KerasLayer.__qualname__ = "Layer"
_training: List[object] = [None]  # of the calls under way, outermost first


def _is_shape(value: object) -> bool:
    return isinstance(value, _core.TensorShape) or isinstance(value, (tuple, list)) and all(
        d is None or isinstance(d, int) or hasattr(d, "value") for d in value)


def _trace_graph() -> Any:
    from shapeflow.tensorflow.python.data.traced_function import FunctionGraph

    return FunctionGraph()


def _named(layer: Any) -> Any:
    if _core.executing_eagerly():
        import contextlib

        return contextlib.nullcontext()
    return framework_lib.name_scope(layer._name)


def _lifted() -> Any:
    """Variables are made outside of scratch graphs and of traces."""
    return _core.init_scope()


def _initial(initializer: Any, shape: Any, dtype: Any) -> Any:
    def make() -> Any:
        try:
            value = initializer(list(shape), dtype=dtype)
        except TypeError:
            value = initializer(list(shape))
        value = framework_lib.convert_to_tensor(value)
        return value if value.dtype.base_dtype == dtype else tf.cast(value, dtype)

    return make


# --- input specs ----------------------------------------------------------------------------------
def check_spec(specs: Any, inputs: Any, layer: Any) -> None:
    """assert_input_compatibility of the layer's specifications, where it has any."""
    if not specs:
        return
    from shapeflow.tensorflow.python.layers.base import assert_input_compatibility

    assert_input_compatibility(specs, inputs, layer.name)


# --- Input ----------------------------------------------------------------------------------------
class InputLayer(KerasLayer):
    """The layer behind keras.Input."""

    def __init__(self, shape: Any = None, batch_size: Any = None, dtype: Any = None,
                 sparse: Any = None, batch_shape: Any = None, input_tensor: Any = None,
                 name: Any = None, **kwargs: Any) -> None:
        given = kwargs.pop("input_shape", None)
        batch_shape = kwargs.pop("batch_input_shape", batch_shape)
        super().__init__(name=name, dtype=dtype or mixed_precision.floatx())
        if batch_shape is None:
            shape = shape if shape is not None else given
            batch_shape = (batch_size,) + tuple(getattr(d, "value", d) for d in (
                [shape] if isinstance(shape, int) else shape or ()))
        self.batch_shape = tuple(batch_shape)
        self._batch_input_shape = self.batch_shape
        with scratch_graph().as_default():
            tensor = input_tensor if input_tensor is not None else tf.placeholder(
                self._dtype, self.batch_shape, name=self._name)
        self.built = True
        self.output_tensor = tensor
        self._io, self._io_symbolic = (tensor, tensor), True
        remember(Call(self, [], (), {}, tensor))

    def call(self, inputs: Any = None) -> Any:
        return self.output_tensor

    def __call__(self, inputs: object = None, *args: object, **kwargs: object) -> Any:
        return self.output_tensor


put(InputLayer, "tf.keras.layers.InputLayer")


@export("tf.keras.Input", "tf.keras.layers.Input")
def Input(shape: object = None, batch_size: object = None, dtype: object = None, sparse: object = None,
          ragged: object = None, batch_shape: object = None, name: Optional[str] = None,
          tensor: object = None, optional: bool = False, **kwargs: object) -> Any:
    if isinstance(dtype, str) and name is None and isinstance(batch_size, str):  # (shape, name, dtype)
        name, batch_size = batch_size, None
    if shape is None and batch_shape is None and "batch_input_shape" not in kwargs and tensor is None:
        raise ValueError("Please provide to Input either a `shape` or a `tensor` argument. Note that "
                         "`shape` does not include the batch dimension.")
    return InputLayer(shape, batch_size, dtype, sparse, batch_shape, tensor, name or _input_name(),
                      **kwargs).output_tensor
