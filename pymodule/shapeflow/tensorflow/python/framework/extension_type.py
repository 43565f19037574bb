"""tf.experimental.ExtensionType: classes of a program whose fields are tensors and other values.

The annotations of a class say what its constructor takes and how each field is converted. An annotation of
which nothing is known takes what is given.
Source: tensorflow/python/framework/{extension_type,extension_type_field}.py.
"""
from __future__ import annotations

import abc
import collections.abc
import inspect
import sys
import types
import typing
from typing import Any, Callable, Dict, Iterator, List, Tuple

from shapeflow import _core
from shapeflow.api import base_classes
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.type_spec import TypeSpec, from_value

_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_PLAIN = (int, float, str, bytes, bool, type(None))


class ImmutableDict(collections.abc.Mapping):  # type: ignore[type-arg]
    """What a field that is a mapping holds."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._held: Dict[object, object] = dict(*args, **kwargs)

    def __getitem__(self, key: object) -> Any:
        return self._held[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return "ImmutableDict(%s)" % self._held


def _fields_of(cls: type) -> Dict[str, Any]:
    """The annotations of the class and its bases, in their order."""
    found: Dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if isinstance(base, _Meta) and base.__dict__.get("_sf_abstract") is None:
            hints = base.__dict__.get("__annotations__", {})
            if any(isinstance(hint, str) for hint in hints.values()):
                hints = _resolved(base, hints)
            found.update((name, hint) for name, hint in hints.items()
                         if typing.get_origin(hint) is not typing.ClassVar and hint is not typing.ClassVar)
    return found


def _resolved(cls: type, hints: Dict[str, object]) -> Dict[str, Any]:
    """Annotations written as text; one that names nothing now is Any."""
    names = vars(sys.modules.get(cls.__module__)) if cls.__module__ in sys.modules else {}
    found = {}
    for name, hint in hints.items():
        try:
            found[name] = eval(hint, dict(names), {cls.__name__: cls}) if isinstance(hint, str) else hint
        except Exception:
            found[name] = Any
    return found


def _check_annotation(hint: object) -> None:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or is_unmodelled(hint) or isinstance(hint, type) and origin is None or hint is None:
        return
    if origin in _UNIONS or origin is tuple and (len(args) == 2 and args[1] is Ellipsis):
        for part in args if origin in _UNIONS else args[:1]:
            _check_annotation(part)
    elif origin is collections.abc.Mapping:
        _check_annotation(args[1])
    elif origin is not typing.Literal:
        raise TypeError("Unsupported type annotation %r" % (hint,))


def _expected(hint: object) -> str:
    return repr(hint.__name__) if isinstance(hint, type) else str(hint)


def _converted(value: Any, hint: Any, path: str, of_spec: bool = False) -> Any:
    """The value as a field holds it; TypeError when it cannot be one. `of_spec`: specs stand for tensors."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or is_unmodelled(hint) or is_unmodelled(value) or of_spec and isinstance(value, TypeSpec):
        return value
    if origin in _UNIONS:
        return _of_union(value, hint, args, path, of_spec)
    if origin is typing.Literal:
        if value not in args:
            raise TypeError("%s: expected %s, got %r" % (path, hint, value))
        return value
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise TypeError("%s: expected tuple, got %r" % (path, type(value).__name__))
        return tuple(_converted(one, args[0], "%s[%d]" % (path, i), of_spec) for i, one in enumerate(value))
    if origin is collections.abc.Mapping:
        if not isinstance(value, collections.abc.Mapping):
            raise TypeError("%s: expected mapping, got %r" % (path, type(value).__name__))
        return ImmutableDict((_converted(k, args[0], path + ".<key>"),
                              _converted(v, args[1], "%s[%r]" % (path, k), of_spec))
                             for k, v in value.items())
    if hint is None:
        hint = type(None)
    if hint is _core.Tensor:
        return _tensor(value, path)
    if hint is _core.DType:
        return _core.as_dtype(value)
    if hint is _core.TensorShape:
        return _core.TensorShape(value)
    if not isinstance(value, hint):
        raise TypeError("%s: expected %s, got %r" % (path, _expected(hint), type(value).__name__))
    return value


def _tensor(value: Any, path: str) -> Any:
    try:
        return framework_lib.convert_to_tensor(value)
    except (ValueError, TypeError):
        raise TypeError("%s: expected a Tensor, got %r" % (path, type(value).__name__)) from None


def _of_union(value: object, hint: object, kinds: Tuple[object, ...], path: str, of_spec: bool) -> Any:
    """As the first kind that takes it; what is one of them already stays so."""
    if value is None and type(None) in kinds or isinstance(value, tuple(k for k in kinds if k in _PLAIN)):
        return value
    for kind in kinds:
        try:
            return _converted(value, kind, path, of_spec)
        except (TypeError, ValueError):
            continue
    raise TypeError("%s: expected %s, got %r" % (path, hint, type(value).__name__))


class _Meta(abc.ABCMeta):
    """Reads the fields of a class when it is made, and gives it a Spec."""

    _sf_fields: Dict[str, Any]

    def __init__(cls, name: str, bases: Tuple[type, ...], namespace: Dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        if "_sf_abstract" in namespace:
            return
        cls._sf_fields = _fields_of(cls)
        for field, hint in cls._sf_fields.items():
            try:
                _check_annotation(hint)
            except TypeError as error:
                raise TypeError("In field %r: %s" % (field, error)) from None
        for attr, value in namespace.items():
            if attr.startswith("_") or attr in cls._sf_fields or callable(value) or isinstance(
                    value, (property, classmethod, staticmethod, type)) or hasattr(type(value), "__get__"):
                continue
            raise ValueError("The field annotations for %s are invalid. Field %s is missing a type "
                             "annotation." % (name, attr))
        parameters = [inspect.Parameter(
            field, inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=getattr(cls, field, inspect.Parameter.empty)) for field in cls._sf_fields]
        parameters.sort(key=lambda one: one.default is not inspect.Parameter.empty)
        cls._sf_signature = inspect.Signature(parameters)
        own: Any = namespace.get("Spec")
        spec: Any = own if isinstance(own, type) else abc.ABCMeta("Spec", (ExtensionTypeSpec,), {
            "__module__": cls.__module__, "__qualname__": cls.__qualname__ + ".Spec"})
        if isinstance(own, type) and not issubclass(own, TypeSpec):
            spec = abc.ABCMeta("Spec", (own, ExtensionTypeSpec), {
                "__module__": cls.__module__, "__qualname__": cls.__qualname__ + ".Spec"})
        spec._of = cls
        cls.Spec = spec

    _sf_signature: inspect.Signature
    Spec: Any

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        made = super().__call__(*args, **kwargs)
        made._sf_finish()
        return made


class ExtensionTypeSpec(TypeSpec):
    """The specs of the tensors among the fields, and the other fields as they are."""

    _of: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = self._of._sf_signature.replace(parameters=[
            one.replace(default=inspect.Parameter.empty)
            for one in self._of._sf_signature.parameters.values()]).bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            hint = self._of._sf_fields[name]
            vars(self)[name] = value if hint is _core.Tensor else _converted(value, hint, name, True)

    value_type = property(lambda self: self._of)

    def _serialize(self) -> Any:
        return tuple(vars(self)[name] for name in self._of._sf_signature.parameters)

    def unknown(self, name: Any = None) -> Any:
        """An object whose tensors are known by their specs."""
        pairs = zip(self._of._sf_signature.parameters, self._serialize())
        return self._of._sf_made({key: value.unknown() if isinstance(value, TypeSpec) else value
                                  for key, value in pairs})

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__qualname__.rpartition("<locals>.")[2], ", ".join(
            "%s=%r" % pair for pair in zip(self._of._sf_signature.parameters, self._serialize())))


@export("tf.experimental.ExtensionType", v2=True)
class ExtensionType(metaclass=_Meta):
    """What a program's own tensor-like classes derive from."""

    _sf_abstract = True

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        is_ours = "_sf_abstract" in vars(cls)
        return True if is_ours and base_classes.is_below(cls, subclass) else NotImplemented

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = type(self)._sf_signature.bind(*args, **kwargs)
        bound.apply_defaults()
        vars(self).update(bound.arguments)

    def __new__(cls, *args: object, **kwargs: object) -> Any:
        if cls.__dict__.get("_sf_abstract"):
            raise AssertionError("Cannot create an instance of %s because %s is an abstract base class."
                                 % (cls.__name__, cls.__name__))
        return super().__new__(cls)

    def _sf_finish(self) -> None:
        """Converts the fields, once; from here on they stay."""
        missing = set(type(self)._sf_fields) - set(vars(self))
        if missing:
            raise ValueError("Missing required fields: %s" % missing)
        for name, hint in type(self)._sf_fields.items():
            vars(self)[name] = _converted(vars(self)[name], hint, name)
        vars(self)["_sf_finished"] = True
        self.__validate__()

    @classmethod
    def _sf_made(cls, fields: Dict[str, object]) -> ExtensionType:
        """An object of fields that are converted already."""
        made = object.__new__(cls)
        vars(made).update(fields, _sf_finished=True)
        return made

    def __validate__(self) -> None:
        """A subclass checks here what its constructor was given."""

    @property
    def _type_spec(self) -> Any:
        return type(self).Spec(**{name: _spec_of(vars(self)[name]) for name in type(self)._sf_fields})

    def _sf_parts(self) -> Any:
        """The other fields by name, and those that hold tensors: what tf.nest and data sets take apart."""
        names = vars(self).get("_sf_names") or [
            name for name in type(self)._sf_fields if _has_tensors(vars(self)[name])]
        return {name: vars(self)[name] for name in type(self)._sf_fields if name not in names}, tuple(
            vars(self)[name] for name in names)

    @classmethod
    def _sf_joined(cls, others: Any, parts: Any) -> Any:
        """The reverse of `_sf_parts`; of specs a Spec."""
        names = [name for name in cls._sf_fields if name not in others]
        fields = {**others, **dict(zip(names, parts))}
        if any(isinstance(one, TypeSpec) for one in parts):
            return cls.Spec(**fields)
        made = cls._sf_made(fields)
        vars(made)["_sf_names"] = names  # what stands for tensors may be numbers
        return made

    def _sf_components(self) -> List[Any]:
        return _leaves(self)

    def _sf_of_components(self, components: List[object]) -> Any:
        return _rebuilt(self, iter(components))

    def __setattr__(self, name: str, value: object) -> None:
        if "_sf_finished" in vars(self):
            raise AttributeError("Cannot mutate attribute `%s` outside the custom constructor of "
                                 "ExtensionType." % name)
        vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        if "_sf_finished" in vars(self):
            raise AttributeError("Cannot mutate attribute `%s` outside the custom constructor of "
                                 "ExtensionType." % name)
        del vars(self)[name]

    def __eq__(self, other: object) -> Any:
        if type(other) is not type(self):
            return False
        pairs = [(vars(self)[name], vars(other)[name]) for name in type(self)._sf_fields]
        if any(not isinstance(a, _core.Tensor) and a != b for a, b in pairs if not isinstance(
                a, ExtensionType)):
            return False
        if all(isinstance(a, _PLAIN) for a, _ in pairs):
            return True
        from shapeflow.tensorflow.python.framework.op_builders import like_shape

        return like_shape([one for one in self._sf_parts()[1] if isinstance(one, _core.Tensor)], "bool", [])

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return not equal if isinstance(equal, bool) else equal

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, ", ".join(
            "%s=%r" % (name, vars(self)[name]) for name in type(self)._sf_fields))

    def __sf_dispatch__(self, dotted: str, function: Any, args: object, kwargs: object) -> Any:
        """The program's own function for this class, of those that it registered; the core asks."""
        if dotted == "tf.identity":
            return self._sf_of_components([function(one) for one in self._sf_components()])
        for answers in reversed(_dispatchers):
            found = answers(function, args, kwargs)
            if found is not NotImplemented:
                return found
        return NotImplemented


@export("tf.experimental.BatchableExtensionType", v2=True)
class BatchableExtensionType(ExtensionType):
    """One whose tensors a data set may cut and batch."""

    _sf_abstract = True


# --- functions of the program for TensorFlow's ----------------------------------------------------
# Each is asked with a function of TensorFlow and its arguments; NotImplemented: they are not its.
_dispatchers: List[Callable[[Any, Any, object], object]] = []


def _is_same(api: object, function: object) -> bool:
    return api is function or getattr(api, "__name__", None) == getattr(function, "__name__", "")


def _fits(value: object, hint: object) -> bool:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return any(_fits(value, one) for one in args)
    if origin in (list, tuple, collections.abc.Sequence):
        return isinstance(value, (list, tuple)) and all(_fits(one, args[0]) for one in value if args)
    if isinstance(hint, type) and issubclass(hint, ExtensionType):
        return isinstance(value, hint)
    return True


@export("tf.experimental.dispatch_for_api", v2=True)
def dispatch_for_api(api: object, *signatures: Any) -> Callable[[Any], Any]:
    """The decorated function answers for `api` where the annotated parameters are of those classes."""
    def decorator(target: Any) -> Any:
        own = inspect.signature(target)
        hints = list(signatures) or [{name: one.annotation for name, one in own.parameters.items()}]

        def answers(function: object, args: Any, kwargs: Any) -> Any:
            if not _is_same(api, function):
                return NotImplemented
            try:
                given = own.bind(*args, **kwargs).arguments
            except TypeError:
                return NotImplemented
            if not any(all(_fits(given[name], hint) for name, hint in one.items() if name in given)
                       for one in hints):
                return NotImplemented
            return target(*args, **kwargs)

        _dispatchers.append(answers)
        return target

    return decorator


@export("tf.experimental.dispatch_for_unary_elementwise_apis", v2=True)
def dispatch_for_unary_elementwise_apis(x_type: object) -> Callable[[Any], Any]:
    """The decorated function is given TensorFlow's and its operand."""
    return _elementwise((x_type,))


@export("tf.experimental.dispatch_for_binary_elementwise_apis", v2=True)
def dispatch_for_binary_elementwise_apis(x_type: object, y_type: object) -> Callable[[Any], Any]:
    """The decorated function is given TensorFlow's and its two operands."""
    return _elementwise((x_type, y_type))


def _elementwise(kinds: Tuple[Any, ...]) -> Callable[[Any], Any]:
    def decorator(target: Any) -> Any:
        def answers(function: Any, args: Any, kwargs: Any) -> Any:
            from shapeflow.tensorflow.python.ops.ragged_dispatch import ELEMENTWISE

            if ELEMENTWISE.get(getattr(function, "__name__", "")) != len(kinds):
                return NotImplemented
            operands = [*args, *kwargs.values()][:len(kinds)]
            others = [*args, *kwargs.values()][len(kinds):]
            if len(operands) < len(kinds) or any(isinstance(one, ExtensionType) for one in others) or not all(
                    _fits(one, kind) for one, kind in zip(operands, kinds)):
                return NotImplemented

            def elementwise(*inner: Any) -> Any:
                return function(*inner, *args[len(kinds):])

            return target(elementwise if others else function, *operands)

        _dispatchers.append(answers)
        return target

    return decorator


def _spec_of(value: object) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(_spec_of(one) for one in value)
    if isinstance(value, ImmutableDict):
        return ImmutableDict((key, _spec_of(one)) for key, one in value.items())
    if value is None or isinstance(value, (*_PLAIN, _core.DType, _core.TensorShape)) or is_unmodelled(value):
        return value
    return from_value(value)


def _has_tensors(value: object) -> bool:
    if isinstance(value, (tuple, ImmutableDict)):
        return any(map(_has_tensors, value if isinstance(value, tuple) else value.values()))
    return not (value is None or isinstance(value, (*_PLAIN, _core.DType, _core.TensorShape)))


def _leaves(value: Any) -> List[Any]:
    """The tensors of a field, in their order."""
    if isinstance(value, ExtensionType):
        value = value._sf_parts()[1]
    elif isinstance(value, ImmutableDict):
        value = tuple(value[key] for key in sorted(value))
    elif hasattr(type(value), "_sf_components"):
        return list(value._sf_components())
    return [leaf for one in value for leaf in _leaves(one)] if isinstance(value, tuple) else [value]


def _rebuilt(value: Any, items: Iterator[Any]) -> Any:
    """The reverse of `_leaves`."""
    if isinstance(value, ExtensionType):
        others, parts = value._sf_parts()
        return value._sf_joined(others, [_rebuilt(one, items) for one in parts])
    if isinstance(value, tuple):
        return tuple(_rebuilt(one, items) for one in value)
    if isinstance(value, ImmutableDict):
        made = {key: _rebuilt(value[key], items) for key in sorted(value)}
        return ImmutableDict((key, made[key]) for key in value)
    if hasattr(type(value), "_sf_components"):
        return value._sf_of_components([next(items) for _ in value._sf_components()])
    return next(items)
