"""tf.strings.regex_replace: what it makes of strings that are known, as texts that a vocabulary is made of.

Source: tensorflow/python/ops/string_ops.py; the expressions are RE2's, of which those are followed that mean
the same to Python.
"""
from __future__ import annotations

import re
from typing import Any, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, known

_NOT_PYTHONS = re.compile(rb"\\[pPQECzZAB]|\[:|\(\?")  # and what Python has and RE2 has not


@export("tf.strings.regex_replace", v1=False, v2=True)
def regex_replace(input: object, pattern: object, rewrite: object, replace_global: bool = True,
                  name: Optional[str] = None) -> Any:
    if isinstance(input, RaggedTensor):
        return input.with_flat_values(regex_replace(input.flat_values, pattern, rewrite, replace_global))
    function: Any = _core.api_function("tf.strings.regex_replace", 2)
    made = function(input, pattern, rewrite, replace_global, name)
    if not _core.executing_eagerly() or not isinstance(made, _core.Tensor):
        return made
    text, what, by = (known(framework_lib.convert_to_tensor(one)) for one in (input, pattern, rewrite))
    if text is None or not isinstance(what, bytes) or not isinstance(by, bytes) or _NOT_PYTHONS.search(what):
        return made
    try:
        expression = re.compile(what)
        replaced = _replaced(text, expression, by.replace(rb"\0", rb"\g<0>"), 0 if replace_global else 1)
    except (re.error, IndexError):
        return made
    return framework_lib.convert_to_tensor(replaced, made.dtype)


def _replaced(text: Any, expression: Any, by: bytes, count: int) -> Any:
    if isinstance(text, list):
        return [_replaced(one, expression, by, count) for one in text]
    return expression.sub(by, text, count=count)
