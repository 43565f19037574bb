"""tf.contrib.training.HParams: named hyperparameters that can be parsed from text.

Source: tensorflow/contrib/training/python/training/hparam.py (1.15).
"""

from __future__ import annotations

import json
import numbers
import re

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

_PARAM = re.compile(r"\s*(?P<name>[a-zA-Z][\w\.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
                    r"(?P<value>\[[^\]]*\]|[^,\[\]]*)\s*(?:$|,)")


def _cast(name: str, kind: type, value: object) -> Any:
    words = "Could not cast hparam '%s' of type '%s' from value %r" % (name, kind, value)
    if isinstance(value, kind):
        return value
    if isinstance(value, bytes):
        value = value.decode()
    if kind is bool and not isinstance(value, bool) or isinstance(value, bool) and kind is not bool:
        raise ValueError(words)
    if issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral):
        raise ValueError(words)
    if issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number):
        raise ValueError(words)
    return kind(value)


def _read(name: str, kind: type, text: str) -> Any:
    text = text.strip()
    try:
        if kind is bool:
            return {"true": True, "True": True, "1": True, "false": False, "False": False,
                    "0": False}[text]
        return kind(text)
    except (KeyError, ValueError):
        raise ValueError("Could not parse hparam '%s' of type '%s' with value '%s' in %s"
                         % (name, kind.__name__, text, text))


@export("tf.contrib.training.HParams")
class HParams:
    """Attributes with types: what a parameter was made with says what it may become."""

    _hparam_types: Dict[str, Any]
    _model_structure: object

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self.__dict__["_hparam_types"] = {}
        self.__dict__["_model_structure"] = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: object) -> None:
        if getattr(self, name, None) is not None:
            raise ValueError("Hyperparameter name is reserved: %s" % name)
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError("Multi-valued hyperparameters cannot be empty: %s" % name)
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: object) -> None:
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError("Must not pass a list for single-valued parameter: %s" % name)
            setattr(self, name, [_cast(name, kind, v) for v in value])
        else:
            if is_list:
                raise ValueError("Must pass a list for multi-valued parameter: %s." % name)
            setattr(self, name, _cast(name, kind, value) if kind is not type(None) else value)

    def del_hparam(self, name: str) -> None:
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> "HParams":
        """Reads "a=1,b=[2,3]" into the parameters of those names."""
        position = 0
        while position < len(values):
            match = _PARAM.match(values, position)
            if not match:
                raise ValueError("Malformed hyperparameter value: %s" % values[position:])
            position = match.end()
            name, text = match.group("name"), match.group("value")
            if name not in self._hparam_types:
                raise ValueError("Unknown hyperparameter type for %s" % name)
            kind, is_list = self._hparam_types[name]
            if match.group("index") is not None:
                items = list(getattr(self, name))
                items[int(match.group("index"))] = _read(name, kind, text)
                setattr(self, name, items)
            elif text.startswith("["):
                items = [_read(name, kind, t) for t in re.split(r"[ ,]", text[1:-1]) if t]
                self.set_hparam(name, items)
            else:
                value = _read(name, kind, text)
                self.set_hparam(name, [value] if is_list else value)
        return self

    def override_from_dict(self, values_dict: Dict[str, object]) -> "HParams":
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, values_json: str) -> "HParams":
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys,
                          default=str)

    def get(self, key: str, default: Any = None) -> Any:
        return getattr(self, key) if key in self._hparam_types else default

    def set_model_structure(self, model_structure: object) -> None:
        self.__dict__["_model_structure"] = model_structure

    def get_model_structure(self) -> Any:
        return self._model_structure

    def keys(self) -> List[str]:
        return sorted(self._hparam_types)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return str(sorted(self.values().items()))

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, str(self))
