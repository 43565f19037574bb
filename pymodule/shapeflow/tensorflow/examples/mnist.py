"""tensorflow.examples.tutorials.mnist.input_data (and contrib.learn's copy).

Real idx files are read when they lie in `train_dir`; otherwise the arrays have the real sizes and
are zeros that the system allocates when touched. Nothing is ever downloaded.
Source: tensorflow/contrib/learn/python/learn/datasets/mnist.py.
"""
from __future__ import annotations

import collections
import gzip
import os
from typing import Any, Dict, Optional, Tuple

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.error_report import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapeflow.api.registry import Decorator

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])
put(Datasets, "tf.contrib.learn.datasets.base.Datasets",
    "tf.examples.tutorials.mnist.input_data.Datasets")

_PREFIXES = ("tf.examples.tutorials.mnist.input_data.", "tf.contrib.learn.datasets.mnist.",
             "tf.examples.tutorials.mnist.mnist_data.")


def _export(name: str) -> "Decorator":
    return export(*[p + name for p in _PREFIXES])


@_export("DataSet")
class DataSet:
    """Images and labels handed out in shuffled batches, epoch after epoch."""

    def __init__(self, images: Any, labels: Any, fake_data: bool = False, one_hot: bool = False,
                 dtype: Any = "float32", reshape: bool = True, seed: Any = None) -> None:
        dtype = _core.as_dtype(dtype).base_dtype
        if dtype.name not in ("uint8", "float32"):
            raise TypeError("Invalid image dtype %r, expected uint8 or float32" % dtype)
        if fake_data:
            self._num_examples = 10000
            self.one_hot = one_hot
        else:
            assert images.shape[0] == labels.shape[0], (
                "images.shape: %s labels.shape: %s" % (images.shape, labels.shape))
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype.name == "float32":
                images = np.zeros(images.shape, np.float32) if _is_synthetic(images) else \
                    np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images = images
        self._labels = labels
        self._fake = fake_data
        self._epochs_completed = 0
        self._index_in_epoch = 0
        self._whole: object = None

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs_completed)

    def next_batch(self, batch_size: int, fake_data: bool = False,
                   shuffle: bool = True) -> Tuple[Any, Any]:
        """The next `batch_size` examples; the rest of an epoch joins the start of the next one."""
        if fake_data:
            image = [1] * 784
            label: Any = [1] + [0] * 9 if self.one_hot else 0
            return [image for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        # Shuffling permutes rows: every batch keeps its shape, so the rows stay where they are.
        self._epochs_completed += 1
        rest = self._num_examples - start
        self._index_in_epoch = batch_size - rest
        head = slice(0, self._index_in_epoch)
        return (np.concatenate((self._images[start:], self._images[head]), axis=0),
                np.concatenate((self._labels[start:], self._labels[head]), axis=0))


def _is_synthetic(images: Any) -> bool:
    base = images
    while getattr(base, "base", None) is not None:
        base = base.base
    return id(base) in _synthetic


_synthetic: Dict[int, object] = {}  # id -> array: made here, known to be zeros


def _zeros(shape: Tuple[int, ...], dtype: Any) -> Any:
    made = np.zeros(shape, dtype)
    _synthetic[id(made)] = made
    return made


@_export("dense_to_one_hot")
def dense_to_one_hot(labels_dense: Any, num_classes: int) -> Any:
    num_labels = labels_dense.shape[0]
    made = np.zeros((num_labels, num_classes))
    made.flat[np.arange(num_labels) * num_classes + labels_dense.ravel()] = 1
    return made


def _open(path: str) -> Any:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _read32(stream: Any) -> int:
    return int(np.frombuffer(stream.read(4), dtype=np.dtype(np.uint32).newbyteorder(">"))[0])


@_export("extract_images")
def extract_images(f: Any) -> Any:
    with gzip.GzipFile(fileobj=f) if not isinstance(f, str) else _open(f) as stream:
        magic = _read32(stream)
        if magic != 2051:
            raise ValueError("Invalid magic number %d in MNIST image file: %s"
                             % (magic, getattr(f, "name", f)))
        count, rows, cols = _read32(stream), _read32(stream), _read32(stream)
        data = np.frombuffer(stream.read(rows * cols * count), dtype=np.uint8)
        return data.reshape(count, rows, cols, 1)


@_export("extract_labels")
def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> Any:
    with gzip.GzipFile(fileobj=f) if not isinstance(f, str) else _open(f) as stream:
        magic = _read32(stream)
        if magic != 2049:
            raise ValueError("Invalid magic number %d in MNIST label file: %s"
                             % (magic, getattr(f, "name", f)))
        labels = np.frombuffer(stream.read(_read32(stream)), dtype=np.uint8)
        return dense_to_one_hot(labels, num_classes) if one_hot else labels


def _find(train_dir: object, name: str) -> Optional[str]:
    for suffix in ("", ".gz"):
        path = os.path.join(str(train_dir), name + suffix)
        if os.path.isfile(path):
            return path
    return None


def _images(train_dir: Any, name: str, count: int) -> Any:
    path = _find(train_dir, name)
    return extract_images(path) if path else _zeros((count, 28, 28, 1), np.uint8)


def _labels(train_dir: Any, name: str, count: int, one_hot: bool) -> Any:
    path = _find(train_dir, name)
    if path:
        return extract_labels(path, one_hot)
    if one_hot:
        made = np.zeros((count, 10))
        made[:, 0] = 1
        return made
    return np.arange(count, dtype=np.int64).astype(np.uint8) % 10


@_export("read_data_sets")
def read_data_sets(train_dir: Any, fake_data: bool = False, one_hot: bool = False,
                   dtype: Any = "float32", reshape: bool = True, validation_size: int = 5000,
                   seed: Any = None, source_url: object = None) -> Datasets:
    if fake_data:
        def fake() -> DataSet:
            return DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)
        return Datasets(train=fake(), validation=fake(), test=fake())
    images = _images(train_dir, "train-images-idx3-ubyte", 60000)
    labels = _labels(train_dir, "train-labels-idx1-ubyte", 60000, one_hot)
    test_images = _images(train_dir, "t10k-images-idx3-ubyte", 10000)
    test_labels = _labels(train_dir, "t10k-labels-idx1-ubyte", 10000, one_hot)
    if not 0 <= validation_size <= len(images):
        raise fail("SF201", "Validation size should be between 0 and {int}. Received: {int}.", len(images),
                   validation_size)
    options = dict(dtype=dtype, reshape=reshape, seed=seed)
    n = validation_size
    return Datasets(train=DataSet(images[n:], labels[n:], **options),
                    validation=DataSet(images[:n], labels[:n], **options),
                    test=DataSet(test_images, test_labels, **options))


@_export("maybe_download")
def maybe_download(filename: str, work_directory: str, source_url: object = None) -> str:
    return os.path.join(work_directory, filename)


@export("tf.contrib.learn.datasets.mnist.load_mnist")
def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    return read_data_sets(train_dir)
