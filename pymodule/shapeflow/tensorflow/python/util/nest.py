"""tf.nest: nested structures of lists, tuples, namedtuples, dicts and attrs classes."""
from __future__ import annotations

import collections.abc

from shapeflow import _core
from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List

_LEAVES = frozenset((_core.EagerTensor, _core.Tensor, bool, bytes, float, int, str, type(None)))


@export("tf.nest.is_nested", "tf.contrib.framework.nest.is_sequence",
        "tensorflow.python.util.nest.is_sequence",
        "tensorflow.python.util.nest.is_nested", v2=True)
def is_nested(seq: object) -> bool:
    if type(seq) in _LEAVES:
        return False
    return isinstance(seq, (list, tuple, dict)) or isinstance(
        seq, (collections.abc.Mapping, collections.abc.MappingView)) or not isinstance(seq, type) and (
        hasattr(type(seq), "__attrs_attrs__") or hasattr(type(seq), "__tf_flatten__"))


def children(structure: Any) -> Iterator[Any]:
    if isinstance(structure, collections.abc.Mapping):
        try:
            keys = sorted(structure)
        except TypeError:
            raise TypeError("nest only supports dicts with sortable keys.")
        for key in keys:
            yield structure[key]
    elif hasattr(type(structure), "__attrs_attrs__"):
        for attr in type(structure).__attrs_attrs__:
            yield getattr(structure, attr.name)
    elif hasattr(type(structure), "__tf_flatten__"):
        yield from structure.__tf_flatten__()[1]
    else:
        yield from structure


@export("tf.nest.flatten", "tf.contrib.framework.nest.flatten",
        "tensorflow.python.util.nest.flatten", v2=True)
def flatten(structure: Any, expand_composites: bool = False) -> List[Any]:
    if expand_composites and _is_composite(structure):
        return list(structure._sf_components())
    if not is_nested(structure):
        return [structure]
    found: List[Any] = []
    for child in children(structure):
        found.extend(flatten(child, expand_composites))
    return found


def copied(structure: object) -> object:
    """The same leaves in lists, tuples and dicts of its own, which may be changed."""
    if type(structure) is dict:
        return {key: copied(item) for key, item in structure.items()}
    if type(structure) is list:
        return [copied(item) for item in structure]
    return tuple(copied(item) for item in structure) if type(structure) is tuple else structure


def _is_composite(value: object) -> bool:
    """Is it made of tensors, as a sparse or a ragged one? `_sf_components` gives them."""
    return not isinstance(value, type) and hasattr(type(value), "_sf_components")


def like(instance: Any, items: List[Any]) -> Any:
    if isinstance(instance, collections.abc.Mapping):
        by_key = dict(zip(sorted(instance), items))
        made: Any = type(instance)()
        if isinstance(instance, collections.defaultdict):
            made = collections.defaultdict(instance.default_factory)
        for key in instance:
            made[key] = by_key[key]
        return made
    if isinstance(instance, collections.abc.MappingView):  # nobody can make one
        return list(items)
    if hasattr(type(instance), "__attrs_attrs__"):
        return type(instance)(*items)
    if hasattr(type(instance), "__tf_flatten__"):
        return type(instance).__tf_unflatten__(instance.__tf_flatten__()[0], tuple(items))
    if isinstance(instance, tuple) and hasattr(instance, "_fields"):
        return type(instance)(*items)
    return type(instance)(items)


@export("tf.nest.pack_sequence_as", "tf.contrib.framework.nest.pack_sequence_as",
        "tensorflow.python.util.nest.pack_sequence_as", v2=True)
def pack_sequence_as(structure: object, flat_sequence: Any, expand_composites: bool = False) -> Any:
    if not is_nested(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(flat_sequence)
    if not is_nested(structure) and not (expand_composites and _is_composite(structure)):
        if len(flat) != 1:
            raise ValueError("Structure is a scalar but len(flat_sequence) == %d > 1" % len(flat))
        return flat[0]
    want = len(flatten(structure, expand_composites))
    if want != len(flat):
        raise ValueError("Could not pack sequence. Structure had %d elements, but flat_sequence had "
                         "%d elements.  Structure: %s, flat_sequence: %s."
                         % (want, len(flat), structure, flat))
    return _packed(structure, iter(flat), expand_composites)


def _packed(node: Any, items: Iterator[Any], expand: bool) -> Any:
    """No closure: one that calls itself would keep the items until the garbage is collected."""
    if expand and _is_composite(node):
        return node._sf_of_components([next(items) for _ in node._sf_components()])
    if not is_nested(node):
        return next(items)
    return like(node, [_packed(child, items, expand) for child in children(node)])


@export("tf.nest.map_structure", "tf.contrib.framework.nest.map_structure",
        "tensorflow.python.util.nest.map_structure", v2=True)
def map_structure(func: Callable[..., object], *structure: Any, **kwargs: Any) -> Any:
    if not callable(func):
        raise TypeError("func must be callable, got: %s" % func)
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=kwargs.get("check_types", True))
    expand = bool(kwargs.get("expand_composites"))
    flats = [flatten(s, expand) for s in structure]
    return pack_sequence_as(structure[0], [func(*items) for items in zip(*flats)], expand)


@export("tf.__internal__.nest.flatten_up_to", "tf.contrib.framework.nest.flatten_up_to",
        "tensorflow.python.util.nest.flatten_up_to", v2=True)
def flatten_up_to(shallow_tree: object, input_tree: object, check_types: bool = True,
                  expand_composites: bool = False) -> List[Any]:
    """What of `input_tree` stands where `shallow_tree` has its leaves."""
    if not is_nested(shallow_tree):
        return [input_tree]
    if not is_nested(input_tree):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. "
                        "Input has type: %s." % type(input_tree))
    shallow, given = list(children(shallow_tree)), list(children(input_tree))
    if len(shallow) != len(given):
        raise ValueError("The two structures don't have the same sequence length. Input structure has "
                         "length %d, while shallow structure has length %d." % (len(given), len(shallow)))
    return [leaf for pair in zip(shallow, given) for leaf in flatten_up_to(*pair)]


@export("tf.__internal__.nest.map_structure_up_to", "tf.contrib.framework.nest.map_structure_up_to",
        "tensorflow.python.util.nest.map_structure_up_to", v2=True)
def map_structure_up_to(shallow_tree: object, func: Callable[..., object], *inputs: object,
                        **kwargs: object) -> Any:
    """`func` of what stands in each of `inputs` where `shallow_tree` has its leaves, in its structure."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    flat = [flatten_up_to(shallow_tree, given) for given in inputs]
    return pack_sequence_as(shallow_tree, [func(*leaves) for leaves in zip(*flat)])


@export("tf.__internal__.nest.list_to_tuple", "tensorflow.python.util.nest.list_to_tuple", v1=False, v2=True)
def list_to_tuple(structure: object) -> Any:
    """The structure with a tuple where it has a list."""
    if isinstance(structure, list):
        return tuple(map(list_to_tuple, structure))
    if not is_nested(structure) or not isinstance(structure, (tuple, dict)):
        return structure
    if isinstance(structure, dict):
        return type(structure)((key, list_to_tuple(value)) for key, value in structure.items())
    parts = map(list_to_tuple, structure)
    return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)


@export("tf.nest.assert_same_structure", "tf.contrib.framework.nest.assert_same_structure",
        "tensorflow.python.util.nest.assert_same_structure", v2=True)
def assert_same_structure(nest1: object, nest2: object, check_types: bool = True,
                          expand_composites: bool = False) -> None:
    problem = _difference(nest1, nest2, check_types)
    if problem is not None:
        kind, text = problem
        raise kind("The two structures don't have the same nested structure.\n\nFirst structure: "
                   "%s\n\nSecond structure: %s\n\n%s" % (_named(nest1), _named(nest2), text))


def _named(structure: object) -> str:
    return "type=%s str=%s" % (type(structure).__name__, structure)


def _difference(a: object, b: object, check_types: bool) -> Any:
    if is_nested(a) != is_nested(b):
        deep, flat = (a, b) if is_nested(a) else (b, a)
        return ValueError, ("More specifically: Substructure \"%s\" is a sequence, while substructure "
                            "\"%s\" is not" % (_named(deep), _named(flat)))
    if not is_nested(a):
        return None
    if check_types and type(a) is not type(b) and not (
            isinstance(a, dict) and isinstance(b, dict)) and not _same_fields(a, b):
        return TypeError, ("More specifically: First structure has type %s, while second structure "
                           "has type %s" % (type(a), type(b)))
    if isinstance(a, dict) and isinstance(b, dict) and set(a) != set(b):
        return ValueError, ("The two dictionaries don't have the same set of keys. First structure "
                            "has keys %s, while second structure has keys %s" % (list(a), list(b)))
    left, right = list(children(a)), list(children(b))
    if len(left) != len(right):
        return ValueError, ("The two structures don't have the same number of elements. First "
                            "structure: %s. Second structure: %s" % (a, b))
    for x, y in zip(left, right):
        found = _difference(x, y, check_types)
        if found is not None:
            return found
    return None


def _same_fields(a: object, b: object) -> bool:
    return getattr(a, "_fields", None) is not None and \
        getattr(a, "_fields", None) == getattr(b, "_fields", 0)


@export("tensorflow.python.util.nest.flatten_dict_items", "tf.contrib.framework.nest.flatten_dict_items",
        v2=True)
def flatten_dict_items(dictionary: object) -> Any:
    """The items of nested keys and values of one structure, each for itself."""
    if not isinstance(dictionary, collections.abc.Mapping):
        raise TypeError("input must be a dictionary")
    made: Any = {}
    for key, value in dictionary.items():
        keys, values = flatten(key), flatten(value) if is_nested(key) else [value]
        if len(keys) != len(values):
            raise ValueError("Could not flatten dictionary. Key had %d elements, but value had %d elements. "
                             "Key: %s, value: %s." % (len(keys), len(values), keys, values))
        for one, its in zip(keys, values):
            if one in made:
                raise ValueError("Could not flatten dictionary: key %s is not unique." % (one,))
            made[one] = its
    return made
