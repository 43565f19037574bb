"""tf.Variable: reference variables of TensorFlow 1, resource variables, eager variables.

A variable is a VariableBase, so the core takes it wherever it takes a tensor: it then uses
`_tensor`, the value that was read last. Source: tensorflow/python/ops/variables.py (1.15),
resource_variable_ops.py.
"""
from __future__ import annotations

import abc

from shapeflow import _core
from shapeflow.api.registry import export, put, put_subclass
from shapeflow.tensorflow.python.framework import framework_lib, object_log
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError, OutOfRangeError
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph, session_or_default
from shapeflow.tensorflow.python.framework.op_builders import copy_op, op, outputs, tf, unknown
from shapeflow.tensorflow.python.trackable.base import Trackable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, TypeVar

    _T = TypeVar("_T")

_eager_names: Dict[str, int] = {}
# Attributes that are nodes of a graph.
_NODES = ("_initial_value", "_handle", "_is_initialized_op", "_initializer_op", "_variable", "_snapshot")


def _wrote(variable: Variable, before: _core.Tensor, after: _core.Tensor) -> None:
    from shapeflow.tensorflow.python.eager import function_trace  # few variables are written

    function_trace.wrote(variable, before, after)


class Variable(_core.VariableBase, Trackable):
    """A variable: `kind` is "ref", "resource" or "eager" (no graph, the value is kept here)."""

    _save_slice_info = None

    def __init__(self, initial_value: Any = None, trainable: Any = None, collections: Any = None,
                 validate_shape: bool = True, caching_device: Any = None,
                 name: Optional[str] = None, variable_def: Any = None, dtype: Any = None,
                 expected_shape: Any = None, import_scope: Any = None, constraint: Any = None,
                 use_resource: Optional[bool] = None, synchronization: Any = None,
                 aggregation: Any = None, shape: Any = None,
                 experimental_enable_variable_lifting: Any = None) -> None:
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if collections is not None and not isinstance(collections, (list, tuple, set)):
            raise ValueError("collections argument to Variable constructor must be a list, tuple, "
                             "or set. Got %s of type %s" % (collections, type(collections)))
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._constraint = constraint
        self._trainable = True if trainable is None else bool(trainable)
        self._synchronization, self._aggregation = synchronization, aggregation
        self._caching_device = caching_device
        if dtype is not None:
            dtype = _core.as_dtype(dtype)
        if shape is not None:
            shape = _core.TensorShape(shape)
        if _core.executing_eagerly():
            self._kind = "eager"
            self._init_eager(initial_value, name, dtype, shape)
            from shapeflow.tensorflow.python.framework import eager_devices

            strategy = eager_devices.mirroring()
            if strategy is not None and type(self) is Variable:
                strategy.mirror(self)
            return
        if use_resource is None:
            use_resource = framework_lib.resource_variables_enabled() or framework_lib.api_version() == 2
        self._kind = "resource" if use_resource else "ref"
        if collections is None:
            collections = [GraphKeys.GLOBAL_VARIABLES]
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = list(collections) + [GraphKeys.TRAINABLE_VARIABLES]
        with _core.init_scope():
            with framework_lib.name_scope(name, "Variable") as scope:
                self._init_graph(initial_value, scope, dtype, shape, validate_shape)
            get_default_graph().add_to_collections(collections, self)

    # --- construction ---------------------------------------------------------------------------
    def _init_graph(self, initial_value: Any, scope: str, dtype: Any, shape: Any,
                    validate_shape: bool) -> None:
        if framework_lib.is_maker(initial_value):
            with framework_lib.name_scope("Initializer"), framework_lib.device(None):
                value = framework_lib.convert_to_tensor(initial_value(), dtype, "initial_value")
        else:
            value = framework_lib.convert_to_tensor(initial_value, dtype, "initial_value")
        self._initial_value = value
        value_shape = value.get_shape()
        known = None  # of a shape that TensorFlow knows, as much as is known here
        if not value_shape.is_fully_defined() and _core.is_unmodelled(value):
            known = value_shape if validate_shape else None
            validate_shape = False
        if shape is None:
            shape = value_shape if validate_shape else _core.TensorShape(None)
        attrs = {"dtype": value.dtype.base_dtype, "shape": shape}
        if self._kind == "resource":
            attrs["shared_name"] = scope[:-1]
            self.handle = op("VarHandleOp", [], attrs, scope)
            self._shape = shape
            with framework_lib.name_scope("IsInitialized"):
                self._is_initialized_op = op("VarIsInitializedOp", [self.handle], None, None)
            guarded = _guarded(value, scope)
            self._initializer_op = _core.make_op(
                "AssignVariableOp", [self.handle, guarded], {"dtype": attrs["dtype"]}, "Assign")
            with framework_lib.name_scope("Read"):
                self._tensor = op("ReadVariableOp", [self.handle], {"dtype": attrs["dtype"]}, None)
            self._variable = self._tensor
            if known is not None:
                self.set_shape(known)
            return
        self._variable = op("VariableV2", [], attrs, scope)
        if validate_shape and not value_shape.is_fully_defined():
            with about(("initial_value", value)):
                raise fail("SF204", "initial_value must have a shape specified: {text}", value)
        self._initializer_op = _core.make_op("Assign", [self._variable, _guarded(value, scope)],
                                             {"validate_shape": validate_shape}, "Assign")
        with framework_lib.colocate_with(self._variable):
            self._snapshot = op("Identity", [self._variable], None, "read")
        self._tensor = self._snapshot
        if known is not None:
            self.set_shape(known)

    def _init_eager(self, initial_value: Any, name: Optional[str], dtype: Any, shape: Any) -> None:
        if framework_lib.variable_makers:
            from shapeflow.tensorflow.python.eager.function_body import makes_variable

            makes_variable()
        if framework_lib.is_maker(initial_value):
            initial_value = initial_value()
        value = framework_lib.convert_to_tensor(initial_value, dtype)
        self._tensor = _core.eager_variable(value)
        _core.memory_state(self._tensor)
        self._shape = shape if shape is not None else value.shape
        self._initial_value = None
        with framework_lib.name_scope(name or "Variable") as scope:
            base = scope[:-1]
        if name is None or framework_lib.api_version() == 1:
            count = _eager_names.get(base, 0)
            _eager_names[base] = count + 1
            base = base if count == 0 or name is not None else base
        self._eager_name = base + ":0"
        if object_log.variables is not None:
            object_log.add(object_log.variables, self)

    def in_graph(self, graph: Any, prefix: str) -> Any:
        """The same variable of a graph into which the nodes of its own were copied, with `prefix` before
        their names; None: they are not there."""
        made: Any = type(self).__new__(type(self))
        made.__dict__.update({key: value for key, value in self.__dict__.items() if key not in _NODES})

        def copy(node: Any) -> Any:
            return graph.as_graph_element(prefix + node.name)

        try:
            for name in _NODES:
                if self.__dict__.get(name) is not None:
                    setattr(made, name, copy(self.__dict__[name]))
        except (KeyError, ValueError):
            return None
        made._tensor = copy(self._tensor)
        return made

    # --- what it is ------------------------------------------------------------------------------
    _handle: Any

    @property
    def handle(self) -> Any:
        """In eager mode made when it is asked for. What raw ops then write is not seen here: its content
        is not known from then on."""
        if self._kind != "eager":
            return self._handle
        from shapeflow.tensorflow.python.eager import function_trace

        is_new = getattr(self, "_handle", None) is None
        stays = not function_trace.is_known(self._tensor) and not _core.notes_numbers()
        if stays and not is_new:
            return self._handle
        with _core.init_scope():
            dtype = self.dtype.base_dtype
            if is_new:
                self._handle = op("VarHandleOp", [], {"dtype": dtype, "shape": self._shape}, None)
            if not stays:  # else it tells where it was made
                self._tensor = unknown(dtype, self._tensor.get_shape(), trusted=True)
                _core.memory_state(self._tensor)
            _core.make_op("AssignVariableOp", [self._handle, self._tensor], {"dtype": dtype}, None)
        return self._handle

    @handle.setter
    def handle(self, handle: Any) -> None:
        self._handle = handle

    @property
    def name(self) -> str:
        if self._kind == "eager":
            return self._eager_name
        if self._kind == "resource":
            return self.handle.name
        return self._variable.name

    @property
    def _unique_id(self) -> str:
        return "%s_%d" % (self._shared_name, id(self))

    @property
    def _shared_name(self) -> str:
        return self.name[:self.name.index(":")]

    @property
    def dtype(self) -> Any:
        if self._kind == "ref":
            return self._variable.dtype
        return self._tensor.dtype

    @property
    def shape(self) -> Any:
        return self._variable.get_shape() if self._kind == "ref" else self._shape

    def get_shape(self) -> Any:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        if self._kind == "ref":
            self._variable.set_shape(shape)
        elif self._kind == "resource":
            self._shape = self._shape.merge_with(shape)
        self._tensor.set_shape(shape)

    @property
    def op(self) -> Any:
        if self._kind == "eager":
            raise AttributeError("Tensor.op is undefined when eager execution is enabled.")
        return self.handle.op if self._kind == "resource" else self._variable.op

    @property
    def graph(self) -> Any:
        if self._kind == "eager":
            raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")
        return self._variable.graph

    @property
    def device(self) -> str:
        return self._variable.device if self._kind != "eager" else self._tensor.device

    @property
    def trainable(self) -> bool:
        return self._trainable

    @property
    def synchronization(self) -> Any:
        from shapeflow.tensorflow.python.ops.variable_enums import VariableSynchronization

        return self._synchronization or VariableSynchronization.AUTO

    @property
    def aggregation(self) -> Any:
        from shapeflow.tensorflow.python.ops.variable_enums import VariableAggregation

        return self._aggregation or VariableAggregation.NONE

    @property
    def constraint(self) -> Any:
        return self._constraint

    @property
    def initializer(self) -> Optional[_core.Operation]:
        return None if self._kind == "eager" else self._initializer_op

    @property
    def initial_value(self) -> Any:
        if self._kind == "eager":
            raise RuntimeError("This property is not supported when eager execution is enabled.")
        return self._initial_value

    # --- reading ---------------------------------------------------------------------------------
    def value(self) -> Any:
        if self._kind == "resource":
            return op("ReadVariableOp", [self.handle], {"dtype": self.dtype}, None)
        return _core.convert_to_tensor(self) if self._kind == "eager" else self._tensor

    def read_value(self) -> Any:
        if self._kind == "resource":
            with framework_lib.name_scope("Read"):
                return tf.identity(self.value())
        return tf.identity(self._variable if self._kind == "ref" else self, name="read")

    def initialized_value(self) -> Any:
        # TensorFlow builds cond(is_initialized, read, initial_value); both have this shape.
        if self._kind == "eager":
            return self.value()
        with _core.init_scope():
            return tf.identity(self._initial_value)

    def is_initialized(self, name: Optional[str] = None) -> Any:
        return is_variable_initialized(self)

    def eval(self, session: Any = None) -> Any:
        if self._kind == "eager":
            return self.value().numpy()
        return self._tensor.eval(session=session)

    def numpy(self) -> Any:
        if self._kind == "eager":
            return self.value().numpy()
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def _ref(self) -> Any:
        return self._variable

    def _as_graph_element(self) -> Any:
        return self._variable

    def experimental_ref(self) -> Reference:
        return Reference(self)

    ref = experimental_ref

    def __iter__(self) -> Any:
        if self._kind == "eager":
            return iter(self.value())
        raise TypeError("'Variable' object is not iterable.")

    def __getitem__(self, key: Any) -> Any:
        """A slice, which may be assigned to: `v[0].assign(row)`."""
        part = super().__getitem__(key)
        if isinstance(part, _core.Tensor):
            part.__dict__["assign"] = lambda value, name=None, **_: self._assign_part(part, value)
        return part

    def _assign_part(self, part: Any, value: Any) -> Any:
        value = framework_lib.convert_to_tensor(value, self.dtype.base_dtype)
        want, got = part.get_shape(), value.get_shape()
        if want.is_fully_defined() and got.is_fully_defined():
            dims, head = got.as_list(), want.as_list()
            spare = len(dims) - len(head)
            if any(d != 1 for d in dims[:max(spare, 0)]) or any(
                    a != b and a != 1 for a, b in zip(reversed(dims), reversed(head))):
                raise fail("SF107", "Cannot broadcast input shape {shape} into final shape {shape}", dims,
                           head, error=lambda m: InvalidArgumentError(None, None, m))
        if self._kind == "eager":
            self._forget_content()
            return self
        return unknown(self.dtype.base_dtype, self.get_shape(), None, [part, value])

    def __hash__(self) -> int:
        return id(self)

    def __copy__(self) -> "Variable":
        return self

    def __deepcopy__(self, memo: Any) -> "Variable":
        return self

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self._kind != "eager":
            raise NotImplementedError("Cannot convert a symbolic tf.Variable to a numpy array.")
        value = self.value().numpy()
        return value if dtype is None else value.astype(dtype)

    def _number(self, kind: Any) -> Any:
        """int(v), float(v): TensorFlow 2's, of what an eager variable holds."""
        if self._kind != "eager":
            raise TypeError("%s() argument must be a string, a bytes-like object or a number, not '%s'"
                            % (kind.__name__, type(self).__name__))
        return kind(self.value())

    def __int__(self) -> int:
        number: int = self._number(int)
        return number

    def __float__(self) -> float:
        number: float = self._number(float)
        return number

    def __complex__(self) -> complex:
        number: complex = self._number(complex)
        return number

    def __repr__(self) -> str:
        if self._kind == "eager":
            content = self._tensor.numpy()
            text = str(content) if getattr(content, "shape", None) == () else repr(content)
            return "<tf.Variable '%s' shape=%s dtype=%s, numpy=%s>" % (
                self.name, self.shape, self.dtype.name, text)
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (
            self.name, self.get_shape(), self.dtype.name)

    # --- writing ---------------------------------------------------------------------------------
    def _write(self, ref_op: str, resource_op: str, value: Any, name: Optional[str],
               read_value: bool = True, **attrs: Any) -> Any:
        """Assign and its kin: value must fit the variable's dtype; the core checks the shape."""
        value = framework_lib.convert_to_tensor(value, self.dtype.base_dtype)
        if self._kind == "ref":
            return op(ref_op, [self._variable, value], attrs, name or ref_op)
        if not self._shape.is_compatible_with(value.get_shape()):
            raise fail("SF125", "Cannot assign value to variable ' {name}': Shape mismatch.The variable "
                       "shape {shape}, and the assigned value shape {shape} are incompatible.", self.name,
                       self._shape, value.get_shape())
        if self._kind == "eager":
            if ref_op == "AssignAdd":
                value = self._tensor + value
            elif ref_op == "AssignSub":
                value = self._tensor - value
            if not _core.executing_eagerly():  # in a graph of its own, of which nobody knows when it runs
                self._forget_content()
                return self
            if ref_op != "Assign":  # the kernel writes the sum where the variable is
                _core.memory_state(value)
            value = _core.eager_like(value, self._tensor)
            before, self._tensor = self._tensor, value
            _wrote(self, before, value)
            return self
        node = _core.make_op(resource_op, [self.handle, value], None, name or resource_op)
        return self._after(node) if read_value else node

    def _after(self, node: Any) -> Any:
        """The variable's value once `node` has run."""
        with get_default_graph().control_dependencies([node]):
            return op("ReadVariableOp", [self.handle], {"dtype": self.dtype}, None)

    def assign(self, value: Any, use_locking: bool = False, name: Optional[str] = None,
               read_value: bool = True) -> Any:
        return self._write("Assign", "AssignVariableOp", value, name, read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: Optional[str] = None,
                   read_value: bool = True) -> Any:
        return self._write("AssignAdd", "AssignAddVariableOp", delta, name, read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: Optional[str] = None,
                   read_value: bool = True) -> Any:
        return self._write("AssignSub", "AssignSubVariableOp", delta, name, read_value)

    def count_up_to(self, limit: int) -> Any:
        if self._kind == "ref":
            return op("CountUpTo", [self._variable], {"limit": limit}, None)
        if self._kind != "eager":
            return op("ResourceCountUpTo", [self.handle], {"limit": limit, "T": self.dtype}, None)
        if self._shape.rank:
            raise fail("SF102", "input is not a scalar: {shape}", self._shape,
                       error=lambda text: InvalidArgumentError(None, None, text))
        before = framework_lib.constant_value(self._tensor)
        if before is not None and before >= limit:
            raise OutOfRangeError(None, None, "Reached limit of %d" % limit)
        counted = self._tensor
        self.assign_add(1)
        return counted

    def load(self, value: Any, session: Any = None) -> None:
        session_or_default(session, "load").run(self._initializer_op, {self._initializer_op.inputs[1]: value})

    def _scatter(self, kind: str, sparse_delta: Any, name: Optional[str]) -> Any:
        if not isinstance(sparse_delta, framework_lib.IndexedSlices):
            raise TypeError("sparse_delta is not IndexedSlices: %s" % sparse_delta)
        return self._scatter_raw(kind, sparse_delta.indices, sparse_delta.values, name)

    def _scatter_raw(self, kind: str, indices: Any, updates: Any, name: Optional[str] = None) -> Any:
        indices = framework_lib.convert_to_tensor(indices)
        updates = framework_lib.convert_to_tensor(updates, self.dtype.base_dtype)
        if self._kind == "ref":
            return op("Scatter" + kind, [self._variable, indices, updates], None, name)
        if self._kind == "eager":
            self._scatter_eagerly(kind, indices, updates)
            return self
        return self._after(_core.make_op("ResourceScatter" + kind,
                                         [self.handle, indices, updates], None, name))

    def _scatter_eagerly(self, kind: str, indices: Any, updates: Any) -> None:
        """Nobody follows which elements are written: for `shapeflow numeric` what they may hold."""
        of_rows = not kind.startswith("Nd")
        kind = kind if of_rows else kind[2:]
        if not _core.executing_eagerly() or not _core.notes_numbers() or \
                kind not in ("Update", "Add", "Sub", "Min", "Max") or \
                not updates.shape.rank or indices.shape.rank is None:
            self._forget_content()
            return
        places = tf.expand_dims(indices, -1) if of_rows else indices
        before = self._tensor
        now = op("TensorScatter" + kind, [before, places, updates])
        self._tensor = _core.eager_like(now, before)
        _wrote(self, before, self._tensor)

    def train_anyhow(self) -> None:
        """For `shapeflow numeric`: an optimizer whose rule nobody computes here has updated it."""
        if self._kind == "eager" and _core.notes_numbers():
            value = unknown(self.dtype.base_dtype, self._tensor.get_shape())
            self.assign(value if self._constraint is None else self._constraint(value))

    def _forget_content(self) -> None:
        before = self._tensor
        with _core.init_scope():  # what is read later is no tensor of a graph
            self._tensor = _core.eager_like(unknown(self.dtype.base_dtype, before.get_shape()), before)
        _wrote(self, before, self._tensor)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Sub", sparse_delta, name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Add", sparse_delta, name)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Update", sparse_delta, name)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Mul", sparse_delta, name)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Div", sparse_delta, name)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Min", sparse_delta, name)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        return self._scatter("Max", sparse_delta, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: Any = None) -> Any:
        return self._scatter_raw("NdUpdate", indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: Any = None) -> Any:
        return self._scatter_raw("NdAdd", indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: Any = None) -> Any:
        return self._scatter_raw("NdSub", indices, updates, name)

    def scatter_nd_min(self, indices: Any, updates: Any, name: Any = None) -> Any:
        return self._scatter_raw("NdMin", indices, updates, name)

    def scatter_nd_max(self, indices: Any, updates: Any, name: Any = None) -> Any:
        return self._scatter_raw("NdMax", indices, updates, name)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False,
                             name: Optional[str] = None) -> Any:
        """Rows of each batch: the variable keeps its shape."""
        return self.assign(tf.identity(self))

    def gather_nd(self, indices: Any, name: Optional[str] = None) -> Any:
        return self._where_it_is(tf.gather_nd(self, indices, name=name))

    def sparse_read(self, indices: Any, name: Optional[str] = None) -> Any:
        return self._where_it_is(tf.gather(self, indices, name=name))

    def _where_it_is(self, read: _T) -> _T:
        """What the kernels of a resource give is on the device of that."""
        return _core.eager_beside(read, self._tensor) if self._kind == "eager" else read

    def to_proto(self, export_scope: Optional[str] = None) -> Any:
        return None

    class SaveSliceInfo:
        """Where a slice of a partitioned variable lies; kept for code that names the class."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self.args = args


class Reference:
    """What Variable.ref() gives: hashable by identity."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)


put(Variable, "tf.Variable", "tensorflow.python.ops.variables.RefVariable",
    "tensorflow.python.ops.ref_variable.RefVariable", "tensorflow.python.ops.variables.VariableV1",
    "tensorflow.python.ops.resource_variable_ops.ResourceVariable")
put_subclass(Variable, "tf0.nn.resource_variable_ops.ResourceVariable")  # its name comes second


@export("tensorflow.python.ops.variables.PartitionedVariable", v2=True)
class PartitionedVariable:
    """A variable in parts: there is none here, a variable with a partitioner is whole."""


def _is_below(base: type, cls: type) -> bool:
    """Does TensorFlow derive the unmodelled class `cls` from `base`?"""
    from shapeflow.api import base_classes  # few programs ask

    return base_classes.is_below(base, cls)


class _VariableV2Meta(abc.ABCMeta):
    """Makes isinstance(v, tf.Variable) hold for every variable under both versions."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Variable) if cls is VariableV2 else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return super().__subclasscheck__(subclass) or cls is VariableV2 and (
            Variable in subclass.__mro__ or hasattr(subclass, "_sf_owner") and _is_below(cls, subclass))

    def __call__(cls, initial_value: Any = None, trainable: Any = None, validate_shape: bool = True,
                 caching_device: Any = None, name: Optional[str] = None, variable_def: Any = None,
                 dtype: Any = None, import_scope: Any = None, constraint: Any = None,
                 synchronization: Any = None, aggregation: Any = None, shape: Any = None,
                 experimental_enable_variable_lifting: bool = True, **ignored: Any) -> Variable:
        # TensorFlow gives what it does not know, use_resource for one, to makers of variables alone.
        return Variable(initial_value, trainable, None, validate_shape, caching_device, name,
                        variable_def, dtype, None, import_scope, constraint, True, synchronization,
                        aggregation, shape)


class VariableV2(Trackable, metaclass=_VariableV2Meta):
    """tf.Variable of TensorFlow 2: other positional arguments, otherwise `Variable`."""


VariableV2.__name__ = VariableV2.__qualname__ = "Variable"
put(VariableV2, "tf.Variable", v1=False, v2=True)


# --- initial values that read other variables -----------------------------------------------------
def _guarded(value: Any, scope: str) -> Any:
    """`value` with reads of variables replaced by what these are initialised with."""
    if not hasattr(value, "op"):  # an eager tensor: it has been read
        return framework_lib.convert_to_tensor(value)
    return _safe(value, {}, set(), scope)


def _safe(tensor: Any, done: Dict[Any, Any], active: set[Any], scope: str) -> Any:
    node = tensor.op
    new = done.get(node)
    if new is None:
        new = done[node] = _safe_op(node, done, active, scope)
    return new.outputs[tensor.value_index]


def _safe_op(node: Any, done: Dict[Any, Any], active: set[Any], scope: str) -> Any:
    if node in active or not node.inputs or node.type in _FLOW:
        if node.type in ("VariableV2", "Variable", "VarHandleOp"):
            found = _variable_of(node)
            if found is not None and node.type != "VarHandleOp":
                return found.initialized_value().op
        return node
    if node.type in ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "Assign"):
        if node.type == "ReadVariableOp":
            found = _variable_of(node.inputs[0].op)
            if found is not None:
                return found.initialized_value().op
        return node
    active.add(node)
    new_inputs = [_safe(t, done, active, scope) for t in node.inputs]
    active.discard(node)
    if all(a is b for a, b in zip(new_inputs, node.inputs)):
        return node
    return copy_op(node, new_inputs, node.name + "_" + scope.rstrip("/").replace("/", "_"))


_FLOW = ("Enter", "RefEnter", "Exit", "Merge", "Switch", "RefSwitch", "NextIteration", "LoopCond")


def _variable_of(node: Any) -> Optional[Variable]:
    graph = node.graph
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for item in graph.get_collection(key):
            if getattr(item, "op", None) is node:
                return item
    return None


# --- collections and initialisers -------------------------------------------------------------------
def _collection_getter(key: str, doc: str) -> Any:
    def getter(scope: Optional[str] = None) -> List[Any]:
        return get_default_graph().get_collection(key, scope)

    getter.__doc__ = doc
    return getter


global_variables = _collection_getter(GraphKeys.GLOBAL_VARIABLES, "tf.global_variables")
trainable_variables = _collection_getter(GraphKeys.TRAINABLE_VARIABLES, "tf.trainable_variables")
local_variables = _collection_getter(GraphKeys.LOCAL_VARIABLES, "tf.local_variables")
put(global_variables, "tf.global_variables", "tf.all_variables")
put(trainable_variables, "tf.trainable_variables")
put(local_variables, "tf.local_variables")
put(_collection_getter(GraphKeys.MODEL_VARIABLES, "tf.model_variables"), "tf.model_variables")
put(_collection_getter(GraphKeys.MOVING_AVERAGE_VARIABLES, "tf.moving_average_variables"),
    "tf.moving_average_variables")


@export("tf.variables_initializer", "tf.initialize_variables", "tf.initializers.variables")
def variables_initializer(var_list: Any, name: Optional[str] = "init") -> Any:
    if var_list and not _core.executing_eagerly():
        return tf.group(*[v.initializer for v in var_list], name=name)
    return tf.no_op(name=name)


@export("tf.global_variables_initializer", "tf.initializers.global_variables")
def global_variables_initializer() -> Any:
    return variables_initializer(global_variables())


@export("tf.initialize_all_variables")
def initialize_all_variables() -> Any:
    return global_variables_initializer()


@export("tf.local_variables_initializer", "tf.initialize_local_variables",
        "tf.initializers.local_variables")
def local_variables_initializer() -> Any:
    return variables_initializer(local_variables())


@export("tf.is_variable_initialized")
def is_variable_initialized(variable: Any) -> Any:
    if variable._kind == "eager":
        return framework_lib.convert_to_tensor(True)
    if variable._kind == "resource":
        return op("VarIsInitializedOp", [variable.handle], None, None)
    return op("IsVariableInitialized", [variable._variable], None, None)


@export("tf.report_uninitialized_variables")
def report_uninitialized_variables(var_list: Any = None,
                                   name: str = "report_uninitialized_variables") -> Any:
    # Which names are reported is a value; once initialised (the common wait loop) it is empty.
    with framework_lib.name_scope(name):
        return tf.constant([], dtype=_core.as_dtype("string"))


@export("tf.assert_variables_initialized")
def assert_variables_initialized(var_list: Any = None) -> Any:
    return tf.no_op(name="assert_variables_initialized")


def _is_variable(ref: Any) -> bool:
    return isinstance(ref, Variable)


@export("tf.assign", "tensorflow.python.ops.state_ops.assign")
def assign(ref: Any, value: Any, validate_shape: Optional[bool] = None,
           use_locking: Optional[bool] = None, name: Optional[str] = None) -> Any:
    check = True if validate_shape is None else bool(validate_shape)
    if _is_variable(ref):
        if ref._kind != "ref":
            return ref.assign(value, name=name)
        return ref._write("Assign", "", value, name, validate_shape=check)
    value = framework_lib.convert_to_tensor(value, ref.dtype.base_dtype)
    return op("Assign", [ref, value], {"validate_shape": check}, name)


@export("tf.assign_add", "tensorflow.python.ops.state_ops.assign_add")
def assign_add(ref: Any, value: Any, use_locking: Optional[bool] = None,
               name: Optional[str] = None) -> Any:
    if _is_variable(ref):
        return ref.assign_add(value, name=name)
    return op("AssignAdd", [ref, framework_lib.convert_to_tensor(value, ref.dtype.base_dtype)], None, name)


@export("tf.assign_sub", "tensorflow.python.ops.state_ops.assign_sub")
def assign_sub(ref: Any, value: Any, use_locking: Optional[bool] = None,
               name: Optional[str] = None) -> Any:
    if _is_variable(ref):
        return ref.assign_sub(value, name=name)
    return op("AssignSub", [ref, framework_lib.convert_to_tensor(value, ref.dtype.base_dtype)], None, name)


@export("tf.count_up_to")
def count_up_to(ref: Any, limit: int, name: Optional[str] = None) -> Any:
    return ref.count_up_to(limit)


def _scatter_function(kind: str) -> Any:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = True,
                name: Optional[str] = None) -> Any:
        if _is_variable(ref):
            return ref._scatter_raw(kind, indices, updates, name)
        return op("Scatter" + kind, [ref, indices, updates], None, name)

    return scatter


for _kind, _names in (("Update", "scatter_update"), ("Add", "scatter_add"), ("Sub", "scatter_sub"),
                      ("Mul", "scatter_mul"), ("Div", "scatter_div"), ("Min", "scatter_min"),
                      ("Max", "scatter_max"), ("NdUpdate", "scatter_nd_update"),
                      ("NdAdd", "scatter_nd_add"), ("NdSub", "scatter_nd_sub")):
    put(_scatter_function(_kind), "tf." + _names, "tensorflow.python.ops.state_ops." + _names)


@export("tensorflow.python.ops.state_ops.variable_op_v2", "tensorflow.python.ops.state_ops.variable_op")
def variable_op_v2(shape: Any, dtype: Any, name: str = "Variable", *args: Any) -> Any:
    return outputs("VariableV2", [], {"shape": _core.TensorShape(shape),
                                      "dtype": _core.as_dtype(dtype)}, name)[0]
