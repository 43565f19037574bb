"""The keys of a mapping of which none is known, such as a configuration in a file that is not there: the
names for which the program asks. `Config(json.load(f))`, `f(**settings)` and `setattr` over its items find
them in it.
"""
from __future__ import annotations

import os
import sys

import shapeflow.api.unknown_uses as uses

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import FrameType
    from typing import Any, Iterator, List, Optional, Set, Tuple

_MOST = 400  # names of one mapping
# Packages of dictionaries whose items are attributes, and what stands for them: who asks is who makes one.
_TAKERS = ("easydict", "addict", "munch", "attrdict", "box", "dotmap", "bunch", "ml_collections", "yacs",
           "omegaconf", "attribute_dicts.py")

_PASSING = ("six.py", "six_package.py")  # whose iteritems() asks for the program: six, and what stands for it


def of_program(frame: FrameType, attributes_alone: bool = False) -> List[str]:
    """Attributes that the files of the program ask of something, and the texts by which they index."""
    found: Set[str] = set()
    for path in _files(frame):
        facts = uses.of(path)
        found |= facts.asked_attributes
        if not attributes_alone:
            found |= facts.asked_keys
    return sorted(found)[:_MOST]


def _maker(frame: Optional[FrameType]) -> Optional[FrameType]:
    """The frame of the program that makes a dictionary of such a package; None: another library asks."""
    while frame is not None and uses.is_library(frame.f_code.co_filename):
        path = frame.f_code.co_filename
        if not any(os.sep + taker in path for taker in _TAKERS):
            return None
        frame = frame.f_back
    return frame


def _files(frame: FrameType) -> Iterator[str]:
    yield frame.f_code.co_filename
    for module in list(sys.modules.values()) if uses.is_library is not uses.is_library_by_folder else ():
        path = getattr(module, "__file__", None)
        if type(path) is str and path.endswith(".py") and not uses.is_library(path):
            yield path


def of_keys(frame: FrameType, mapping: object) -> Optional[List[str]]:
    """What `dict(mapping)`, `{**mapping}`, `f(**mapping)` and `a.update(mapping)` are to find in it; None:
    the program goes over the keys itself, or nobody knows who asks."""
    if uses.is_library(frame.f_code.co_filename):
        maker = _maker(frame)
        return None if maker is None else of_program(maker)
    if "keys" in frame.f_code.co_names:
        return None
    import ast

    for node in uses.of(frame.f_code.co_filename).mappings_at(frame.f_lineno):
        if isinstance(node, ast.Call):
            starred = [keyword.value for keyword in node.keywords if keyword.arg is None]
            if starred and not any(value_of(value, frame) is not mapping and isinstance(value, ast.Name)
                                   for value in starred):
                return _parameters(node, frame)
            if isinstance(node.func, ast.Attribute) and node.func.attr == "update":
                known = value_of(node.func.value, frame)
                has_known = isinstance(known, dict)
                return [name for name in of_program(frame) if not has_known or name not in known]
    return of_program(frame)


def _parameters(call: ast.Call, frame: FrameType) -> List[str]:
    """The names that a function of the program must have, or may have."""
    import inspect
    from argparse import Namespace
    from types import SimpleNamespace

    function = value_of(call.func, frame)
    if function in (SimpleNamespace, Namespace, dict):
        return of_program(frame)
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    file = getattr(module, "__file__", None) or frame.f_code.co_filename
    if not callable(function) or uses.is_library(file):
        return []
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    given = {keyword.arg for keyword in call.keywords}
    names = [one.name for one in parameters[len(call.args):]
             if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    wanted = [one.name for one in parameters if one.name in names and one.default is one.empty]
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        wanted += [name for name in of_program(frame) if name not in names]
    return [name for name in wanted if name not in given]


def of_items(frame: FrameType) -> Optional[List[str]]:
    """The keys for a loop that sets attributes by them, or for a dictionary made of the items; None: it is
    another loop."""
    while os.path.basename(frame.f_code.co_filename) in _PASSING and frame.f_back is not None:
        frame = frame.f_back
    if uses.is_library(frame.f_code.co_filename):
        maker = _maker(frame)
        return None if maker is None else of_program(maker)
    import ast

    for node in uses.of(frame.f_code.co_filename).mappings_at(frame.f_lineno):
        if isinstance(node, ast.For):
            held = uses.attributes_set_of(node)
            owner = type(None if held is None else value_of(held, frame))
            return [name for name in of_program(frame, True) if not hasattr(owner, name)]
        if isinstance(node, ast.DictComp):
            return of_program(frame)
    return None


def indexes_array(frame: FrameType) -> bool:
    """Is it arrays alone that the line indexes, as far as its text says?"""
    if "numpy" not in sys.modules:
        return False
    indexed = uses.of(frame.f_code.co_filename).containers_at(frame.f_lineno)
    known = [one for one in (_is_array(node, frame) for node in indexed) if one is not None]
    return bool(known) and all(known)


def _is_array(node: ast.expr, frame: FrameType) -> Optional[bool]:
    """Of what is indexed, as `np.eye(3)` in `np.eye(3)[rows]`; None: nobody knows."""
    import ast

    import numpy

    if isinstance(node, ast.Call):
        function: object = value_of(node.func, frame)
        owner: object = getattr(function, "__self__", None)
        of = str(getattr(function, "__module__", None) or type(owner).__module__)
        is_method = isinstance(node.func, ast.Attribute) and _is_array(node.func.value, frame)
        return of.partition(".")[0] == "numpy" or is_method or None
    if isinstance(node, ast.BinOp):
        return _is_array(node.left, frame) or _is_array(node.right, frame)
    if isinstance(node, ast.Subscript):
        value: object = value_of(node.value, frame)
        if isinstance(value, dict) and isinstance(node.slice, ast.Constant):
            return isinstance(value.get(node.slice.value), numpy.ndarray)
        return _is_array(node.value, frame) or None
    value = value_of(node, frame)
    return None if value is None else isinstance(value, numpy.ndarray)


def value_of(node: ast.expr, frame: FrameType) -> Any:
    """What a name with dots stands for; None: nothing, or another expression."""
    import ast
    import builtins

    if isinstance(node, ast.Attribute):
        return getattr(value_of(node.value, frame), node.attr, None)
    if not isinstance(node, ast.Name):
        return None
    for names in (frame.f_locals, frame.f_globals, vars(builtins)):
        if node.id in names:
            return names[node.id]
    return None


def pairs(frame: FrameType, mapping: Any) -> Optional[List[Tuple[str, object]]]:
    """The items that of_items names."""
    names = of_items(frame)
    return None if names is None else [(name, mapping[name]) for name in names]
