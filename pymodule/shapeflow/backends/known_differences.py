"""Differences that are documented, or are no bug: they are shown with their reason, and do not count.

A row says of which layer classes (none: of any), kind, phases and parameters, and of which backend (it is
off, or what others are compared with). Rows are tried in order.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    Plain = Dict[str, Any]
    Row = Tuple[Tuple[str, ...], str, Tuple[str, ...], str, Callable[[Plain], bool], str]


def _always(parameters: Plain) -> bool:
    return True


def _dilated(parameters: Plain) -> bool:
    rate = parameters.get("dilation_rate", 1)
    return any(size > 1 for size in (rate if isinstance(rate, (list, tuple)) else [rate]))


def _bicubic(parameters: Plain) -> bool:
    return parameters.get("interpolation") == "bicubic" and not parameters.get("antialias")


def _has_vectors(parameters: Plain) -> bool:
    return bool(parameters.get("compute_uv", True))


def _has_negative_slope(parameters: Plain) -> bool:
    return bool(parameters.get("negative_slope"))


def _is_leaky(parameters: Plain) -> bool:
    return "leaky_relu" in (parameters.get("activation"), parameters.get("recurrent_activation"))


_MAXIMA = ("MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
           "GlobalMaxPooling3D", "AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D", "AdaptiveMaxPooling3D",
           "Maximum", "Minimum")
_TRANSPOSED = ("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose")
_AT_0 = "at 0 the gradient of leaky_relu is 1 on JAX (`where(x >= 0, ...)`), the negative slope elsewhere"
# (classes, kind, phases, the backend or "" for any), parameters, why.
_ROWS: Tuple[Row, ...] = (
    (_MAXIMA, "inconsistent", ("backward",), "", _always,
     "where several elements are the largest, frameworks divide the gradient among them or give it to one"),
    (_TRANSPOSED, "raises", (), "tensorflow", _dilated,
     "TensorFlow's transposed convolution has no dilation on the CPU, and says so"),
    (("UpSampling2D", "Resizing"), "inconsistent", ("forward", "backward"), "torch", _bicubic,
     "torch's bicubic kernel has the constant -0.75, that of the others -0.5 (jax #15768)"),
    (("SVD", "Eig", "Eigh", "Qr"), "inconsistent", (), "", _has_vectors,
     "the vectors of a decomposition are determined up to their signs"),
    (("LeakyReLU", "ReLU"), "inconsistent", ("backward",), "jax", _has_negative_slope, _AT_0),
    ((), "inconsistent", ("backward",), "jax", _is_leaky, _AT_0),
)


def reason(finding: Plain) -> Optional[str]:
    involved = {name.partition(":")[0] for name in [*finding["backends"], *finding["against"]]}
    for classes, kind, phases, backend, holds, why in _ROWS:
        if (
            (not classes or finding["class"] in classes)
            and finding["kind"] == kind
            and (not phases or finding["phase"] in phases)
            and (not backend or backend in involved)
            and holds(finding.get("parameters", {}))
        ):
            return why
    return None
