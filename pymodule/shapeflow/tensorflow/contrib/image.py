"""tf.contrib.image: what moves the pixels of images and keeps their shape.

Source: tensorflow/contrib/image/python/ops/image_ops.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import like_shape

_DTYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")


def _moved(images: Any, how: Any, rows_rank: int, what: str, size: object = None) -> Any:
    """`images` of two to four axes, moved as `how` says: for all alike or one row for each."""
    images = framework_lib.convert_to_tensor(images, None, "images")
    how = framework_lib.convert_to_tensor(how, "float32", what)
    if images.dtype.base_dtype.name not in _DTYPES:
        raise TypeError("Invalid dtype %s." % images.dtype)
    shape = images.get_shape()
    if shape.ndims is None:
        raise TypeError("image rank must be statically known" if what == "transforms"
                        else "Images rank must be statically known")
    if not 2 <= shape.ndims <= 4:
        raise TypeError("Images should have rank between 2 and 4.")
    rank = how.get_shape().ndims
    if rank is not None and not rows_rank - 1 <= rank <= rows_rank:
        raise TypeError("%s should have rank %d or %d." % (what.capitalize(), rows_rank - 1, rows_rank))
    if size is not None and shape.ndims == 4:
        shape = shape[:1].concatenate(size).concatenate(shape[3:])
    return like_shape([images, how], images.dtype, shape)


@export("tf.contrib.image.rotate")
def rotate(images: object, angles: object, interpolation: str = "NEAREST", name: Optional[str] = None) -> Any:
    return _moved(images, angles, 1, "angles")


@export("tf.contrib.image.translate")
def translate(images: object, translations: object, interpolation: str = "NEAREST",
              name: Optional[str] = None) -> Any:
    return _moved(images, translations, 2, "translations")


@export("tf.contrib.image.transform")
def transform(images: object, transforms: object, interpolation: str = "NEAREST", output_shape: object = None,
              name: Optional[str] = None) -> Any:
    size = None if output_shape is None else framework_lib.constant_value_as_shape(
        framework_lib.convert_to_tensor(output_shape, "int32"))
    return _moved(images, transforms, 2, "transforms", size)


@export("tf.contrib.image.dense_image_warp")
def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Any:
    """Each pixel is taken from where `flow`, a row and a column for each, says."""
    image, flow = framework_lib.convert_to_tensor(image), framework_lib.convert_to_tensor(flow)
    return like_shape([image, flow], image.dtype, image.get_shape())
