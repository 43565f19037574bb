"""Names of files, as datasets are given them."""
from __future__ import annotations

import glob
import os
import re

from shapeflow import _core
from shapeflow.api import outside
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, Run, component
from shapeflow.tensorflow.python.data.structure import Leaf, Structure
from shapeflow.tensorflow.python.data.traced_function import Env
from shapeflow.tensorflow.python.framework import errors
from shapeflow.tensorflow.python.framework.error_report import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Optional, Tuple


def text_of(name: Any) -> str:
    return os.fsdecode(name)


def names_of(env: Env, given: object) -> Optional[List[str]]:
    """The names of files that an argument says; None: nobody knows."""
    if isinstance(given, (list, tuple)):
        if any(isinstance(item, _core.Tensor) for item in given):
            parts = [names_of(env, item) for item in given]
            return None if any(p is None for p in parts) else [n for p in parts for n in p or ()]
        return [text_of(name) for name in given]
    value = env.value(given)
    if value is None:
        return None
    if isinstance(value, (str, bytes, os.PathLike)):
        return [text_of(value)]
    return [text_of(name) for name in value.reshape(-1)]


def _absent(name: str) -> List[str]:
    """A file of that name or pattern, which is not there, where something unknown may stand for it."""
    example = re.sub(r"\*+|\?|\[[^\]]*\]", "0", name)
    return [example] if outside.stands_in(example) else []


def listed(pattern: object) -> Tuple[Structure, Any, int]:
    """What Dataset.list_files is: structure, runs and size of the matching names, sorted."""
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]

    def match(env: Env) -> Optional[List[str]]:
        names = names_of(env, patterns if len(patterns) != 1 else patterns[0])
        if names is None:
            return None
        found = sorted(file for name in names
                       for file in glob.glob(name) or outside.matching(name) or _absent(name))
        if not found:
            raise fail("SF129", "No files matched pattern: {text}", ", ".join(names),
                       error=lambda text: errors.InvalidArgumentError(None, None, text))
        return found

    def runs(env: Env) -> Iterator[Run]:
        found = match(env)
        if found is None:
            yield (component("string", []),), ASSUMED
            return
        for name in found:
            yield (component("string", [], name),), 1

    size = len(match(Env()) or ()) if _core.executing_eagerly() else -2
    return Structure(0, [Leaf("string", [])]), runs, size
