"""tf.contrib.slim: the model analyzer, training helpers, utilities.

Its layers and argument scopes are tf.contrib.layers' and tf.contrib.framework's.
Source: tensorflow/contrib/slim/python/slim/{model_analyzer,learning,evaluation,summaries}.py,
contrib/training/python/training/training.py, contrib/metrics/python/ops/metric_ops.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.contrib.layers.layers import collections_of
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import normalize_tuple
from shapeflow.tensorflow.python.ops.control_flow_ops import (
    smart_cond,
    smart_constant_value,
    with_dependencies,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    from shapeflow.api.registry import Decorator

_MAX_STEPS = 50  # steps of a training loop that has no data to run out of: all are alike


# --- model_analyzer ---------------------------------------------------------------------------------------
@export("tf.contrib.slim.model_analyzer.tensor_description")
def tensor_description(var: Any) -> str:
    """(float32_ref 784x10)"""
    text = "(%s " % var.dtype.name
    dims = var.get_shape().as_list()
    text += "x".join("?" if d is None else str(d) for d in dims)
    return text + ")"


@export("tf.contrib.slim.model_analyzer.analyze_ops")
def analyze_ops(graph: Any, print_info: bool = False) -> int:
    if print_info:
        print("---------")
        print("Operations: name -> (type shapes) [size]")
        print("---------")
    total = 0
    for op in graph.get_operations():
        size, shapes = 0, []
        for output in op.outputs:
            shape = output.get_shape()
            size += (shape.num_elements() if shape.ndims is not None else None) or 0
            if shape.ndims:
                shapes.append(tensor_description(output))
        if print_info:
            print(op.name, "\t->", ", ".join(shapes), "[" + str(size) + "]")
        total += size
    return total


@export("tf.contrib.slim.model_analyzer.analyze_vars")
def analyze_vars(variables: Any, print_info: bool = False) -> Tuple[int, int]:
    if print_info:
        print("---------")
        print("Variables: name (type shape) [size]")
        print("---------")
    total_size = total_bytes = 0
    for var in variables:
        shape = var.get_shape()
        size = (shape.num_elements() if shape.ndims is not None else None) or 0
        count = size * var.dtype.size
        total_size += size
        total_bytes += count
        if print_info:
            print(var.name, tensor_description(var), "[%d, bytes: %d]" % (size, count))
    if print_info:
        print("Total size of variables: %d" % total_size)
        print("Total bytes of variables: %d" % total_bytes)
    return total_size, total_bytes


# --- learning ---------------------------------------------------------------------------------------------
_USE_GLOBAL_STEP = 0


@export("tf.contrib.slim.learning.clip_gradient_norms", "tf.contrib.training.clip_gradient_norms")
def clip_gradient_norms(gradients_to_variables: Any, max_norm: object) -> List[Any]:
    made = []
    for grad, var in gradients_to_variables:
        if grad is not None:
            grad = tf.clip_by_norm(grad, max_norm)
        made.append((grad, var))
    return made


@export("tf.contrib.slim.learning.multiply_gradients", "tf.contrib.training.multiply_gradients")
def multiply_gradients(grads_and_vars: object, gradient_multipliers: object) -> List[Any]:
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    made = []
    for grad, var in grads_and_vars:
        key = var if var in gradient_multipliers else var.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = tf.cast(gradient_multipliers[key], var.dtype.base_dtype)
            grad = framework_lib.IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape) \
                if isinstance(grad, framework_lib.IndexedSlices) else grad * factor
        made.append((grad, var))
    return made


@export("tf.contrib.slim.learning.add_gradients_summaries",
        "tf.contrib.training.add_gradients_summaries")
def add_gradients_summaries(grads_and_vars: Any) -> List[Any]:
    made = []
    for grad, var in grads_and_vars:
        if grad is None:
            continue
        values = grad.values if isinstance(grad, framework_lib.IndexedSlices) else grad
        made.append(tf.summary.histogram(var.op.name + "_gradient", values))
        made.append(tf.summary.scalar(var.op.name + "_gradient_norm", tf.global_norm([values])))
    return made


@export("tf.contrib.slim.learning.create_train_op")
def create_train_op(total_loss: Any, optimizer: Any, global_step: Any = _USE_GLOBAL_STEP,
                    update_ops: Any = None, variables_to_train: Any = None,
                    clip_gradient_norm: Any = 0, summarize_gradients: bool = False,
                    gate_gradients: int = 1, aggregation_method: object = None,
                    colocate_gradients_with_ops: bool = False, gradient_multipliers: object = None,
                    check_numerics: bool = True) -> Any:
    graph = get_default_graph()
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf.train.get_or_create_global_step()
    updates = graph.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
    if updates:
        with framework_lib.control_dependencies(updates):
            barrier = tf.no_op(name="update_barrier")
        total_loss = with_dependencies([barrier], total_loss)
    if variables_to_train is None:
        variables_to_train = tf.trainable_variables()
    else:
        known = {id(v) for v in tf.trainable_variables()}
        for v in variables_to_train:
            assert id(v) in known
    assert variables_to_train
    gradients = optimizer.compute_gradients(total_loss, variables_to_train)
    if gradient_multipliers:
        gradients = multiply_gradients(gradients, gradient_multipliers)
    if clip_gradient_norm > 0:
        gradients = clip_gradient_norms(gradients, clip_gradient_norm)
    if summarize_gradients:
        with framework_lib.name_scope("summarize_grads"):
            add_gradients_summaries(gradients)
    applied = optimizer.apply_gradients(gradients, global_step=global_step)
    with framework_lib.name_scope("train_op"):
        train_op = with_dependencies([applied], total_loss)
    if not any(t is train_op for t in graph.get_collection(GraphKeys.TRAIN_OP)):
        graph.add_to_collection(GraphKeys.TRAIN_OP, train_op)
    return train_op


@export("tf.contrib.training.create_train_op")
def training_create_train_op(total_loss: Any, optimizer: Any, global_step: Any = _USE_GLOBAL_STEP,
                             update_ops: object = None, variables_to_train: Any = None,
                             transform_grads_fn: Any = None, summarize_gradients: bool = False,
                             gate_gradients: int = 1, aggregation_method: object = None,
                             colocate_gradients_with_ops: bool = False,
                             check_numerics: bool = True) -> Any:
    if transform_grads_fn is None:
        return create_train_op(total_loss, optimizer, global_step, update_ops, variables_to_train,
                               summarize_gradients=summarize_gradients)
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf.train.get_or_create_global_step()
    gradients = transform_grads_fn(optimizer.compute_gradients(total_loss, variables_to_train))
    applied = optimizer.apply_gradients(gradients, global_step=global_step)
    return with_dependencies([applied], total_loss)


@export("tf.contrib.slim.learning.train_step")
def train_step(sess: Any, train_op: Any, global_step: Any,
               train_step_kwargs: Dict[str, object]) -> Tuple[Any, bool]:
    total_loss, _ = sess.run([train_op, global_step])
    return total_loss, False


def _initialised_session(graph: object, config: object, init_op: object = None, init_feed_dict: object = None,
                         local_init_op: object = None) -> Any:
    session = tf.Session(graph=graph, config=config)
    session.run(init_op if init_op is not None else tf.global_variables_initializer(),
                feed_dict=init_feed_dict)
    session.run(local_init_op if local_init_op is not None else
                [tf.local_variables_initializer(), tf.tables_initializer()])
    return session


@export("tf.contrib.slim.learning.train")
def train(train_op: Any, logdir: Any, train_step_fn: Any = train_step,
          train_step_kwargs: Any = None, log_every_n_steps: int = 1, graph: Any = None,
          master: str = "", is_chief: bool = True, global_step: Any = None,
          number_of_steps: Optional[int] = None, init_op: object = None, init_feed_dict: object = None,
          local_init_op: object = None, init_fn: Any = None, ready_op: object = None,
          summary_op: object = None, save_summaries_secs: object = 600, summary_writer: object = None,
          startup_delay_steps: int = 0, saver: object = None, save_interval_secs: int = 600,
          sync_optimizer: object = None, session_config: object = None, session_wrapper: Any = None,
          trace_every_n_steps: object = None, ignore_live_threads: bool = False) -> Any:
    """Runs steps as the supervisor of TensorFlow would; nothing is written to `logdir`."""
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    graph = graph or get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = tf.train.get_or_create_global_step()
        session = _initialised_session(graph, session_config, init_op, init_feed_dict, local_init_op)
        with session:
            if init_fn is not None:
                init_fn(session)
            if session_wrapper is not None:
                session = session_wrapper(session)
            threads = tf.train.start_queue_runners(sess=session)
            if isinstance(summary_op, (_core.Tensor, _core.Operation)):
                session.run(summary_op)
            given = dict({"should_stop": tf.constant(False), "should_log": tf.constant(False),
                          "summary_writer": None, "logdir": logdir}, **(train_step_kwargs or {}))
            total_loss = None
            steps = _MAX_STEPS if number_of_steps is None else min(number_of_steps, _MAX_STEPS)
            try:
                for _ in range(max(steps, 1)):
                    total_loss, stop = train_step_fn(session, train_op, global_step, given)
                    if stop:
                        break
            except tf.errors.OutOfRangeError:
                pass
            del threads
    return total_loss


@export("tf.contrib.training.train")
def training_train(train_op: object, logdir: object, master: str = "", is_chief: bool = True,
                   scaffold: object = None, hooks: object = None, chief_only_hooks: object = None,
                   save_checkpoint_secs: int = 600, save_summaries_steps: int = 100, config: object = None,
                   max_wait_secs: int = 7200, run_metadata: object = None) -> Any:
    return train(train_op, logdir, session_config=config, number_of_steps=_MAX_STEPS)


@export("tf.contrib.slim.evaluation.evaluate_once")
def evaluate_once(master: str = "", checkpoint_path: object = None, logdir: object = None,
                  num_evals: int = 1, initial_op: object = None, initial_op_feed_dict: object = None,
                  eval_op: object = None, eval_op_feed_dict: object = None, final_op: object = None,
                  final_op_feed_dict: object = None, summary_op: object = None,
                  summary_op_feed_dict: object = None, variables_to_restore: object = None,
                  session_config: object = None, hooks: object = None) -> Any:
    with _initialised_session(get_default_graph(), session_config) as session:
        tf.train.start_queue_runners(sess=session)
        if initial_op is not None:
            session.run(initial_op, initial_op_feed_dict)
        if eval_op is not None:
            for _ in range(min(num_evals, _MAX_STEPS)):
                session.run(eval_op, eval_op_feed_dict)
        return session.run(final_op, final_op_feed_dict) if final_op is not None else None


@export("tf.contrib.slim.evaluation.evaluation_loop")
def evaluation_loop(master: str, checkpoint_dir: object, logdir: object, num_evals: int = 1,
                    initial_op: object = None, initial_op_feed_dict: object = None, eval_op: object = None,
                    eval_op_feed_dict: object = None, final_op: object = None,
                    final_op_feed_dict: object = None, summary_op: object = None,
                    summary_op_feed_dict: object = None, variables_to_restore: object = None,
                    eval_interval_secs: int = 60, max_number_of_evaluations: object = None,
                    session_config: object = None, timeout: object = None, timeout_fn: object = None,
                    hooks: object = None) -> Any:
    return evaluate_once(master, checkpoint_dir, logdir, num_evals, initial_op,
                         initial_op_feed_dict, eval_op, eval_op_feed_dict, final_op,
                         final_op_feed_dict, session_config=session_config)


# --- utils ------------------------------------------------------------------------------------------------
def _utility(name: str) -> "Decorator":
    return export("tf.contrib.slim.utils." + name, "tf.contrib.layers.utils." + name)


put(smart_cond, "tf.contrib.slim.utils.smart_cond", "tf.contrib.layers.utils.smart_cond")
put(collections_of, "tf.contrib.slim.utils.get_variable_collections",
    "tf.contrib.layers.utils.get_variable_collections")


@_utility("constant_value")
def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    if value_or_tensor_or_var is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if isinstance(value_or_tensor_or_var, (_core.Tensor, _core.VariableBase)):
        return smart_constant_value(value_or_tensor_or_var)
    return value_or_tensor_or_var


def _dimension(shape: Any, axis: int, min_rank: int) -> Any:
    if not isinstance(shape.ndims, int):
        if shape.ndims is not None or op_builders.may_hide_more():
            return None  # a rank that nobody knows
        raise fail("SF102", "dims of shape must be known but is None")
    if shape.ndims < min_rank:
        raise fail("SF103", "rank of shape must be at least {rank} not: {rank}", min_rank, shape.ndims)
    value = shape.as_list()[axis]
    if value is None and not op_builders.may_hide_more():
        raise fail("SF128", "dimension {axis} of shape must be known but is None: {shape}", axis, shape)
    return value


@_utility("last_dimension")
def last_dimension(shape: object, min_rank: int = 1) -> Any:
    return _dimension(shape, -1, min_rank)


@_utility("channel_dimension")
def channel_dimension(shape: object, data_format: str, min_rank: int = 1) -> Any:
    return _dimension(shape, 1 if data_format == "NCHW" else -1, min_rank)


@_utility("two_element_tuple")
def two_element_tuple(int_or_tuple: object) -> Tuple[int, int]:
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError("Must be a list with 2 elements: %s" % int_or_tuple)
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


@_utility("n_positive_integers")
def n_positive_integers(n: int, value: object) -> Tuple[int, ...]:
    return tuple(normalize_tuple(value, n, "value"))


@_utility("append_tensor_alias")
def append_tensor_alias(tensor: object, alias: str) -> Any:
    return tensor
