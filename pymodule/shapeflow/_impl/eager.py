"""TensorFlow 2's own: GradientTape, tf.function without tracing, tf.Module, tf.config.

Source: tensorflow/python/eager/{backprop,def_function}.py, module/module.py.
"""
import contextlib
import functools
import itertools
import re
import weakref
from typing import Any, Iterator, List, Optional

from shapeflow import _core
from shapeflow._impl import framework, nest, variables
from shapeflow._impl.config import Message
from shapeflow._impl.registry import export
from shapeflow._impl.report import about, fail
from shapeflow._unmodelled import Opaque


@export("tf.GradientTape", "tf.contrib.eager.GradientTape", v2=True)
class GradientTape:
    """Gradients have the shapes of their sources; the tape only knows whether it may still be used."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._used = False
        self._watched: List[Any] = []

    def __enter__(self) -> "GradientTape":
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def watch(self, tensor: Any) -> None:
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self) -> tuple:
        return tuple(v for v in self._watched if isinstance(v, variables.Variable))

    def reset(self) -> None:
        self._watched = []

    def stop_recording(self) -> Any:
        return contextlib.nullcontext()

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 unconnected_gradients: Any = "none") -> Any:
        if self._used and not self._persistent:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of "
                               "gradients (or jacobians)")
        self._used = True
        for loss in nest.flatten(target):
            _core.lint_loss(loss)
        _core.count_step()
        return nest.map_structure(_gradient_like, sources)

    def batch_jacobian(self, target: Any, source: Any, **kwargs: Any) -> Any:
        from shapeflow._impl.nodes import unknown

        head = framework.convert_to_tensor(target).get_shape()
        tail = framework.convert_to_tensor(source).get_shape()
        shape = head.concatenate(tail[1:]) if tail.ndims is not None else None
        return unknown(source.dtype, shape, "batch_jacobian")

    def jacobian(self, target: Any, sources: Any, **kwargs: Any) -> Any:
        from shapeflow._impl.nodes import unknown

        head = framework.convert_to_tensor(target).get_shape()
        return nest.map_structure(lambda s: unknown(
            s.dtype, head.concatenate(s.shape), "jacobian"), sources)


def _gradient_like(source: Any) -> Any:
    if hasattr(type(source), "_sf_unmodelled"):
        return source  # the gradients of an unmodelled model's variables are as unknown as these
    value = framework.convert_to_tensor(source)
    if not (value.dtype.is_floating or value.dtype.is_complex):
        return None
    from shapeflow._impl.nodes import unknown

    return unknown(value.dtype.base_dtype, value.get_shape(), "gradient")


class Function:
    """tf.function: the Python function itself runs, each call with its own shapes."""

    def __init__(self, python_function: Any, input_signature: Any = None) -> None:
        self._python_function = python_function
        self._input_signature = input_signature
        functools.update_wrapper(self, python_function)

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: self._input_signature)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._input_signature is not None:
            self._check(args)
        return self._python_function(*args, **kwargs)

    def _check(self, args: Any) -> None:
        """Tensors that cannot be what the signature says are refused."""
        for spec, given in zip(self._input_signature, args):
            if not isinstance(spec, TensorSpec) or not isinstance(given, (_core.Tensor, _core.VariableBase)):
                continue
            shape = given.get_shape()
            if not spec.shape.is_compatible_with(shape) and not _core.is_unmodelled(
                    framework.convert_to_tensor(given)):
                with about(("argument", framework.convert_to_tensor(given))):
                    raise fail("SF106", "Binding inputs to tf.function failed due to `Can not cast %r to "
                               "%r`. Received args: %s and kwargs: {} for signature: %s." % (
                                   TensorSpec(shape, given.dtype.base_dtype), spec, args,
                                   self._input_signature), TypeError)

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        return Function(functools.partial(self._python_function, instance), self._input_signature)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        return ConcreteFunction(self, args, kwargs)

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Any:
        return Opaque("tf.function.experimental_get_compiler_ir")

    def experimental_get_tracing_count(self) -> int:
        return 1

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        return ""


_named: Any = weakref.WeakValueDictionary()  # concrete functions, by their names
_numbers = itertools.count(1)


def named_function(name: Any) -> Any:
    """The concrete function of that name, as attrs give it; or None."""
    name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
    return _named.get(name) if isinstance(name, str) else None


def _spec_of(given: Any) -> Any:
    """A tensor, or an array, given as an example stands for its kind."""
    if isinstance(given, _core.VariableBase) or not hasattr(type(given), "__array__"):
        return given
    return TensorSpec.from_tensor(framework.convert_to_tensor(given))


def _names_of(function: Any) -> List[Any]:
    """What its code finds by name: (cell of its closure, or globals; name; the object of now)."""
    while isinstance(function, (functools.partial, Function)):
        function = function.func if isinstance(function, functools.partial) else function._python_function
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    found = [(cell, "cell_contents", _look(cell, "cell_contents")) for cell in function.__closure__ or ()]
    found = [name for name in found if name[2] is not _look]
    names, waiting = function.__globals__, [code]
    while waiting:
        code = waiting.pop()
        found.extend((names, name, names[name]) for name in code.co_names if name in names)
        waiting.extend(part for part in code.co_consts if isinstance(part, type(code)))
    return found


def _look(holder: Any, name: str) -> Any:
    """The object; _look itself where there is none."""
    if isinstance(holder, dict):
        return holder.get(name, _look)
    try:
        return holder.cell_contents
    except ValueError:  # of a name that is bound later, or is no more
        return _look


def _put(holder: Any, name: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder.pop(name, None) if value is _look else holder.update({name: value})
    elif value is _look:
        delattr(holder, name)
    else:
        setattr(holder, name, value)


class ConcreteFunction:
    """A function for one signature; what it takes and gives is looked at when asked for."""

    def __init__(self, function: Function, args: Any, kwargs: Any) -> None:
        self._function = function
        given = args if args or kwargs or function.input_signature is None else function.input_signature
        self.structured_input_signature = nest.map_structure(_spec_of, (tuple(given), dict(kwargs)))
        self._made: Any = None
        self._named = _names_of(function)
        self._name = "__inference_%s_%d" % (getattr(function, "__name__", "function"), next(_numbers))
        _named[self._name] = self

    name = property(lambda self: self._name.encode())

    @contextlib.contextmanager
    def as_traced(self) -> Iterator[None]:
        """TensorFlow traced it when it was made; it runs now with what its names stood for then."""
        changed = []
        for holder, name, then in self._named:
            now = _look(holder, name)
            if now is not then:
                changed.append((holder, name, now))
                _put(holder, name, then)
        try:
            yield
        finally:
            for was in changed:
                _put(*was)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self.as_traced():
            return self._function(*args, **kwargs)

    def _trace(self) -> Any:
        """The inputs, and what the function makes of tensors of which only the specs are known."""
        if self._made is None:
            from shapeflow._impl.nodes import unknown

            taken: List[Any] = []

            def one(spec: Any) -> Any:
                if not isinstance(spec, TensorSpec):
                    return spec
                taken.append(unknown(spec.dtype, spec.shape, spec.name, trusted=True))
                return taken[-1]

            args, kwargs = nest.map_structure(one, self.structured_input_signature)
            with self.as_traced():
                self._made = taken, self._function._python_function(*args, **kwargs)
        return self._made

    inputs = property(lambda self: list(self._trace()[0]))
    structured_outputs = property(lambda self: self._trace()[1])
    outputs = property(lambda self: nest.flatten(self._trace()[1]))
    output_shapes = property(lambda self: nest.map_structure(lambda t: t.shape, self._trace()[1]))
    output_dtypes = property(lambda self: nest.map_structure(lambda t: t.dtype, self._trace()[1]))

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith("_"):
            raise AttributeError(attr)
        _core.notice_unmodelled("tf.types.experimental.ConcreteFunction." + attr)
        return Opaque("tf.types.experimental.ConcreteFunction." + attr)


@export("tf.function", "tf.contrib.eager.defun", v2=True)
def function(func: Any = None, input_signature: Any = None, autograph: bool = True,
             jit_compile: Any = None, **kwargs: Any) -> Any:
    if func is None:
        return lambda inner: Function(inner, input_signature)
    return Function(func, input_signature)


@export("tf.config.run_functions_eagerly", "tf.config.experimental_run_functions_eagerly", v2=True)
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Functions always run eagerly here."""


@export("tf.TensorSpec", v2=True)
class TensorSpec:
    """Shape and dtype of a tensor."""

    def __init__(self, shape: Any, dtype: Any = "float32", name: Optional[str] = None) -> None:
        self._shape = _core.TensorShape(shape)
        self._dtype = _core.as_dtype(dtype)
        self._name = name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: Optional[str] = None) -> "TensorSpec":
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other: Any) -> bool:
        return self._dtype.is_compatible_with(other.dtype) and self._shape.is_compatible_with(
            other.shape)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, TensorSpec) and self._dtype == other._dtype and \
            self._shape.as_list() == other._shape.as_list()

    def __hash__(self) -> int:
        return hash((str(self._shape), self._dtype))

    def __repr__(self) -> str:
        return "TensorSpec(shape=%s, dtype=%r, name=%r)" % (self._shape, self._dtype, self._name)


_CAMEL = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


@export("tf.Module", v2=True)
class Module:
    """Collects the variables of its attributes."""

    def __init__(self, name: Optional[str] = None) -> None:
        self._name = name or _CAMEL.sub(r"_\1", type(self).__name__).lower()

    name = property(lambda self: self._name)
    name_scope = property(lambda self: framework.name_scope(self._name))

    def _walk(self, seen: set, wanted: Any) -> Iterator[Any]:
        """What is kept in attributes, by their names; then the same of the modules among it."""
        below: List[Any] = []
        for _, held in sorted(vars(self).items()):
            for value in nest.flatten(held):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                if isinstance(value, wanted):
                    yield value
                if isinstance(value, Module):
                    below.append(value)
        for module in below:
            yield from module._walk(seen, wanted)

    @property
    def variables(self) -> tuple:
        return tuple(self._walk({id(self)}, variables.Variable))

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple:
        return tuple(self._walk({id(self)}, Module))

    @classmethod
    def with_name_scope(cls, method: Any) -> Any:
        return method


@export("tf.config.list_physical_devices", "tf.config.list_logical_devices",
        "tf.config.experimental.list_physical_devices", "tf.config.get_visible_devices",
        "tf.config.experimental.list_logical_devices", v2=True)
def list_physical_devices(device_type: Optional[str] = None) -> List[Any]:
    """One CPU; no accelerator is pretended."""
    if device_type not in (None, "CPU"):
        return []
    return [Message(name="/physical_device:CPU:0", device_type="CPU")]


@export("tf.config.set_visible_devices", "tf.config.experimental.set_memory_growth",
        "tf.config.experimental.set_visible_devices", "tf.config.optimizer.set_jit",
        "tf.config.threading.set_inter_op_parallelism_threads", "tf.debugging.set_log_device_placement",
        "tf.config.threading.set_intra_op_parallelism_threads", "tf.config.set_soft_device_placement",
        "tf.config.experimental.enable_op_determinism", "tf.config.experimental.set_synchronous_execution",
        "tf.config.set_logical_device_configuration", "tf.keras.utils.set_random_seed", v2=True)
def configure_nothing(*args: Any, **kwargs: Any) -> None:
    """Devices and threads change no shape."""


@export("tf.train.Checkpoint", v2=True)
class Checkpoint:
    """Object-based checkpoints: nothing is written, restoring changes no shape."""

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)
        self._count = 0

    def save(self, file_prefix: Any, options: Any = None) -> str:
        self._count += 1
        return "%s-%d" % (file_prefix, self._count)

    write = save

    def restore(self, save_path: Any, options: Any = None) -> Any:
        return _Status()

    read = restore


class _Status:
    """What a restore says: everything matched."""

    def _self(self, *args: Any, **kwargs: Any) -> "_Status":
        return self

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = expect_partial = _self
    initialize_or_restore = run_restore_ops = _self


@export("tf.train.CheckpointManager", v2=True)
class CheckpointManager:
    def __init__(self, checkpoint: Any, directory: Any, max_to_keep: Any = 5, **kwargs: Any) -> None:
        self._checkpoint, self._directory = checkpoint, directory
        self.latest_checkpoint: Optional[str] = None
        self.checkpoints: List[str] = []

    def save(self, checkpoint_number: Any = None, **kwargs: Any) -> str:
        self.latest_checkpoint = self._checkpoint.save("%s/ckpt" % self._directory)
        self.checkpoints.append(self.latest_checkpoint)
        return self.latest_checkpoint

    def restore_or_initialize(self) -> Any:
        return None
