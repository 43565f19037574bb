"""Layers and cells of sizes that nobody knows: `Input((table.shape[1],))`, `Dense(len(names))`.

Keras wants numbers there, so they are made up: what depends on them differs in the second run that findings
need then, and is not reported (sandbox/second_run.py). So is a vocabulary of words that nobody knows.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

# Parameters of layers that are one size, or a shape of known rank.
_SIZES = frozenset("""
    units num_units num_proj filters input_dim output_dim input_length n num_heads key_dim value_dim height
    width head_dim num_query_heads num_key_value_heads output_sequence_length max_tokens
    num_tokens""".split())
_SHAPES = frozenset(("shape", "input_shape"))
_BATCH_SHAPES = frozenset(("batch_shape", "batch_input_shape"))  # the first is the number of samples
_VOCABULARY = "vocabulary"
_TARGET = "target_shape"  # of Reshape, which finds one size itself


def has_unknown(args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
    return any(is_unmodelled(one) or isinstance(one, (list, tuple)) and any(map(is_unmodelled, one))
               for one in (*args, *kwargs.values()))


def is_made_up(name: str, value: object) -> bool:
    """Is what is unknown in the argument made up?"""
    if name in _SIZES or name == "batch_size":
        return is_unmodelled(value)
    if name == _VOCABULARY:
        return is_unmodelled(value) or isinstance(value, (list, tuple))
    if name not in _SHAPES and name not in _BATCH_SHAPES and name != _TARGET or \
            not isinstance(value, (list, tuple)):
        return False
    return name != _TARGET or sum(map(is_unmodelled, value)) == 1 and -1 not in value


def known(cls: type, args: Sequence[object], kwargs: Mapping[str, object]
          ) -> Tuple[Tuple[object, ...], Dict[str, object]]:
    """The arguments of a layer's constructor with numbers in place of what is unknown among its sizes."""
    named = {**dict(zip(_positions(cls), args)), **kwargs}
    made = {name: _made_up(cls, name, value, named) for name, value in named.items()}
    first = [made[name] for name in _positions(cls)[:len(args)]]
    return (*first, *args[len(first):]), {name: made[name] for name in kwargs}


def construct_with(made: object, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
    """What `__new__` is given Python gives to `__init__` as it was: of the object that was made it takes
    these instead. Keras reads the signatures of constructors, so that none can be wrapped for longer."""
    cls = type(made)
    own = vars(cls).get("__init__")

    def __init__(self: object, *given: object, **named: object) -> None:
        if own is None:
            type.__delattr__(cls, "__init__")
        else:
            type.__setattr__(cls, "__init__", own)
        real: Callable[..., None] = type(self).__init__
        if self is made:
            real(self, *args, **kwargs)
        else:
            real(self, *given, **named)

    type.__setattr__(cls, "__init__", __init__)


def _positions(cls: type) -> Tuple[str, ...]:
    import inspect

    init: Callable[..., None] = cls.__init__  # type: ignore[misc]
    return tuple(inspect.signature(init).parameters)[1:]


def _made_up(cls: type, name: str, value: object, named: Mapping[str, object]) -> object:
    from shapeflow.api.made_up_numbers import assumed

    if name == "batch_size":
        return None if is_unmodelled(value) else value
    if name in _SIZES:
        return assumed.size() if is_unmodelled(value) else value
    if name == _VOCABULARY:
        return _words(cls, value, named.get("max_tokens"))
    if not isinstance(value, (list, tuple)) or not is_made_up(name, value) or \
            not any(map(is_unmodelled, value)):
        return value
    if name == _TARGET:
        return tuple(-1 if is_unmodelled(one) else one for one in value)
    return tuple(None if is_unmodelled(one) and not axis and name in _BATCH_SHAPES else
                 assumed.size() if is_unmodelled(one) else one for axis, one in enumerate(value))


def _words(cls: type, value: object, most: object) -> object:
    """As many as there are, or as there may be beside the words that stand for others."""
    from shapeflow.api.made_up_numbers import assumed

    count: Optional[int] = None
    if is_unmodelled(value):
        count = assumed.size()
        most = count if is_unmodelled(most) else most
        count = max(1, min(count, most - 2)) if isinstance(most, int) else count
    elif isinstance(value, (list, tuple)) and any(map(is_unmodelled, value)):
        assumed.numbers += 1
        count = len(value)
    if count is None:
        return value
    return list(range(1, count + 1)) if "Integer" in cls.__name__ else [f"word {i}" for i in range(count)]


def with_sizes(values: Sequence[object], depth: int = 0) -> Tuple[Tuple[object, ...], bool]:
    """The same with a made-up number for each unknown dim of a tensor of eager code, but that of samples; and
    whether there was one."""
    from shapeflow.api.made_up_numbers import assumed
    from shapeflow.tensorflow.python.framework import op_builders

    made: List[object] = []
    changed = False
    for value in values:
        if isinstance(value, _core.EagerTensor):
            dims = value.get_shape().dims or []
            sizes = [dim if not axis or dim.value is not None else assumed.size()
                     for axis, dim in enumerate(dims)]
            if any(one is not dim for one, dim in zip(sizes, dims)):
                value, changed = op_builders.unknown(value.dtype, sizes, None, [value]), True
        elif isinstance(value, (list, tuple)) and not hasattr(value, "_fields") and depth < 2:
            items, has_changed = with_sizes(value, depth + 1)
            value, changed = list(items) if isinstance(value, list) else items, changed or has_changed
        made.append(value)
    return tuple(made), changed
