"""A tensor of which nothing is known but, perhaps, its dtype and shape."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence


def unknown(dtype: Any = None, shape: Any = None, name: Optional[str] = None,
            inputs: Sequence[Any] = (), trusted: bool = False, any_dtype: bool = False) -> Any:
    """`shape`: None for an unknown rank; `inputs` run with it.

    `trusted`: TensorFlow knows no more of it. `any_dtype`, and no `dtype`: it fits wherever another one is
    wanted, as an array does."""
    any_dtype = any_dtype or dtype is None
    dtype = _core.as_dtype(dtype or "float32")
    if not isinstance(shape, _core.TensorShape):
        shape = _core.TensorShape(shape)
    attrs = {"Tout": [dtype], "shapes": [shape], "trusted": trusted, "any_dtype": any_dtype}
    made = _core.make_op("SfUnknown", [list(inputs)], attrs, name or "Unknown")
    outputs: Any = getattr(made, "outputs", made)  # an operation, or tensors where they are eager
    return outputs[0] if isinstance(outputs, (list, tuple)) else outputs
