"""The optimizers of tf.train: hyper-parameters, slots and the Apply* op of each.

Source: tensorflow/python/training/{gradient_descent,adam,...}.py (1.15).
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put, put_subclass
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import known_op
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.training.optimizer import Optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple


class _Applied(Optimizer):
    """An optimizer whose update is one op: Apply<rule> on references, ResourceApply<rule>."""

    _rule = ""
    _slot_names: Tuple[Tuple[str, str], ...] = ()  # slot name, suffix of its op ("" = own name)
    _arguments = ""  # inputs of the op after var: slots, hyper-parameters and "grad"
    _sparse_arguments: Optional[str] = None  # SparseApply<rule>; None: scatter instead

    def __init__(self, hyper: Dict[str, Any], use_locking: bool, name: str, **attrs: Any) -> None:
        super().__init__(use_locking, name)
        self._hyper = hyper
        self._attrs = attrs
        self._tensors: Dict[str, Any] = {}
        for key, value in hyper.items():
            setattr(self, "_" + key, value)
            setattr(self, "_%s_tensor" % key, None)
        if "learning_rate" in hyper:
            self._lr = hyper["learning_rate"]

    def _prepare(self) -> None:
        for key in self._hyper:
            value = self._call_if_callable(getattr(self, "_" + key))
            self._tensors[key] = framework_lib.convert_to_tensor(value, None, key)
            setattr(self, "_%s_tensor" % key, self._tensors[key])
        if "learning_rate" in self._tensors:
            self._lr_t = self._tensors["learning_rate"]

    def _create_slots(self, var_list: List[Any]) -> None:
        for var in var_list:
            for slot, suffix in self._slot_names:
                self._make_slot(var, slot, suffix or self._name)

    def _make_slot(self, var: Any, slot: str, op_name: str) -> None:
        self._zeros_slot(var, slot, op_name)

    def _input(self, name: str, var: Any, grad: Any, indices: Any, resource: bool) -> Any:
        if name == "grad":
            return grad
        if name == "indices":
            return indices
        if name in self._tensors:
            return framework_lib.convert_to_tensor(self._tensors[name]) if \
                self._tensors[name].dtype.base_dtype == var.dtype.base_dtype else \
                _cast(self._tensors[name], var.dtype.base_dtype)
        slot = self.get_slot(var, name)
        if slot is None:
            other = self._other_input(name)
            keep = other.dtype.base_dtype == var.dtype.base_dtype or other.dtype.is_integer
            return other if keep else _cast(other, var.dtype.base_dtype)
        return slot.handle if resource else slot._ref()

    def _other_input(self, name: str) -> Any:
        raise KeyError(name)

    def _node(self, op_type: str, arguments: str, var: Any, grad: Any, indices: Any = None) -> Any:
        resource = getattr(var, "_kind", "ref") == "resource"
        if not known_op(op_type):
            with framework_lib.control_dependencies([grad]):
                return framework_lib.no_op(op_type)
        target = var.handle if resource else var._ref() if hasattr(var, "_ref") else var
        inputs = [target] + [self._input(a, var, grad, indices, resource)
                             for a in arguments.split()]
        attrs = dict(self._attrs, use_locking=self._use_locking)
        return _core.make_op(op_type, inputs, attrs, op_type)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._node("Apply" + self._rule, self._arguments, var, grad)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._node("ResourceApply" + self._rule, self._arguments, handle, grad)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        if self._sparse_arguments is None:
            return self._scatter(var, grad.values, grad.indices)
        return self._node("SparseApply" + self._rule, self._sparse_arguments, var, grad.values,
                          grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._scatter(handle, grad, indices)

    def _scatter(self, var: Any, values: Any, indices: Any) -> Any:
        """Rows of the variable and of its slots change."""
        from shapeflow.tensorflow.python.framework.op_builders import tf

        slots = [self.get_slot(var, name) for name in self.get_slot_names()]
        made = [slot._scatter_raw("Add", indices, values) for slot in slots
                if slot is not None and slot.get_shape().is_compatible_with(var.get_shape())]
        made.append(var._scatter_raw("Sub", indices, values))
        made = [getattr(result, "op", result) for result in made]
        return made[0] if len(made) == 1 else tf.group(*made)


def _cast(tensor: Any, dtype: Any) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import tf

    return tf.cast(tensor, dtype)


@export("tf.train.GradientDescentOptimizer")
class GradientDescentOptimizer(_Applied):
    _rule = "GradientDescent"
    _arguments = "learning_rate grad"

    def __init__(self, learning_rate: Any, use_locking: bool = False,
                 name: str = "GradientDescent") -> None:
        super().__init__({"learning_rate": learning_rate}, use_locking, name)


@export("tf.train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(_Applied):
    _rule = "ProximalGradientDescent"
    _arguments = "learning_rate l1_regularization_strength l2_regularization_strength grad"

    def __init__(self, learning_rate: Any, l1_regularization_strength: float = 0.0,
                 l2_regularization_strength: float = 0.0, use_locking: bool = False,
                 name: str = "ProximalGradientDescent") -> None:
        super().__init__({"learning_rate": learning_rate,
                          "l1_regularization_strength": l1_regularization_strength,
                          "l2_regularization_strength": l2_regularization_strength},
                         use_locking, name)


@export("tf.train.MomentumOptimizer")
class MomentumOptimizer(_Applied):
    _rule = "Momentum"
    _slot_names = (("momentum", ""),)
    _arguments = "momentum_slot learning_rate grad momentum"
    _sparse_arguments = "momentum_slot learning_rate grad indices momentum"

    def __init__(self, learning_rate: Any, momentum: Any, use_locking: bool = False,
                 name: str = "Momentum", use_nesterov: bool = False) -> None:
        super().__init__({"learning_rate": learning_rate, "momentum": momentum}, use_locking, name,
                         use_nesterov=use_nesterov)

    def _input(self, name: str, var: Any, grad: Any, indices: Any, resource: bool) -> Any:
        if name == "momentum_slot":  # the slot and the hyper-parameter share their name
            slot = self.get_slot(var, "momentum")
            return slot.handle if resource else slot._ref()
        return super()._input(name, var, grad, indices, resource)


@export("tf.train.AdamOptimizer")
class AdamOptimizer(_Applied):
    _rule = "Adam"
    _slot_names = (("m", ""), ("v", ""))
    _arguments = "m v beta1_power beta2_power learning_rate beta1 beta2 epsilon grad"

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
                 epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
                 use_own_namescope_for_non_slot_vars: bool = False) -> None:
        super().__init__({"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2,
                          "epsilon": epsilon}, use_locking, name)

    def _create_slots(self, var_list: List[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        for hyper in ("beta1", "beta2"):
            self._create_non_slot_variable(self._hyper[hyper], hyper + "_power", first)
        super()._create_slots(var_list)

    def _get_beta_accumulators(self) -> Tuple[Any, Any]:
        graph = None if _core.executing_eagerly() else _core.default_graph()
        return (self._get_non_slot_variable("beta1_power", graph),
                self._get_non_slot_variable("beta2_power", graph))

    def _other_input(self, name: str) -> Any:
        power = self._get_beta_accumulators()[name == "beta2_power"]
        return power._tensor

    def _scatter(self, var: Any, values: Any, indices: Any) -> Any:
        """As TensorFlow: the moments of all rows decay, those of the batch get something added, and all rows
        of the variable change."""
        if _core.executing_eagerly():
            return super()._scatter(var, values, indices)
        from shapeflow.tensorflow.python.framework.op_builders import tf

        def given(name: str) -> Any:
            return self._input(name, var, None, None, False)

        def moment(name: str, beta: str, part: Any) -> Any:
            slot = self.get_slot(var, name)
            with framework_lib.control_dependencies([slot.assign(slot._tensor * given(beta))]):
                added = slot._scatter_raw("Add", indices, part * (1 - given(beta)))
            if isinstance(added, _core.Tensor):
                return added
            with framework_lib.control_dependencies([added]):
                return slot.read_value()

        rate = given("learning_rate") * tf.sqrt(1 - given("beta2_power")) / (1 - given("beta1_power"))
        first, second = moment("m", "beta1", values), moment("v", "beta2", values * values)
        change = var.assign_sub(rate * first / (tf.sqrt(second) + given("epsilon")))
        return tf.group(change, first, second)

    def _finish(self, update_ops: List[Any], name_scope: str) -> Any:
        if _core.executing_eagerly():
            return None
        first, _ = self._get_beta_accumulators()
        with framework_lib.control_dependencies(update_ops), framework_lib.colocate_with(first):
            powers = [p.assign(p._tensor * self._tensors[b])
                      for p, b in zip(self._get_beta_accumulators(), ("beta1", "beta2"))]
        from shapeflow.tensorflow.python.framework.op_builders import tf

        return tf.group(*(update_ops + powers), name=name_scope)


@export("tf.train.AdagradOptimizer")
class AdagradOptimizer(_Applied):
    _rule = "Adagrad"
    _slot_names = (("accumulator", ""),)
    _arguments = "accumulator learning_rate grad"
    _sparse_arguments: Optional[str] = "accumulator learning_rate grad indices"

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 use_locking: bool = False, name: str = "Adagrad") -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s"
                             % initial_accumulator_value)
        super().__init__({"learning_rate": learning_rate}, use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value

    def _make_slot(self, var: Any, slot: str, op_name: str) -> None:
        if not var.get_shape().is_fully_defined():
            self._zeros_slot(var, slot, op_name)
            return
        self._get_or_make_slot_with_initializer(
            var, init_ops.Constant(self._initial_accumulator_value), var.get_shape(),
            var.dtype.base_dtype, slot, op_name)


@export("tf.train.AdagradDAOptimizer")
class AdagradDAOptimizer(_Applied):
    _rule = "AdagradDA"
    _slot_names = (("gradient_accumulator", "g_acc"), ("gradient_squared_accumulator", "gg_acc"))
    _arguments = ("gradient_accumulator gradient_squared_accumulator grad learning_rate "
                  "l1_regularization_strength l2_regularization_strength global_step")

    def __init__(self, learning_rate: Any, global_step: Any,
                 initial_gradient_squared_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "AdagradDA") -> None:
        super().__init__({"learning_rate": learning_rate,
                          "l1_regularization_strength": l1_regularization_strength,
                          "l2_regularization_strength": l2_regularization_strength},
                         use_locking, name)
        self._global_step = global_step

    def _other_input(self, name: str) -> Any:
        return _cast(framework_lib.convert_to_tensor(self._global_step), _core.as_dtype("int64"))


@export("tf.train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(AdagradOptimizer):
    _rule = "ProximalAdagrad"
    _arguments = ("accumulator learning_rate l1_regularization_strength "
                  "l2_regularization_strength grad")
    _sparse_arguments = None

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "ProximalAdagrad") -> None:
        _Applied.__init__(self, {"learning_rate": learning_rate,
                                 "l1_regularization_strength": l1_regularization_strength,
                                 "l2_regularization_strength": l2_regularization_strength},
                          use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value


@export("tf.train.AdadeltaOptimizer")
class AdadeltaOptimizer(_Applied):
    _rule = "Adadelta"
    _slot_names = (("accum", ""), ("accum_update", ""))
    _arguments = "accum accum_update learning_rate rho epsilon grad"
    _sparse_arguments = "accum accum_update learning_rate rho epsilon grad indices"

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
                 use_locking: bool = False, name: str = "Adadelta") -> None:
        super().__init__({"learning_rate": learning_rate, "rho": rho, "epsilon": epsilon},
                         use_locking, name)


@export("tf.train.RMSPropOptimizer")
class RMSPropOptimizer(_Applied):
    _rule = "RMSProp"

    def __init__(self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0,
                 epsilon: Any = 1e-10, use_locking: bool = False, centered: bool = False,
                 name: str = "RMSProp") -> None:
        super().__init__({"learning_rate": learning_rate, "decay": decay, "momentum": momentum,
                          "epsilon": epsilon}, use_locking, name)
        head = "mg " if centered else ""
        self._centered = centered
        self._rule = "CenteredRMSProp" if centered else "RMSProp"
        self._arguments = head + "rms mom learning_rate decay momentum_value epsilon grad"
        self._sparse_arguments = self._arguments + " indices"

    def _create_slots(self, var_list: List[Any]) -> None:
        for var in var_list:
            if var.get_shape().is_fully_defined():
                self._get_or_make_slot_with_initializer(var, init_ops.Ones(), var.get_shape(),
                                                        var.dtype.base_dtype, "rms", self._name)
            else:
                self._zeros_slot(var, "rms", self._name)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _input(self, name: str, var: Any, grad: Any, indices: Any, resource: bool) -> Any:
        if name == "mom":  # the slot and the hyper-parameter share their name
            slot = self.get_slot(var, "momentum")
            return slot.handle if resource else slot._ref()
        if name == "momentum_value":
            name = "momentum"
        return super()._input(name, var, grad, indices, resource)


@export("tf.train.FtrlOptimizer")
class FtrlOptimizer(_Applied):
    _rule = "Ftrl"
    _arguments = ("accum linear grad learning_rate l1_regularization_strength "
                  "l2_regularization_strength learning_rate_power")
    _sparse_arguments = ("accum linear grad indices learning_rate l1_regularization_strength "
                         "l2_regularization_strength learning_rate_power")

    def __init__(self, learning_rate: Any, learning_rate_power: float = -0.5,
                 initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
                 l2_regularization_strength: float = 0.0, use_locking: bool = False,
                 name: str = "Ftrl", accum_name: Optional[str] = None,
                 linear_name: Optional[str] = None,
                 l2_shrinkage_regularization_strength: float = 0.0, beta: Any = None) -> None:
        super().__init__({"learning_rate": learning_rate,
                          "l1_regularization_strength": l1_regularization_strength,
                          "l2_regularization_strength": l2_regularization_strength,
                          "learning_rate_power": learning_rate_power}, use_locking, name)
        self._slot_names = (("accum", accum_name or ""), ("linear", linear_name or name + "_1"))


class _Wrapped(Optimizer):
    """An optimizer around another one (averaging, synchronising): steps are the inner one's."""

    def __init__(self, opt: Any, *args: Any, name: str = "Wrapped", **kwargs: Any) -> None:
        super().__init__(False, name)
        self._opt = opt

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.apply_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self) -> List[str]:
        return self._opt.get_slot_names()

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> Any:
        from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook

        return SessionRunHook()

    def get_chief_queue_runner(self) -> Any:
        from shapeflow.tensorflow.python.training.queues import QueueRunner

        return QueueRunner(None, [])

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        return framework_lib.no_op()

    def swapping_saver(self, *args: Any, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.python.training.saver import Saver

        return Saver(*args, **kwargs)


put(_Wrapped, "tf.train.SyncReplicasOptimizer")
put_subclass(_Wrapped, "tf.contrib.opt.MovingAverageOptimizer")


# Adam with other rules: the same slots and shapes.
put_subclass(AdamOptimizer, "tf.contrib.opt.LazyAdamOptimizer")
put_subclass(AdamOptimizer, "tf.contrib.opt.NadamOptimizer")
put_subclass(AdamOptimizer, "tf.contrib.opt.AdaMaxOptimizer")


@export("tf.contrib.opt.ScipyOptimizerInterface", "tf.contrib.opt.ExternalOptimizerInterface")
class ScipyOptimizerInterface:
    """Minimises with scipy outside of the graph: here, the loss is run once."""

    def __init__(self, loss: Any, var_list: Any = None, equalities: Any = None,
                 inequalities: Any = None, var_to_bounds: Any = None, **optimizer_kwargs: Any) -> None:
        from shapeflow.tensorflow.python.ops.gradients import gradients
        from shapeflow.tensorflow.python.ops.variables import trainable_variables

        self._loss = loss
        self._vars = trainable_variables() if var_list is None else list(var_list)
        self._grads = gradients(loss, self._vars)

    def minimize(self, session: Any = None, feed_dict: Any = None, fetches: Any = None,
                 step_callback: Any = None, loss_callback: Any = None, **run_kwargs: Any) -> None:
        from shapeflow.tensorflow.python.framework.graph import session_or_default

        session = session_or_default(session, "run")
        values = session.run([self._loss] + list(fetches or []), feed_dict)
        if loss_callback is not None:
            loss_callback(*values)
