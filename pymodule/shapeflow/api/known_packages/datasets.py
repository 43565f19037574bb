"""tensorflow_datasets: the data sets of api/known_data.py, with their features, splits and sizes. Labels have
the largest class first, so that one that is out of a program's range is seen; other content is unknown.
"""
from __future__ import annotations

import re

from shapeflow.api import known_data
from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

_USUAL = ("train", "test", "validation")  # splits, where nobody knows them
_SLICE = re.compile(r"^(\w+)\[([^:\]]*):([^:\]]*)\]$")


# --- what is known of one -------------------------------------------------------------------------
class Feature:
    """tfds.features.FeatureConnector: of an example its shape and dtype, and the classes of a label."""

    def __init__(self, name: str, known: known_data.Feature) -> None:
        from shapeflow import _core

        self._name, self._known = name, known
        self.shape = known.shape
        self.dtype = _core.as_dtype(known.dtype)
        if known.classes:
            self.num_classes = known.classes

    @property
    def names(self) -> List[str]:
        return ["%s%d" % (self._name, i) for i in range(self._known.classes)]

    def int2str(self, number: Any) -> str:
        return "%s%d" % (self._name, int(number))

    def str2int(self, name: object) -> int:
        return 0

    def __getattr__(self, attr: str) -> Unknown:
        if attr == "encoder" and self._known.vocabulary:
            encoder = Unknown("tfds.features.text.SubwordTextEncoder")
            encoder.__dict__["vocab_size"] = self._known.vocabulary
            return encoder
        if attr.startswith("_") or attr in ("num_classes", "encoder"):
            raise AttributeError(attr)
        return Unknown("%s.%s" % (self._name, attr))


class Features(dict):  # type: ignore[type-arg]
    """tfds.features.FeaturesDict: those of an example."""

    def __init__(self, known: Dict[str, object]) -> None:
        super().__init__({name: Features(one) if isinstance(one, dict) else Feature(name, one)
                          for name, one in known.items() if isinstance(one, (dict, known_data.Feature))})

    @property
    def shape(self) -> Dict[str, Any]:
        return {name: feature.shape for name, feature in self.items()}

    @property
    def dtype(self) -> Dict[str, Any]:
        return {name: feature.dtype for name, feature in self.items()}

    def __getattr__(self, attr: str) -> Unknown:
        if attr.startswith("_"):
            raise AttributeError(attr)
        return Unknown("tfds.features.%s" % attr)


class SplitInfo:
    """A split, or a part of one."""

    def __init__(self, name: str, count: int) -> None:
        self.name = name
        self.num_examples = count
        self.num_shards = 1


class Splits(dict):  # type: ignore[type-arg]
    def __missing__(self, key: object) -> Union[SplitInfo, Unknown]:
        count = _count(str(key), {name: split.num_examples for name, split in self.items()})
        if count is None:
            raise KeyError(key)
        return SplitInfo(str(key), count)

    @property
    def total_num_examples(self) -> Union[int, Unknown]:
        count: int = sum(split.num_examples for split in self.values())
        return count


class _AnySplits(Splits):
    """Those of a data set whose splits nobody knows."""

    def __missing__(self, key: object) -> Unknown:
        return Unknown("tfds.core.SplitInfo(%s)" % key)

    @property
    def total_num_examples(self) -> Unknown:
        return Unknown("tfds.core.SplitDict.total_num_examples")


class Info:
    """tfds.core.DatasetInfo."""

    def __init__(self, name: str, known: known_data.DataSet) -> None:
        self.name, _, config = name.partition("/")
        self.full_name = name
        self.config_name = config or None
        self.features = Features(known.features)
        self.splits = Splits({key: SplitInfo(key, count) for key, count in known.splits.items()}) \
            if known.splits else _AnySplits()
        self.supervised_keys = known.supervised or None

    def __getattr__(self, attr: str) -> Unknown:
        if attr.startswith("_"):
            raise AttributeError(attr)
        return Unknown("tfds.core.DatasetInfo." + attr)


# --- splits ---------------------------------------------------------------------------------------
def _bound(text: str, count: int, default: int) -> Optional[int]:
    text = text.strip()
    if not text:
        return default
    try:
        at = round(float(text[:-1]) * count / 100) if text.endswith("%") else int(text)
    except ValueError:
        return None
    return max(0, min(count, at + count if at < 0 else at))


def _count(wanted: str, splits: Dict[str, int]) -> Optional[int]:
    """The examples of "train", "train[:80%]", "train+test"; None: nobody knows."""
    total = 0
    for part in wanted.split("+"):
        part = part.strip()
        match = _SLICE.match(part)
        name = match.group(1) if match else part
        if name == "all":
            known: Optional[int] = sum(splits.values())
        else:
            known = splits.get(name)
        if known is None:
            return None
        if match:
            first, last = _bound(match.group(2), known, 0), _bound(match.group(3), known, known)
            if first is None or last is None:
                return None
            known = max(0, last - first)
        total += known
    return total


def _dataset(known: known_data.DataSet, count: Optional[int], as_supervised: Any, batch_size: Any) -> object:
    from shapeflow import _core
    from shapeflow.tensorflow.python.data import dataset_ops, structure
    from shapeflow.tensorflow.python.data.element_runs import ASSUMED, component

    wanted: object = known.features
    if as_supervised:
        wanted = tuple(known.features[name] for name in known.supervised)
    ordered = structure.flatten(wanted)
    made = structure.declared(structure.pack(wanted, [_core.as_dtype(item.dtype) for item in ordered]),
                              structure.pack(wanted, [_core.TensorShape(item.shape) for item in ordered]))

    def element(label: Optional[int]) -> Tuple[Any, ...]:
        return tuple(component(item.dtype, item.shape, min(label, item.classes - 1)
                               if label is not None and item.classes else None) for item in ordered)

    def runs(env: object) -> Iterator[Any]:
        left = ASSUMED if count is None else count
        for label in (1 << 30, 0):
            if left > 0 and any(item.classes for item in ordered):
                yield element(label), 1
                left = type(left)(left - 1)
        if left > 0:
            yield element(None), left

    kind = dataset_ops.DatasetV1 if _core.get_version()[0] != "2" else dataset_ops.DatasetV2
    dataset = dataset_ops._new(kind, made, runs, dataset_ops.UNKNOWN if count is None else count)
    if batch_size is None:
        return dataset
    if batch_size == -1:
        return dataset.batch(max(1, count or 1)).get_single_element() if count else dataset.batch(1)
    return dataset.batch(batch_size)


# --- the functions --------------------------------------------------------------------------------
def _known(name: object) -> Tuple[str, Optional[known_data.DataSet]]:
    text = str(name).partition(":")[0]
    return text, known_data.tfds(text)


class Builder:
    """tfds.core.DatasetBuilder of a data set that is known."""

    def __init__(self, name: str, known: known_data.DataSet) -> None:
        self.name = name
        self.info = Info(name, known)
        self._sf_known = known

    def download_and_prepare(self, *args: object, **kwargs: object) -> None:
        """Nothing is fetched in a check."""

    def as_dataset(self, split: object = None, batch_size: object = None, shuffle_files: bool = False,
                   decoders: object = None, read_config: object = None,
                   as_supervised: bool = False) -> object:
        known = self._sf_known
        if as_supervised and not known.supervised:
            raise ValueError("as_supervised=True but %s does not support a supervised structure." % self.name)
        if split is None:
            splits = known.splits or _USUAL
            split = {name: name for name in splits}
        if isinstance(split, dict):
            return {key: self.as_dataset(item, batch_size, as_supervised=as_supervised)
                    for key, item in split.items()}
        if isinstance(split, (list, tuple)):
            return type(split)(self.as_dataset(item, batch_size, as_supervised=as_supervised)
                               for item in split)
        count = _count(split, known.splits) if isinstance(split, str) else None
        if isinstance(split, str) and count is None and known.splits and re.fullmatch(r"\w+", split):
            raise ValueError("Unknown split %r. Should be one of %s." % (split, list(known.splits)))
        return _dataset(known, count, as_supervised, batch_size)

    def __getattr__(self, attr: str) -> Unknown:
        if attr.startswith("_"):
            raise AttributeError(attr)
        return Unknown("tfds.core.DatasetBuilder." + attr)


def builder(name: object, *args: object, **kwargs: object) -> Union[Unknown, Builder]:
    text, known = _known(name)
    return Unknown("tfds.builder(%s)" % text) if known is None else Builder(text, known)


def load(name: object, *, split: object = None, data_dir: object = None, batch_size: object = None,
         shuffle_files: bool = False, download: bool = True, as_supervised: bool = False,
         decoders: object = None, read_config: object = None, with_info: bool = False,
         **kwargs: object) -> Any:
    text, known = _known(name)
    if known is None or decoders is not None:
        made = _unknown("tfds.load(%s)" % text, split)
        return (made, Unknown("tfds.load(%s).info" % text)) if with_info else made
    of = Builder(text, known)
    data = of.as_dataset(split, batch_size, as_supervised=as_supervised)
    return (data, of.info) if with_info else data


def _unknown(name: str, split: object) -> object:
    """Data sets of unknown elements, in the form of `split`."""
    from shapeflow.tensorflow.python.data import dataset_ops

    if isinstance(split, dict):
        return {key: _unknown(name, item) for key, item in split.items()}
    if isinstance(split, (list, tuple)):
        return type(split)(_unknown(name, item) for item in split)
    if split is None:
        return Unknown(name)
    return dataset_ops.unmodelled(name)


def as_numpy(dataset: object, *args: object, **kwargs: object) -> object:
    """Arrays for tensors; what a data set gives, one by one."""
    if isinstance(dataset, Unknown):
        return dataset
    if isinstance(dataset, dict):
        return {key: as_numpy(item) for key, item in dataset.items()}
    if isinstance(dataset, (list, tuple)):
        return type(dataset)(as_numpy(item) for item in dataset)
    if hasattr(dataset, "as_numpy_iterator"):
        return dataset.as_numpy_iterator()
    return dataset.numpy() if hasattr(dataset, "numpy") else dataset


def even_splits(split: str, n: int, *args: object, **kwargs: object) -> List[str]:
    return ["%s[%d%%:%d%%]" % (split, 100 * i // n, 100 * (i + 1) // n) for i in range(n)]


class Split:
    """Names of splits."""

    TRAIN, TEST, VALIDATION, ALL = "train", "test", "validation", "all"


def _list_builders(*args: object, **kwargs: object) -> List[str]:
    return known_data.names()


MODULES: Dict[str, Dict[str, object]] = {"tensorflow_datasets": {
    "load": load, "builder": builder, "as_numpy": as_numpy, "Split": Split, "even_splits": even_splits,
    "list_builders": _list_builders}}
