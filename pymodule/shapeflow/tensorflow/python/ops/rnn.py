"""The loops over recurrent cells: dynamic_rnn, static_rnn and their kin.

dynamic_rnn builds no loop: the cell is called once, on a step of the right shape, and its output is
repeated over time. Every step has the shapes of the first one, so that nothing is missed: a state
that would change its shape on the way is what TensorFlow reports as well.
Source: tensorflow/python/ops/rnn.py (1.15), tensorflow/contrib/rnn/python/ops/rnn.py.
"""

from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api.names import emulated
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import from_unmodelled
from shapeflow.tensorflow.python.ops.rnn_cell import assert_like_rnncell
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple


def _is_opaque(thing: object) -> bool:
    """True for the result of something unmodelled, such as an attention wrapper."""
    return hasattr(type(thing), "_sf_name") or "_sf_name" in getattr(thing, "__dict__", {})


def _unknown_cell(inputs: object, dtype: object, time_axis: int) -> Tuple[Any, Any]:
    """Outputs and state of a cell that is not modelled."""
    from shapeflow.api.unmodelled import Opaque

    first = nest.flatten(inputs)[0]
    shape = first.get_shape()
    leading = shape.as_list()[:2] + [None] if shape.ndims is not None and shape.ndims >= 2 else None
    return op_builders.like_shape([first], dtype or "float32", leading), Opaque("tf.nn.dynamic_rnn")


def _length_checked(sequence_length: Any, batch_size: object) -> Any:
    """sequence_length, once a run saw that it has an entry for each example."""
    given = tf.shape(sequence_length)
    wanted = tf.stack([batch_size])
    check = tf.Assert(tf.reduce_all(tf.equal(given, wanted)),
                      ["Expected shape for Tensor %s is " % sequence_length.name, wanted,
                       " but saw shape: ", given])
    with framework_lib.control_dependencies([check]):
        return tf.identity(sequence_length, name="CheckSeqLen")


def _step_of(x: Any, axis: int) -> Any:
    """A tensor of the shape and dtype of one time step, also when there are no steps at all."""
    if x.dtype.is_floating or x.dtype.is_integer or x.dtype.is_complex:
        return tf.reduce_sum(x, axis=axis)
    return tf.gather(x, 0, axis=axis)


_PARALLEL = 32  # steps at once, as dynamic_rnn says


def each_step(step: object) -> Any:
    """In it what a loop does with each step is made once, of one of them. Source: core/op/node.h."""
    first = nest.flatten(step)[0]
    if _core.executing_eagerly() or _core.node_key(first) is None:
        return contextlib.nullcontext()
    return first.graph._sf_each_step(first, _PARALLEL)


def _over_time(x: Any, steps: object, axis: int) -> Any:
    """`x`, once for each step, along a new axis."""
    rank = x.get_shape().ndims
    if rank is None:
        return op_builders.like_shape([x], x.dtype, None)
    multiples: List[object] = [1] * (rank + 1)
    multiples[axis] = steps
    return tf.tile(tf.expand_dims(x, axis), tf.stack(multiples))


def _masked(x: Any, sequence_length: Any) -> Any:
    """Outputs past the end of a sequence are zeros; a wrong number of lengths shows here."""
    if sequence_length is None or x.get_shape().ndims in (0, None):
        return x
    return tf.where(tf.greater(sequence_length, 0), x, tf.zeros_like(x))


def _need_same_state(state: object, new_state: object) -> None:
    nest.assert_same_structure(state, new_state)
    for old, new in zip(nest.flatten(state), nest.flatten(new_state)):
        if not hasattr(old, "get_shape") or not hasattr(new, "get_shape"):
            continue
        if old.get_shape().is_compatible_with(new.get_shape()):
            continue
        if emulated() >= (1, 13):
            raise fail("SF124", "Input tensor '{name}' enters the loop with shape {shape}, but has shape "
                       "{shape} after one iteration. To allow the shape to vary across iterations, use the "
                       "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.",
                       old.name, old.get_shape(), new.get_shape())
        raise fail("SF124", "The shape for {name} is not an invariant for the loop. It enters the loop "
                   "with shape {shape}, but has shape {shape} after one iteration. Provide shape "
                   "invariants using either the `shape_invariants` argument of tf.while_loop or "
                   "set_shape() on the loop variables.", old.name, old.get_shape(), new.get_shape())


def _batch_size(flat: List[Any], axis: int) -> Any:
    for x in flat:
        shape = x.get_shape()
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise fail("SF103", "Expected input tensor {text} to have rank at least {rank}", x, 2)
        if shape.as_list()[axis] is not None:
            return shape.as_list()[axis]
    return tf.shape(flat[0])[axis]


def _check_inputs(flat: List[Any], time_axis: int) -> None:
    """Rank, depth, and one number of steps for all."""
    first = None
    for x in flat:
        shape = x.get_shape()
        if shape.ndims is not None and shape.ndims < 3:
            shown = shape
            if time_axis == 1 and shape.ndims == 2:
                dims = shape.as_list()
                shown = _core.TensorShape([dims[1], dims[0]])
            raise fail("SF103", "Shape {shape} must have rank at least {rank}", shown, 3)
        dims = shape.as_list() if shape.ndims is not None else None
        if dims is None or None in dims[2:]:
            if from_unmodelled(x):
                continue
            raise fail("SF128", "Input size (depth of inputs) must be accessible via shape "
                       "inference, but saw value None.")
        times = (dims[time_axis], dims[1 - time_axis])
        if first is None:
            first = times
        if times[0] != first[0] and None not in (times[0], first[0]):
            raise fail("SF101", "Time steps is not the same for all the elements in the input in a "
                       "batch.")
        if times[1] != first[1] and None not in (times[1], first[1]):
            raise fail("SF101", "Batch_size is not the same for all the elements in the input.")


@export("tf.nn.dynamic_rnn", "tf0.nn.dynamic_rnn")
def dynamic_rnn(cell: Any, inputs: object, sequence_length: object = None, initial_state: object = None,
                dtype: object = None, parallel_iterations: object = None, swap_memory: bool = False,
                time_major: bool = False, scope: object = None) -> Tuple[Any, Any]:
    time_axis = 0 if time_major else 1
    if _is_opaque(cell):
        return _unknown_cell(nest.map_structure(framework_lib.convert_to_tensor, inputs), dtype, time_axis)
    assert_like_rnncell("cell", cell)
    with variable_scope(scope or ("rnn" if emulated() >= (1, 0) else "RNN")):
        inputs = nest.map_structure(framework_lib.convert_to_tensor, inputs)
        flat = nest.flatten(inputs)
        if sequence_length is not None:
            sequence_length = _lengths(sequence_length)
        batch_size = _batch_size(flat, 1 - time_axis)
        state = _initial_state(cell, initial_state, batch_size, dtype,
                               "If there is no initial_state, you must give a dtype.")
        if sequence_length is not None and not _core.executing_eagerly():
            sequence_length = _length_checked(sequence_length, batch_size)
        _check_inputs(flat, time_axis)
        with framework_lib.name_scope("while"):
            step = nest.map_structure(lambda x: _step_of(x, time_axis), inputs)
            with each_step(step):
                output, new_state = cell(step, state)
                output = nest.map_structure(
                    lambda x: _masked(framework_lib.convert_to_tensor(x), sequence_length), output)
        _need_same_state(state, new_state)
        steps = flat[0].get_shape()
        count: Any = steps.as_list()[time_axis] if steps.ndims is not None else None
        if count is None:
            count = tf.shape(flat[0])[time_axis]
        return nest.map_structure(lambda x: _over_time(x, count, time_axis), output), new_state


def _lengths(sequence_length: object) -> Any:
    lengths = tf.cast(sequence_length, _core.as_dtype("int32"))
    if lengths.get_shape().ndims not in (None, 1):
        raise fail("SF102", "sequence_length must be a vector of length batch_size, but saw shape: "
                   "{shape}", lengths.get_shape())
    return tf.identity(lengths, name="sequence_length")


def _initial_state(cell: Any, initial_state: Any, batch_size: Any, dtype: Any, words: str) -> Any:
    if initial_state is not None:
        return nest.map_structure(_as_tensor, initial_state)
    if not dtype:
        raise fail("SF201", words)
    return cell.zero_state(batch_size, dtype)


def _as_tensor(x: object) -> Any:
    return x if isinstance(x, _core.Tensor) else framework_lib.convert_to_tensor(x)


def _reversed(x: object, lengths: object, time_axis: int) -> Any:
    if lengths is not None:
        return tf.reverse_sequence(input=x, seq_lengths=lengths, seq_axis=time_axis,
                                   batch_axis=1 - time_axis)
    return tf.reverse(x, axis=[time_axis])


@export("tf.nn.bidirectional_dynamic_rnn", "tf0.nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(cell_fw: object, cell_bw: object, inputs: object,
                              sequence_length: object = None, initial_state_fw: object = None,
                              initial_state_bw: object = None, dtype: object = None,
                              parallel_iterations: object = None, swap_memory: bool = False,
                              time_major: bool = False, scope: Optional[str] = None) -> Any:
    if not _is_opaque(cell_fw):
        assert_like_rnncell("cell_fw", cell_fw)
    if not _is_opaque(cell_bw):
        assert_like_rnncell("cell_bw", cell_bw)
    new = emulated() >= (1, 0)
    with variable_scope(scope or ("bidirectional_rnn" if new else "BiRNN")):
        with variable_scope("fw" if new else "FW") as forward:
            output_fw, state_fw = dynamic_rnn(cell_fw, inputs, sequence_length, initial_state_fw,
                                              dtype, time_major=time_major, scope=forward)
        axis = 0 if time_major else 1
        with variable_scope("bw" if new else "BW") as backward:
            turned = nest.map_structure(
                lambda x: _reversed(framework_lib.convert_to_tensor(x), sequence_length, axis), inputs)
            output_bw, state_bw = dynamic_rnn(cell_bw, turned, sequence_length, initial_state_bw,
                                              dtype, time_major=time_major, scope=backward)
        output_bw = nest.map_structure(lambda x: _reversed(x, sequence_length, axis), output_bw)
        return (output_fw, output_bw), (state_fw, state_bw)


# --- one call of the cell for each step --------------------------------------------------------------
def _check_static_inputs(inputs: object) -> Any:
    """One batch size for all, which is returned: an int, or None."""
    batch = None
    first = nest.flatten(inputs)[0].get_shape()
    if first.ndims == 1:  # integers for an EmbeddingWrapper
        return first.as_list()[0]
    for x in nest.flatten(inputs):
        shape = x.get_shape()
        if shape.ndims is None:
            if from_unmodelled(x):
                continue
            raise fail("SF128", "Input size (dimension {axis} of inputs) must be accessible via shape "
                       "inference, but saw value None.", 0)
        if shape.ndims < 2:
            raise fail("SF103", "Shape {shape} must have rank at least {rank}", shape, 2)
        dims = shape.as_list()
        if batch is not None and dims[0] is not None and dims[0] != batch:
            raise fail("SF101", "Dimensions {dim} and {dim} are not compatible", batch, dims[0])
        batch = dims[0] if batch is None else batch
        for i, size in enumerate(dims[1:]):
            if size is None and not from_unmodelled(x):
                raise fail("SF128", "Input size (dimension {int} of inputs) must be accessible via shape "
                           "inference, but saw value None.", i)
    return batch


@export("tf.nn.static_rnn", "tf.contrib.rnn.static_rnn")
def static_rnn(cell: Any, inputs: Any, initial_state: Any = None, dtype: object = None,
               sequence_length: Any = None, scope: object = None) -> Tuple[List[Any], Any]:
    if not _is_opaque(cell):
        assert_like_rnncell("cell", cell)
    if not isinstance(inputs, (list, tuple)):
        raise fail("SF202", "inputs must be a sequence", error=TypeError)
    if not inputs:
        raise ValueError("inputs must not be empty")
    inputs = [nest.map_structure(_as_tensor, x) for x in inputs]
    with variable_scope(scope or ("rnn" if emulated() >= (1, 0) else "RNN")) as varscope:
        first = nest.flatten(inputs)[0]
        fixed = _check_static_inputs(inputs)
        batch_size = fixed if fixed is not None else tf.shape(first)[0]
        if _is_opaque(cell):
            outputs = [op_builders.like_shape([x], dtype or "float32", [fixed, None]) for x in inputs]
            return outputs, cell(inputs[0], initial_state)
        state = _initial_state(cell, initial_state, batch_size, dtype,
                               "If no initial_state is provided, dtype must be specified")
        if sequence_length is not None:
            sequence_length = framework_lib.convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.get_shape().ndims not in (None, 1):
                raise fail("SF102", "sequence_length must be a vector of length batch_size")
        outputs = []
        for time, step in enumerate(inputs):
            if time > 0:
                varscope.reuse_variables()
            output, new_state = cell(step, state)
            if sequence_length is not None:
                output = nest.map_structure(
                    lambda x: _masked(framework_lib.convert_to_tensor(x), sequence_length), output)
            state = new_state
            outputs.append(output)
        return outputs, state


@export("tf0.nn.rnn", "tf.models.rnn.rnn.rnn")
def rnn(cell: object, inputs: object, initial_state: object = None, dtype: object = None,
        sequence_length: object = None, scope: Optional[str] = None) -> Tuple[List[Any], Any]:
    return static_rnn(cell, inputs, initial_state, dtype, sequence_length, scope)


@export("tf.nn.static_state_saving_rnn", "tf.contrib.rnn.static_state_saving_rnn",
        "tf0.nn.state_saving_rnn")
def static_state_saving_rnn(cell: Any, inputs: object, state_saver: Any, state_name: Any,
                            sequence_length: object = None,
                            scope: Optional[str] = None) -> Tuple[List[Any], Any]:
    state_is_tuple = nest.is_nested(cell.state_size)
    name_is_tuple = nest.is_nested(state_name)
    if state_is_tuple != name_is_tuple:
        raise ValueError("state_name should be the same type as cell.state_size.  state_name: %s, "
                         "cell.state_size: %s" % (state_name, cell.state_size))
    names = nest.flatten(state_name)
    states = [state_saver.state(name) for name in names]
    state = nest.pack_sequence_as(cell.state_size, states) if state_is_tuple else states[0]
    outputs, state = static_rnn(cell, inputs, state, None, sequence_length, scope)
    saves = [state_saver.save_state(n, s) for n, s in zip(names, nest.flatten(state))]
    with framework_lib.control_dependencies(saves):
        outputs[-1] = nest.map_structure(tf.identity, outputs[-1])
    return outputs, state


@export("tf.nn.static_bidirectional_rnn", "tf.contrib.rnn.static_bidirectional_rnn",
        "tf0.nn.bidirectional_rnn", "tf.models.rnn.rnn.bidirectional_rnn")
def static_bidirectional_rnn(cell_fw: object, cell_bw: object, inputs: object,
                             initial_state_fw: object = None, initial_state_bw: object = None,
                             dtype: object = None, sequence_length: object = None,
                             scope: Optional[str] = None) -> Any:
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    if not isinstance(inputs, (list, tuple)):
        raise fail("SF202", "inputs must be a sequence", error=TypeError)
    if not inputs:
        raise ValueError("inputs must not be empty")
    new = emulated() >= (1, 0)
    with variable_scope(scope or ("bidirectional_rnn" if new else "BiRNN")):
        with variable_scope("fw" if new else "FW") as forward:
            output_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype,
                                             sequence_length, scope=forward)
        with variable_scope("bw" if new else "BW") as backward:
            output_bw, state_bw = static_rnn(cell_bw, list(reversed(inputs)), initial_state_bw,
                                             dtype, sequence_length, scope=backward)
    output_bw = list(reversed(output_bw))
    outputs = [nest.pack_sequence_as(f, [tf.concat([a, b], 1) for a, b in zip(
        nest.flatten(f), nest.flatten(b_))]) for f, b_ in zip(output_fw, output_bw)]
    return outputs, state_fw, state_bw


@export("tf.contrib.rnn.stack_bidirectional_rnn")
def stack_bidirectional_rnn(cells_fw: Any, cells_bw: Any, inputs: Any,
                            initial_states_fw: Any = None, initial_states_bw: Any = None,
                            dtype: Any = None, sequence_length: Any = None,
                            scope: Optional[str] = None) -> Any:
    _check_stack(cells_fw, cells_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope("cell_%d" % i):
                inputs, state_fw, state_bw = static_bidirectional_rnn(
                    fw, bw, inputs, initial_states_fw[i] if initial_states_fw else None,
                    initial_states_bw[i] if initial_states_bw else None, dtype, sequence_length)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


@export("tf.contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(cells_fw: Any, cells_bw: Any, inputs: object,
                                    initial_states_fw: Any = None, initial_states_bw: Any = None,
                                    dtype: Any = None, sequence_length: object = None,
                                    parallel_iterations: object = None, time_major: bool = False,
                                    scope: Optional[str] = None, swap_memory: bool = False) -> Any:
    _check_stack(cells_fw, cells_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope("cell_%d" % i):
                outputs, (state_fw, state_bw) = bidirectional_dynamic_rnn(
                    fw, bw, inputs, sequence_length,
                    initial_states_fw[i] if initial_states_fw else None,
                    initial_states_bw[i] if initial_states_bw else None, dtype,
                    time_major=time_major)
                inputs = tf.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def _check_stack(cells_fw: object, cells_bw: object) -> None:
    if not cells_fw:
        raise ValueError("Must specify at least one fw cell for BidirectionalRNN.")
    if not cells_bw:
        raise ValueError("Must specify at least one bw cell for BidirectionalRNN.")
    if not isinstance(cells_fw, list):
        raise ValueError("cells_fw must be a list of RNNCells (one per layer).")
    if not isinstance(cells_bw, list):
        raise ValueError("cells_bw must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")


def _same_batch(flat: List[Any]) -> Optional[int]:
    batch: Any = None
    for x in flat:
        dims = x.get_shape()
        size = dims.as_list()[0] if dims.ndims else None
        if batch is not None and size is not None and size != batch:
            raise fail("SF101", "Dimensions {dim} and {dim} are not compatible", batch, size)
        batch = size if batch is None else batch
    return batch


def _unfinished(finished: object, current: object, candidate: object) -> Any:
    """What a step made, where an example is not finished; else what was there."""
    from shapeflow.tensorflow.python.ops.tensor_array_ops import TensorArray

    def choose(old: Any, new: object) -> Any:
        if isinstance(old, TensorArray) or old.get_shape().ndims == 0:
            return new
        return tf.where(finished, old, new)

    return nest.map_structure(choose, current, candidate)


@export("tf.nn.raw_rnn")
def raw_rnn(cell: Any, loop_fn: object, parallel_iterations: object = None, swap_memory: bool = False,
            scope: Optional[str] = None) -> Any:
    """A real loop: `loop_fn` decides what goes into the cell, what is emitted and when it ends."""
    from shapeflow.tensorflow.python.ops.control_flow_ops import while_loop
    from shapeflow.tensorflow.python.ops.tensor_array_ops import TensorArray

    if _is_opaque(cell):
        return cell(), cell(), cell()
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn"):
        time = tf.constant(0, dtype=_core.as_dtype("int32"))
        finished, next_input, state, emits, first_loop_state = loop_fn(time, None, None, None)
        flat_input = [_as_tensor(x) for x in nest.flatten(next_input)]
        batch = _same_batch(flat_input)
        batch_size = batch if batch is not None else tf.shape(flat_input[0])[0]
        nest.assert_same_structure(state, cell.state_size)
        state = nest.map_structure(_as_tensor, state)
        loop_state = first_loop_state if first_loop_state is not None else tf.constant(0)
        if emits is not None:
            emits = nest.map_structure(_as_tensor, emits)
            sizes = [e.get_shape() for e in nest.flatten(emits)]
            dtypes = [e.dtype for e in nest.flatten(emits)]
            lengths = [s.as_list() if s.ndims is not None and s.is_fully_defined() else tf.shape(e)
                       for s, e in zip(sizes, nest.flatten(emits))]
        else:
            emits = cell.output_size
            sizes = [s if isinstance(s, _core.TensorShape) else
                     _core.TensorShape(s if isinstance(s, (list, tuple)) else [s])
                     for s in nest.flatten(emits)]
            dtypes = [nest.flatten(state)[0].dtype] * len(sizes)
            lengths = [s.as_list() for s in sizes]
        arrays = nest.pack_sequence_as(emits, [
            TensorArray(dtype=d, dynamic_size=True, size=0, name="rnn_output_%d" % i,
                        element_shape=_core.TensorShape([batch]).concatenate(s))
            for i, (d, s) in enumerate(zip(dtypes, sizes))])
        zeros = nest.pack_sequence_as(emits, [
            tf.zeros(tf.concat([[batch_size], n], 0) if hasattr(n, "op") else
                     tf.stack([batch_size] + list(n)), d) for n, d in zip(lengths, dtypes)])

        def more(_time: Any, done: Any, *_rest: Any) -> Any:
            return tf.logical_not(tf.reduce_all(done))

        def step(time: Any, done: Any, inputs: Any, arrays: Any, state: Any, loop_state: Any) -> Any:
            output, cell_state = cell(inputs, state)
            nest.assert_same_structure(state, cell_state)
            nest.assert_same_structure(cell.output_size, output)
            later = time + 1
            now_done, following, next_state, emitted, next_loop_state = loop_fn(
                later, output, cell_state, loop_state)
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(inputs, following)
            nest.assert_same_structure(arrays, emitted)
            emitted = _unfinished(done, zeros, nest.map_structure(_as_tensor, emitted))
            next_state = _unfinished(done, state, nest.map_structure(_as_tensor, next_state))
            arrays = nest.map_structure(lambda a, e: a.write(time, e), arrays, emitted)
            return (later, tf.logical_or(done, now_done), following, arrays, next_state,
                    loop_state if next_loop_state is None else next_loop_state)

        made = while_loop(more, step, [time, finished, next_input, arrays, state, loop_state])
        return made[3], made[4], made[5] if first_loop_state is not None else None


@export("tensorflow.python.ops.rnn._transpose_batch_time")
def transpose_batch_time(x: Any) -> Any:
    """[a, b, ...] -> [b, a, ...]."""
    rank = x.get_shape().ndims
    if rank is not None and rank < 2:
        return x
    if rank is None:
        return op_builders.like_shape([x], x.dtype, None)
    return tf.transpose(x, [1, 0] + list(range(2, rank)))


@export("tf.contrib.rnn.transpose_batch_time")
def contrib_transpose_batch_time(x: object) -> Any:
    return transpose_batch_time(x)


@export("tensorflow.python.ops.rnn.best_effort_input_batch_size",
        "tensorflow.python.ops.rnn._best_effort_input_batch_size")
def best_effort_input_batch_size(flat_input: Any) -> Optional[Any]:
    return _batch_size(list(flat_input), 1)
