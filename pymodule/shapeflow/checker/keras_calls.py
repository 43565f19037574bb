"""How a check follows Keras: what the user calls of it (layers, operations, fit...) passes through here.

Keras wraps all that with one decorator, for its tracebacks (`filter_traceback`), which is ours while a check
runs. An error about shapes becomes a finding at the user's line, and the check goes on: the output of a layer
is then what the layer can still say of it, else unknown. Beside each symbolic tensor of Keras stands one of
our own, so that a finding knows where its operands were made.
"""
from __future__ import annotations

import contextlib
import sys
from types import ModuleType

import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.keras_errors as errors
import shapeflow.checker.keras_places as places
import shapeflow.checker.keras_values as values
from shapeflow import _core
from shapeflow.api import made_up_layers
from shapeflow.api.loaded_modules import loaded
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow.checker.keras_ranks import Layer
    from shapeflow.checker.patches import Patcher

_TRACEBACKS = "keras.src.utils.traceback_utils"
_LOSSES = "keras.src.losses.losses"
_NORMALIZATION = "keras.src.layers.preprocessing.normalization"
_INPUT_LAYER = "keras.src.layers.core.input_layer"
_OPTIMIZERS = "keras.src.optimizers.base_optimizer"
_SCHEDULES = "keras.src.optimizers.schedules.learning_rate_schedule"
# What a program calls as well, and Keras does not decorate: module, class, method.
_ENTRIES = (
    ("keras.src.losses.loss", "Loss", "__call__"),
    ("keras.src.metrics.metric", "Metric", "__call__"),
    ("keras.src.metrics.reduction_metrics", "MeanMetricWrapper", "update_state"),
    ("keras.src.optimizers.base_optimizer", "BaseOptimizer", "apply_gradients"),
    ("keras.src.models.sequential", "Sequential", "add"),
    ("keras.src.ops.operation", "Operation", "symbolic_call"),  # x + y, and functions of keras.ops
)
_TRAINER = ("keras.src.backend.tensorflow.trainer", "TensorFlowTrainer")
_ON_BATCH = ("train_on_batch", "test_on_batch", "predict_on_batch")  # not decorated either
# Models that are made of tensors.
_MODELS = (("keras.src.models.model", "Model"), ("keras.src.models.functional", "Functional"),
           ("keras.src.models.sequential", "Sequential"))
# How parameters of layers end that say nothing of shapes.
_OF_VALUES = ("name", "activation", "initializer", "regularizer", "constraint", "rate", "dropout", "momentum",
              "epsilon", "stddev", "seed", "trainable")
# After these a layer's output is what it would be: only the size of one axis of its input was wrong.
_KEEP_SHAPE = ("SF106",)
_GROUPS = {"fit": ".train", "train_on_batch": ".train"}  # of a picture, behind the name of the model
# What a model does no more once one of them has failed.
_STEPS = frozenset(("fit", "evaluate", "predict", *_ON_BATCH))


def follow(by: Patcher, script: str) -> None:
    """From the import of Keras on."""
    from shapeflow.checker import import_hook

    calls = Calls(script)
    acts: Dict[str, Any] = {_TRACEBACKS: calls.wrap_entries, _INPUT_LAYER: calls.note_inputs,
                            places.LAYER: places.following(calls.is_users),
                            places.BACKEND: places.muting_trials(calls.trials)}
    acts.update((module, calls.wrapping(kind, method)) for module, kind, method in _ENTRIES)
    import_hook.act_on(by, acts)
    import_hook.act_on(by, {module: calls.passing_unknown(kind) for module, kind in _MODELS})
    import_hook.act_on(by, {places.LAYER: pass_unknown_sizes, _LOSSES: pass_unknown_ranks,
                            _NORMALIZATION: calls.adapting,
                            _SCHEDULES: pass_unknown_settings("LearningRateSchedule"),
                            _OPTIMIZERS: pass_unknown_settings("BaseOptimizer")})
    import_hook.act_on(by, {places.LAYER: keep_layers})
    for method in _ON_BATCH:
        import_hook.act_on(by, {_TRAINER[0]: calls.wrapping(_TRAINER[1], method)})


def keep_layers(module: ModuleType, by: Patcher) -> None:
    """For the commands that show what a script made."""
    from shapeflow.tensorflow.python.framework import object_log

    if object_log.layers is None:
        return
    kind: Any = vars(module)["Layer"]
    init = kind.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # Keras looks at the names
        init(self, *args, **kwargs)
        object_log.add(object_log.layers, self)

    by.set(kind, "__init__", __init__)


def pass_unknown_sizes(module: ModuleType, by: Patcher) -> None:
    """A layer of Keras of which more is unknown than values and sizes is unknown. One of the user's is made,
    of the layers that its constructor makes."""
    kind: Any = vars(module)["Layer"]
    new = kind.__new__

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if _has_unknown((cls, *args), kwargs) and cls.__module__.startswith("keras.src."):
            import inspect

            try:
                given: Any = inspect.signature(cls.__init__).bind(None, *args, **kwargs).arguments
            except TypeError:  # Keras says what is wrong
                given = {}
            given.update(given.pop("kwargs", {}))
            if any(_has_unknown((cls, one), {}) for name, one in given.items()
                   if not name.endswith(_OF_VALUES) and not made_up_layers.is_made_up(name, one)):
                return _unknown("keras." + cls.__name__)
            args, kwargs = made_up_layers.known(cls, args, kwargs)
            made = new(cls, *args, **kwargs)
            made_up_layers.construct_with(made, args, kwargs)
            return made
        return new(cls, *args, **kwargs)

    by.set(kind, "__new__", staticmethod(__new__))


def pass_unknown_settings(kind: str) -> Any:
    """A schedule of numbers that nobody knows is unknown, and so is an optimizer, of which the learning rate
    alone may be unknown."""
    def act(module: ModuleType, by: Patcher) -> None:
        of: Any = vars(module)[kind]
        new = of.__new__
        passed = ("learning_rate",) if kind == "BaseOptimizer" else ()

        def __new__(cls: Any, *args: object, **kwargs: object) -> Any:
            asked = {name: value for name, value in kwargs.items() if name not in passed}
            if cls.__module__.startswith("keras.src.") and _has_unknown((cls, *args[len(passed):]), asked):
                return _unknown("keras." + cls.__name__)
            return new(cls) if new is object.__new__ else new(cls, *args, **kwargs)

        by.set(of, "__new__", staticmethod(__new__))

    return act


def pass_unknown_ranks(module: ModuleType, by: Patcher) -> None:
    """A function that wants the rank of a loss, where nobody knows it, gives an unknown loss."""
    import functools

    def around(fn: Callable[..., object]) -> object:
        @functools.wraps(fn)
        def loss(*args: Any, **kwargs: Any) -> Any:
            try:
                return fn(*args, **kwargs)
            except ValueError as error:
                if not errors.is_about_unknown(error) or not handlers.uncaught():
                    raise
                from shapeflow.api.unmodelled import tensors_in

                return _unknown(f"keras.losses.{fn.__name__}()", tensors_in(args, []))

        return loss

    exports: Any = sys.modules["keras.src.api_export"]
    for name, fn in list(vars(module).items()):
        code = getattr(fn, "__code__", None)
        if code is not None and code.co_varnames[:2] == ("y_true", "y_pred"):
            ours = around(fn)
            by.set(module, name, ours)
            public = exports.get_name_from_symbol(fn)
            if public is not None:  # by which a saved model finds it
                by.item(exports.REGISTERED_NAMES_TO_OBJS, public, ours)
                by.item(exports.REGISTERED_OBJS_TO_NAMES, ours, public)


class Twin:
    """Our tensor beside one of Keras's; a copy of the latter has the same one."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any = None) -> None:
        self.tensor = tensor

    def __deepcopy__(self, memo: object) -> Twin:
        return self

    def __reduce__(self) -> Any:
        return Twin, ()


class Calls:
    """The calls of one check."""

    def __init__(self, script: str) -> None:
        from shapeflow.tensorflow.python.framework import object_log

        self._script = script
        self._depth = 0  # of calls that have not returned
        self._code: object = None  # of what stands for each of them
        self._calls = 0  # of layers, among them
        self._is_partly = False  # is the known part of a step looked at?
        self._log: Any = object_log
        self._graph: Any = None
        self._users: Dict[str, bool] = {}  # is it the user's? by file
        self.trials: List[object] = []  # of layers that look for their weights, those that have not ended
        self._failed: Dict[int, Any] = {}  # layers of which something was reported, by id
        self._sized: Dict[int, object] = {}  # those that were built for made-up sizes

    # --- what is changed in Keras ------------------------------------------------------------------
    def wrap_entries(self, module: ModuleType, by: Patcher) -> None:
        keras_own: Any = vars(module)["filter_traceback"]

        def filter_traceback(fn: Callable[..., Any]) -> object:
            return self._entry(fn, keras_own) if by.on else keras_own(fn)

        by.set(module, "filter_traceback", filter_traceback)

    def note_inputs(self, module: ModuleType, by: Patcher) -> None:
        """An input of a model is made where the user says so, not where it is used first."""
        kind: Any = vars(module)["InputLayer"]
        init = kind.__init__

        def __init__(layer: Any, *args: Any, **kwargs: Any) -> None:
            init(layer, *args, **kwargs)
            for tensor in _flat(getattr(layer, "output", None)):
                self._twin(tensor)

        by.set(kind, "__init__", __init__)

    def wrapping(self, kind: str, method: str) -> Any:
        """Changes one method of a class of Keras."""

        def act(module: ModuleType, by: Patcher) -> None:
            of = vars(module)[kind]
            by.set(of, method, self._entry(getattr(of, method), lambda fn: fn))

        return act

    def passing_unknown(self, kind: str) -> Any:
        """A model of something unknown is unknown."""

        def act(module: ModuleType, by: Patcher) -> None:
            of = vars(module)[kind]
            new = of.__new__

            def __new__(cls: object, *args: object, **kwargs: object) -> Any:
                if _has_unknown((cls, *args), kwargs):
                    return _unknown("keras." + kind)
                return new(cls, *args, **kwargs)

            by.set(of, "__new__", staticmethod(__new__))

        return act

    def adapting(self, module: ModuleType, by: Patcher) -> None:
        """What is adapted to data of unknown rank gives something unknown."""
        kind: Any = vars(module)["Normalization"]
        adapt = kind.adapt

        def adapt_to(layer: Any, data: object, *args: object, **kwargs: object) -> Any:
            try:
                if not _has_unknown((layer, data), {}):
                    return adapt(layer, data, *args, **kwargs)
            except ValueError as error:
                if not errors.is_about_unknown(error) or not handlers.uncaught():
                    raise
            except TypeError as error:  # it counts elements, of which nobody knows how many a batch has
                if "NoneType" not in str(error) or not layer.built or not handlers.uncaught():
                    raise
                return layer.finalize_state()
            self._failed[id(layer)] = layer, ""
            layer.mean, layer.variance = _unknown("keras.mean"), _unknown("keras.variance")

        by.set(kind, "adapt", adapt_to)

    def _entry(self, fn: Callable[..., Any], keras_own: Callable[..., Any]) -> Callable[..., Any]:
        import functools

        is_call, is_step = fn.__name__ == "__call__", fn.__name__ in _STEPS

        def again(error: Exception) -> Any:
            raise error

        raise_as_keras = keras_own(again)

        @functools.wraps(fn)
        def entry(*args: object, **kwargs: object) -> Any:
            is_unknown = (is_call or is_step) and _has_unknown(args, kwargs)
            if is_unknown and is_call:
                args = (args[0], *map(_of_said_shape, args[1:]))
                is_unknown = _has_unknown(args, kwargs)
            if is_unknown or (is_call or is_step) and self._failed and self._has_failed(args[0]):
                if is_step and not self._depth and not self._has_failed(args[0]):
                    self._run_known(entry, fn, args, kwargs)
                return self._instead(fn, args, kwargs)
            if fn.__name__ == "add" and _has_unknown(args, kwargs):
                return _become_unknown(args[0])
            if fn.__name__ == "compile" and any(map(is_unmodelled, _flat([args[1:], kwargs]))):
                from shapeflow.checker import keras_settings

                kwargs = keras_settings.known(places.arguments_of(fn, args, kwargs))
                args = (kwargs.pop("self"),)
            if fn.__name__ == "apply_gradients" and len(args) > 1:
                pairs = _of_known_variables(args[1])
                if pairs is None:
                    return self._instead(fn, args, kwargs)
                args = (args[0], pairs, *args[2:])
            users = not self._depth or self._is_of_program(sys._getframe(1))
            self._depth += 1
            self._calls += is_call
            with places.data_of(fn, args, kwargs) if is_step else contextlib.nullcontext():
                try:
                    made = fn(*args, **kwargs)
                    if is_step and users:
                        values.check(fn.__name__, args[0], places.arguments_of(fn, args, kwargs))
                except Exception as error:
                    if not users:
                        raise
                    found = self._failing(fn, args, kwargs, error)
                    return raise_as_keras(error) if found is None else found
                finally:
                    self._depth -= 1
                    self._calls -= is_call
            if is_call and len(args) > 1:
                places.warn_of_one_class(args[0], made)
                if self._log.is_pictured and not self._calls:
                    self._trace(fn, made, args, kwargs)
                if not isinstance(made, _core.Tensor) and not (self._log.is_pictured and self._calls):
                    self._twins(made, args)
                if self._log.layers is not None and hasattr(args[0], "_layers"):
                    self._log.calls.setdefault(id(args[0]), (args[1], made))
            return made

        made: Any = entry
        self._code = made.__code__
        return entry

    def _run_known(self, step: Callable[..., object], fn: Callable[..., object], args: Tuple[object, ...],
                   kwargs: Mapping[str, object]) -> None:
        """Of a step of which something is unknown. Where its data are not, it is done without the rest."""
        from shapeflow.checker import keras_settings

        known = keras_settings.of_step(places.arguments_of(fn, args, kwargs), lambda one: _has_unknown(
            (None, one), {}))
        if known is None:
            self._run_known_part(fn, args, kwargs)
            return
        try:
            step(known.pop("self"), **known)
        except Exception:  # of what it lacks
            pass

    def _run_known_part(self, fn: Callable[..., Any], args: Tuple[object, ...],
                        kwargs: Mapping[str, object]) -> None:
        """Of a step whose data are unknown in part. What is not about shapes may come of the rest."""
        from shapeflow.checker import keras_partly

        if self._is_partly:  # that has failed as the step did
            return
        given = places.arguments_of(fn, args, kwargs)
        self._depth += 1
        self._is_partly = True
        with places.data_of(fn, args, kwargs):
            try:
                keras_partly.run(fn.__name__, args[0], given)
            except Exception as error:
                if handlers.uncaught():
                    self._failing(fn, args, kwargs, error)
            finally:
                self._depth -= 1
                self._is_partly = False

    def _is_of_program(self, frame: Optional[FrameType]) -> bool:
        """Is it a call of the program, or of a function of Keras that it called? Not a layer's."""
        while frame is not None and frame.f_code is not self._code:
            if self.is_users(frame):
                return True
            frame = frame.f_back
        return False

    def is_users(self, frame: FrameType) -> bool:
        return self._is_users_file(frame.f_code.co_filename)

    def _is_users_file(self, path: str) -> bool:
        found = self._users.get(path)
        if found is None:
            found = self._users[path] = not path.startswith("<") and not is_library(path, self._script)
        return found

    # --- an error ----------------------------------------------------------------------------------
    def _failing(self, fn: Callable[..., Any], args: Tuple[object, ...], kwargs: Mapping[str, object],
                 error: Exception) -> object:
        """Reports what it can, and gives what stands for the result; None: the error is raised."""
        if self.trials:  # it fails again, in the call that follows
            return None
        reported = self._reported(error)
        if reported is not None:
            if fn.__name__ not in _STEPS or not handlers.uncaught():
                return None
            places.note_batch(reported, error)
            self._failed[id(args[0])] = args[0], reported.code
            return self._instead(fn, args, kwargs)
        if not errors.is_about_unknown(error):
            refused = errors.refusal(error)
            if refused is None:
                return None
            if id(args[0]) in self._sized and fn.__name__ == "__call__" and refused.code in _KEEP_SHAPE:
                return self._instead(fn, args, kwargs)
            self._failed[id(args[0])] = args[0], refused.code
            inner = errors.passed_frames(error, self._script)
            operands: List[Tuple[object, ...]] = list(errors.assigned(error, self._twin) or errors.compared(
                error) or errors.refused_input(error, self._twin) or errors.refusing_layer(
                    error, args[0], self._twin))
            if not operands and not inner and fn.__name__ in ("__call__", "symbolic_call"):
                operands += self._operands(args, kwargs)
            if fn.__name__ in _STEPS or fn.__name__ == "__call__":
                known = [tensor for _, tensor, *_ in operands]
                operands += [pair for pair in errors.given_otherwise(error, self._twin) if not any(
                    pair[1] is tensor for tensor in known)]
            _core.report(refused.code, refused.message, operands=operands, axis=refused.axis,
                         frames=inner + _core.user_frames() if inner else None, args=refused.arguments)
            if self._log.failed is not None:
                name = str(getattr(args[0], "name", "")) + _GROUPS.get(fn.__name__, "")
                self._log.failed(_core.findings()[-1], name)
        if not handlers.uncaught():
            return None
        if fn.__name__ in _STEPS and errors.is_about_unknown(error):
            _forget_inputs(args[0])
            self._run_known_part(fn, args, kwargs)
        made = self._with_sizes(fn, args, kwargs)
        return self._instead(fn, args, kwargs) if made is None else made

    def _with_sizes(self, fn: Callable[..., object], args: Tuple[object, ...],
                    kwargs: Mapping[str, object]) -> object:
        """What a layer makes that must know the sizes of its inputs, with made-up ones; None: it has not
        failed for want of them."""
        sized, changed = made_up_layers.with_sizes(args[1:])
        if fn.__name__ != "__call__" or not changed:
            return None
        _forget_inputs(args[0])
        if not getattr(args[0], "built", True):
            self._sized[id(args[0])] = args[0]
        try:
            return fn(args[0], *sized, **kwargs)
        except Exception:  # of what else is unknown
            return None

    def _has_failed(self, what: object) -> bool:
        """Was something reported of it, or of a layer of a model?"""
        if id(what) in self._failed:
            return True
        layers: Any = vars(what).get("_layers", ()) if hasattr(what, "__dict__") else ()
        return any(self._has_failed(layer) for layer in layers)

    @staticmethod
    def _reported(error: BaseException) -> Optional[_core.Finding]:
        """The finding of an op that failed, where the error is that."""
        text = str(errors.original(error))
        if text.startswith("Graph execution error"):  # a finding leaves out where the nodes were made
            text = _without_frames(text)
        return next((found for found in _core.findings() if found.severity == "error" and (
            found.message in text or _without_frames(found.message) == text)), None)

    def _operands(self, args: Any, kwargs: Any) -> List[Tuple[str, object]]:
        found = [tensor for tensor in map(self._twin, _flat((args[1:], kwargs))) if tensor is not None]
        names = ["inputs"] if len(found) == 1 else [f"inputs[{i}]" for i in range(len(found))]
        return list(zip(names, found))

    # --- what stands for a result ------------------------------------------------------------------
    def _instead(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> object:
        name = fn.__qualname__.replace(".__call__", "")
        if fn.__name__ != "__call__":
            found = _of_outputs(args[0], "keras.predict") if fn.__name__.startswith("predict") else None
            return _unknown("keras." + name) if found is None else found
        layer, given = args[0], _flat((args[1:], kwargs))
        output = self._called(layer, args, kwargs)
        if output is not None:
            return output
        symbolic = [one for one in given if _is_keras_tensor(one)]
        kept = id(layer) in self._sized or self._failed.get(id(layer), (None, ""))[1] in _KEEP_SHAPE
        kept = kept and not _has_unknown(args, kwargs)
        specs = _declared(layer, args[1:]) if kept else None
        if specs is None:
            return self._of_ranks(layer, args[1:])
        if symbolic:
            from keras.src.ops.node import Node

            Node(operation=layer, call_args=args[1:], call_kwargs=kwargs, outputs=specs)
            return specs
        from shapeflow.tensorflow.python.framework import op_builders

        made: List[Any] = [op_builders.unknown(spec.dtype, spec.shape, None, [
            one for one in given if isinstance(one, _core.Tensor)]) for spec in _flat(specs)]
        return made[0] if _is_keras_tensor(specs) else type(specs)(made)

    def _of_ranks(self, layer: Layer, inputs: Sequence[object]) -> object:
        """What a layer makes of an input of which nobody knows the rank."""
        from shapeflow.checker import keras_ranks

        name = f"keras.{type(layer).__name__}()"
        facts = None
        if not self._has_failed(layer) and loaded("shapeflow.api.unknown_package") is not None:
            made = None
            if keras_ranks.is_chain(layer) and len(inputs) == 1:
                made = keras_ranks.through(layer, inputs[0])
            elif type(layer).__module__.startswith("keras.src."):  # another may have a call of its own
                made = _of_outputs(layer, name)
            if made is not None:
                return made
            facts = keras_ranks.output(layer, inputs)
        parts = [keras_ranks.noted(_unknown(name)._shaped(*one)) for one in facts or ()]
        return parts if len(parts) > 1 else parts[0] if parts else _unknown(name)

    def _called(self, layer: Any, args: Sequence[object], kwargs: Any) -> object:
        """What a method of the program makes of inputs that nobody knows; None: nothing is known of it."""
        method = getattr(type(layer), "call", None)
        code = getattr(method, "__code__", None)
        if code is None or not self._is_users_file(code.co_filename) or self._has_failed(layer):
            return None
        if not layer.built and not type(layer).build.__module__.startswith("keras.src."):
            return None  # it makes its weights of a shape that nobody knows
        names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        try:
            return layer.call(*args[1:], **{name: one for name, one in kwargs.items() if name in names})
        except Exception:  # of what is unknown, or found by now
            return None

    # --- our tensors beside Keras's ----------------------------------------------------------------
    def _twin(self, tensor: Any, inputs: Any = ()) -> Any:
        """Our tensor of one of Keras's, or of what holds one; None: it is no tensor."""
        if isinstance(tensor, _core.Tensor):
            return tensor
        if not _is_keras_tensor(tensor):
            return None
        found = vars(tensor).get("_sf_twin")
        if found is not None and found.tensor is not None:
            return found.tensor
        from shapeflow.tensorflow.python.framework import op_builders

        with self._own_graph().as_default():
            shape = tensor.shape
            if not inputs:
                made = op_builders.tf.placeholder(tensor.dtype, shape)
            else:
                head = inputs[0].get_shape()
                if shape and shape[0] is None and head.ndims:
                    shape = _core.TensorShape([head.dims[0], *shape[1:]])
                made = op_builders.unknown(tensor.dtype, shape, None, inputs)
        vars(tensor)["_sf_twin"] = Twin(made)
        return made

    def _twins(self, made: object, args: Tuple[object, ...]) -> None:
        """Of what a call made of others."""
        new = [one for one in _flat(made) if _is_keras_tensor(one) and "_sf_twin" not in vars(one)]
        if new:
            inputs = [twin for twin in map(self._twin, _flat(args[1:])) if twin is not None]
            graph = self._own_graph()
            for one in new:
                self._twin(one, [twin for twin in inputs if twin.graph is graph])

    def _trace(self, fn: Callable[..., Any], made: object, args: Tuple[object, ...], kwargs: object) -> None:
        """For a picture: the tensors beside those that a layer made come of its operations."""
        from shapeflow.tensorflow.python.util import nest

        new = [one for one in _flat(made) if _is_keras_tensor(one)]
        if not new:
            return

        def ours(one: Any) -> Any:
            return self._twin(one) if _is_keras_tensor(one) else one

        from shapeflow.tensorflow.python.framework.framework_lib import get_current_name_scope

        scope = get_current_name_scope()  # of the model that is built, or the program's
        try:
            with self._own_graph().as_default() as graph, graph.name_scope(scope), _core.mute():
                found = _flat(fn(args[0], *nest.map_structure(ours, args[1:]),
                                 **nest.map_structure(ours, kwargs)))
        except Exception:  # the layer's own affair: its output is unknown in the picture
            return
        for one, tensor in zip(new, found):
            if isinstance(tensor, _core.Tensor):
                vars(one)["_sf_twin"] = Twin(tensor)

    def _own_graph(self) -> Any:
        if self._graph is None:
            from shapeflow.tensorflow.python.data.traced_function import FunctionGraph

            class ModelGraph(FunctionGraph):
                """A name scope that is entered again stays the same one, as in eager mode: all of a layer is
                in its own."""

                def name_scope(self, name: Optional[str]) -> Any:
                    here = self.get_name_scope()
                    if name and not name.endswith("/"):
                        name = f"{here}/{name}/" if here else name + "/"
                    return super().name_scope(name)

            self._graph = self._log.models = ModelGraph()
        return self._graph


def _without_frames(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("  File "))


def _flat(given: Any, depth: int = 0) -> List[Any]:
    """The values in lists, tuples and dicts."""
    if isinstance(given, dict):
        given = list(given.values())
    if not isinstance(given, (list, tuple)):
        return [given]
    return [one for item in given for one in _flat(item, depth + 1)] if depth < 8 else []


def _is_keras_tensor(given: object) -> bool:
    return type(given).__name__ == "KerasTensor"


def _has_unknown(args: Sequence[object], kwargs: Any) -> bool:
    """Is something among them that nobody knows?"""
    from shapeflow.api.unmodelled import Opaque

    return any(isinstance(one, Opaque) and not one._sf_is_ragged or _holds_unknown(one)
               for given in (*args[1:], *kwargs.values())
               for one in (given if isinstance(given, (list, tuple)) else
                           (*given, *given.values()) if type(given) is dict else (given,)))


def _of_said_shape(given: object) -> object:
    """An unknown array of which the program says the rank, `observation[None]`, as a tensor."""
    package = loaded("shapeflow.api.unknown_package")
    if package is None or not isinstance(given, package.Unknown) or given._sf_shape is None:
        return given
    from shapeflow.checker import keras_ranks

    if not keras_ranks.is_told(given):
        return given
    return _core.eager_tensor(given._sf_dtype or "float32", list(given._sf_shape), None, None)


def _holds_unknown(array: Any) -> bool:
    """Is it an array of numpy that has something unknown for an element?"""
    if type(array) is _core.EagerTensor:
        return False
    if str(getattr(array, "dtype", "")) != "object" or not getattr(array, "size", 0):
        return False
    return is_unmodelled(array.flat[0])


def _unknown(name: str, inputs: Sequence[object] = ()) -> Any:
    """What stands for a result; where the program lacks data or packages, as what comes of those."""
    from shapeflow.api.unmodelled import Opaque
    from shapeflow.tensorflow.python.framework import object_log

    object_log.left_out = True
    package = loaded("shapeflow.api.unknown_package")
    return Opaque(name, inputs) if package is None else package.Unknown(name, inputs)


def _of_outputs(model: object, name: str) -> object:
    """What a model gives for inputs that nobody knows: of the shapes of its outputs, nested as these are;
    None: nobody knows them."""
    outputs = getattr(model, "outputs", None) if loaded("shapeflow.api.unknown_package") is not None else None
    if not outputs or not all(map(_is_keras_tensor, outputs)):
        return None
    from keras.src import tree

    nested = getattr(getattr(model, "_functional", None) or model, "_outputs_struct", None)
    if nested is None:
        nested = outputs[0] if len(outputs) == 1 else outputs
    found: object = tree.map_structure(
        lambda one: _unknown(name)._shaped((None, *one.shape[1:]), str(one.dtype)), nested)
    return found


def _forget_inputs(layer: object) -> None:
    """A Sequential that could not be made for its first input has kept the shape of that."""
    layers: List[object] = getattr(layer, "_layers", None) or []
    if type(layer).__name__ == "Sequential" and getattr(layer, "_functional", 0) is None and layers and \
            type(layers[0]).__name__ == "InputLayer":
        vars(layer)["_layers"] = layers = list(layers[1:])
    for one in layers:
        _forget_inputs(one)


def _become_unknown(model: Any) -> None:
    """A model that was made, and then given a layer that nobody knows."""
    from shapeflow.api.unmodelled import CallableOpaque

    name = f"keras.{type(model).__name__}()"
    vars(model).clear()
    object.__setattr__(model, "__class__", CallableOpaque)
    model.__init__(name)
    vars(model)["_maybe_rebuild"] = lambda: None  # its constructor, where that added the layer


def _of_known_variables(pairs: Any) -> object:
    """Gradients and their variables, without variables of unknown models; None: there are no others."""
    from shapeflow.api.unmodelled import Opaque

    if isinstance(pairs, Opaque):
        return None
    pairs = list(pairs)
    known = [pair for pair in pairs if not isinstance(pair, Opaque) and not isinstance(pair[-1], Opaque)]
    return known if known or not pairs else None


def _declared(layer: Any, given: Sequence[object]) -> Optional[Any]:
    """What the layer says of its output without looking at its inputs more than it must; None: nothing."""
    method = getattr(layer, "compute_output_shape", None)
    if method is None or not given:
        return None
    from keras.src.backend.common.keras_tensor import KerasTensor

    from shapeflow.checker import keras_ranks

    def shape(one: Any) -> Any:
        if isinstance(one, (list, tuple)):
            return [shape(item) for item in one]
        return tuple(one.shape)

    try:
        with _core.mute():
            found = method(shape(given[0]))
        dtype = layer.compute_dtype
        if isinstance(found, list) and not keras_ranks.is_one_shape(found):
            return [KerasTensor(tuple(one), dtype) for one in found]
        return KerasTensor(tuple(found), dtype)
    except Exception:  # it looks at what is wrong
        return None
