"""What the C core must be told before the first op: its exception classes and the Graph class.

Done when the first namespace is touched, so that `import shapeflow` stays cheap.
"""
from __future__ import annotations

from shapeflow import _core

_done = False
# What packages that have tensors of their own (tf_keras) take from tf.Tensor.
_OPERATORS = ("__abs__ __add__ __and__ __eq__ __floordiv__ __ge__ __getitem__ __gt__ __invert__ __le__ "
              "__lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pow__ __radd__ __rand__ "
              "__rfloordiv__ __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__ __rsub__ __rtruediv__ __rxor__ "
              "__sub__ __truediv__ __xor__")


def _html_of_tensor(tensor: object) -> str:
    from shapeflow.api import notebook_html

    return notebook_html.of_tensor(tensor)


def prepare() -> None:
    """Registers errors and the Graph class with the core; idempotent."""
    global _done
    if _done:
        return
    _done = True
    from shapeflow.tensorflow.python.framework import errors, graph

    errors.register()
    _core.set_graph_class(graph.Graph)
    _core.Tensor.OVERLOADABLE_OPERATORS = set(_OPERATORS.split())  # type: ignore[attr-defined]
    _core.Tensor.__nonzero__ = _core.Tensor.__bool__  # type: ignore[attr-defined]
    _core.Tensor._repr_html_ = _html_of_tensor  # type: ignore[attr-defined]
    _core.VariableBase._repr_html_ = _html_of_tensor  # type: ignore[attr-defined]
