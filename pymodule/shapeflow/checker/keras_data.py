"""Data and weights that the installed Keras would fetch: data sets by their facts, weights unknown.

A file that is there is read by Keras itself.
"""
from __future__ import annotations

import functools
import os

import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.keras_errors as keras_errors
import shapeflow.checker.keras_folders as keras_folders
from shapeflow.api.loaded_modules import loaded
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Tuple

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

# By module of keras.src.datasets: what it keeps in the folder of data sets, and who makes what stands for it.
_DATA_SETS: Dict[str, Tuple[str, str]] = {
    "mnist": ("mnist.npz", "load_mnist"), "fashion_mnist": ("fashion-mnist", "load_mnist"),
    "cifar10": ("cifar-10-batches-py", "load_cifar10"), "cifar100": ("cifar-100-python", "load_cifar100"),
    "imdb": ("imdb.npz", "load_imdb"), "reuters": ("reuters.npz", "load_reuters"),
    "boston_housing": ("boston_housing.npz", "load_boston"),
    "california_housing": ("california_housing.npz", "load_california"),
}
_FOLDER = "keras.src.datasets."
# Functions that want the content, or the rank, of what they are given.
_FUNCTIONS: Dict[str, Tuple[str, ...]] = {
    "keras.src.applications.imagenet_utils": ("preprocess_input", "decode_predictions"),
    "keras.src.utils.numerical_utils": ("to_categorical", "normalize"),
    "keras.src.utils.sequence_utils": ("pad_sequences",),
    "keras.src.utils.image_utils": ("array_to_img", "save_img", "smart_resize"),
}


def install(by: Patcher, data: DataFiles) -> None:
    acts = {_FOLDER + name: _of_data_set for name in _DATA_SETS}
    folders = keras_folders.acts(data)
    act_on(by, {**acts, **folders, "keras.src.applications.imagenet_utils": _class_index,
                "keras.src.utils.file_utils": _files(data),
                "keras.src.saving.saving_api": _saving(data)})
    act_on(by, {module: _functions(names) for module, names in _FUNCTIONS.items()})
    act_on(by, {"keras.src.layers.preprocessing.index_lookup": _vocabularies,
                "keras.src.layers.preprocessing.text_vectorization": _text})


def _vocabularies(module: ModuleType, by: Patcher) -> None:
    """A vocabulary that is learned from words which nobody knows has as many as it may have."""
    kind: Any = vars(module)["IndexLookup"]
    finalize = kind.finalize_state

    @functools.wraps(finalize)
    def finalize_state(layer: Any) -> None:
        if by.on and not layer._has_input_vocabulary:
            assume = getattr(layer.token_counts, "assume", None)
            if assume is not None:
                assume(1 if layer.max_tokens is None else layer.max_tokens - layer._token_start_index())
        finalize(layer)

    by.set(kind, "finalize_state", finalize_state)
    _pass_unknown_text(kind, by)


def _text(module: ModuleType, by: Patcher) -> None:
    _pass_unknown_text(vars(module)["TextVectorization"], by)


def _pass_unknown_text(kind: type, by: Patcher) -> None:
    """Of words of unknown rank nothing is learned."""
    update: Callable[..., object] = vars(kind)["update_state"]

    @functools.wraps(update)
    def update_state(layer: object, data: object) -> object:
        rank = getattr(getattr(data, "shape", None), "rank", 0)
        is_unknown = is_unmodelled(data) and not getattr(data, "_sf_is_ragged", False)
        return None if by.on and (is_unknown or rank is None) else update(layer, data)

    by.set(kind, "update_state", update_state)


def _of_data_set(module: ModuleType, by: Patcher) -> None:
    file, name = _DATA_SETS[module.__name__[len(_FOLDER):]]

    def by_facts(real: Callable[..., object], facts: str, kept: str) -> object:
        def load(*args: Any, **kwargs: Any) -> Any:
            if not by.on or _is_kept("datasets", kept):
                return real(*args, **kwargs)
            from shapeflow.api import keras_data_sets

            return getattr(keras_data_sets, facts)(*args, **kwargs)

        load.__name__, load.__doc__ = real.__name__, real.__doc__
        return load

    by.set(module, "load_data", by_facts(vars(module)["load_data"], name, file))
    index = vars(module).get("get_word_index")
    if index is not None:
        kept = file.partition(".")[0] + "_word_index.json"
        by.set(module, "get_word_index", by_facts(index, "get_word_index", kept))


def _functions(names: Tuple[str, ...]) -> Any:
    """What these make of something unknown is unknown."""
    def around(real: Callable[..., object]) -> object:
        @functools.wraps(real)
        def call(*args: Any, **kwargs: Any) -> Any:
            package = loaded("shapeflow.api.unknown_package")
            if package is None:
                return real(*args, **kwargs)
            from shapeflow.api.unknown_arrays import unknown_in
            from shapeflow.api.unmodelled import tensors_in

            if unknown_in([*args, *kwargs.values()]) is None:
                try:
                    return real(*args, **kwargs)
                except Exception as error:
                    if not keras_errors.is_about_unknown(error) or not handlers.uncaught():
                        raise
            made = package.Unknown("keras.%s()" % real.__name__, tensors_in(args, []))
            given = args[0] if args else None
            if real.__name__ == "preprocess_input" and isinstance(given, package.Unknown):
                made._shaped(given._sf_shape, "float32")
            if real.__name__ == "to_categorical" and getattr(given, "_sf_shape", None) == (None,):
                classes = kwargs.get("num_classes", args[1] if len(args) > 1 else None)
                made._shaped((None, classes if type(classes) is int else None), "float64")
            return made

        return call

    def change(module: ModuleType, by: Patcher) -> None:
        for name in names:
            by.set(module, name, around(vars(module)[name]))

    return change


def _class_index(module: ModuleType, by: Patcher) -> None:
    """The names of the classes of ImageNet, for decode_predictions."""
    if vars(module).get("CLASS_INDEX", 0) is None and not _is_kept("models", "imagenet_class_index.json"):
        by.set(module, "CLASS_INDEX", {str(i): ["n%08d" % i, "class_%d" % i] for i in range(1000)})


def _is_kept(*names: str) -> bool:
    """Is it in the folder where Keras keeps what it has fetched?"""
    home = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    return os.path.exists(os.path.join(home, *names))


def _files(data: DataFiles) -> Any:
    def change(module: ModuleType, by: Patcher) -> None:
        validate = vars(module)["validate_file"]

        def validate_file(fpath: Any, *args: object, **kwargs: object) -> object:
            """What stands for a download has no hash."""
            return by.on and data.is_unknown(os.path.abspath(os.fspath(fpath))) or validate(
                fpath, *args, **kwargs)

        by.set(module, "validate_file", validate_file)

    return change


def _saving(data: DataFiles) -> Any:
    def change(module: ModuleType, by: Patcher) -> None:
        load_weights, load_model = vars(module)["load_weights"], vars(module)["load_model"]

        def is_missing(path: object) -> bool:
            if not by.on or not data.may_stand_in(path):
                return False
            data.note(path)
            return True

        def weights(model: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
            return None if is_missing(filepath) else load_weights(model, filepath, *args, **kwargs)

        def whole(filepath: Any, *args: object, **kwargs: object) -> Any:
            if not is_missing(filepath):
                return load_model(filepath, *args, **kwargs)
            from shapeflow.api import unknown_package

            name = os.path.basename(os.fspath(filepath))
            return unknown_package.Unknown("keras.models.load_model(%s)" % name)

        by.set(module, "load_weights", weights)
        by.set(module, "load_model", whole)

    return change
