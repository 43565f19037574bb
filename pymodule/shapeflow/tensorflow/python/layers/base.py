"""The base of the tf.layers classes: naming, building, variables, input specs.

Source: tensorflow/python/layers/base.py, keras/engine/{base_layer,input_spec}.py (1.15).
"""

from __future__ import annotations

import inspect
import re

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export, own_module
from shapeflow.api.unmodelled import Opaque, is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.variable_scope import get_variable, store, variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple


def from_unmodelled(tensor: object) -> bool:
    """True when `tensor` was computed from something that is not modelled.

    What is unknown about it says nothing about the program: then nothing may be reported that
    real TensorFlow, which knows more, would not report. Asked only when a check is about to fail.
    """
    return _core.is_unmodelled(getattr(tensor, "_tensor", None) or tensor)


def known_dim(tensor: Any, axis: int, message: str, *more: object) -> Optional[int]:
    """Dim `axis` of `tensor`. When TensorFlow does not know it: ValueError(message, *more)."""
    dims = tensor.get_shape().as_list() if tensor.get_shape().ndims is not None else None
    value = dims[axis] if dims is not None else None
    if value is None and not from_unmodelled(tensor):
        raise fail("SF128", "{text}", message, error=lambda text: ValueError(text, *more))
    return value


@export("tf.layers.InputSpec", "tf.keras.layers.InputSpec", v2=True)
class InputSpec:
    """What a layer asks of an input: its rank, dtype, and some of its dimensions."""

    def __init__(self, dtype: Any = None, shape: Any = None, ndim: Optional[int] = None,
                 max_ndim: Optional[int] = None, min_ndim: Optional[int] = None,
                 axes: Optional[Dict[int, Any]] = None) -> None:
        self.dtype = None if dtype is None else _core.as_dtype(dtype).name
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        self.axes = {int(k): axes[k] for k in axes} if axes else {}


def assert_input_compatibility(specs: object, inputs: object, layer_name: str) -> None:
    """TensorFlow's checks of `inputs` against the specs, with its words."""
    if not specs:
        return
    flat, specs = nest.flatten(inputs), nest.flatten(specs)
    if len(flat) != len(specs):
        raise fail("SF201", "Layer {name} expects {int} inputs, but it received {int} input tensors. "
                   "Inputs received: {text}", layer_name, len(specs), len(flat), flat)
    for index, (x, spec) in enumerate(zip(flat, specs)):
        if spec is not None:
            with about(("inputs", x)):
                _check_input(index, x, spec, layer_name)


def _check_input(index: int, x: Any, spec: InputSpec, layer_name: str) -> None:
    head = "Input %d of layer %s is incompatible with the layer: " % (index, layer_name)
    ndim = x.get_shape().ndims
    if ndim is None:
        wants_rank = (spec.ndim, spec.min_ndim, spec.max_ndim) != (None, None, None)
        if wants_rank and not from_unmodelled(x):
            raise fail("SF102", "{text}its rank is undefined, but the layer requires a defined rank.", head)
        return
    shape = x.get_shape().as_list()
    if spec.ndim is not None and ndim != spec.ndim:
        raise fail("SF102", "{text}expected ndim={rank}, found ndim={rank}. Full shape received: {shape}",
                   head, spec.ndim, ndim, shape)
    if spec.max_ndim is not None and ndim > spec.max_ndim:
        raise fail("SF105", "{text}expected max_ndim={rank}, found ndim={rank}", head, spec.max_ndim, ndim)
    if spec.min_ndim is not None and ndim < spec.min_ndim:
        raise fail("SF103", "{text}: expected min_ndim={rank}, found ndim={rank}. Full shape received: "
                   "{shape}", head, spec.min_ndim, ndim, shape)
    if spec.dtype is not None and x.dtype != spec.dtype:
        raise fail("SF201", "{text}expected dtype={dtype}, found dtype={dtype}", head, spec.dtype, x.dtype)
    for axis, value in spec.axes.items():
        value = getattr(value, "value", value)
        if value is not None and shape[axis] not in (value, None):
            raise fail("SF106", "{text}expected axis {axis} of input shape to have value {dim} but "
                       "received input with shape {shape}", head, axis, value, shape, axis=axis)
    if spec.shape is not None:
        for want, dim in zip(spec.shape, shape):
            if want is not None and dim is not None and want != dim:
                raise fail("SF106", "Input {int} is incompatible with layer {name}: expected "
                           "shape={shape}, found shape={shape}", index, layer_name, spec.shape, shape)


def to_snake_case(name: str) -> str:
    """Conv2DTranspose -> conv2d_transpose."""
    text = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    text = re.sub("([a-z])([A-Z])", r"\1_\2", text).lower()
    return "private" + text if text[0] == "_" else text


def _unique_object_name(base: str) -> str:
    """dense_1, dense_2...: names of layer objects, counted for each graph."""
    owner = get_default_graph() if not _core.executing_eagerly() else store()
    counts = owner.__dict__.setdefault("_sf_layer_names", {})
    counts[base] = counts.get(base, 0) + 1
    return "%s_%d" % (base, counts[base])


def activation_of(activation: object) -> Any:
    """A callable, None, or what a name such as "relu" stands for."""
    if activation is None or callable(activation):
        return activation
    if activation == "linear":
        return None
    found = getattr(tf.nn, str(activation), None) if isinstance(activation, str) else None
    if found is None:
        raise ValueError("Unknown activation function:" + str(activation))
    return found


def as_inputs(inputs: object) -> Any:
    """Arrays, numbers and variables become tensors; structures, None and sparse tensors stay."""
    def convert(item: Any) -> Any:
        if item is None or isinstance(item, (_core.Tensor, str)):
            return item
        if isinstance(item, (framework_lib.SparseTensor, framework_lib.IndexedSlices)):
            return item
        if is_unmodelled(item):
            return item.__sf_tensor__()  # of the graph of what it was made from
        try:
            return framework_lib.convert_to_tensor(item)
        except TypeError:
            return item

    if isinstance(inputs, _core.Tensor):
        return inputs
    if isinstance(inputs, (list, tuple)) and not any(
            isinstance(i, (_core.Tensor, _core.VariableBase, dict, list, tuple)) or hasattr(i, "shape")
            for i in inputs):
        return convert(inputs)
    return nest.map_structure(convert, inputs)


def shapes_of(inputs: object) -> Any:
    return nest.map_structure(
        lambda x: x.get_shape() if hasattr(x, "get_shape") else _core.TensorShape(None), inputs)


# Ends of parameters whose unknown values leave the shapes known.
_NO_SIZES = ("activation", "initializer", "regularizer", "constraint", "name", "dtype", "trainable")


def _unknown_parts(value: Any) -> List[Any]:
    items = value if type(value) in (tuple, list) else (value,)
    return [item for item in items if is_unmodelled(item)]


def _of_unknown_size(cls: type, args: Tuple[object, ...], kwargs: Dict[str, object]) -> object:
    from shapeflow.api import made_up_layers

    args, kwargs = made_up_layers.known(cls, args, kwargs)
    rest = [*args, *(value for key, value in kwargs.items() if not key.endswith(_NO_SIZES))]
    unknown = next((item for value in rest for item in _unknown_parts(value)), None)
    if unknown is not None:
        return unknown._more(".layer()") if isinstance(unknown, Opaque) else Opaque(cls.__name__)
    made: object = object.__new__(cls)
    made_up_layers.construct_with(made, args, kwargs)
    return made


class Layer:
    """tf.layers.Layer: variables live in a scope that is named when the layer is first used."""

    def __new__(cls, *args: object, **kwargs: object) -> Any:
        """A layer of ours of unknown sizes has made-up ones; one of which more is unknown has outputs of
        unknown shape."""
        if own_module(cls).startswith("shapeflow."):
            sizes = [*args, *(value for key, value in kwargs.items() if not key.endswith(_NO_SIZES))]
            if any(map(_unknown_parts, sizes)):
                return _of_unknown_size(cls, args, kwargs)
        return object.__new__(cls)

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None,
                 **kwargs: Any) -> None:
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        for key in kwargs:
            if key not in ("input_shape", "batch_input_shape", "batch_size", "weights", "autocast",
                           "dynamic", "input_dim"):
                if names.emulated() >= (2, 16):
                    raise ValueError("Unrecognized keyword arguments passed to %s: %s"
                                     % (type(self).__name__, {key: kwargs[key]}))
                raise TypeError("Keyword argument not understood:", key)
        self.trainable = trainable
        self.built = False
        self.stateful = False
        self.input_spec: Any = None
        self._dtype = None if dtype is None else _core.as_dtype(dtype).base_dtype
        self._trainable_weights: List[object] = []
        self._non_trainable_weights: List[object] = []
        self._losses: List[object] = []
        self._updates: List[object] = []
        self._set_name(name)
        self._scope: Any = None
        self._current_scope: Any = None
        self._io: Any = None
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    def _set_name(self, name: Any) -> None:
        base = to_snake_case(type(self).__name__)
        if not name:
            self._name, self._base_name = _unique_object_name(base), base
        elif isinstance(name, str):
            self._name = self._base_name = name
        else:  # a VariableScope
            self._name, self._base_name = _unique_object_name(base), name.name

    # --- what it is
    name = property(lambda self: self._name)
    dtype = property(lambda self: None if self._dtype is None else self._dtype.name)
    updates = property(lambda self: list(self._updates))
    losses = property(lambda self: list(self._losses))
    graph = property(lambda self: None)
    activity_regularizer = property(lambda self: self._activity_regularizer)

    @property
    def scope_name(self) -> str:
        if not self._scope:
            raise ValueError("No name available for layer scope because the layer \"%s\" has not "
                             "been used yet. The scope name  is determined the first time the layer "
                             "instance is called. You must therefore call the layer before querying "
                             "`scope_name`." % self._name)
        return self._scope.name

    @property
    def trainable_weights(self) -> List[Any]:
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> List[Any]:
        if self.trainable:
            return list(self._non_trainable_weights)
        return self._trainable_weights + self._non_trainable_weights

    def _collect(self, trainable: bool) -> List[Any]:
        """For a model of Keras that owns the layer."""
        return self.trainable_weights if trainable else self.non_trainable_weights

    weights = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    variables = weights
    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights

    def count_params(self) -> int:
        if not self.built:
            raise ValueError("You tried to call `count_params` on %s, but the layer isn't built. You "
                             "can build it manually via: `%s.build(batch_input_shape)`."
                             % (self.name, self.name))
        return int(sum(w.get_shape().num_elements() or 0 for w in self.weights))

    def get_updates_for(self, inputs: object) -> List[Any]:
        return list(self._updates)

    def get_losses_for(self, inputs: object) -> List[Any]:
        return list(self._losses)

    def _ends(self, index: int, kind: str) -> Any:
        if self._io is None:
            raise AttributeError("The layer has never been called and thus has no defined %s."
                                 % kind)
        return self._io[index]

    input = property(lambda self: self._ends(0, "input"))
    output = property(lambda self: self._ends(1, "output"))
    input_shape = property(lambda self: _shape_tuples(self._ends(0, "input shape")))
    output_shape = property(lambda self: _shape_tuples(self._ends(1, "output shape")))

    # --- scopes
    def _name_scope(self) -> str:
        return self._current_scope.original_name_scope

    def _set_scope(self, scope: object = None) -> None:
        if self._scope is None:
            if self._reuse:
                context = variable_scope(scope if scope is not None else self._base_name)
            else:
                context = variable_scope(scope, default_name=self._base_name)
            with context as captured:
                self._scope = captured

    # --- variables, losses, updates
    def add_weight(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
                   regularizer: Any = None, trainable: Optional[bool] = None, constraint: Any = None,
                   use_resource: Optional[bool] = None, synchronization: Any = None,
                   aggregation: Any = None, partitioner: Any = None, **kwargs: Any) -> Any:
        """The variable `name` of this layer's scope; regularized when it is new."""
        trainable = True if trainable is None else bool(trainable)
        dtype = _core.as_dtype(dtype or self._dtype or "float32")
        self._set_scope(None)
        if isinstance(initializer, str):
            initializer = init_ops.get(initializer)
        with variable_scope(self._scope, reuse=self.built or self._reuse,
                            auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            with framework_lib.name_scope(self._name_scope()):
                count = len(store().vars)
                given = dict(trainable=trainable and bool(self.trainable), constraint=constraint,
                             partitioner=partitioner, use_resource=use_resource,
                             synchronization=synchronization, aggregation=aggregation)
                variable = weight_variable(name, shape, dtype, initializer or scope.initializer,
                                           given)
                if regularizer and len(store().vars) > count:  # a new one, not a shared one
                    with framework_lib.name_scope(name + "/Regularizer"):
                        loss = regularizer(variable)
                    if loss is not None:
                        self.add_loss(loss)
        kept = self._trainable_weights if trainable and getattr(variable, "trainable", True) \
            else self._non_trainable_weights
        if not any(v is variable for v in kept):
            kept.append(variable)
        return variable

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        return self.add_weight(*args, **kwargs)

    def add_loss(self, losses: object, inputs: object = None) -> None:
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            loss = loss() if callable(loss) and not isinstance(loss, _core.Tensor) else loss
            if loss is None:
                continue
            self._losses.append(loss)
            if not _core.executing_eagerly():
                _add_once(GraphKeys.REGULARIZATION_LOSSES, loss)

    def add_update(self, updates: object, inputs: object = None) -> None:
        if _core.executing_eagerly():
            for update in updates if isinstance(updates, (list, tuple)) else [updates]:
                update() if callable(update) else None
            return
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            if callable(update) and not isinstance(update, (_core.Tensor, _core.VariableBase)):
                update = update()
            if names.emulated() >= (1, 14):  # from there on the collection holds operations
                update = getattr(update, "op", update)
            self._updates.append(update)

    # --- use
    def build(self, input_shape: Any) -> None:
        self.built = True

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return inputs

    def _maybe_build(self, inputs: object) -> None:
        assert_input_compatibility(self.input_spec, inputs, self.name)
        if self.built:
            return
        if self._dtype is None:
            for item in nest.flatten(inputs):
                if hasattr(item, "dtype"):
                    self._dtype = item.dtype.base_dtype
                    break
        self._built_from = inputs  # asked for its origin when a dimension is missing
        try:
            self.build(shapes_of(inputs))
        finally:
            del self._built_from
        self.built = True
        assert_input_compatibility(self.input_spec, inputs, self.name)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        self._set_scope(kwargs.pop("scope", None))
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            if _takes_scope(type(self)):
                kwargs["scope"] = scope
            inputs = as_inputs(inputs)
            with framework_lib.name_scope(self._name_scope()):
                self._maybe_build(inputs)
                known = len(self._updates)
                outputs = self.call(inputs, *args, **kwargs)
                if outputs is None:
                    raise ValueError("A layer's `call` method should return a Tensor or a list of "
                                     "Tensors, not None (layer: %s)." % self.name)
                if self._activity_regularizer:
                    with framework_lib.name_scope("ActivityRegularizer"):
                        for output in nest.flatten(outputs):
                            self.add_loss(self._activity_regularizer(output))
        if not _core.executing_eagerly():
            for update in self._updates[known:]:
                _add_once(GraphKeys.UPDATE_OPS, update)
        self._io = (inputs, outputs)
        return outputs

    def apply(self, inputs: object, *args: object, **kwargs: object) -> Any:
        return self(inputs, *args, **kwargs)

    def compute_output_shape(self, input_shape: object) -> Any:
        raise NotImplementedError

    def get_config(self) -> Dict[str, Any]:
        return {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}

    def __deepcopy__(self, memo: object) -> "Layer":
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def _need_dim(self, input_shape: Any, axis: int, message: str, *more: Any) -> Optional[int]:
        """A dimension that a weight's shape is made of."""
        built_from = getattr(self, "_built_from", None)
        if isinstance(built_from, _core.Tensor):
            return known_dim(built_from, axis, message, *more)
        dims = _core.TensorShape(input_shape).as_list()
        if dims[axis] is None:
            if isinstance(input_shape, (list, tuple)) and is_unmodelled(input_shape[axis]):
                from shapeflow.api.made_up_numbers import assumed

                return assumed.size()
            raise fail("SF128", "{text}", message, error=lambda text: ValueError(text, *more))
        return dims[axis]


def weight_variable(name: str, shape: Any, dtype: Any, initializer: Any,
                    given: Dict[str, Any]) -> Any:
    """get_variable; a dim that came from something unmodelled leaves the variable's open."""
    dims = None if shape is None else _core.TensorShape(shape)
    if dims is not None and not dims.is_fully_defined():
        found = store().vars.get(
            store().scope.name + "/" + name if store().scope.name else name)
        if found is None:
            start = op_builders.unknown(dtype, dims)
            made = get_variable(name, initializer=start, dtype=dtype, validate_shape=False, **given)
            made.set_shape(dims)
            return made
        return get_variable(name, dtype=dtype, **given)
    return get_variable(name, shape=shape, dtype=dtype, initializer=initializer, **given)


def _add_once(key: str, item: object) -> None:
    graph = get_default_graph()
    if not any(item is known for known in graph.get_collection_ref(key)):
        graph.add_to_collection(key, item)


def _shape_tuples(tensors: object) -> Any:
    shapes = [t.get_shape() for t in nest.flatten(tensors)]
    found = [tuple(s.as_list()) if s.ndims is not None else s for s in shapes]
    return found[0] if len(found) == 1 else found


_scope_takers: Dict[type, bool] = {}


def _takes_scope(cls: Any) -> bool:
    found = _scope_takers.get(cls)
    if found is None:
        found = _scope_takers[cls] = "scope" in inspect.signature(cls.call).parameters
    return found


export("tf.layers.Layer")(Layer)


def normalize_tuple(value: Any, n: int, name: str) -> Sequence[int]:
    """An int or an iterable of `n` ints as a tuple."""
    if isinstance(value, int) or hasattr(value, "__index__") and not hasattr(value, "__len__"):
        return (int(value),) * n
    text = "The `{name}` argument must be a tuple of {int} integers. Received: {text}"
    try:
        items = tuple(value)
    except TypeError:
        raise fail("SF132", text, name, n, value)
    if len(items) != n:
        raise fail("SF132", text, name, n, value)
    made = []
    for item in items:
        try:
            made.append(int(item))
        except (ValueError, TypeError):
            raise fail("SF201", text + " including element {text} of type {text}", name, n, value, item,
                       type(item))
    return tuple(made)


def normalize_padding(value: Any) -> str:
    padding = value.lower()
    if padding not in ("valid", "same", "causal"):
        if names.emulated() >= (1, 14):
            raise fail("SF203", 'The `padding` argument must be a list/tuple or one of "valid", "same" '
                       '(or "causal", only for `Conv1D). Received: {text}', padding)
        raise fail("SF203", 'The `padding` argument must be one of "valid", "same". Received: {text}',
                   padding)
    return padding


def normalize_data_format(value: Any) -> str:
    data_format = "channels_last" if value is None else value.lower()
    if data_format not in ("channels_first", "channels_last"):
        raise fail("SF203", 'The `data_format` argument must be one of "channels_first", '
                   '"channels_last". Received: {text}', value)
    return data_format


def op_format(data_format: str, ndim: int) -> str:
    """channels_last, 4 -> NHWC."""
    spatial = {3: "W", 4: "HW", 5: "DHW"}[ndim]
    return "N%sC" % spatial if data_format == "channels_last" else "NC" + spatial
