"""tf.contrib.learn: the data sets of the scripts of its day.

Rows and columns are the real ones; targets cycle through the classes, data are zeros.
Source: tensorflow/contrib/learn/python/learn/datasets/{__init__,base,synthetic}.py (1.15).
"""

from __future__ import annotations

import collections
import csv
import os

import numpy as np

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.examples import mnist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional

Dataset = collections.namedtuple("Dataset", ["data", "target"])
put(Dataset, "tf.contrib.learn.datasets.base.Dataset")


def _dataset(rows: int, columns: int, classes: Optional[int]) -> Dataset:
    if classes is None:
        return Dataset(data=np.zeros((rows, columns)), target=np.zeros(rows))
    return Dataset(data=np.zeros((rows, columns)), target=np.arange(rows) * classes // rows)


@export("tf.contrib.learn.datasets.base.load_iris", "tf.contrib.learn.datasets.load_iris")
def load_iris(data_path: Any = None) -> Dataset:
    return _dataset(150, 4, 3)


@export("tf.contrib.learn.datasets.base.load_boston", "tf.contrib.learn.datasets.load_boston")
def load_boston(data_path: Any = None) -> Dataset:
    return _dataset(506, 13, None)


@export("tf.contrib.learn.datasets.load_dbpedia")
def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> Any:
    def part(rows: int) -> Dataset:
        texts = np.array([["title %d" % i, "text of an article"] for i in range(rows)], dtype=str)
        return Dataset(data=texts, target=np.arange(rows) % 15)

    return mnist.Datasets(train=part(2800), validation=None, test=part(700))


DATASETS: Dict[str, Callable[..., Any]] = {"iris": load_iris, "boston": load_boston, "dbpedia": load_dbpedia}
put(DATASETS, "tf.contrib.learn.datasets.DATASETS")


@export("tf.contrib.learn.datasets.load_dataset")
def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    if name == "mnist":
        return mnist.load_mnist()
    if name not in DATASETS:
        raise ValueError("Name of dataset is not found: %s" % name)
    if name == "dbpedia":
        return load_dbpedia(size, test_with_fake_data)
    return DATASETS[name]()


@export("tf.contrib.learn.datasets.base.load_csv_with_header")
def load_csv_with_header(filename: Any, target_dtype: Any, features_dtype: Any,
                         target_column: int = -1) -> Dataset:
    """The real table when the file is there; its header says how large it is."""
    with open(filename, encoding="utf-8") as stream:
        reader = csv.reader(stream)
        header = next(reader)
        samples, features = int(header[0]), int(header[1])
        data = np.zeros((samples, features), dtype=features_dtype)
        target = np.zeros((samples,), dtype=target_dtype)
        for i, row in enumerate(reader):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


@export("tf.contrib.learn.datasets.base.load_csv_without_header")
def load_csv_without_header(filename: Any, target_dtype: Any, features_dtype: Any,
                            target_column: int = -1) -> Dataset:
    data, target = [], []
    with open(filename, encoding="utf-8") as stream:
        for row in csv.reader(stream):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


@export("tf.contrib.learn.datasets.base.maybe_download")
def maybe_download(filename: str, work_directory: str, source_url: Any = None) -> str:
    """The path that the file would have; it is not fetched."""
    return os.path.join(work_directory, filename)


@export("tf.contrib.learn.extract_pandas_data")
def extract_pandas_data(data: Any) -> Any:
    return data.values.astype("float")


@export("tf.contrib.learn.preprocessing.VocabularyProcessor")
class VocabularyProcessor:
    """Words of documents as numbers in the order of their first use; rows cut and filled."""

    def __init__(self, max_document_length: int, min_frequency: int = 0, vocabulary: Any = None,
                 tokenizer_fn: Any = None) -> None:
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary if vocabulary is not None else CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or _tokens

    def fit(self, raw_documents: Any, unused_y: Any = None) -> "VocabularyProcessor":
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Any, unused_y: Any = None) -> Any:
        documents = list(raw_documents)
        self.fit(documents)
        return self.transform(documents)

    def transform(self, raw_documents: Any) -> Any:
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for i, word in enumerate(words):
                if i >= self.max_document_length:
                    break
                row[i] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents: Any) -> Any:
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(i) for i in row)

    def save(self, filename: Any) -> None:
        """Nothing is written: a check leaves files as they are."""


@export("tf.contrib.learn.preprocessing.CategoricalVocabulary")
class CategoricalVocabulary:
    """Word to number; 0 is the unknown word."""

    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._mapping = {unknown_token: 0}
        self._words = [unknown_token]
        self._counts: Any = collections.Counter()
        self._frozen = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        self._frozen = freeze

    def get(self, category: Any) -> int:
        if category not in self._mapping:
            if self._frozen:
                return 0
            self._mapping[category] = len(self._mapping)
            self._words.append(category)
        return self._mapping[category]

    def add(self, category: Any, count: int = 1) -> None:
        if self.get(category) > 0:
            self._counts[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        by_name = sorted(self._counts.items(), key=lambda x: str(x[0]))
        kept = [w for w, n in sorted(by_name, key=lambda x: x[1], reverse=True)
                if n > min_frequency and (max_frequency < 0 or n <= max_frequency)]
        self._words = self._words[:1] + kept
        self._mapping = {w: i for i, w in enumerate(self._words)}
        self._counts = collections.Counter({w: self._counts[w] for w in kept})

    def reverse(self, class_id: int) -> str:
        return self._words[class_id]


_WORD = r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+"


def _tokens(documents: Any) -> Any:
    import re

    for text in documents:
        yield re.findall(_WORD, text, re.UNICODE)


@export("tf.contrib.learn.ModeKeys", "tf.contrib.learn.estimators.model_fn.ModeKeys")
class ModeKeys:
    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError("Invalid mode %s." % key)
