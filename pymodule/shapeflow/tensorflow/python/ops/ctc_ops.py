"""tf.nn.ctc_* and edit_distance: sequences of labels.

Source: tensorflow/python/ops/{ctc_ops,array_ops}.py (1.15).
"""

from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.framework_lib import SparseTensor, SparseTensorValue
from shapeflow.tensorflow.python.framework.op_builders import op, outputs, tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple


def _sparse(value: Any, refusal: str) -> SparseTensor:
    """A SparseTensor; what is not modelled may be one."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if is_unmodelled(value):
        inputs = list(value._sf_inputs)
        return SparseTensor(op_builders.unknown("int64", [None, None], None, inputs),
                            op_builders.unknown(None, [None], None, inputs),
                            op_builders.unknown("int64", [None], None, inputs))
    if not isinstance(value, SparseTensor):
        raise TypeError(refusal)
    return value


def _time_major(inputs: object) -> Any:
    return tf.transpose(framework_lib.convert_to_tensor(inputs), (1, 0, 2))


def _ctc(labels: object, inputs: object, sequence_length: object, repeated: bool, merge: bool, longer: bool,
         time_major: bool) -> Any:
    labels = _sparse(labels, "Expected labels (first argument) to be a SparseTensor")
    if not time_major:
        inputs = _time_major(inputs)
    return outputs("CTCLoss", [inputs, labels.indices, op_builders.as_dtype(labels.values, "int32"),
                               sequence_length], {
        "preprocess_collapse_repeated": repeated, "ctc_merge_repeated": merge,
        "ignore_longer_outputs_than_inputs": longer}, "CTCLoss")[0]


@export("tf.nn.ctc_loss")
def ctc_loss(labels: object, inputs: object = None, sequence_length: object = None,
             preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
             ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
             logits: object = None) -> Any:
    return _ctc(labels, inputs if inputs is not None else logits, sequence_length,
                preprocess_collapse_repeated, ctc_merge_repeated, ignore_longer_outputs_than_inputs,
                time_major)


@export("tf.nn.ctc_loss", v1=False, v2=True)
@export("tf.nn.ctc_loss_v2")
def ctc_loss_v2(labels: Any, logits: Any, label_length: object, logit_length: object,
                logits_time_major: bool = True, unique: object = None, blank_index: object = None,
                name: Optional[str] = None) -> Any:
    if isinstance(labels, (SparseTensor, SparseTensorValue)):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        return _ctc(labels, logits, logit_length, False, True, False, logits_time_major)
    logits, labels = framework_lib.convert_to_tensor(logits), framework_lib.convert_to_tensor(labels)
    shape = logits.get_shape()
    batch = shape.as_list()[1 if logits_time_major else 0] if shape.ndims else None
    return op_builders.unknown(logits.dtype, [batch], name, [logits, labels], trusted=True)


def _decoded(made: List[object], paths: int) -> Tuple[List[Any], object]:
    return [SparseTensor(made[i], made[paths + i], made[2 * paths + i]) for i in range(paths)], made[-1]


@export("tf.nn.ctc_greedy_decoder", v2=True)
def ctc_greedy_decoder(inputs: object, sequence_length: object, merge_repeated: bool = True,
                       blank_index: object = None) -> Any:
    return _decoded(outputs("CTCGreedyDecoder", [inputs, sequence_length],
                            {"merge_repeated": merge_repeated}, "CTCGreedyDecoder"), 1)


@export("tf.nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(inputs: object, sequence_length: object, beam_width: int = 100,
                            top_paths: int = 1, merge_repeated: bool = True) -> Any:
    return _decoded(outputs("CTCBeamSearchDecoder", [inputs, sequence_length], {
        "beam_width": beam_width, "top_paths": top_paths, "merge_repeated": merge_repeated},
        "CTCBeamSearchDecoder"), top_paths)


@export("tf.nn.ctc_beam_search_decoder", v1=False, v2=True)
@export("tf.nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder_v2(inputs: object, sequence_length: object, beam_width: int = 100,
                               top_paths: int = 1) -> Any:
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, False)


@export("tf.edit_distance", v2=True)
def edit_distance(hypothesis: object, truth: object, normalize: bool = True,
                  name: str = "edit_distance") -> Any:
    hypothesis = _sparse(hypothesis, "Hypothesis must be a SparseTensor.")
    truth = _sparse(truth, "Truth must be a SparseTensor.")
    return op("EditDistance", [hypothesis.indices, hypothesis.values, hypothesis.dense_shape,
                               truth.indices, truth.values, truth.dense_shape],
              {"normalize": normalize}, name)
