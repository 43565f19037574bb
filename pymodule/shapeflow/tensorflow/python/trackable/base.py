"""What packages above TensorFlow derive from so that their variables are found: Trackable and its like.

To track is to remember; a list or dict that is assigned to an attribute becomes a wrapper of its kind, as in
TensorFlow, since programs look at the type.
"""
from __future__ import annotations

import functools

from shapeflow import _core
from shapeflow.api.registry import export

TYPE_CHECKING = False  # a first name loads this: typing and re would be most of its time
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, TypeVar

    T = TypeVar("T", bound=Callable[..., Any])
SAVED = "__sf_saved"  # of an object: what was restored, and how: see checkpoint/object_graph.py
_UNTRACKED = "__sf_untracked"
_BASE = "tensorflow.python.trackable."
_BASE_1 = "tensorflow.python.training.tracking."


@export("tf.__internal__.tracking.Trackable", "tf.contrib.checkpoint.CheckpointableBase",
        _BASE + "base.Trackable", _BASE_1 + "base.Trackable", v2=True)
class Trackable:
    """Base of what a checkpoint holds. It has no metaclass, as in TensorFlow: programs derive from it and
    from classes that have one."""

    _setattr_tracking = True

    def _maybe_initialize_trackable(self) -> None:
        pass

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        children = self.__dict__.setdefault("__sf_children", {})
        if name in children and children[name] is not trackable and not overwrite:
            raise ValueError("Called Trackable._track_trackable() with name='%s', but a Trackable with this "
                             "name is already declared as a dependency. Names must be unique (or "
                             "overwrite=True)." % name)
        children[name] = trackable
        self._handle_deferred_dependencies(name, trackable)
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> Dict[str, Any]:
        return dict(self.__dict__.get("__sf_children", {}))

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        return self._trackable_children().get(name)

    def _add_variable_with_custom_getter(self, name: str, shape: Any = None, dtype: Any = "float32",
                                         initializer: Any = None, getter: Any = None, overwrite: bool = False,
                                         **kwargs: Any) -> Any:
        """A variable that `getter` makes, tracked by its name."""
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs)
        return made if overwrite and not isinstance(made, Trackable) else self._track_trackable(
            made, name, overwrite)

    def _handle_deferred_dependencies(self, name: str, trackable: object) -> None:
        """Restores what is tracked only now."""
        saved = self.__dict__.get(SAVED)
        if saved is not None and name in saved[0].children:
            saved[1](trackable, saved[0].children[name])


@export("tf.__internal__.tracking.AutoTrackable", "tf.contrib.checkpoint.Checkpointable",
        _BASE + "autotrackable.AutoTrackable", _BASE_1 + "tracking.AutoTrackable", v2=True)
class AutoTrackable(Trackable):
    """Follows what is assigned to its attributes."""

    def __setattr__(self, name: str, value: object) -> None:
        tracks = getattr(self, "_self_setattr_tracking", True)
        if tracks:
            value = _followed(value)
        super().__setattr__(name, value)
        attributes = self.__dict__
        if not tracks and isinstance(value, Trackable):
            attributes.setdefault(_UNTRACKED, set()).add(name)
        elif SAVED in attributes:
            self._handle_deferred_dependencies(name, value)

    def __delattr__(self, name: str) -> None:
        self._delete_tracking(name)
        super().__delattr__(name)

    def _delete_tracking(self, name: str) -> None:
        self.__dict__.get("__sf_children", {}).pop(name, None)

    def _no_dependency(self, value: object) -> NoDependency:
        """For a program's `self.attribute = self._no_dependency(value)`."""
        return NoDependency(value)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> Dict[str, Any]:
        untracked = self.__dict__.get(_UNTRACKED, ())
        children = {name: value for name, value in vars(self).items() if isinstance(value, (Trackable, tuple))
                    and name not in untracked}
        return {**super()._trackable_children(save_type), **children}


@export("tf.__internal__.tracking.DelegatingTrackableMixin", v1=False, v2=True)
class DelegatingTrackableMixin:
    """Passes what is asked of it as a Trackable to another."""

    def __init__(self, trackable_obj: Any) -> None:
        self._trackable = trackable_obj

    def _trackable_children(self, *args: Any, **kwargs: Any) -> Any:
        return self._trackable._trackable_children(*args, **kwargs)

    def _lookup_dependency(self, *args: Any, **kwargs: Any) -> Any:
        return self._trackable._lookup_dependency(*args, **kwargs)

    def _track_trackable(self, *args: Any, **kwargs: Any) -> Any:
        return self._trackable._track_trackable(*args, **kwargs)


@export("tf.__internal__.saved_model.load.VersionedTypeRegistration", v1=False, v2=True)
class VersionedTypeRegistration:
    """How a class is revived from a saved model: kept, and asked for by nobody here."""

    def __init__(self, object_factory: Any, version: int, min_producer_version: int,
                 min_consumer_version: int,
                 bad_consumers: Any = None, setter: Any = setattr) -> None:
        self.version = version


@export("tf.__internal__.saved_model.load.register_revived_type",
        "tf.__internal__.register_call_context_function", "tf.__internal__.register_load_context_function",
        "tf.__internal__.register_clear_session_function", "tf.__internal__.register_get_session_function",
        "tf.__internal__.register_load_model_function", "tf.__internal__.tracking.register_session_provider",
        "tf.__internal__.mixed_precision.register_loss_scale_wrapper",
        v1=False, v2=True)
def register(*args: Any, **kwargs: Any) -> None:
    """Who registers with it is not called back: nothing is saved or loaded."""


@export(_BASE + "base.no_automatic_dependency_tracking",
        _BASE_1 + "base.no_automatic_dependency_tracking", v2=True)
def no_automatic_dependency_tracking(method: T) -> T:
    """Within the method what is assigned is not followed."""

    @functools.wraps(method)
    def wrapper(self: Any, *args: object, **kwargs: object) -> Any:
        before = getattr(self, "_self_setattr_tracking", True)
        self._self_setattr_tracking = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self._self_setattr_tracking = before

    return wrapper  # type: ignore[return-value]


@export(_BASE + "data_structures.NoDependency", _BASE_1 + "data_structures.NoDependency", v2=True)
class NoDependency:
    """Wraps a value that is assigned and not followed."""

    def __init__(self, value: Any) -> None:
        self.value = value


@export(_BASE + "data_structures.TrackableDataStructure",
        _BASE_1 + "data_structures.TrackableDataStructure", v2=True)
class TrackableDataStructure(Trackable):
    """Base of the wrappers of lists and dicts: what Keras 2 asks of a layer, they answer for the items."""

    trainable = True

    @property
    def _values(self) -> List[Any]:
        raise NotImplementedError("Abstract method")

    def _gathered(self, attribute: str) -> List[Any]:
        return [found for item in self._values if isinstance(item, Trackable)
                for found in getattr(item, attribute, ())]

    def _own(self, trainable: bool) -> List[Any]:
        return [item for item in self._values if isinstance(item, _core.VariableBase)
                and bool(getattr(item, "trainable", True)) == trainable]

    @property
    def _layers(self) -> List[Any]:
        return [item for item in self._values if isinstance(item, TrackableDataStructure)
                or hasattr(item, "trainable_weights") and hasattr(item, "non_trainable_weights")]

    @property
    def layers(self) -> List[Any]:
        """The layers, those of lists and dicts among the items too."""
        return [layer for item in self._layers
                for layer in (item.layers if isinstance(item, TrackableDataStructure) else [item])]

    @property
    def trainable_weights(self) -> List[Any]:
        if not self.trainable:
            return []
        return self._gathered("trainable_variables") + self._own(True)

    @property
    def non_trainable_weights(self) -> List[Any]:
        rest = self._gathered("non_trainable_variables") + self._own(False)
        return rest if self.trainable else self._gathered("trainable_variables") + self._own(True) + rest

    weights = variables = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)
    losses = property(lambda self: [loss for layer in self.layers for loss in getattr(layer, "losses", ())])
    updates = property(lambda self: [one for layer in self.layers for one in getattr(layer, "updates", ())])


@export(_BASE + "data_structures.ListWrapper", _BASE_1 + "data_structures.ListWrapper", v2=True)
class ListWrapper(TrackableDataStructure, list):  # type: ignore[type-arg]
    """A list that was assigned to an attribute."""

    def __init__(self, wrapped_list: Any = ()) -> None:
        list.__init__(self, wrapped_list)

    __hash__ = None

    def __repr__(self) -> str:
        return "ListWrapper(%s)" % list.__repr__(self)

    @property
    def _values(self) -> List[Any]:
        """The items, lists and dicts among them as wrappers: where Keras 2 looks for layers."""
        return [_followed(item) for item in self]


@export(_BASE + "data_structures._DictWrapper", _BASE_1 + "data_structures._DictWrapper", v2=True)
class DictWrapper(TrackableDataStructure, dict):  # type: ignore[type-arg]
    """A dict that was assigned to an attribute."""

    def __init__(self, wrapped_dict: Any = None) -> None:
        dict.__init__(self, wrapped_dict or {})

    __hash__ = None

    @property
    def _values(self) -> List[Any]:
        """The values, as ListWrapper has its items."""
        return [_followed(item) for item in self.values()]


DictWrapper.__name__ = DictWrapper.__qualname__ = "_DictWrapper"


@export(_BASE + "data_structures.wrap", _BASE_1 + "data_structures.wrap_or_unwrap", v2=True)
def _followed(value: object) -> Any:
    if isinstance(value, NoDependency):
        return value.value
    if type(value) is list:
        return ListWrapper(value)
    return DictWrapper(value) if type(value) is dict else value


@export("tf.__internal__.tracking.sticky_attribute_assignment", v1=False, v2=True)
def sticky_attribute_assignment(trackable: object, name: str, value: object) -> Any:
    """What an attribute holds after `value` was assigned to it."""
    return _followed(value)

