"""tf.train.Optimizer: minimize, compute_gradients, apply_gradients, slots.

Source: tensorflow/python/training/optimizer.py (1.15); messages and node names are its own.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import use_log
from shapeflow.api.registry import put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import known_op, tf
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.ops.gradients import element_of, gradients, has_opaque
from shapeflow.tensorflow.python.trackable.base import Trackable
from shapeflow.tensorflow.python.training import slot_creator
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Tuple


class Optimizer(Trackable):
    """Base of the optimizers; subclasses say what is created and applied for one variable."""

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    # Of those below whose update is one op; TensorFlow's optimizers have no class between.
    _rule = ""
    _slot_names: Tuple[Tuple[str, str], ...] = ()  # slot name, suffix of its op ("" = own name)
    _arguments = ""  # inputs of the op after var: slots, hyper-parameters and "grad"
    _sparse_arguments: Optional[str] = None  # SparseApply<rule>; None: scatter instead
    _hyper: Mapping[str, object] = {}

    def __init__(self, use_locking: bool, name: str,
                 use_own_namescope_for_non_slot_vars: bool = False) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: Dict[str, Dict[object, object]] = {}
        self._non_slots: Dict[object, object] = {}

    def get_name(self) -> str:
        return self._name

    # --- the public steps
    def minimize(self, loss: object, global_step: object = None, var_list: object = None,
                 gate_gradients: int = GATE_OP, aggregation_method: object = None,
                 colocate_gradients_with_ops: bool = False, name: Optional[str] = None,
                 grad_loss: object = None) -> Any:
        grads_and_vars = self.compute_gradients(
            loss, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss)
        if not grads_and_vars and has_opaque():
            return tf.no_op(name=name or self._name)
        if not any(g is not None for g, _ in grads_and_vars):
            raise fail("SF201", "No gradients provided for any variable, check your graph for ops that "
                       "do not support gradients, between variables {text} and loss {text}.",
                       [str(v) for _, v in grads_and_vars], loss)
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(self, loss: Any, var_list: Any = None, gate_gradients: int = GATE_OP,
                          aggregation_method: Any = None,
                          colocate_gradients_with_ops: bool = False,
                          grad_loss: Any = None) -> List[Any]:
        if callable(loss):
            return self._eager_gradients(loss, var_list)
        if _core.executing_eagerly():
            raise RuntimeError("`loss` passed to Optimizer.compute_gradients should be a function "
                               "when eager execution is enabled.")
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError("gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                             "Optimizer.GATE_GRAPH.  Not %s" % gate_gradients)
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = variables.trainable_variables() + get_default_graph().get_collection(
                GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        else:
            var_list = nest.flatten(var_list)
        for v in var_list:
            if not isinstance(v, (_core.Tensor, _core.VariableBase)):
                raise TypeError("Argument is not a tf.Variable: %s" % (v,))
        if not var_list:
            if has_opaque():
                return []
            raise fail("SF201", "No variables to optimize.")
        grads = gradients(loss, var_list, grad_ys=grad_loss,
                          gate_gradients=gate_gradients == self.GATE_OP,
                          aggregation_method=aggregation_method)
        if gate_gradients == self.GATE_GRAPH:
            grads = tf.tuple(grads)
        grads_and_vars = list(zip(grads, var_list))
        for g, v in grads_and_vars:
            if g is None:
                use_log.without_gradient(loss, element_of(v))
        self._assert_valid_dtypes([v for g, v in grads_and_vars if g is not None])
        return grads_and_vars

    def _eager_gradients(self, loss: Any, var_list: object) -> List[Any]:
        value = loss()
        _core.count_step()
        chosen = nest.flatten(var_list() if callable(var_list) else var_list or [])
        del value
        return [(tf.identity(v), v) for v in chosen]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None,
                        name: Optional[str] = None) -> Any:
        pairs = tuple(grads_and_vars)
        if not pairs:
            if not _core.executing_eagerly() and has_opaque():
                return tf.no_op(name=name or self._name)
            raise fail("SF201", "No variables provided.")
        if any(is_unmodelled(v) for _, v in pairs):  # nobody knows which variables
            return tf.no_op(name=name or self._name)
        converted = []
        for g, v in pairs:
            if g is not None:
                try:
                    g = framework_lib.convert_to_tensor_or_indexed_slices(g)
                except TypeError:
                    raise TypeError("Gradient must be convertible to a Tensor or IndexedSlices, or "
                                    "None: %s" % g)
            if not isinstance(v, _core.VariableBase) and not isinstance(v, _core.Tensor):
                raise TypeError("Variable must be a tf.Variable: %s" % (v,))
            converted.append((g, v))
        var_list = [v for g, v in converted if g is not None]
        if not var_list:
            raise fail("SF201", "No gradients provided for any variable: {text}.",
                       [str(v) for _, v in converted])
        with _core.init_scope():
            self._create_slots(var_list)
        for variable in self.variables():  # `summary` tells them from the program's own
            if isinstance(variable, _core.VariableBase):
                variable._sf_of_optimizer = True  # type: ignore[attr-defined]
        updates = []
        with framework_lib.name_scope(name, self._name) as scope:
            self._prepare()
            for grad, var in converted:
                if grad is None:
                    continue
                var_name = "" if _core.executing_eagerly() else var.op.name
                with framework_lib.name_scope("update_" + var_name), framework_lib.colocate_with(var):
                    updates.append(self._update(grad, var))
            if global_step is None:
                train = self._finish(updates, scope)
            else:
                with framework_lib.control_dependencies([self._finish(updates, "update")]):
                    train = tf.assign_add(global_step, tf.constant(1, global_step.dtype.base_dtype),
                                          name=scope)
            if _core.executing_eagerly():
                return None
            if isinstance(train, _core.Tensor):
                train = train.op
            train_ops = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
            if train not in train_ops:
                train_ops.append(train)
            return train

    def _update(self, grad: object, var: Any) -> Any:
        kind = getattr(var, "_kind", "ref")
        if kind == "eager":
            var.assign(tf.identity(var._tensor))
            var.train_anyhow()
            return None
        if isinstance(grad, framework_lib.IndexedSlices):
            if kind == "resource":
                return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
            return self._apply_sparse_duplicate_indices(grad, var)
        if kind == "resource":
            result = self._resource_apply_dense(grad, var)
        else:
            result = self._apply_dense(grad, var)
        if getattr(var, "constraint", None) is not None:
            with framework_lib.control_dependencies([result]):
                return var.assign(var.constraint(var)).op
        return result

    # --- slots
    def get_slot(self, var: Any, name: str) -> Any:
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> List[str]:
        return sorted(self._slots)

    def variables(self) -> List[Any]:
        found = [v for v in self._non_slots.values()]
        for named in self._slots.values():
            found.extend(named.values())
        return sorted(found, key=lambda v: v.name)

    def _create_non_slot_variable(self, initial_value: object, name: str, colocate_with: object) -> Any:
        graph = None if _core.executing_eagerly() else get_default_graph()
        key = (name, graph)
        if key not in self._non_slots:
            with framework_lib.colocate_with(colocate_with):
                self._non_slots[key] = variables.Variable(
                    initial_value, name=name, trainable=False,
                    use_resource=getattr(colocate_with, "_kind", "ref") == "resource")
        return self._non_slots[key]

    def _get_non_slot_variable(self, name: str, graph: object = None) -> Any:
        return self._non_slots.get((name, graph))

    def _non_slot_variables(self) -> List[Any]:
        return list(self._non_slots.values())

    def _slot_dict(self, slot_name: str) -> Dict[object, object]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: object, val: object, slot_name: str, op_name: str) -> Any:
        named = self._slot_dict(slot_name)
        if _key(var) not in named:
            named[_key(var)] = slot_creator.create_slot(var, val, op_name)
        return named[_key(var)]

    def _get_or_make_slot_with_initializer(self, var: object, initializer: object, shape: object,
                                           dtype: object, slot_name: str, op_name: str) -> Any:
        named = self._slot_dict(slot_name)
        if _key(var) not in named:
            named[_key(var)] = slot_creator.create_slot_with_initializer(var, initializer, shape, dtype,
                                                                  op_name)
        return named[_key(var)]

    def _zeros_slot(self, var: object, slot_name: str, op_name: str) -> Any:
        named = self._slot_dict(slot_name)
        if _key(var) not in named:
            named[_key(var)] = slot_creator.create_zeros_slot(var, op_name)
        return named[_key(var)]

    # --- what subclasses define
    def _create_slots(self, var_list: List[Any]) -> None:
        for var in var_list if self._rule else ():
            for slot, suffix in self._slot_names:
                self._make_slot(var, slot, suffix or self._name)

    def _prepare(self) -> None:
        if not self._rule:
            return
        for key in self._hyper:
            value = self._call_if_callable(getattr(self, "_" + key))
            self._tensors[key] = framework_lib.convert_to_tensor(value, None, key)
            setattr(self, "_%s_tensor" % key, self._tensors[key])
        if "learning_rate" in self._tensors:
            self._lr_t = self._tensors["learning_rate"]

    def _apply_dense(self, grad: object, var: object) -> Any:
        if not self._rule:
            raise NotImplementedError()
        return self._node("Apply" + self._rule, self._arguments, var, grad)

    def _resource_apply_dense(self, grad: object, handle: object) -> Any:
        if not self._rule:
            raise NotImplementedError()
        return self._node("ResourceApply" + self._rule, self._arguments, handle, grad)

    def _apply_sparse_duplicate_indices(self, grad: object, var: object) -> Any:
        return self._apply_sparse(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        if not self._rule:
            raise NotImplementedError()
        if self._sparse_arguments is None:
            return self._scatter(var, grad.values, grad.indices)
        return self._node("SparseApply" + self._rule, self._sparse_arguments, var, grad.values,
                          grad.indices)

    def _resource_apply_sparse_duplicate_indices(self, grad: object, handle: object, indices: object) -> Any:
        return self._resource_apply_sparse(grad, handle, indices)

    def _resource_apply_sparse(self, grad: object, handle: object, indices: object) -> Any:
        if not self._rule:
            raise NotImplementedError()
        return self._scatter(handle, grad, indices)

    def _finish(self, update_ops: List[object], name_scope: str) -> Any:
        if _core.executing_eagerly():
            return None
        return tf.group(*[u for u in update_ops if u is not None], name=name_scope)

    # --- an update that is one op: Apply<rule> on references, ResourceApply<rule>
    def _begin(self, hyper: Dict[str, object], use_locking: bool, name: str, **attrs: object) -> None:
        """`hyper`: hyper-parameters by name; `attrs`: those of the op."""
        Optimizer.__init__(self, use_locking, name)
        self._hyper = hyper
        self._attrs = attrs
        self._tensors: Dict[str, Any] = {}
        for key, value in hyper.items():
            setattr(self, "_" + key, value)
            setattr(self, "_%s_tensor" % key, None)
        if "learning_rate" in hyper:
            self._lr = hyper["learning_rate"]

    def _make_slot(self, var: object, slot: str, op_name: str) -> None:
        self._zeros_slot(var, slot, op_name)

    def _input(self, name: str, var: Any, grad: object, indices: object, resource: bool) -> Any:
        if name == "grad":
            return grad
        if name == "indices":
            return indices
        if name in self._tensors:
            return framework_lib.convert_to_tensor(self._tensors[name]) if \
                self._tensors[name].dtype.base_dtype == var.dtype.base_dtype else \
                tf.cast(self._tensors[name], var.dtype.base_dtype)
        slot = self.get_slot(var, name)
        if slot is None:
            other = self._other_input(name)
            keep = other.dtype.base_dtype == var.dtype.base_dtype or other.dtype.is_integer
            return other if keep else tf.cast(other, var.dtype.base_dtype)
        return slot.handle if resource else slot._ref()

    def _other_input(self, name: str) -> Any:
        raise KeyError(name)

    def _node(self, op_type: str, arguments: str, var: Any, grad: object, indices: object = None) -> Any:
        resource = getattr(var, "_kind", "ref") == "resource"
        if not known_op(op_type):
            with framework_lib.control_dependencies([grad]):
                return framework_lib.no_op(op_type)
        target = var.handle if resource else var._ref() if hasattr(var, "_ref") else var
        inputs = [target] + [self._input(a, var, grad, indices, resource)
                             for a in arguments.split()]
        attrs = dict(self._attrs, use_locking=self._use_locking)
        return _core.make_op(op_type, inputs, attrs, op_type)

    def _scatter(self, var: Any, values: Any, indices: Any) -> Any:
        """Rows of the variable and of its slots change."""
        slots = [self.get_slot(var, name) for name in self.get_slot_names()]
        made = [slot._scatter_raw("Add", indices, values) for slot in slots
                if slot is not None and slot.get_shape().is_compatible_with(var.get_shape())]
        made.append(var._scatter_raw("Sub", indices, values))
        made = [getattr(result, "op", result) for result in made]
        return made[0] if len(made) == 1 else tf.group(*made)

    # --- checks
    def _valid_dtypes(self) -> Any:
        return {_core.as_dtype(n) for n in ("float16", "bfloat16", "float32", "float64",
                                            "complex64", "complex128")}

    def _assert_valid_dtypes(self, tensors: List[Any]) -> None:
        valid = self._valid_dtypes()
        for t in tensors:
            dtype = t.dtype.base_dtype
            if dtype not in valid:
                raise fail("SF201", "Invalid type {dtype!r} for {name}, expected: {text}.", dtype, t.name,
                           [v for v in valid])

    def _call_if_callable(self, param: object) -> Any:
        return param() if callable(param) else param


def _key(var: object) -> Any:
    if _core.executing_eagerly() or not hasattr(var, "op"):
        return id(var)
    return (var.op.graph, var.op.name)


put(Optimizer, "tf.train.Optimizer", "tf.contrib.optimizer.Optimizer")
