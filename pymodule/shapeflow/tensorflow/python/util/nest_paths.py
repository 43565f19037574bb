"""Nested structures, for packages above TensorFlow: what a node is, and where its leaves stand.

Source: tensorflow/python/util/nest.py, nest_util.py.
"""
from __future__ import annotations

import collections.abc

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List, Tuple

_NEST = "tensorflow.python.util.nest."
_INTERNAL = "tf.__internal__.nest."


@export(_INTERNAL + "is_mapping", _NEST + "is_mapping", v2=True)
def is_mapping(obj: object) -> bool:
    return isinstance(obj, collections.abc.Mapping)


@export(_INTERNAL + "is_attrs", _NEST + "is_attrs", v2=True)
def is_attrs(obj: object) -> bool:
    return hasattr(type(obj), "__attrs_attrs__")


@export(_INTERNAL + "sequence_like", _NEST + "sequence_like", v2=True)
def sequence_like(instance: Any, args: Any) -> Any:
    """A node of the kind of `instance` with these children."""
    return nest.like(instance, list(args))


def _keyed(structure: Any) -> Iterator[Tuple[Any, Any]]:
    """(key, child) of a node."""
    if isinstance(structure, collections.abc.Mapping):
        for key in sorted(structure):
            yield key, structure[key]
    elif hasattr(type(structure), "__attrs_attrs__"):
        for attr in type(structure).__attrs_attrs__:
            yield attr.name, getattr(structure, attr.name)
    else:
        fields = getattr(structure, "_fields", None)
        for place, child in enumerate(nest.children(structure)):
            yield place if fields is None else fields[place], child


@export(_INTERNAL + "yield_flat_paths", _NEST + "yield_flat_paths", v2=True)
def yield_flat_paths(nest: object, expand_composites: bool = False) -> Iterator[Tuple[Any, ...]]:
    """The path of each leaf: keys and places from the root."""
    for path, _ in flatten_with_tuple_paths(nest):
        yield path


@export(_NEST + "flatten_with_tuple_paths", v2=True)
def flatten_with_tuple_paths(structure: object, expand_composites: bool = False) -> List[Any]:
    """(path, leaf) of each leaf."""
    if not nest.is_nested(structure):
        return [((), structure)]
    return [((key, *path), leaf) for key, child in _keyed(structure)
            for path, leaf in flatten_with_tuple_paths(child)]


@export(_NEST + "flatten_with_joined_string_paths", v2=True)
def flatten_with_joined_string_paths(structure: object, separator: str = "/",
                                     expand_composites: bool = False) -> List[Any]:
    return [(separator.join(map(str, path)), leaf) for path, leaf in flatten_with_tuple_paths(structure)]


@export(_NEST + "map_structure_with_tuple_paths", v2=True)
def map_structure_with_tuple_paths(func: Callable[..., object], *structure: Any, **kwargs: Any) -> Any:
    """`func` of the path and the leaves that stand there."""
    for other in structure[1:]:
        nest.assert_same_structure(structure[0], other, check_types=kwargs.get("check_types", True))
    made = [func(path, leaf, *more) for (path, leaf), *more in
            zip(flatten_with_tuple_paths(structure[0]), *map(nest.flatten, structure[1:]))]
    return nest.pack_sequence_as(structure[0], made)


@export(_NEST + "map_structure_with_paths", v2=True)
def map_structure_with_paths(func: Callable[..., object], *structure: object, **kwargs: object) -> Any:
    """The same, with the path as text."""
    return map_structure_with_tuple_paths(lambda path, *leaves: func("/".join(map(str, path)), *leaves),
                                          *structure, **kwargs)


@export(_INTERNAL + "get_traverse_shallow_structure", _NEST + "get_traverse_shallow_structure", v2=True)
def get_traverse_shallow_structure(traverse_fn: Callable[[object], object], structure: object,
                                   expand_composites: bool = False) -> Any:
    """What of `structure` is walked through: True and False in its shape, as `traverse_fn` says."""
    walked = traverse_fn(structure)
    if not nest.is_nested(structure):
        if not isinstance(walked, bool):
            raise TypeError("traverse_fn returned structure: %s for non-structure: %s" % (walked, structure))
        return walked
    if isinstance(walked, bool):
        if not walked:
            return False
        answers = [True for _ in nest.children(structure)]
    elif not nest.is_nested(walked):
        raise TypeError("traverse_fn returned a non-bool scalar: %s for input: %s" % (walked, structure))
    else:
        answers = list(nest.children(walked))
    children: List[Any] = []
    for answer, child in zip(answers, nest.children(structure)):
        if not isinstance(answer, bool):
            raise TypeError("traverse_fn didn't return a depth=1 structure of only bools.  saw: %s  for "
                            "structure: %s" % (walked, structure))
        children.append(answer and get_traverse_shallow_structure(traverse_fn, child))
    return nest.like(structure, children)
