"""What a checkpoint of objects holds: the tree that TensorFlow makes of their attributes, with the shapes and
the contents of its variables. Restoring walks it along the objects of the program; what is tracked later by
an object that was restored is restored then.
"""
from __future__ import annotations

from collections import deque

from shapeflow import _core
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.trackable.base import SAVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Deque, Dict, List, Optional, Tuple

_VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


class Saved:
    """What was saved of one object. `key` is its name in the checkpoint."""

    __slots__ = ("children", "key", "shape", "tensor")

    def __init__(self, key: str) -> None:
        self.children: Dict[str, Saved] = {}
        self.key = key
        self.shape: Optional[List[Optional[int]]] = None
        self.tensor: Optional[_core.Tensor] = None  # of eager mode, where tensors do not change


def save(root: object) -> Tuple[Saved, Dict[str, Optional[List[Optional[int]]]]]:
    """The tree of an object, and the shapes of its variables by their names in the checkpoint."""
    top = Saved("")
    made: Dict[int, Saved] = {id(root): top}
    held = [root]
    shapes: Dict[str, Optional[List[Optional[int]]]] = {}
    todo: Deque[Tuple[object, Saved]] = deque([(root, top)])
    while todo:
        one, saved = todo.popleft()
        variable = variable_of(one)
        if variable is not None:
            shape = variable.get_shape()
            saved.shape = None if shape.ndims is None else shape.as_list()
            if getattr(variable, "_kind", "") == "eager":
                saved.tensor = variable._tensor
            shapes[saved.key + _VALUE] = saved.shape
            continue
        for name, child in children_of(one).items():
            found = made.get(id(child))
            if found is None:
                local = name.replace(".", "..").replace("/", ".S")
                found = made[id(child)] = Saved("%s/%s" % (saved.key, local) if saved.key else local)
                held.append(child)  # an id stays taken
                todo.append((child, found))
            saved.children[name] = found
    return top, shapes


def restore(root: object, saved: Saved) -> None:
    """Gives the objects what was saved of them; raises where a variable has another shape."""
    matched: List[Tuple[Saved, _core.VariableBase]] = []
    seen: Dict[int, object] = {id(root): root}
    todo: Deque[Tuple[object, Saved]] = deque([(root, saved)])
    while todo:
        one, of = todo.popleft()
        variable = variable_of(one)
        if variable is not None:
            matched.append((of, variable))
            continue
        attributes = getattr(one, "__dict__", None)
        if attributes is not None:
            attributes[SAVED] = (of, restore)
        children = children_of(one)
        for name, below in of.children.items():
            child = children.get(name)
            if child is not None and id(child) not in seen:
                seen[id(child)] = child
                todo.append((child, below))
    for of, variable in sorted(matched, key=lambda pair: pair[0].key):
        _assign(variable, of)


def _assign(variable: _core.VariableBase, saved: Saved) -> None:
    own = variable.get_shape()
    if saved.shape is None:
        return
    if not _core.TensorShape(saved.shape).is_compatible_with(own):
        raise fail("SF125", "Received incompatible tensor with shape {shape} when attempting to restore "
                   "variable with shape {shape} and name {name}.",
                   _core.TensorShape(saved.shape), own, variable.name)
    tensor = saved.tensor
    if tensor is not None and getattr(variable, "_kind", "") == "eager" and tensor.dtype == variable.dtype:
        variable.assign(tensor)


def variable_of(one: object) -> Optional[_core.VariableBase]:
    """A variable, or that of a variable of Keras 3; None: it is no variable."""
    if isinstance(one, _core.VariableBase):
        return one
    inner = getattr(one, "__dict__", {}).get("_value")
    return inner if isinstance(inner, _core.VariableBase) else None


def children_of(one: object) -> Dict[str, object]:
    """What an object tracks, by name."""
    if isinstance(one, (list, tuple)):
        return {str(i): item for i, item in enumerate(one) if _is_tracked(item)}
    if isinstance(one, dict):
        return {str(name): item for name, item in one.items() if _is_tracked(item)}
    method = getattr(type(one), "_trackable_children", None)
    return {} if method is None else {
        name: child for name, child in method(one).items() if child is not one}


def _is_tracked(item: object) -> bool:
    return hasattr(type(item), "_trackable_children") or isinstance(
        item, (_core.VariableBase, list, tuple, dict))
