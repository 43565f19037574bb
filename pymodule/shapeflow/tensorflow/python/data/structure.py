"""The structure of a dataset's elements: nested tuples and dicts with a leaf for each component.

Unlike tf.nest, a list is a value (a tensor), not structure. Source: tensorflow/python/data/util/
{nest,structure}.py.
"""
from __future__ import annotations

import collections.abc

from shapeflow import _core
from shapeflow.api.unmodelled import Opaque, is_unmodelled
from shapeflow.tensorflow.python.data.element_runs import component
from shapeflow.tensorflow.python.framework import framework_lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Tuple


class Leaf:
    """A dense tensor."""

    def __init__(self, dtype: Any, shape: Any) -> None:
        self.dtype = _core.as_dtype(dtype).base_dtype
        self.shape = shape if isinstance(shape, _core.TensorShape) else _core.TensorShape(shape)

    cls: Any = property(lambda self: _core.Tensor)

    def spec(self) -> Any:
        from shapeflow.tensorflow.python.framework.type_spec import TensorSpec

        return TensorSpec(self.shape, self.dtype)

    def with_shape(self, shape: object) -> "Leaf":
        return type(self)(self.dtype, shape)

    def argument(self, name: str, source: object, placeholder: Callable[..., object]) -> Any:
        return placeholder(self.dtype, self.shape, name, source)

    def unknown(self) -> _core.Tensor:
        return component(self.dtype, self.shape)

    # What of it a get_next op gives, and the user's object from the op's outputs.
    def ports(self) -> List[Tuple[Any, Any]]:
        return [(self.dtype, self.shape)]

    def flat(self, value: object) -> Tuple[Any, ...]:
        return (value,)

    def build(self, tensors: Sequence[object]) -> Any:
        return tensors[0]

    def signature(self) -> _core.DType:
        return self.dtype


class SparseLeaf(Leaf):
    """A SparseTensor; its component is a dense tensor of its dense shape."""

    def spec(self) -> Any:
        from shapeflow.tensorflow.python.framework.type_spec import SparseTensorSpec

        return SparseTensorSpec(self.shape, self.dtype)

    cls: Any = property(lambda self: framework_lib.SparseTensor)

    def ports(self) -> List[Tuple[Any, Any]]:
        rank = self.shape.ndims
        return [("int64", [None, rank]), (self.dtype, [None]), ("int64", [rank])]

    def flat(self, value: Any) -> Tuple[_core.Tensor, _core.Tensor, _core.Tensor]:
        shape = value.shape
        known = shape.ndims is not None and shape.is_fully_defined()
        return (component("int64", [None, shape.ndims]), component(value.dtype, [None]),
                component("int64", [shape.ndims], shape.as_list() if known else None))

    def build(self, tensors: Sequence[object]) -> framework_lib.SparseTensor:
        return framework_lib.SparseTensor(*tensors)

    def argument(self, name: str, source: object, placeholder: Callable[..., object]) -> Any:
        from shapeflow.tensorflow.python.framework.op_builders import unknown

        rank = self.shape.ndims
        return self._shaped(framework_lib.SparseTensor(
            unknown("int64", [None, rank]), unknown(self.dtype, [None]), unknown("int64", [rank])))

    def _shaped(self, made: Any) -> Any:
        made.set_shape(self.shape)
        return made

    def signature(self) -> Any:
        return self.dtype, "sparse"


class RaggedLeaf(Leaf):
    """A RaggedTensor, of ragged rank 0 a tensor; its component is a dense tensor of its shape."""

    def __init__(self, dtype: Any, shape: Any, ragged_rank: int = 0, splits_dtype: Any = "int64") -> None:
        super().__init__(dtype, shape)
        self.ragged_rank, self.splits_dtype = ragged_rank, splits_dtype

    @property
    def cls(self) -> Any:
        from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

        return RaggedTensor

    def spec(self) -> Any:
        from shapeflow.tensorflow.python.framework.type_spec import RaggedTensorSpec

        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self.splits_dtype)

    def with_shape(self, shape: Any) -> "Leaf":
        """Of other outer axes."""
        shape = _core.TensorShape(shape)
        more = 0 if None in (shape.ndims, self.shape.ndims) else shape.ndims - self.shape.ndims
        return RaggedLeaf(self.dtype, shape, max(0, self.ragged_rank + more), self.splits_dtype)

    def build(self, tensors: Sequence[object]) -> Any:
        from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

        if not self.ragged_rank:
            return tensors[0]
        return RaggedTensor.made(self.dtype, _rows_of(tensors[0], self.shape), tensors, self.ragged_rank)

    def argument(self, name: str, source: object, placeholder: Callable[..., object]) -> Any:
        given = placeholder(self.dtype, self.shape, name, source)
        return given if not self.ragged_rank else self.build([given])

    def signature(self) -> Any:
        return self.dtype, "ragged", self.ragged_rank


def _rows_of(tensor: Any, shape: Any) -> Any:
    """`shape`, its first axis as the tensor says."""
    dims = tensor.get_shape()
    if not dims.ndims or not shape.ndims:
        return shape
    return [dims.as_list()[0], *shape.as_list()[1:]]


class OpaqueLeaf(Leaf):
    """Something unmodelled (a ragged tensor, say): any attribute of it is unknown."""

    def build(self, tensors: Sequence[object]) -> Opaque:
        return Opaque("tf.data.Dataset element", tensors)

    def argument(self, name: str, source: object, placeholder: Callable[..., object]) -> Opaque:
        from shapeflow.tensorflow.python.framework.op_builders import unknown

        return Opaque("tf.data.Dataset element", [unknown()])


class Nestable:
    """A dataset: it may be an element of another one."""

    def _nested(self) -> NestedLeaf:
        raise NotImplementedError


class NestedLeaf(Leaf):
    """A dataset. `make` gives one of runs, a function of an environment, and a structure."""

    def spec(self) -> Any:
        from shapeflow.tensorflow.python.framework.type_spec import DatasetSpec

        return DatasetSpec(self.structure.specs())

    def __init__(self, structure: "Structure", make: Callable[..., Any]) -> None:
        super().__init__("variant", [])
        self.structure = structure
        self.make = make

    def dataset_of(self, part: object) -> Any:
        return self.make(lambda env: iter(env.part(part)), self.structure)

    def with_shape(self, shape: object) -> "Leaf":
        return self

    def unknown(self) -> Any:
        return []


def _is_structure(value: object) -> bool:
    return isinstance(value, tuple) or isinstance(value, collections.abc.Mapping) or \
        hasattr(type(value), "__attrs_attrs__") or hasattr(type(value), "_sf_parts")


class Nothing:
    """Stands in a form where an element has None: no leaf, as None has no components."""


NOTHING = Nothing()


def without_none(value: object) -> Any:
    """`value` with NOTHING for each None beside tensors, as TensorFlow 2 takes them (NoneTensorSpec)."""
    items = flatten(value)
    if not any(item is None for item in items) or all(item is None for item in items) or \
            _core.get_version().startswith(("0.", "1.")):
        return value
    return pack(value, [NOTHING if item is None else item for item in items], NOTHING)


def is_sparse_value(value: object) -> bool:
    return isinstance(value, framework_lib.SparseTensor) or type(value).__name__ == "SparseTensorValue"


def without_unknown_keys(value: object) -> Any:
    """With something unknown for each mapping of keys that nobody knows: a dict of an unknown table."""
    if isinstance(value, collections.abc.Mapping):
        unknown = next((key for key in value if isinstance(key, Opaque)), None)
        return {key: without_unknown_keys(value[key]) for key in value} if unknown is None and \
            type(value) is dict else value if unknown is None else unknown
    return tuple(map(without_unknown_keys, value)) if type(value) is tuple else value


def flatten(value: Any) -> List[Any]:
    """Leaves in TensorFlow's order: dicts by sorted key; lists and sparse values are leaves."""
    if value is NOTHING:
        return []
    if not _is_structure(value) or is_sparse_value(value):
        return [value]
    found: List[Any] = []
    if isinstance(value, collections.abc.Mapping):
        for key in sorted(value):
            found.extend(flatten(value[key]))
    elif isinstance(value, tuple):
        for child in value:
            found.extend(flatten(child))
    elif hasattr(type(value), "_sf_parts"):  # of a class of the program's, an ExtensionType
        found = flatten(value._sf_parts()[1])
    else:
        for attr in type(value).__attrs_attrs__:
            found.extend(flatten(getattr(value, attr.name)))
    return found


def pack(value: Any, leaves: Sequence[object], nothing: Any = None) -> Any:
    """The form of `value` with other leaves."""
    items = iter(leaves)

    def build(node: Any) -> Any:
        if node is NOTHING:
            return nothing
        if not _is_structure(node) or is_sparse_value(node):
            return next(items)
        if isinstance(node, collections.abc.Mapping):
            made = {key: build(node[key]) for key in sorted(node)}
            if type(node) is dict or isinstance(node, collections.defaultdict):
                return {key: made[key] for key in node}
            rebuild: Any = type(node)
            return rebuild((key, made[key]) for key in node)
        if isinstance(node, tuple):
            children = [build(child) for child in node]
            return type(node)(*children) if hasattr(node, "_fields") else tuple(children)
        if hasattr(type(node), "_sf_parts"):
            others, parts = node._sf_parts()
            return type(node)._sf_joined(others, build(parts))
        return type(node)(*[build(getattr(node, a.name)) for a in type(node).__attrs_attrs__])

    return build(value)


class Structure:
    """A form (any value of that nesting) and its leaves."""

    def __init__(self, form: Any, leaves: List[Leaf]) -> None:
        self.form, self.leaves = form, leaves
        self.tensors: List[Any] = []
        # The commonest forms are packed without a walk.
        self._plain = 1 if not _is_structure(form) else \
            2 if type(form) is tuple and not any(_is_structure(f) or f is NOTHING for f in form) else 0

    @classmethod
    def of(cls, value: object, refusal: Optional[str] = None) -> "Structure":
        """The structure of a user's value; `.tensors` has its leaves as tensors (or as they are)."""
        leaves: List[Leaf] = []
        tensors: List[Any] = []
        given, value = value, without_none(value)
        for number, item in enumerate(flatten(value)):
            if is_sparse_value(item):
                if not isinstance(item, framework_lib.SparseTensor):
                    item = framework_lib.SparseTensor.from_value(item)
                leaves.append(SparseLeaf(item.dtype, item.get_shape()))
                tensors.append(item)
                continue
            if isinstance(item, Nestable) and not isinstance(item, Opaque):
                leaves.append(item._nested())
                tensors.append(item)
                continue
            if type(item).__name__ == "RaggedTensor":
                leaves.append(RaggedLeaf(item.dtype, item.shape, item.ragged_rank, item.row_splits.dtype))
                tensors.append(unknown_like(item))
                continue
            is_array = getattr(item, "_sf_shape", None) is not None and getattr(item, "_sf_dtype", None)
            if is_unmodelled(item) and not is_array and not _is_said(item):
                tensors.append(framework_lib.convert_to_tensor(item))
                leaves.append(OpaqueLeaf(tensors[-1].dtype, None))
                continue
            if item is None and refusal is not None:
                raise TypeError(refusal % (given,))
            try:
                item = framework_lib.convert_to_tensor(item, _dtype_of_arrays(item),
                                                       name="component_%d" % number)
            except (TypeError, ValueError):
                if refusal is None or isinstance(item, (_core.Tensor, list)):
                    raise
                raise TypeError(refusal % (given,))
            leaves.append(Leaf(item.dtype, item.get_shape()))
            tensors.append(item)
        made = cls(pack(value, [0] * len(leaves), NOTHING), leaves)
        made.tensors = tensors
        return made

    def pack(self, items: Any) -> Any:
        if self._plain == 1:
            return items[0]
        return tuple(items) if self._plain == 2 else pack(self.form, list(items))

    def map(self, change: Callable[[Leaf], Leaf]) -> "Structure":
        return Structure(self.form, [change(leaf) for leaf in self.leaves])

    def shapes(self) -> Any:
        return self.pack([leaf.shape for leaf in self.leaves])

    def types(self) -> Any:
        return self.pack([leaf.dtype for leaf in self.leaves])

    def classes(self) -> Any:
        return self.pack([leaf.cls for leaf in self.leaves])

    def specs(self) -> Any:
        from shapeflow.tensorflow.python.framework.type_spec import NoneTensorSpec

        return pack(self.form, [leaf.spec() for leaf in self.leaves], NoneTensorSpec())


def _dtype_of_arrays(value: object) -> Optional[_core.DType]:
    """That of the arrays that a list has, where they have one: alone among lists it is kept in a dataset."""
    if not isinstance(value, list) or not value:
        return None
    kinds = {type(item).__module__ + "." + type(item).__name__ for item in value}
    if kinds == {"builtins.list"}:
        found = {_dtype_of_arrays(item) for item in value}
    elif kinds == {"numpy.ndarray"}:
        found = {None if item.dtype.kind in "OSU" else _core.as_dtype(item.dtype) for item in value}
    else:
        return None
    return found.pop() if len(found) == 1 else None


def _is_said(value: object) -> bool:
    """Is it a tensor of which the program says all that matters here: `tf.reshape(unknown, [4, 3])`?"""
    return isinstance(value, _core.Tensor) and not _core.is_unmodelled(value, True) and \
        bool(value.get_shape().is_fully_defined())


def unknown_like(ragged: Any) -> Any:
    """A dense tensor of a ragged one's shape."""
    from shapeflow.tensorflow.python.framework.op_builders import unknown

    return unknown(ragged.dtype, ragged.shape, None, ragged._sf_inputs, trusted=True)


def leaf_of(spec: Any) -> Leaf:
    """The leaf of a spec."""
    kind = type(spec).__name__
    if kind == "SparseTensorSpec":
        return SparseLeaf(spec.dtype, spec.shape)
    if kind == "RaggedTensorSpec":
        return RaggedLeaf(spec.dtype, spec.shape, spec.ragged_rank, spec.row_splits_dtype)
    if kind == "OptionalSpec":
        return Leaf("variant", [])
    return Leaf(spec.dtype, spec.shape)


def of_specs(specs: object) -> Structure:
    """From output_signature or element_spec."""
    given = flatten(specs)
    if any(type(spec).__name__ == "NoneTensorSpec" for spec in given):
        specs = pack(specs, [NOTHING if type(spec).__name__ == "NoneTensorSpec" else spec for spec in given],
                     NOTHING)
    return Structure(specs, [leaf_of(spec) for spec in flatten(specs)])


def declared(types: object, shapes: object, classes: object = None) -> Structure:
    """From output_types and output_shapes: the types give the form."""
    leaves_of = flatten(types)
    if shapes is None:
        all_shapes: List[object] = [None] * len(leaves_of)
    else:
        all_shapes = _shapes_like(types, shapes)
    kinds = [None] * len(leaves_of) if classes is None else flatten(classes)
    leaves = [(SparseLeaf if kind is framework_lib.SparseTensor else Leaf)(t, s)
              for t, s, kind in zip(leaves_of, all_shapes, kinds)]
    return Structure(types, leaves)


def _shapes_like(types: Any, shapes: Any) -> List[Any]:
    """Shapes in the form of `types`, where a shape may be given as a tuple or list."""
    if not _is_structure(types):
        return [_core.TensorShape(shapes)]
    if isinstance(types, collections.abc.Mapping):
        pairs = [(types[k], shapes[k]) for k in sorted(types)]
    else:
        if not isinstance(shapes, (tuple, list)) or len(shapes) != len(types):
            raise ValueError("The two structures don't have the same number of elements. First "
                             "structure: %s. Second structure: %s" % (types, shapes))
        pairs = list(zip(types, shapes))
    found: List[Any] = []
    for t, s in pairs:
        found.extend(_shapes_like(t, s))
    return found


shapes_like = _shapes_like
