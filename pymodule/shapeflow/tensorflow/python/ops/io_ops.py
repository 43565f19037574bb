"""tf.io, tf.quantization, tf.image: names for one raw op each, with the arguments that TensorFlow fills in.

Source: tensorflow/python/ops/{io_ops,array_ops,image_ops_impl}.py, framework/tensor_util.py.
"""
from __future__ import annotations

import os
from typing import Any, Optional

from shapeflow import _core
from shapeflow.api import outside
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, outputs, tf, unknown

_convert = framework_lib.convert_to_tensor


@export("tf.io.serialize_tensor", "tf.serialize_tensor", v2=True)
def serialize_tensor(tensor: object, name: Optional[str] = None) -> Any:
    return op("SerializeTensor", [tensor], None, name)


@export("tf.io.is_jpeg", "tf.image.is_jpeg", v2=True)
def is_jpeg(contents: object, name: Optional[str] = None) -> Any:
    return tf.equal(tf.substr(contents, 0, 3), b"\xff\xd8\xff", name=name or "is_jpeg")


@export("tf.io.write_file", v2=True)
@export("tf.write_file")
def write_file(filename: object, contents: object, name: Optional[str] = None) -> object:
    """The file is there from then on, where all that a script writes is kept: what lists the folder finds
    it. One of unknown content is marked, and what reads it gives something unknown."""
    filename, contents = _convert(filename, "string"), _convert(contents, "string")
    made = op("WriteFile", [filename, contents], None, name)
    path = _core.constant_value(filename) if _core.executing_eagerly() and outside.sandbox.holds else None
    if path is not None:
        from shapeflow.tensorflow.python.platform import gfile

        known = _core.constant_value(contents)
        if known is None:
            from shapeflow.api import unknown_text

            content = unknown_text.MARK
        else:
            content = known.item()
        gfile.note_file(os.fsdecode(path.item()), content)
    return None if _core.executing_eagerly() else made


@export("tf.quantization.quantize", v2=True)
def quantize(input: object, min_range: object, max_range: object, T: object, mode: str = "MIN_COMBINED",
             round_mode: str = "HALF_AWAY_FROM_ZERO", name: Optional[str] = None, narrow_range: bool = False,
             axis: Optional[int] = None, ensure_minimum_range: float = 0.01) -> Any:
    made: Any = _core.raw_op("QuantizeV2")
    return made(input=input, min_range=min_range, max_range=max_range, T=_core.as_dtype(T), mode=mode,
                round_mode=round_mode, name=name, narrow_range=narrow_range,
                axis=-1 if axis is None else axis,
                ensure_minimum_range=ensure_minimum_range)


@export("tf.quantization.dequantize", v2=True)
def dequantize(input: object, min_range: object, max_range: object, mode: str = "MIN_COMBINED",
               name: Optional[str] = None,
               axis: Optional[int] = None, narrow_range: bool = False, dtype: object = "float32") -> Any:
    return op("Dequantize", [input, min_range, max_range], {
        "mode": mode, "axis": -1 if axis is None else axis, "narrow_range": narrow_range,
        "dtype": _core.as_dtype(dtype)}, name)


@export("tf.quantization.quantize_and_dequantize_v2", v2=True)
def quantize_and_dequantize_v2(input: object, input_min: object, input_max: object, signed_input: bool = True,
                               num_bits: int = 8, range_given: bool = False, round_mode: str = "HALF_TO_EVEN",
                               name: Optional[str] = None, narrow_range: bool = False,
                               axis: Optional[int] = None) -> Any:
    given = _convert(input)
    return op("QuantizeAndDequantizeV4", [given, _convert(input_min, given.dtype),
                                          _convert(input_max, given.dtype)], {
        "signed_input": signed_input, "num_bits": num_bits, "range_given": range_given,
        "round_mode": round_mode,
        "narrow_range": narrow_range, "axis": -1 if axis is None else axis}, name)


def _field(dtype: Any) -> Optional[str]:
    """The field of a TensorProto that holds numbers of a dtype; None: only bytes do."""
    kinds = {"float32": "float_val", "float64": "double_val", "int32": "int_val", "int16": "int_val",
             "int8": "int_val", "uint8": "int_val", "int64": "int64_val", "bool": "bool_val",
             "string": "string_val", "uint32": "uint32_val", "uint64": "uint64_val"}
    return kinds.get(dtype.name)


@export("tf.make_tensor_proto", "tf.contrib.util.make_tensor_proto", v2=True)
def make_tensor_proto(values: object, dtype: object = None, shape: Any = None, verify_shape: bool = False,
                      allow_broadcast: bool = False) -> Any:
    """A TensorProto of what an array holds."""
    import numpy as np

    from shapeflow.tensorflow.python.framework import messages

    tensor = _convert(values, dtype)
    array = np.asarray(values, object if tensor.dtype.name == "string" else tensor.dtype.as_numpy_dtype)
    proto = messages.find("tensorflow.core.framework.tensor_pb2.TensorProto", None)()
    proto.dtype = tensor.dtype.as_datatype_enum
    for size in array.shape if shape is None else shape:
        proto.tensor_shape.dim.add().size = int(size)
    if tensor.dtype.name == "string":
        proto.string_val.extend(one.encode() if isinstance(one, str)
                                else one for one in array.ravel().tolist())
    else:
        proto.tensor_content = array.tobytes()
    return proto


@export("tf.make_ndarray", "tf.contrib.util.make_ndarray", v2=True)
def make_ndarray(tensor: Any) -> Any:
    """The array of a TensorProto."""
    import numpy as np

    dtype = _core.as_dtype(tensor.dtype)
    shape = [dim.size for dim in tensor.tensor_shape.dim]
    count = int(np.prod(shape)) if shape else 1
    kind = dtype.as_numpy_dtype
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype=kind).copy().reshape(shape)
    field = _field(dtype)
    values = list(getattr(tensor, field)) if field else []
    array = np.zeros(count, object if dtype.name == "string" else kind)
    array[:len(values)] = values[:count]
    if 0 < len(values) < count:
        array[len(values):] = values[-1]
    return array.reshape(shape)


# --- pictures ------------------------------------------------------------------------------------
@export("tf.image.adjust_jpeg_quality", v2=True)
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, dct_method: str = "",
                        name: Optional[str] = None) -> Any:
    """One picture of three channels."""
    image = _convert(image)
    channels = image.get_shape().as_list()[-1] if image.get_shape().ndims else None
    kind = image.dtype
    image = tf.image.convert_image_dtype(image, _core.as_dtype("uint8"), saturate=True)
    if isinstance(jpeg_quality, _core.Tensor):
        coded = op("EncodeJpegVariableQuality", [image, jpeg_quality])
    else:
        if not 0 <= jpeg_quality <= 100:
            raise ValueError("jpeg_quality must be between 0 and 100.")
        coded = op("EncodeJpeg", [image], {"quality": jpeg_quality})
    made = unknown("uint8", image.get_shape().as_list()[:2] + [channels] if image.get_shape().ndims == 3
                   else None,
                   None, [coded], trusted=True)
    return tf.image.convert_image_dtype(made, kind, saturate=True)


@export("tf.image.random_jpeg_quality", v2=True)
def random_jpeg_quality(image: object, min_jpeg_quality: int, max_jpeg_quality: int,
                        seed: object = None) -> Any:
    return stateless_random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed)


@export("tf.image.stateless_random_jpeg_quality", v2=True)
def stateless_random_jpeg_quality(image: object, min_jpeg_quality: int, max_jpeg_quality: int,
                                  seed: object) -> Any:
    if min_jpeg_quality < 0 or max_jpeg_quality < 0 or min_jpeg_quality > 100 or max_jpeg_quality > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return adjust_jpeg_quality(image, min_jpeg_quality)


@export("tf.image.stateless_random_crop", v2=True)
def stateless_random_crop(value: object, size: object, seed: object, name: Optional[str] = None) -> Any:
    return tf.random_crop(value, size, name=name)


@export("tf.image.stateless_sample_distorted_bounding_box", v2=True)
def stateless_sample_distorted_bounding_box(
        image_size: object, bounding_boxes: object, seed: object, min_object_covered: object = 0.1,
        aspect_ratio_range: object = None, area_range: object = None, max_attempts: object = None,
        use_image_if_no_bounding_boxes: object = None, name: Optional[str] = None) -> Any:
    return outputs("StatelessSampleDistortedBoundingBox",
                   [image_size, bounding_boxes, min_object_covered, seed],
                   {"aspect_ratio_range": aspect_ratio_range or [0.75, 1.33],
                    "area_range": area_range or [0.05, 1.0],
                    "max_attempts": max_attempts or 100,
                    "use_image_if_no_bounding_boxes": bool(use_image_if_no_bounding_boxes)}, name)


@export("tf.image.non_max_suppression_padded", v2=True)
def non_max_suppression_padded(boxes: Any, scores: object, max_output_size: object,
                               iou_threshold: object = 0.5, score_threshold: object = float("-inf"),
                               pad_to_max_output_size: bool = False, name: Optional[str] = None,
                               sorted_input: bool = False, canonicalized_coordinates: bool = False,
                               tile_size: int = 512) -> Any:
    """The numbers of the boxes that stay, and how many these are, of each picture of a batch."""
    boxes = _convert(boxes)
    if boxes.get_shape().ndims in (2, None) and not pad_to_max_output_size:
        return tuple(outputs("NonMaxSuppressionV4", [boxes, scores, max_output_size, iou_threshold,
                                                     score_threshold], {"pad_to_max_output_size": False},
                                                     name))
    if not pad_to_max_output_size:
        raise ValueError("'pad_to_max_output_size' (value %s) must be True for batched input" % False)
    size = max_output_size if isinstance(max_output_size, int) else None
    dims = boxes.get_shape().as_list()[:-2] if boxes.get_shape().ndims is not None else []
    return (unknown("int32", [*dims, size], name, [boxes, _convert(scores)], trusted=True),
            unknown("int32", dims, name, [boxes], trusted=True))
