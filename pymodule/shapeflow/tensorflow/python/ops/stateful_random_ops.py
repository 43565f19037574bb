"""tf.random.Generator: random numbers of a state of its own.

Source: tensorflow/python/ops/{stateful_random_ops,random_ops_util}.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, tf, unknown
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.trackable.base import AutoTrackable

_PHILOX, _THREEFRY, _AUTO = 1, 2, 3
_STATE_SIZES = {_PHILOX: 3, _THREEFRY: 2, _AUTO: 3}
_NAMES = {"philox": _PHILOX, "threefry": _THREEFRY, "auto_select": _AUTO}
_current: list[Generator] = []  # that of the process, made when it is first asked for


def algorithm_number(alg: Any) -> int:
    """That of a name, of a tf.random.Algorithm or of a number."""
    if isinstance(alg, str):
        if alg not in _NAMES:
            raise ValueError("Argument `alg` got unsupported string value %s. Supported string values are %s."
                             % (
                alg, list(_NAMES)))
        return _NAMES[alg]
    if isinstance(alg, _core.Tensor):
        known = _core.constant_value(alg)
        return _PHILOX if known is None else int(known)
    return int(getattr(alg, "value", alg))


def _as_state(state: object) -> Any:
    if isinstance(state, _core.VariableBase):
        return state
    return framework_lib.convert_to_tensor(state, _core.as_dtype("int64"))


@export("tf.random.create_rng_state", v1=False, v2=True)
def create_rng_state(seed: object, alg: object) -> Any:
    """The numbers that a generator of this seed begins with."""
    return unknown("int64", [_STATE_SIZES[algorithm_number(alg)]], "create_rng_state", trusted=True)


@export("tf.random.Generator", v1=False, v2=True)
class Generator(AutoTrackable):
    """Random numbers from a state that each call moves on."""

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if copy_from is not None:
            if alg is not None or state is not None:
                raise ValueError("The `copy_from` argument is mutually exclusive with `state` and `alg`.")
            alg, state = copy_from._alg, copy_from.state
        elif alg is None or state is None:
            raise ValueError("Arguments `state` and `alg` must be specified when `copy_from` is None.")
        self._alg = algorithm_number(alg)
        make: Any = variables.VariableV2
        self._state = make(_as_state(state), dtype=_core.as_dtype("int64"), trainable=False, name="StateVar")

    @classmethod
    def from_state(cls, state: object, alg: object) -> Generator:
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: object, alg: object = None) -> Generator:
        alg = algorithm_number(_PHILOX if alg is None else alg)
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: object = None) -> Generator:
        return cls.from_seed(0, alg)

    @classmethod
    def from_key_counter(cls, key: object, counter: object, alg: object) -> Generator:
        return cls.from_seed(0, alg)

    state = property(lambda self: self._state)
    algorithm = property(lambda self: self._alg)

    @property
    def key(self) -> Any:
        if self._alg not in (_PHILOX, _AUTO):
            raise ValueError("This generator uses an unsupported algorithm %s." % self._alg)
        return tf.convert_to_tensor(self._state)[-1]

    def reset(self, state: object) -> None:
        self._state.assign(_as_state(state))

    def reset_from_seed(self, seed: object) -> None:
        self._state.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: object, counter: object) -> None:
        self.reset_from_seed(0)

    def skip(self, delta: object) -> Any:
        """The state before, of which key and counter are made."""
        delta = tf.cast(framework_lib.convert_to_tensor(delta), _core.as_dtype("uint64"))
        return op("RngReadAndSkip", [self._state.handle, self._alg, delta])

    def split(self, count: Any = 1) -> list[Generator]:
        """Generators whose numbers differ."""
        known = _core.constant_value(framework_lib.convert_to_tensor(count))
        return [type(self).from_seed(0, self._alg) for _ in range(1 if known is None else int(known))]

    def make_seeds(self, count: object = 1) -> Any:
        """Two numbers for each seed."""
        return tf.transpose(self.uniform_full_int(tf.stack([tf.cast(count, "int32"), 2]), "int64"))

    def _draw(self, op_type: str, shape: object, dtype: object, name: Optional[str], *bounds: object) -> Any:
        dims = tf.convert_to_tensor(_dims(shape))
        state = tf.bitcast(self.skip(tf.reduce_prod(tf.cast(dims, "int64"))), _core.as_dtype("uint64"))
        return op(op_type, [dims, state[2:3], state[:2], self._alg, *bounds],
                  {"dtype": _core.as_dtype(dtype)},
                  name)

    def normal(self, shape: object, mean: object = 0.0, stddev: object = 1.0, dtype: object = "float32",
               name: Optional[str] = None) -> Any:
        return self._draw("StatelessRandomNormalV2", shape, dtype, name) * \
                          _like(stddev, dtype) + _like(mean, dtype)

    def truncated_normal(self, shape: object, mean: object = 0.0, stddev: object = 1.0,
                         dtype: object = "float32", name: Optional[str] = None) -> Any:
        drawn = self._draw("StatelessTruncatedNormalV2", shape, dtype, name)
        return drawn * _like(stddev, dtype) + _like(mean, dtype)

    def uniform(self, shape: object, minval: object = 0, maxval: object = None, dtype: object = "float32",
                name: Optional[str] = None) -> Any:
        dtype = _core.as_dtype(dtype)
        if dtype.is_integer:
            if (minval is None) != (maxval is None):
                raise ValueError("For integer dtype %s, argument `minval` and `maxval` must be both None or "
                                 "not None. Got `minval`=%s and `maxval`=%s." % (dtype, minval, maxval))
            if minval is None:
                return self.uniform_full_int(shape, dtype, name)
            return self._draw("StatelessRandomUniformIntV2", shape, dtype, name, _like(minval, dtype),
                              _like(maxval, dtype))
        least = _like(minval, dtype)
        drawn = self._draw("StatelessRandomUniformV2", shape, dtype, name)
        return drawn * (_like(1 if maxval is None else maxval, dtype) - least) + least

    def uniform_full_int(self, shape: object, dtype: object = "uint64", name: Optional[str] = None) -> Any:
        return self._draw("StatelessRandomUniformFullIntV2", shape, dtype, name)

    def binomial(self, shape: object, counts: Any, probs: Any, dtype: Any = "int32",
                 name: Optional[str] = None) -> Any:
        probs = framework_lib.convert_to_tensor(probs)
        counts = framework_lib.convert_to_tensor(counts, probs.dtype)
        algorithm = framework_lib.convert_to_tensor(self._alg, _core.as_dtype("int64"))
        return op("StatefulRandomBinomial", [self._state.handle, algorithm, _dims(shape), counts, probs],
                  {"dtype": _core.as_dtype(dtype)}, name)


def _dims(shape: object) -> Any:
    return framework_lib.convert_to_tensor(
        shape.as_list() if isinstance(shape, _core.TensorShape) else shape,
        None if isinstance(shape, _core.Tensor) else _core.as_dtype("int32"))


def _like(value: Any, dtype: Any) -> Any:
    return framework_lib.convert_to_tensor(value, _core.as_dtype(dtype))


@export("tf.random.get_global_generator", v1=False, v2=True)
def get_global_generator() -> Generator:
    if not _current:
        _current.append(Generator.from_non_deterministic_state())
    return _current[0]


@export("tf.random.set_global_generator", v1=False, v2=True)
def set_global_generator(generator: Generator) -> None:
    _current[:] = [generator]
