"""tf.keras.Model and Sequential: what a batch of the data does to the layers.

Nothing is trained: fit looks at the data once for each size of a batch, the short last one too.
Source: tensorflow/python/keras/engine/{network,sequential,training,training_utils}.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import own_module, put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.keras import base_layer
from shapeflow.tensorflow.keras.base_layer import (
    InputLayer,
    KerasLayer,
    Replay,
    history,
    is_symbolic,
    scratch_graph,
    unique_name,
)
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest


class Model(KerasLayer):
    """tf.keras.Model: of tensors (functional) or a subclass with its own call."""

    _functional = False
    begins_with_its_inputs = False  # as Keras 1's Merge of several towers at the head of a Sequential

    def __new__(cls, *args: object, **kwargs: object) -> Any:
        if own_module(cls).startswith("shapeflow."):  # of unknown tensors nobody knows what is computed
            given = [kwargs.get("inputs", kwargs.get("input")), *args[:1]] if cls is Model else []
            unknown = next((item for item in nest.flatten(given) if hasattr(type(item), "_more")), None)
            if unknown is not None:
                return unknown._more(".Model()", args, kwargs)
        return object.__new__(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        inputs = kwargs.pop("inputs", kwargs.pop("input", None))
        outputs = kwargs.pop("outputs", kwargs.pop("output", None))
        if args and inputs is None and not isinstance(args[0], (str, bool)):
            inputs, args = args[0], args[1:]
            if args and outputs is None:
                outputs, args = args[0], args[1:]
        name = kwargs.pop("name", args[0] if args and isinstance(args[0], str) else None)
        if name is None and inputs is not None and type(self) is Model:
            name = unique_name("model")
        super().__init__(name=name, **kwargs)
        self._compiled: Dict[str, object] = {}
        self.optimizer: object = None
        self.stop_training = False
        self.history: Any = None
        if inputs is not None and outputs is not None:
            self._make_functional(inputs, outputs)

    # --- functional
    def _make_functional(self, inputs: object, outputs: object) -> None:
        self._functional = True
        inputs, outputs = nest.map_structure(_told, inputs), nest.map_structure(_told, outputs)
        self._ins, self._outs = inputs, outputs
        flat = nest.flatten(inputs)
        for tensor in flat:
            made = history(tensor) if isinstance(tensor, _core.Tensor) else None
            if made is None and isinstance(tensor, _core.Tensor) and not is_symbolic(tensor):
                raise ValueError("Input tensors to a Model must come from `tf.keras.Input`. Received: %s "
                                 "(missing previous layer metadata)." % tensor)
        for tensor in nest.flatten(outputs):
            if isinstance(tensor, _core.Tensor) and not is_symbolic(tensor):
                raise ValueError("All `outputs` values must be KerasTensors. Received: outputs=%s"
                                 % (outputs,))
        self._graph = next((t.graph for t in flat if isinstance(t, _core.Tensor)), None)
        self._layers_found = self._walk(flat, nest.flatten(outputs))
        self.built = True
        self._io, self._io_symbolic = (inputs, outputs), True

    def _walk(self, inputs: List[object], outputs: List[object]) -> List[Any]:
        """The layers between inputs and outputs, as TensorFlow lists them: by depth."""
        found: List[Any] = []
        seen: Set[object] = set()
        begin = {t.name for t in inputs if isinstance(t, _core.Tensor)}

        def visit(tensor: object) -> None:
            stack = [(tensor, False)]
            while stack:
                item, done = stack.pop()
                if not isinstance(item, _core.Tensor) or item.graph is not self._graph:
                    continue
                made = history(item)
                key = (id(made[0]) if made else item.op.name)
                if done:
                    layer = made[0].layer if made else None
                    if layer is not None and not any(layer is f for f in found):
                        found.append(layer)
                    continue
                if key in seen:
                    continue
                seen.add(key)
                stack.append((item, True))
                if item.name in begin:
                    continue
                before = nest.flatten((made[0].inputs, made[0].args, list(made[0].kwargs.values()))) \
                    if made else list(item.op.inputs)
                stack.extend((t, False) for t in reversed(before))

        for tensor in inputs + outputs:
            visit(tensor)
        return found

    def _sublayers(self) -> Any:
        if self._functional:
            yield from (layer for layer in self._layers_found if layer is not self)
            known = {id(layer) for layer in self._layers_found}
            yield from (layer for layer in super()._sublayers() if id(layer) not in known)
        else:
            yield from super()._sublayers()

    @property
    def layers(self) -> List[Any]:
        return [layer for layer in self._sublayers() if isinstance(layer, KerasLayer)]

    @property
    def inputs(self) -> List[Any]:
        return nest.flatten(self._ins) if self._functional else []

    @property
    def outputs(self) -> List[Any]:
        return nest.flatten(self._outs) if self._functional else []

    @property
    def input_names(self) -> List[str]:
        return [self._name_of(t) for t in self.inputs]

    @property
    def output_names(self) -> List[str]:
        return [self._name_of(t) for t in self.outputs]

    @staticmethod
    def _name_of(tensor: object) -> str:
        made = history(tensor)
        return made[0].layer.name if made else getattr(getattr(tensor, "op", None), "name", "output")

    @property
    def state_updates(self) -> List[Any]:
        return []

    @property
    def metrics_names(self) -> List[str]:
        from shapeflow.tensorflow.keras import logs

        return list(logs.told(self))

    @property
    def metrics(self) -> List[Any]:
        from shapeflow.tensorflow.keras.metrics import Metric

        given = nest.flatten([self._compiled.get("metrics"), self._compiled.get("weighted")])
        own = [v for v in vars(self).values() if isinstance(v, Metric)]
        return own + [item for item in given if isinstance(item, Metric)]
    loss = property(lambda self: self._compiled.get("loss"))
    run_eagerly = False

    def build(self, input_shape: Any = None) -> None:
        if not self.built and not self._functional and type(self).call is not Model.call and \
                input_shape is not None and _is_plain_shape(input_shape):
            graph = base_layer._trace_graph()
            with graph.as_default():
                self.call(tf.placeholder("float32", list(input_shape)))
        self.built = True

    def _build_once(self, inputs: object) -> None:
        self.built = True
        if self._dtype is None:
            self._dtype = _core.as_dtype("float32")

    def _check_spec(self, inputs: object) -> None:
        """Its layers look at their inputs."""

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        if not self._functional:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` "
                                      "method.")
        wanted = nest.flatten(self._ins)
        if isinstance(inputs, dict):
            by_name = {self._name_of(t): t for t in wanted}
            pairs = [(by_name[k], v) for k, v in inputs.items() if k in by_name]
        else:
            given = nest.flatten(inputs)
            if len(given) != len(wanted):
                raise fail("SF201", 'Layer "{name}" expects {int} input(s), but it received {int} input '
                           "tensors. Inputs received: {text}", self.name, len(wanted), len(given), given)
            pairs = list(zip(wanted, given))
        replay = Replay({w.name: self._adapted(w, g) for w, g in pairs if isinstance(w, _core.Tensor)},
                        self._graph, {"training": training})
        return replay.get(self._outs)

    def _adapted(self, wanted: Any, given: Any) -> Any:
        """A number of another dtype is cast."""
        given = framework_lib.convert_to_tensor(given)
        if given.dtype.base_dtype != wanted.dtype.base_dtype and (
                given.dtype.is_floating or given.dtype.is_integer):
            given = tf.cast(given, wanted.dtype.base_dtype)
        return given

    # --- what it says of itself
    def get_layer(self, name: Optional[str] = None, index: Optional[int] = None) -> Any:
        if index is not None:
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: %s" % name)

    def summary(self, line_length: object = None, positions: object = None, print_fn: Any = None,
                **kwargs: object) -> None:
        if not self.built:
            raise ValueError("This model has not yet been built. Build the model first by calling "
                             "`build()` or calling `fit()` with some data, or specify an `input_shape` "
                             "argument in the first layer(s) for automatic build.")
        say = print_fn or print
        say("Model: \"%s\"" % self.name)
        for layer in self.layers:
            say("%s (%s) %d" % (layer.name, type(layer).__name__, layer.count_params()))
        say("Total params: %d" % self.count_params())

    def get_config(self) -> Dict[str, Any]:
        return {"name": self.name, "layers": [layer.get_config() for layer in self.layers]}

    def to_json(self, **kwargs: object) -> str:
        import json

        return json.dumps({"class_name": type(self).__name__, "config": {"name": self.name}})

    def _nothing(self, *args: object, **kwargs: object) -> None:
        """Files are neither written nor read."""

    save = save_weights = reset_states = reset_metrics = export = _nothing

    def load_weights(self, *args: object, **kwargs: object) -> Any:
        from shapeflow.tensorflow.python.checkpoint.checkpoint import CheckpointLoadStatus

        return CheckpointLoadStatus()

    # --- training
    def compile(self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None,
                loss_weights: Any = None, sample_weight_mode: Any = None, weighted_metrics: Any = None,
                target_tensors: Any = None, **kwargs: Any) -> None:
        from shapeflow.tensorflow.keras import losses as keras_losses
        from shapeflow.tensorflow.keras import optimizers

        self.optimizer = optimizers.get(optimizer)
        self.run_eagerly = bool(kwargs.get("run_eagerly"))
        if isinstance(loss, dict):
            losses: Any = {k: keras_losses.get(v) for k, v in loss.items()}
            unknown = set(losses) - set(self.output_names)
            if unknown and self._functional:
                raise ValueError("Unknown entries in loss dictionary: [%s]. Only expected following keys: %s"
                                 % (", ".join(repr(u) for u in sorted(unknown)), self.output_names))
        elif isinstance(loss, (list, tuple)):
            losses = [keras_losses.get(item) for item in loss]
            if self._functional and len(losses) != len(self.outputs):
                raise ValueError("When passing a list as loss, it should have one entry per model outputs. "
                                 "The model has %d outputs, but you passed loss=%s"
                                 % (len(self.outputs), loss))
        else:
            losses = keras_losses.get(loss)
        self._compiled = {"loss": losses, "given": loss, "metrics": metrics, "weighted": weighted_metrics}

    def _need_compiled(self) -> None:
        if self.optimizer is None:
            raise RuntimeError("You must compile your model before training/testing. Use `model.compile("
                               "optimizer, loss)`.")

    def fit(self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: Any = 1,
            verbose: Any = 1, callbacks: Any = None, validation_split: float = 0.0,
            validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
            sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
            validation_steps: Any = None, *more: Any, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.keras import training as keras_training

        self._need_compiled()
        if kwargs.get("nb_epoch") is not None:
            epochs = kwargs["nb_epoch"]
        return keras_training.fit(self, x, y, sample_weight, batch_size, epochs, callbacks,
                                  validation_split, validation_data, initial_epoch, steps_per_epoch)

    def fit_generator(self, generator: object, steps_per_epoch: object = None, epochs: int = 1,
                      verbose: int = 1, callbacks: object = None, validation_data: object = None,
                      validation_steps: object = None, *args: object, **kwargs: object) -> Any:
        return self.fit(generator, epochs=kwargs.get("nb_epoch", epochs), callbacks=callbacks,
                        validation_data=validation_data,
                        steps_per_epoch=kwargs.get("samples_per_epoch", steps_per_epoch),
                        validation_steps=kwargs.get("nb_val_samples", validation_steps))

    def evaluate(self, x: Any = None, y: Any = None, batch_size: Any = None, verbose: Any = 1,
                 sample_weight: Any = None, steps: Any = None, callbacks: Any = None, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.keras import training as keras_training

        self._need_compiled()
        keras_training.look(self, x, y, sample_weight, batch_size, False, steps)
        return self._numbers(kwargs)

    def _numbers(self, kwargs: Dict[str, object]) -> Any:
        from shapeflow.tensorflow.keras import logs

        names = logs.told(self)
        if kwargs.get("return_dict"):
            return {name: logs.value(dims) for name, dims in names.items()}
        found = [logs.value(dims) for dims in names.values()]
        return found if len(found) > 1 else found[0] if found else 0.0

    def evaluate_generator(self, generator: object, steps: object = None, *args: object,
                           **kwargs: object) -> Any:
        return self.evaluate(generator, steps=kwargs.get("val_samples", steps))

    def predict(self, x: object, batch_size: object = None, verbose: object = 0, steps: object = None,
                callbacks: object = None, **kwargs: object) -> Any:
        from shapeflow.tensorflow.keras import training as keras_training

        return keras_training.predict(self, x, batch_size, steps)

    def predict_generator(self, generator: object, steps: object = None, *args: object,
                          **kwargs: object) -> Any:
        return self.predict(generator, steps=kwargs.get("val_samples", steps))

    def predict_on_batch(self, x: object) -> Any:
        return self.predict(x, batch_size=1 << 40)

    def predict_classes(self, x: object, batch_size: object = 32, verbose: int = 0) -> Any:
        found = self.predict(x, batch_size)
        if not isinstance(found, np.ndarray):
            return found
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def train_on_batch(self, x: object, y: object = None, sample_weight: object = None, *args: object,
                       **kwargs: object) -> Any:
        return self._on_batch(True, x, y, sample_weight, kwargs)

    def test_on_batch(self, x: object, y: object = None, sample_weight: object = None, *args: object,
                      **kwargs: object) -> Any:
        return self._on_batch(False, x, y, sample_weight, kwargs)

    def _on_batch(self, training: bool, x: object, y: object, weight: object,
                  kwargs: Dict[str, object]) -> Any:
        from shapeflow.tensorflow.keras import training as keras_training

        self._need_compiled()
        keras_training.look_at_one(self, x, y, weight, training)
        found = self._numbers(kwargs)
        return [np.float32(v) for v in found] if isinstance(found, list) else np.float32(found) \
            if isinstance(found, float) else found


put(Model, "tf.keras.Model", "tf.keras.models.Model")


def _is_plain_shape(shape: object) -> bool:
    return isinstance(shape, (tuple, list)) and all(d is None or isinstance(d, int) for d in shape) \
        or isinstance(shape, _core.TensorShape)


def _told(item: Any) -> Any:
    """A tensor also for what an unmodelled layer gave."""
    return item.__sf_tensor__() if is_unmodelled(item) else item


class Sequential(Model):
    """Layers one after the other; built when the first shape is known."""

    def __init__(self, layers: Any = None, trainable: bool = True, name: Any = None,
                 **kwargs: Any) -> None:
        if isinstance(trainable, str):
            trainable, name = True, trainable
        super().__init__(name=name, **kwargs)
        self._stack: List[Any] = []
        for layer in layers or []:
            self._add(layer)

    def add(self, layer: Any, rebuild: bool = True) -> None:
        self._add(layer)

    def _add(self, layer: object) -> None:
        if not callable(layer) or isinstance(layer, (_core.Tensor, type)):
            raise TypeError("The added layer must be an instance of class Layer. Found: %s" % (layer,))
        if not self._stack and isinstance(layer, Model) and layer.begins_with_its_inputs:
            self._stack.append(layer)
            self._make_functional(layer.inputs, layer.outputs[0])
            return
        if not self._stack and isinstance(layer, KerasLayer) and not isinstance(layer, InputLayer):
            first = getattr(layer, "_first_shape", None)
            if first is None and isinstance(layer, Model) and layer._functional and layer.inputs:
                first = tuple(layer.inputs[0].get_shape().as_list())
            if first is not None:
                dtype = "int32" if type(layer).__name__ == "Embedding" else None
                self._begin(InputLayer(batch_shape=first, name=layer.name + "_input", dtype=dtype))
        if isinstance(layer, InputLayer) and not self._stack:
            self._begin(layer)
            self._stack = []
            return
        self._stack.append(layer)
        if self._functional:
            outputs = layer(self._outs)
            self._make_functional(self._ins, outputs)

    def _begin(self, layer: Any) -> None:
        self._make_functional(layer.output_tensor, layer.output_tensor)

    def pop(self) -> None:
        if not self._stack:
            raise TypeError("There are no layers in the model.")
        self._stack.pop()
        if self._functional:
            outputs = self._ins
            self._make_functional(self._ins, outputs)
            for layer in self._stack:
                outputs = layer(outputs)
            self._make_functional(self._ins, outputs)

    @property
    def layers(self) -> List[Any]:
        return list(self._stack)

    def _sublayers(self) -> Any:
        yield from (layer for layer in self._stack if isinstance(layer, KerasLayer))

    def build(self, input_shape: Any = None) -> None:
        if self._functional or input_shape is None:
            return
        with scratch_graph().as_default():
            self._begin(InputLayer(batch_shape=tuple(_core.TensorShape(input_shape).as_list())))
            outputs = self._ins
            for layer in self._stack:
                outputs = layer(outputs)
        self._make_functional(self._ins, outputs)

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        if self._functional:
            return super().call(inputs, training, mask)
        for layer in self._stack:
            takes = training is not None and hasattr(layer, "_takes") and layer._takes("training")
            inputs = layer(inputs, training=training) if takes else layer(inputs)
        return inputs


put(Sequential, "tf.keras.Sequential", "tf.keras.models.Sequential")
