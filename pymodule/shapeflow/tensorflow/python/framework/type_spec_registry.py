"""Names of classes of type specs, under which a SavedModel keeps them.

Source: tensorflow/python/framework/type_spec_registry.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, TypeVar

    Kind = TypeVar("Kind", bound=type)

_MODULE = "tensorflow.python.framework.type_spec_registry."
_kinds: Dict[str, type] = {}
_names: Dict[type, str] = {}
# tensorflow-probability takes names out of these.
put(_kinds, _MODULE + "_NAME_TO_TYPE_SPEC", v2=True)
put(_names, _MODULE + "_TYPE_SPEC_TO_NAME", v2=True)


@export(_MODULE + "register", v1=False, v2=True)
def register(name: str) -> Callable[[Kind], Kind]:
    """Decorator of a class of type specs."""
    if not isinstance(name, str):
        raise TypeError("Expected `name` to be a string; got %r" % (name,))

    def decorator(kind: Kind) -> Kind:
        if name in _kinds:
            raise ValueError("Name %s has already been registered for class %s.%s." % (
                name, _kinds[name].__module__, _kinds[name].__name__))
        _kinds[name], _names[kind] = kind, name
        return kind

    return decorator


@export(_MODULE + "lookup", v1=False, v2=True)
def lookup(name: str) -> type:
    if name not in _kinds:
        raise ValueError("No TypeSpec has been registered with name %r" % (name,))
    return _kinds[name]


@export(_MODULE + "get_name", v1=False, v2=True)
def get_name(kind: type) -> str:
    if kind not in _names:
        raise ValueError("TypeSpec %s.%s has not been registered." % (kind.__module__, kind.__name__))
    return _names[kind]
