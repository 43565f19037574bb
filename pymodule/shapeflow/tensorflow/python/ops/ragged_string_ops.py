"""tf.strings: what gives a row of parts for each string.

Source: tensorflow/python/ops/ragged/ragged_string_ops.py.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, known

_convert = framework_lib.convert_to_tensor
_STRING = _core.as_dtype("string")


# What a known string is cut into: bytes, or code points.
Cut = Callable[[bytes], List[Any]]


def _parts(input: object, cut: Optional[Cut], *dtypes: str) -> Any:
    """A row of parts of each string, one result for each dtype; the first one holds what `cut` makes of known
    strings, the others as many numbers."""
    text = input if isinstance(input, RaggedTensor) else _convert(input, _core.as_dtype("string"))
    if isinstance(text, RaggedTensor):
        inner = _parts(text.flat_values, cut, *dtypes)
        return [text.with_flat_values(one) for one in inner]
    rank = text.get_shape().ndims
    strings = None if cut is None else known(text)
    if rank == 0:
        if strings is not None and cut is not None:
            return _flat(cut(_bytes(strings)), text, dtypes)
        return [op_builders.unknown(dtype, [None], None, [text], trusted=True) for dtype in dtypes]
    if rank is None:
        return [RaggedTensor.made(dtype, None, [text]) for dtype in dtypes]
    if rank > 1:
        flat = _parts(tf.reshape(text, [-1]), cut, *dtypes)
        made = []
        for one in flat:
            for size in reversed(text.get_shape().as_list()[1:]):
                one = RaggedTensor.made(one.dtype, [None, size, *one.shape.as_list()[1:]],
                                        [text]) if size is None \
                    else RaggedTensor.from_uniform_row_length(one, size)
            made.append(one)
        return made
    if strings is not None and cut is not None:
        rows = [cut(_bytes(one)) for one in strings]
        lengths = [len(row) for row in rows]
        values = _flat([part for row in rows for part in row], text, dtypes)
        return [RaggedTensor.from_row_lengths(one, _convert(lengths, _core.as_dtype("int64")))
                for one in values]
    return [RaggedTensor.made(dtype, [*text.get_shape().as_list(), None], [text]) for dtype in dtypes]


def _flat(parts: Sequence[object], text: Any, dtypes: Sequence[str]) -> List[Any]:
    """All parts in a vector, and vectors of that length for the other dtypes."""
    return [_convert(parts, _core.as_dtype(dtypes[0])),
            *(op_builders.unknown(dtype, [len(parts)], None, [text], trusted=True) for dtype in dtypes[1:])]


def _bytes(text: object) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode()


def _is_utf8(encoding: str) -> bool:
    return encoding.upper() in ("UTF-8", "UTF8")


def _characters(encoding: str) -> Optional[Cut]:
    return (lambda text: [one.encode() for one in text.decode("utf-8", "replace")]
            ) if _is_utf8(encoding) else None


def _points(encoding: str) -> Optional[Cut]:
    return (lambda text: [ord(one) for one in text.decode("utf-8", "replace")]
            ) if _is_utf8(encoding) else None


@export("tf.strings.split", v1=False, v2=True)
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: Optional[str] = None) -> Any:
    """The words of each string: of one string a vector."""
    between = b"" if sep is None else _bytes(sep) if isinstance(sep, (str, bytes)) else None

    def words(text: bytes) -> List[Any]:
        return list(text.split(between or None, maxsplit))

    return _parts(input, None if between is None else words, "string")[0]


@export("tf.strings.split")
def split_v1(input: object = None, sep: object = None, maxsplit: int = -1, result_type: str = "SparseTensor",
             source: object = None, name: Optional[str] = None) -> Any:
    """Sparse where nothing else is asked for: of a single string, TensorFlow 1 has an AttributeError too."""
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
    found = split(input if source is None else source, sep, maxsplit)
    return found if result_type == "RaggedTensor" else found.to_sparse()


@export("tf.strings.bytes_split", v2=True)
def bytes_split(input: object, name: Optional[str] = None) -> Any:
    return _parts(input, lambda text: [text[i:i + 1] for i in range(len(text))], "string")[0]


@export("tf.strings.unicode_split", v2=True)
def unicode_split(input: object, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
                  name: Optional[str] = None) -> Any:
    """The characters of each string."""
    return _parts(input, _characters(input_encoding), "string")[0]


@export("tf.strings.unicode_decode", v2=True)
def unicode_decode(input: object, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
                   replace_control_characters: bool = False, name: Optional[str] = None) -> Any:
    """The code points of each string."""
    return _parts(input, _points(input_encoding), "int32")[0]


@export("tf.strings.unicode_split_with_offsets", v2=True)
def unicode_split_with_offsets(input: object, input_encoding: str, errors: str = "replace",
                               replacement_char: int = 65533, name: Optional[str] = None) -> Any:
    return tuple(_parts(input, _characters(input_encoding), "string", "int64"))


@export("tf.strings.unicode_decode_with_offsets", v2=True)
def unicode_decode_with_offsets(input: object, input_encoding: str, errors: str = "replace",
                                replacement_char: int = 65533, replace_control_characters: bool = False,
                                name: Optional[str] = None) -> Any:
    return tuple(_parts(input, _points(input_encoding), "int32", "int64"))


@export("tf.strings.unicode_encode", v2=True)
def unicode_encode(input: object, output_encoding: str, errors: str = "replace",
                   replacement_char: int = 65533, name: Optional[str] = None) -> Any:
    """A string of each row of code points."""
    if not isinstance(input, (RaggedTensor, _core.Tensor)) and isinstance(input, (list, tuple)):
        from shapeflow.tensorflow.python.ops import ragged_factory_ops

        input = ragged_factory_ops.constant(input, _core.as_dtype("int32"))
    points = input if isinstance(input, RaggedTensor) else _convert(input)
    dims = points.get_shape()
    if dims.ndims == 0:
        raise ValueError("input_tensor's rank must be at least 1.")
    if isinstance(points, RaggedTensor) and points.ragged_rank > 1:
        return points.with_values(unicode_encode(points.values, output_encoding))
    inputs = points._sf_inputs if isinstance(points, RaggedTensor) else [points]
    return op_builders.unknown("string", None if dims.ndims is None else dims.as_list()[:-1], name, inputs,
                               trusted=True)


@export("tf.strings.ngrams", v2=True)
def ngrams(data: Any, ngram_width: Any, separator: str = " ", pad_values: object = None,
           padding_width: Any = None,
           preserve_short_sequences: bool = False, name: Optional[str] = None) -> Any:
    """Neighbours of each row joined, of each width."""
    widths = [ngram_width] if isinstance(ngram_width, int) else list(ngram_width)
    if not widths or any(width < 1 for width in widths):
        raise ValueError("All ngram_widths must be greater than 0. Got %s" % (ngram_width,))
    if pad_values is None and padding_width is not None:
        raise ValueError("pad_values must be provided if padding_width is set.")

    def count(length: Optional[int]) -> Optional[int]:
        if length is None:
            return None
        made = 0
        for width in widths:
            pad = 0 if pad_values is None else width - \
                1 if padding_width is None else min(padding_width, width - 1)
            made += max(0, length + 2 * pad - width + 1)
        return 1 if made == 0 and preserve_short_sequences and length else made

    if not isinstance(data, RaggedTensor):
        data = _convert(data)
        if data.dtype.name != "string":
            raise TypeError("data must be of dtype string")
        dims = data.get_shape()
        if dims.ndims == 0:
            raise ValueError("Data must have at least 1 dimension")
        sizes = None if dims.ndims is None else [*dims.as_list()[:-1], count(dims.as_list()[-1])]
        return op_builders.unknown("string", sizes, name, [data], trusted=True)
    inner = data.values
    if isinstance(inner, RaggedTensor):
        return data.with_values(ngrams(inner, ngram_width, separator, pad_values, padding_width,
                                       preserve_short_sequences))
    lengths = known(data.row_lengths())
    if lengths is None:
        return RaggedTensor.made("string", data.shape, data._sf_inputs)
    sizes = [count(length) or 0 for length in lengths]
    texts = known(inner) if pad_values is None else None
    if texts is None:
        joined = op_builders.unknown("string", [sum(sizes)], None, data._sf_inputs, trusted=True)
    else:
        joined = _convert(_joined(texts, lengths, widths, separator, preserve_short_sequences), _STRING)
    return RaggedTensor.from_row_lengths(joined, sizes)


def _joined(texts: List[object], lengths: List[int], widths: List[int], separator: str,
            keeps_short: bool) -> List[bytes]:
    """Of each row its neighbours, width by width; a row that has none may stay whole."""
    made: List[bytes] = []
    start = 0
    for length in lengths:
        row = [_bytes(text) for text in texts[start:start + length]]
        start += length
        found = [_bytes(separator).join(row[at:at + width]) for width in widths
                 for at in range(length - width + 1)]
        if not found and keeps_short and row:
            found = [_bytes(separator).join(row)]
        made += found
    return made
