"""Data sets that everybody knows, as facts: what they consist of and how large they are. Their content is
zeros, labels that go through all classes, and words that nobody reads.

Sources: the pages of each data set in the catalogues of tensorflow_datasets, Keras and scikit-learn; what the
examples of tensorflow_datasets consist of is in known_data_sets.txt, made of the package's own metadata by
tests/tools/tfds_facts.py.
"""
from __future__ import annotations

import json
import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple


class Feature:
    """A part of an example: its shape, the name of its dtype, the classes of a label and the numbers that
    stand for the words of a text, 0 for what is neither."""

    def __init__(self, dtype: str, shape: Tuple[Optional[int], ...] = (), classes: int = 0,
                 vocabulary: int = 0) -> None:
        self.dtype, self.shape, self.classes, self.vocabulary = dtype, shape, classes, vocabulary

    @classmethod
    def said(cls, words: str) -> Feature:
        """"uint8[28,28,1]", "int64/10", "float32[?,4]"."""
        match = _FEATURE.match(words)
        if match is None:
            raise ValueError("not a feature: %r" % words)
        dtype, dims, classes = match.groups()
        shape = tuple(None if dim == "?" else int(dim) for dim in dims.split(",")) if dims else ()
        return cls(dtype, shape, int(classes or 0))


class DataSet:
    """`features` by name, each a Feature or such a dict; `splits` by name with their sizes, empty where
    nobody knows them; `supervised`: the features that are a pair."""

    def __init__(self, features: Dict[str, object], splits: Dict[str, int],
                 supervised: Tuple[str, ...]) -> None:
        self.features = features
        self.splits = splits
        self.supervised = supervised


_FEATURE = re.compile(r"(\w+)(?:\[([^\]]*)\])?(?:/(\d+))?$")
# Texts as numbers, of releases before 4: the package's own metadata of today do not have them.
_ENCODED = {"imdb_reviews/subwords8k": 8185, "imdb_reviews/bytes": 257}
# The sizes of splits are not among the metadata of the package, but on the page of each data set.
SPLITS: Dict[str, Dict[str, int]] = {
    "mnist": {"train": 60000, "test": 10000},
    "fashion_mnist": {"train": 60000, "test": 10000},
    "kmnist": {"train": 60000, "test": 10000},
    "emnist": {"train": 697932, "test": 116323},
    "emnist/balanced": {"train": 112800, "test": 18800},
    "emnist/letters": {"train": 88800, "test": 14800},
    "emnist/digits": {"train": 240000, "test": 40000},
    "emnist/byclass": {"train": 697932, "test": 116323},
    "cifar10": {"train": 50000, "test": 10000},
    "cifar100": {"train": 50000, "test": 10000},
    "svhn_cropped": {"train": 73257, "test": 26032, "extra": 531131},
    "stl10": {"train": 5000, "test": 8000, "unlabelled": 100000},
    "cats_vs_dogs": {"train": 23262},
    "horses_or_humans": {"train": 1027, "test": 256},
    "rock_paper_scissors": {"train": 2520, "test": 372},
    "tf_flowers": {"train": 3670},
    "oxford_flowers102": {"train": 1020, "test": 6149, "validation": 1020},
    "oxford_iiit_pet": {"train": 3680, "test": 3669},
    "beans": {"train": 1034, "validation": 133, "test": 128},
    "cassava": {"train": 5656, "test": 1885, "validation": 1889},
    "food101": {"train": 75750, "validation": 25250},
    "stanford_dogs": {"train": 12000, "test": 8580},
    "caltech101": {"train": 3059, "test": 6085},
    "imagenet2012": {"train": 1281167, "validation": 50000},
    "imagenette": {"train": 9469, "validation": 3925},
    "imagenette/full-size-v2": {"train": 9469, "validation": 3925},
    "imagewang": {"train": 14669, "validation": 3929},
    "imagewang/full-size": {"train": 14669, "validation": 3929},
    "eurosat": {"train": 27000},
    "eurosat/rgb": {"train": 27000},
    "uc_merced": {"train": 2100},
    "malaria": {"train": 27558},
    "colorectal_histology": {"train": 5000},
    "patch_camelyon": {"train": 262144, "test": 32768, "validation": 32768},
    "dtd": {"train": 1880, "test": 1880, "validation": 1880},
    "deep_weeds": {"train": 17509},
    "cmaterdb": {"train": 5000, "test": 1000},
    "cmaterdb/bangla": {"train": 5000, "test": 1000},
    "omniglot": {"train": 19280, "test": 13180},
    "celeb_a": {"train": 162770, "test": 19962, "validation": 19867},
    "lfw": {"train": 13233},
    "imdb_reviews": {"train": 25000, "test": 25000, "unsupervised": 50000},
    "imdb_reviews/plain_text": {"train": 25000, "test": 25000, "unsupervised": 50000},
    "imdb_reviews/subwords8k": {"train": 25000, "test": 25000, "unsupervised": 50000},
    "imdb_reviews/bytes": {"train": 25000, "test": 25000, "unsupervised": 50000},
    "ag_news_subset": {"train": 120000, "test": 7600},
    "yelp_polarity_reviews": {"train": 560000, "test": 38000},
    "glue/sst2": {"train": 67349, "test": 1821, "validation": 872},
    "glue/cola": {"train": 8551, "test": 1063, "validation": 1043},
    "glue/mrpc": {"train": 3668, "test": 1725, "validation": 408},
    "glue/rte": {"train": 2490, "test": 3000, "validation": 277},
    "glue/qqp": {"train": 363849, "test": 390965, "validation": 40430},
    "glue/qnli": {"train": 104743, "test": 5463, "validation": 5463},
    "iris": {"train": 150},
    "tiny_shakespeare": {"train": 1, "validation": 1, "test": 1},
    "squad": {"train": 87599, "validation": 10570},
    "squad/v1.1": {"train": 87599, "validation": 10570},
    "ted_hrlr_translate/pt_to_en": {"train": 51785, "validation": 1193, "test": 1803},
    "cnn_dailymail": {"train": 287113, "validation": 13368, "test": 11490},
    "speech_commands": {"train": 85511, "validation": 10102, "test": 4890},
}


def _lines() -> List[str]:
    """Those of known_data_sets.txt."""
    with open(os.path.join(os.path.dirname(__file__), "known_data_sets.txt"), encoding="utf-8") as table:
        return [line for line in table.read().splitlines() if not line.startswith("#")]


def names() -> List[str]:
    """Of the data sets that are known, without their configurations."""
    return sorted({re.split(r"[*/\t]", line, maxsplit=1)[0] for line in _lines()})


def _row(name: str) -> Optional[List[str]]:
    """The line of known_data_sets.txt that tells of it."""
    exact = (name + "\t", name + "*\t")
    alike = name.partition("/")[0] + "*\t"
    found = None
    for line in _lines():
        if line.startswith(exact):
            found = line
            break
        if line.startswith(alike):
            found = line
    return found.split("\t") if found else None


def _features(said: Dict[str, object]) -> Dict[str, object]:
    return {name: _features(one) if isinstance(one, dict) else Feature.said(str(one))
            for name, one in said.items()}


def splits(name: str) -> Dict[str, int]:
    """Of a data set of tensorflow_datasets, "mnist" or "glue/sst2"; empty where nobody knows."""
    return SPLITS.get(name, {})


def tfds(name: str) -> Optional[DataSet]:
    """A data set of tensorflow_datasets, "mnist" or "glue/sst2"; None: nobody knows it."""
    if name in _ENCODED:
        text = Feature("int64", (None,), vocabulary=_ENCODED[name])
        return DataSet({"text": text, "label": Feature("int64", classes=2)}, splits(name), ("text", "label"))
    row = _row(name)
    if row is None:
        return None
    _, pair, features = row
    return DataSet(_features(json.loads(features)), splits(name), tuple(pair.split(",")) if pair else ())


def _array(shape: Tuple[int, ...], dtype: str = "float64") -> Any:
    import numpy

    return numpy.zeros(shape, dtype)


def _classes(count: int, classes: int) -> Any:
    import numpy

    return numpy.arange(count) % classes


# scikit-learn's: (samples, features, classes; 0: numbers, further arrays by name).
SKLEARN: Dict[str, Tuple[int, int, int, Dict[str, Tuple[int, ...]]]] = {
    "fetch_california_housing": (20640, 8, 0, {}),
    "fetch_covtype": (581012, 54, 7, {}),
    "fetch_kddcup99": (494021, 41, 23, {}),
    "fetch_olivetti_faces": (400, 4096, 40, {"images": (400, 64, 64)}),
    "fetch_lfw_people": (13233, 2914, 5749, {"images": (13233, 62, 47)}),
    "fetch_lfw_pairs": (2200, 5828, 2, {"pairs": (2200, 2, 62, 47)}),
    "load_iris": (150, 4, 3, {}),
    "load_digits": (1797, 64, 10, {"images": (1797, 8, 8)}),
    "load_wine": (178, 13, 3, {}),
    "load_breast_cancer": (569, 30, 2, {}),
    "load_diabetes": (442, 10, 0, {}),
    "load_boston": (506, 13, 0, {}),
}
_NEWS = {"train": 11314, "test": 7532, "all": 18846}


def sklearn(name: str, args: Tuple[object, ...], options: Dict[str, Any], Bunch: Any) -> object:  # noqa: N803
    """What a function of sklearn.datasets gives; None: nobody knows. Bunch: scikit-learn's class."""
    if name == "fetch_20newsgroups":
        count = _NEWS.get(options.get("subset", "train"), 11314)
        names = options.get("categories") or ["group%d" % i for i in range(20)]
        return Bunch(data=["some text %d" % i for i in range(count)], target=_classes(count, len(names)),
                     target_names=list(names), filenames=["%d" % i for i in range(count)])
    more: Dict[str, Tuple[int, ...]] = {}
    if name == "fetch_openml" and (args[:1] == ("mnist_784",) or options.get("name") == "mnist_784"):
        samples, features, classes = 70000, 784, 10
    elif name in SKLEARN:
        samples, features, classes, more = SKLEARN[name]
    else:
        return None
    data = _array((samples, features))
    target = _classes(samples, classes) if classes else _array((samples,))
    if name == "fetch_openml":
        target = target.astype(str).astype(object)
    if options.get("return_X_y"):
        return data, target
    return Bunch(data=data, target=target, feature_names=["f%d" % i for i in range(features)],
                 target_names=["t%d" % i for i in range(classes or 1)], DESCR="",
                 **{key: _array(shape) for key, shape in more.items()})
