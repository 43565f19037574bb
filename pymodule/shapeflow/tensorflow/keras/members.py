"""Members of objects of TensorFlow 1's Keras that ours lack: what an object was made with, where that is what
they are, and else something unknown, with a notice, as members of all other classes are.

Which there are: those of the class in the snapshot, and the parameters of its constructor. Only the program
is answered; our own code asks for what may be missing.
"""
from __future__ import annotations

import inspect
import os
import sys

from shapeflow import _core
from shapeflow.api import names, registry, signatures
from shapeflow.api.unmodelled import Opaque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, Tuple

    from shapeflow.api.snapshot import Snapshot

_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "")
# There only once a layer was called.
_OF_CALLS = frozenset("input output input_shape output_shape input_mask output_mask".split())
# What instances have beside what they were made with.
_STATE: Dict[str, Dict[str, object]] = {
    "EarlyStopping": {"wait": 0, "stopped_epoch": 0, "best": float("inf"), "best_weights": None},
    "ReduceLROnPlateau": {"wait": 0, "cooldown_counter": 0, "best": float("inf")},
    "ModelCheckpoint": {"best": float("inf"), "epochs_since_last_save": 0, "period": 1},
    "CSVLogger": {"writer": None, "keys": None, "append_header": True, "file_flags": ""},
    "Metric": {"built": True, "stateful": True, "supports_masking": False},
}


class Members:
    """A base of what has them. `_sf_made_with`: the arguments of its constructor."""

    def __getattr__(self, attr: str) -> Any:
        for cls in type(self).__mro__:
            if attr in vars(cls):  # a property that raises
                return vars(cls)[attr].__get__(self, type(self))
        if not attr.startswith("_") and not sys._getframe(1).f_code.co_filename.startswith(_OURS):
            found = _found(self, attr)
            if found is not registry.MISSING:
                return found
        raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, attr))


def _found(instance: object, attr: str) -> Any:
    for dotted, lists in _classes(type(instance)):
        state = _STATE.get(dotted.rpartition(".")[2], {})
        if attr in state:
            return state[attr]
        for owner, member, _, rest in lists.members(dotted):
            if member == "__init__":
                given = _given(instance, owner, rest)
                if attr in given:
                    value = given[attr]
                    return Opaque("%s.%s" % (owner, attr)) if value is inspect.Parameter.empty else value
            elif member == attr and attr not in _OF_CALLS:
                name = "%s.%s" % (owner, attr)
                _core.notice_unmodelled(name)
                return Opaque(name)
    return registry.MISSING


def _classes(cls: type) -> Iterator[Tuple[str, Snapshot]]:
    """The names of a class and of its bases in Keras, with the snapshot that has their members."""
    for base in cls.__mro__:
        for dotted in sorted(registry.names_of(base)):
            entry = names.entry(dotted, 1) if dotted.startswith("tf.keras.") else None
            lists = names.source_of(entry) if entry is not None and entry.kind == "c" else None
            if lists is not None:
                yield dotted, lists


def _given(instance: object, owner: str, text: str) -> Dict[str, Any]:
    """The parameters of a constructor, as they were given or are by default."""
    check = signatures.make(owner + ".__init__", text, 1)
    if check is None:
        return {}
    signature = inspect.signature(check)
    found = {name: parameter.default for name, parameter in signature.parameters.items()
             if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name != "self"}
    args, kwargs = vars(instance).get("_sf_made_with", (None, (), {}))[1:]
    try:
        found.update({name: value for name, value in signature.bind_partial(
            instance, *args, **kwargs).arguments.items() if name in found})
    except TypeError:
        pass
    return found
