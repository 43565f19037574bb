"""The optimizers of tf.train: hyper-parameters, slots and the Apply* op of each.

Source: tensorflow/python/training/{gradient_descent,adam,...}.py (1.15).
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put, put_subclass
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.training.optimizer import Optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple


@export("tf.train.GradientDescentOptimizer")
class GradientDescentOptimizer(Optimizer):
    _rule = "GradientDescent"
    _arguments = "learning_rate grad"

    def __init__(self, learning_rate: Any, use_locking: bool = False,
                 name: str = "GradientDescent") -> None:
        self._begin({"learning_rate": learning_rate}, use_locking, name)


@export("tf.train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(Optimizer):
    _rule = "ProximalGradientDescent"
    _arguments = "learning_rate l1_regularization_strength l2_regularization_strength grad"

    def __init__(self, learning_rate: Any, l1_regularization_strength: float = 0.0,
                 l2_regularization_strength: float = 0.0, use_locking: bool = False,
                 name: str = "ProximalGradientDescent") -> None:
        self._begin({"learning_rate": learning_rate,
                     "l1_regularization_strength": l1_regularization_strength,
                     "l2_regularization_strength": l2_regularization_strength},
                    use_locking, name)


@export("tf.train.MomentumOptimizer")
class MomentumOptimizer(Optimizer):
    _rule = "Momentum"
    _slot_names = (("momentum", ""),)
    _arguments = "momentum_slot learning_rate grad momentum"
    _sparse_arguments = "momentum_slot learning_rate grad indices momentum"

    def __init__(self, learning_rate: Any, momentum: Any, use_locking: bool = False,
                 name: str = "Momentum", use_nesterov: bool = False) -> None:
        self._begin({"learning_rate": learning_rate, "momentum": momentum}, use_locking, name,
                    use_nesterov=use_nesterov)

    def _input(self, name: str, var: Any, grad: Any, indices: Any, resource: bool) -> Any:
        if name == "momentum_slot":  # the slot and the hyper-parameter share their name
            slot = self.get_slot(var, "momentum")
            return slot.handle if resource else slot._ref()
        return super()._input(name, var, grad, indices, resource)


@export("tf.train.AdamOptimizer")
class AdamOptimizer(Optimizer):
    _rule = "Adam"
    _slot_names = (("m", ""), ("v", ""))
    _arguments = "m v beta1_power beta2_power learning_rate beta1 beta2 epsilon grad"

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
                 epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
                 use_own_namescope_for_non_slot_vars: bool = False) -> None:
        self._begin({"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2,
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
        return tf.group(*(update_ops + powers), name=name_scope)


def _accumulator_slot(self: Any, var: Any, slot: str, op_name: str) -> None:
    if not var.get_shape().is_fully_defined():
        self._zeros_slot(var, slot, op_name)
        return
    self._get_or_make_slot_with_initializer(
        var, init_ops.Constant(self._initial_accumulator_value), var.get_shape(),
        var.dtype.base_dtype, slot, op_name)


@export("tf.train.AdagradOptimizer")
class AdagradOptimizer(Optimizer):
    _rule = "Adagrad"
    _slot_names = (("accumulator", ""),)
    _arguments = "accumulator learning_rate grad"
    _sparse_arguments: Optional[str] = "accumulator learning_rate grad indices"

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 use_locking: bool = False, name: str = "Adagrad") -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s"
                             % initial_accumulator_value)
        self._begin({"learning_rate": learning_rate}, use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value

    _make_slot = _accumulator_slot


@export("tf.train.AdagradDAOptimizer")
class AdagradDAOptimizer(Optimizer):
    _rule = "AdagradDA"
    _slot_names = (("gradient_accumulator", "g_acc"), ("gradient_squared_accumulator", "gg_acc"))
    _arguments = ("gradient_accumulator gradient_squared_accumulator grad learning_rate "
                  "l1_regularization_strength l2_regularization_strength global_step")

    def __init__(self, learning_rate: Any, global_step: Any,
                 initial_gradient_squared_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "AdagradDA") -> None:
        self._begin({"learning_rate": learning_rate,
                     "l1_regularization_strength": l1_regularization_strength,
                     "l2_regularization_strength": l2_regularization_strength},
                    use_locking, name)
        self._global_step = global_step

    def _other_input(self, name: str) -> Any:
        return tf.cast(framework_lib.convert_to_tensor(self._global_step), "int64")


@export("tf.train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(Optimizer):
    _rule = "ProximalAdagrad"
    _arguments = ("accumulator learning_rate l1_regularization_strength "
                  "l2_regularization_strength grad")
    _slot_names = (("accumulator", ""),)
    _make_slot = _accumulator_slot

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "ProximalAdagrad") -> None:
        self._begin({"learning_rate": learning_rate,
                     "l1_regularization_strength": l1_regularization_strength,
                     "l2_regularization_strength": l2_regularization_strength},
                    use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value


@export("tf.train.AdadeltaOptimizer")
class AdadeltaOptimizer(Optimizer):
    _rule = "Adadelta"
    _slot_names = (("accum", ""), ("accum_update", ""))
    _arguments = "accum accum_update learning_rate rho epsilon grad"
    _sparse_arguments = "accum accum_update learning_rate rho epsilon grad indices"

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
                 use_locking: bool = False, name: str = "Adadelta") -> None:
        self._begin({"learning_rate": learning_rate, "rho": rho, "epsilon": epsilon},
                    use_locking, name)


@export("tf.train.RMSPropOptimizer")
class RMSPropOptimizer(Optimizer):
    _rule = "RMSProp"

    def __init__(self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0,
                 epsilon: Any = 1e-10, use_locking: bool = False, centered: bool = False,
                 name: str = "RMSProp") -> None:
        self._begin({"learning_rate": learning_rate, "decay": decay, "momentum": momentum,
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
class FtrlOptimizer(Optimizer):
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
        self._begin({"learning_rate": learning_rate,
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
