"""Nested structures as data sets have them: of tuples and dictionaries, a list is a value.

Source: tensorflow/python/data/util/nest.py.
"""
from __future__ import annotations

import collections.abc

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List

_OF = "tensorflow.python.data.util.nest."


@export(_OF + "is_nested", _OF + "is_sequence", v2=True)
def is_nested(structure: object) -> bool:
    return not isinstance(structure, (list, collections.abc.MappingView)) and nest.is_nested(structure)


@export(_OF + "flatten", v2=True)
def flatten(structure: Any) -> List[Any]:
    if not is_nested(structure):
        return [structure]
    return [value for child in nest.children(structure) for value in flatten(child)]


@export(_OF + "pack_sequence_as", v2=True)
def pack_sequence_as(structure: object, flat_sequence: Any) -> Any:
    flat = list(flat_sequence)
    if not is_nested(structure):
        if len(flat) != 1:
            raise ValueError("Argument `structure` is a scalar but `len(flat_sequence)`=%d > 1" % len(flat))
        return flat[0]
    wanted = len(flatten(structure))
    if wanted != len(flat):
        raise ValueError("Could not pack sequence. Argument `structure` had %d elements, but argument "
                         "`flat_sequence` had %d elements. Received structure: %s, flat_sequence: %s."
                         % (wanted, len(flat), structure, flat_sequence))
    return _packed(structure, iter(flat))


def _packed(structure: object, values: Any) -> Any:
    if not is_nested(structure):
        return next(values)
    return nest.like(structure, [_packed(child, values) for child in nest.children(structure)])


@export(_OF + "assert_same_structure", v2=True)
def assert_same_structure(nest1: object, nest2: object, check_types: bool = True) -> None:
    nest.assert_same_structure(_with_values(nest1), _with_values(nest2), check_types)


def _with_values(structure: object) -> Any:
    """The structure with something that is no list for each value."""
    return pack_sequence_as(structure, [None] * len(flatten(structure)))


@export(_OF + "map_structure", v2=True)
def map_structure(func: Callable[..., object], *structure: Any, **check_types_dict: Any) -> Any:
    if not callable(func):
        raise TypeError("Argument `func` must be callable, got: %s" % func)
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types_dict.get("check_types", True))
    return pack_sequence_as(structure[0], [func(*items) for items in zip(*map(flatten, structure))])


@export(_OF + "assert_shallow_structure", v2=True)
def assert_shallow_structure(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> None:
    if not is_nested(shallow_tree):
        return
    if not is_nested(input_tree):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: "
                        "'%s'." % type(input_tree).__name__)
    if check_types and not isinstance(input_tree, type(shallow_tree)) and not (
            isinstance(shallow_tree, collections.abc.Mapping) and
            isinstance(input_tree, collections.abc.Mapping)):
        raise TypeError("The two structures don't have the same sequence type. Input structure has type "
                        "'%s', while shallow structure has type '%s'."
                        % (type(input_tree).__name__, type(shallow_tree).__name__))
    if len(input_tree) != len(shallow_tree):
        raise ValueError("The two structures don't have the same sequence length. Input structure has length "
                         "%d, while shallow structure has length %d." % (len(input_tree), len(shallow_tree)))
    if check_types and isinstance(shallow_tree, collections.abc.Mapping) and \
            set(input_tree) != set(shallow_tree):
        raise ValueError("The two structures don't have the same keys. Input structure has keys %s, while "
                         "shallow structure has keys %s." % (list(input_tree), list(shallow_tree)))
    for shallow, given in zip(nest.children(shallow_tree), nest.children(input_tree)):
        assert_shallow_structure(shallow, given, check_types)


@export(_OF + "flatten_up_to", v2=True)
def flatten_up_to(shallow_tree: object, input_tree: object) -> List[Any]:
    assert_shallow_structure(shallow_tree, input_tree)
    return _up_to(shallow_tree, input_tree)


def _up_to(shallow_tree: object, input_tree: object) -> List[Any]:
    if not is_nested(shallow_tree):
        return [input_tree]
    return [value for pair in zip(nest.children(shallow_tree), nest.children(input_tree))
            for value in _up_to(*pair)]


@export(_OF + "map_structure_up_to", v2=True)
def map_structure_up_to(shallow_tree: object, func: Callable[..., object], *inputs: object) -> Any:
    if not inputs:
        raise ValueError("Argument `inputs` is empty. Cannot map over no sequences.")
    flat = [flatten_up_to(shallow_tree, one) for one in inputs]
    return pack_sequence_as(shallow_tree, [func(*items) for items in zip(*flat)])
