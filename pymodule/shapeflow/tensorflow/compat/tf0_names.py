"""Names and argument orders of TensorFlow before 1.0 (release notes of TensorFlow 1.0).

Found only while such a version is emulated: `tf0.*` wins over a row of the core, `old.*` is for names
that the core does not have.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def _row(name: str) -> Any:
    """The function of TensorFlow 1: Python's or the core's."""
    from shapeflow.api import registry

    found = registry.find("tf." + name, 1)
    return _core.api_function("tf." + name, 1) if found is registry.MISSING else found


@export("tf0.reverse")
def reverse(tensor: Any, dims: Any, name: Optional[str] = None) -> Any:
    known = dims if isinstance(dims, (list, tuple)) else _core.constant_value(dims)
    if known is None:
        return tf.identity(tensor, name=name)
    return _row("reverse")(tensor, [i for i, d in enumerate(known) if d], name=name)


@export("tf0.image.resize_images")
def resize_images(images: object, new_height: object, new_width: object = None, method: int = 0,
                  align_corners: bool = False) -> Any:
    """resize_images(images, height, width) became resize_images(images, size) in 0.11."""
    size = new_height if new_width is None or isinstance(new_height, (list, tuple)) else \
        [new_height, new_width]
    return _row("image.resize_images")(images, size, method)


@export("tf0.nn.conv3d_backprop_filter")
def conv3d_backprop_filter(input: object, filter: object, out_backprop: object, strides: object,
                           padding: object, name: Optional[str] = None) -> Any:
    """With a filter of that shape, where later ones take the shape itself."""
    raw: Any = _core.raw_op("Conv3DBackpropFilter")
    return raw(
        input=input, filter=filter, out_backprop=out_backprop, strides=strides, padding=padding, name=name)


@export("old.create_partitioned_variables")
def create_partitioned_variables(shape: object, slicing: object, initializer: object, dtype: object = None,
                                 trainable: bool = True, collections: object = None,
                                 name: Optional[str] = None, reuse: object = None) -> Any:
    from shapeflow.tensorflow.python.ops.variables import Variable

    value = initializer(shape) if callable(initializer) else initializer
    return [Variable(value, trainable=trainable, collections=collections, name=name, dtype=dtype)]


@export("old.listdiff")
def listdiff(x: object, y: object, name: Optional[str] = None) -> Any:
    return _row("setdiff1d")(x, y, name=name)


def _renamed(old: str, new: str) -> None:
    def function(*args: Any, **kwargs: Any) -> Any:
        target = _row(new)
        if target is None:
            from shapeflow.api.unmodelled import unmodelled_function

            target = unmodelled_function("tf." + new)
        return target(*args, **kwargs)

    function.__name__ = old.rsplit(".", 1)[-1]
    export("old." + old)(function)


for _old, _new in (("select", "where"), ("unpack", "unstack"), ("pack", "stack"), ("neg", "negative"),
                   ("mul", "multiply"), ("sub", "subtract"), ("batch_cholesky", "cholesky"),
                   ("batch_matrix_inverse", "matrix_inverse"), ("batch_matrix_solve", "matrix_solve"),
                   ("batch_matrix_determinant", "matrix_determinant"),
                   ("batch_matrix_diag", "matrix_diag"), ("batch_matrix_diag_part", "matrix_diag_part"),
                   ("batch_matrix_band_part", "matrix_band_part"),
                   ("batch_matrix_transpose", "matrix_transpose"),
                   ("batch_matrix_set_diag", "matrix_set_diag"),
                   ("batch_matrix_triangular_solve", "matrix_triangular_solve"),
                   ("batch_self_adjoint_eig", "self_adjoint_eig"),
                   ("batch_self_adjoint_eigvals", "self_adjoint_eigvals"), ("batch_svd", "svd"),
                   ("batch_fft", "fft"), ("batch_ifft", "ifft"), ("batch_fft2d", "fft2d"),
                   ("batch_ifft2d", "ifft2d"), ("complex_abs", "abs"), ("inv", "reciprocal")):
    _renamed(_old, _new)


@export("tf.contrib.deprecated.scalar_summary", "tf.contrib.deprecated.histogram_summary",
        "tf.contrib.deprecated.image_summary", "tf.contrib.deprecated.audio_summary")
def deprecated_summary(tag: object, tensor: object, *args: object, **kwargs: object) -> Any:
    from shapeflow.tensorflow.python.summary import summary

    kwargs.pop("name", None)
    return summary.histogram(tag if isinstance(tag, str) else "summary",
                             framework_lib.convert_to_tensor(tensor), kwargs.get("collections"))
