"""Data sets and models that installed packages would fetch: tensorflow_datasets and tensorflow_hub.

What is there is read by the package itself. Of a data set that is not, the package's own metadata say what
its elements are like, and api/known_data.py how many there are where everybody knows that; a model that is
not is unknown.
"""
from __future__ import annotations

import functools
import os
from types import SimpleNamespace

from shapeflow.checker.data_paths import UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Iterator, List, Tuple

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

_HANDLE_LISTS = ("variables", "trainable_variables", "regularization_losses")  # a layer goes over them


def complete(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    """One of data_readers.PACKAGES was imported. A release that is built otherwise stays as it is."""
    try:
        _CHANGES[module.__name__](data)(module, by)
    except (KeyError, AttributeError):
        pass


# --- tensorflow_datasets --------------------------------------------------------------------------
def _builders(data: DataFiles) -> Callable[[ModuleType, Patcher], None]:
    def change(module: ModuleType, by: Patcher) -> None:
        names = vars(module)
        kind, reader = names["DatasetBuilder"], names["FileReaderBuilder"]
        prepare, whole, caches = kind.download_and_prepare, kind.as_dataset, kind._should_cache_ds
        read, is_there = reader._as_dataset, kind.is_prepared
        split_lists, configs, trees = names["splits_lib"], names["read_config_lib"], names["tree"]

        def is_missing(builder: Any) -> bool:
            """Was nothing of it prepared? Where it can be fetched it would be."""
            if not by.on or builder.info.initialized or not data.is_absent(builder.data_dir):
                return False
            if not _has_sizes(builder, split_lists):
                data.note("tensorflow_datasets://" + builder.info.full_name)
            return True

        @functools.wraps(prepare)
        def download_and_prepare(self: object, *args: object, **kwargs: object) -> object:
            return None if is_missing(self) else prepare(self, *args, **kwargs)

        @functools.wraps(is_there)
        def is_prepared(self: object) -> bool:
            return not is_missing(self) and bool(is_there(self))

        @functools.wraps(whole)
        def as_dataset(self: Any, split: object = None, *, batch_size: Any = None,
                       shuffle_files: bool = False, decoders: object = None, read_config: object = None,
                       as_supervised: bool = False) -> object:
            if not is_missing(self):
                return whole(self, split, batch_size=batch_size, shuffle_files=shuffle_files,
                             decoders=decoders, read_config=read_config, as_supervised=as_supervised)
            build = functools.partial(
                self._build_single_dataset, batch_size=batch_size, shuffle_files=shuffle_files,
                decoders=decoders, read_config=read_config or configs.ReadConfig(),
                as_supervised=as_supervised)
            if split is None:
                return _AllSplits({name: build(name) for name in self.info.splits}, build)
            return trees.map_structure(build, split)

        @functools.wraps(caches)
        def should_cache(self: object, *args: object, **kwargs: object) -> bool:
            return not is_missing(self) and bool(caches(self, *args, **kwargs))

        @functools.wraps(read)
        def elements(self: Any, split: Any, *args: Any, decoders: Any = None, **kwargs: Any) -> object:
            if not is_missing(self):
                return read(self, split, *args, decoders=decoders, **kwargs)
            return _elements(self.info, split, decoders)

        by.set(kind, "download_and_prepare", download_and_prepare)
        by.set(kind, "as_dataset", as_dataset)
        by.set(kind, "is_prepared", is_prepared)
        by.set(kind, "_should_cache_ds", should_cache)
        by.set(reader, "_as_dataset", elements)

    return change


def _infos(data: DataFiles) -> Callable[[ModuleType, Patcher], None]:
    def change(module: ModuleType, by: Patcher) -> None:
        kind = vars(module)["DatasetInfo"]
        read = kind.read_from_directory

        @functools.wraps(read)
        def read_from_directory(self: object, dataset_info_dir: object) -> None:
            """A folder that only seems to be there says nothing."""
            if not by.on or not data.is_absent(dataset_info_dir):
                read(self, dataset_info_dir)

        by.set(kind, "read_from_directory", read_from_directory)

    return change


class _AllSplits(Dict[str, Any] if TYPE_CHECKING else dict):  # type: ignore[misc]
    """Data sets by split; of a split that nobody has said, there is one all the same."""

    def __init__(self, known: Dict[str, Any], build: Callable[[str], Any]) -> None:
        super().__init__(known)
        self._build = build
        self._is_known = bool(known)

    def __missing__(self, name: str) -> object:
        if self._is_known:
            raise KeyError(name)
        self[name] = self._build(name)
        return self[name]


def _has_sizes(builder: Any, package: Any) -> bool:
    """Those of the splits are said to it, where they are known."""
    from shapeflow.api import known_data

    info = builder.info
    if info.splits:
        return True
    if type(info.splits) is not package.SplitDict:
        return False
    known = known_data.splits(info.full_name.rpartition("/")[0])
    if not known:
        info._splits = _unknown_splits(package)
        return False
    info.set_splits(package.SplitDict([
        package.SplitInfo(name=name, shard_lengths=[count], num_bytes=0)
        for name, count in known.items()]))
    return True


def _unknown_splits(package: Any) -> object:
    from shapeflow.api.unknown_package import Unknown

    class Splits(package.SplitDict):  # type: ignore[misc]
        """Any name may be one."""

        def __getitem__(self, name: object) -> Unknown:
            return Unknown("tfds.core.SplitInfo(%s)" % name)

        @property
        def total_num_examples(self) -> Unknown:
            return Unknown("tfds.core.SplitDict.total_num_examples")

    return Splits([])


def _elements(info: Any, split: Any, decoders: object) -> object:
    """A data set of what the features say."""
    from shapeflow import _core
    from shapeflow.tensorflow.python.data import dataset_ops, structure
    from shapeflow.tensorflow.python.data.element_runs import ASSUMED, component

    features = info.features
    if decoders is not None and hasattr(decoders, "extract_features"):
        features = decoders.extract_features(features)
        decoders = None
    form = structure.of_specs(_without(decoders, features.get_tensor_spec()))
    classes = structure.flatten(_classes(features, form.specs()))
    count = info.splits[split].num_examples if info.splits else None

    def element(label: int) -> Tuple[Any, ...]:
        """Labels are in the range of the classes; other content is not known."""
        return tuple(component(leaf.dtype, leaf.shape, min(label, of - 1)) if of else leaf.unknown()
                     for leaf, of in zip(form.leaves, classes))

    def runs(env: object) -> Iterator[Any]:
        left = ASSUMED if count is None else count
        for label in (1 << 30, 0):  # the largest one first, so that one that is out of range is seen
            if left > 0 and any(classes):
                yield element(label), 1
                left = type(left)(left - 1)
        if left > 0:
            yield tuple(leaf.unknown() for leaf in form.leaves), left

    kind = dataset_ops.DatasetV1 if _core.get_version()[0] != "2" else dataset_ops.DatasetV2
    return dataset_ops._new(kind, form, runs, dataset_ops.UNKNOWN if count is None else count)


def _without(decoders: object, specs: object) -> object:
    """The specs where decoding is skipped, which gives strings."""
    if not decoders:
        return specs
    if isinstance(decoders, dict) and isinstance(specs, dict):
        return {name: _without(decoders.get(name), spec) for name, spec in specs.items()}
    if type(decoders).__name__ != "SkipDecoding":
        return specs
    from shapeflow.tensorflow.python.framework.type_spec import TensorSpec

    return TensorSpec([], "string")


def _classes(feature: Any, specs: Any) -> Any:
    """In the form of the specs: how many classes a label has, 0 for what is none."""
    from shapeflow.tensorflow.python.data import structure

    if isinstance(specs, dict) and hasattr(feature, "items"):
        of = dict(feature.items())
        return {name: _classes(of.get(name, SimpleNamespace()), spec) for name, spec in specs.items()}
    leaves: List[Any] = structure.flatten(specs)
    if len(leaves) != 1 or specs is not leaves[0]:
        return structure.pack(specs, [0] * len(leaves))
    return getattr(feature, "num_classes", None) or 0 if specs.shape.ndims == 0 else 0


# --- tensorflow_hub -------------------------------------------------------------------------------
def _models(data: DataFiles) -> Callable[[ModuleType, Patcher], None]:
    def change(module: ModuleType, by: Patcher) -> None:
        load, resolve = vars(module)["load"], vars(module)["resolve"]

        @functools.wraps(resolve)
        def resolve_(handle: str) -> Any:
            try:
                return resolve(handle)
            except OSError:
                if not by.on or "://" not in handle and not data.may_stand_in(handle):
                    raise
                data.note(handle)
                return os.fspath(handle) + UNKNOWN_PATH

        @functools.wraps(load)
        def load_(handle: object, *args: object, **kwargs: object) -> object:
            if not isinstance(handle, str) or not resolve_(handle).endswith(UNKNOWN_PATH):
                return load(handle, *args, **kwargs)
            from shapeflow.api.unknown_package import Unknown

            return Unknown("hub.load(%s)" % handle)

        by.set(module, "resolve", resolve_)
        by.set(module, "load", load_)

    return change


def _layers(data: DataFiles) -> Callable[[ModuleType, Patcher], None]:
    def change(module: ModuleType, by: Patcher) -> None:
        load = vars(module)["load_module"]

        @functools.wraps(load)
        def load_module(*args: object, **kwargs: object) -> object:
            found = load(*args, **kwargs)
            from shapeflow.api.unknown_package import Unknown

            if isinstance(found, Unknown):
                vars(found).update({name: [] for name in _HANDLE_LISTS})
            return found

        by.set(module, "load_module", load_module)

    return change


_CHANGES: Dict[str, Callable[[DataFiles], Callable[[ModuleType, Patcher], None]]] = {
    "tensorflow_datasets.core.dataset_builder": _builders, "tensorflow_datasets.core.dataset_info": _infos,
    "tensorflow_hub.module_v2": _models, "tensorflow_hub.keras_layer": _layers}
