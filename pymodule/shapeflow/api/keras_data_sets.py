"""keras.datasets where the data are not there: arrays of the real sizes, zeros that the system allocates when
they are touched, labels that go through all classes.

Source: the pages of Keras's data sets; keras/src/datasets.
"""
from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple


def _labels(count: int, classes: int, column: bool = False, dtype: Any = np.uint8) -> Any:
    made = (np.arange(count, dtype=np.int64) % classes).astype(dtype)
    return made.reshape(count, 1) if column else made


def _images(shape: Tuple[int, ...], tests: int, classes: int, column: bool, label: Any) -> object:
    count = shape[0]
    return ((np.zeros(shape, np.uint8), _labels(count, classes, column, label)),
            (np.zeros((tests,) + shape[1:], np.uint8), _labels(tests, classes, column, label)))


def load_mnist(path: str = "mnist.npz") -> object:
    return _images((60000, 28, 28), 10000, 10, False, np.uint8)


def load_cifar10() -> object:
    return _images((50000, 32, 32, 3), 10000, 10, True, np.uint8)


def load_cifar100(label_mode: str = "fine") -> object:
    if label_mode not in ("fine", "coarse"):
        raise ValueError("`label_mode` must be one of `\"fine\"`, `\"coarse\"`.")
    return _images((50000, 32, 32, 3), 10000, 100 if label_mode == "fine" else 20, True, np.int64)


def load_boston(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> object:
    assert 0 <= test_split < 1
    train = int(506 * (1 - test_split))
    return ((np.zeros((train, 13)), np.zeros(train)),
            (np.zeros((506 - train, 13)), np.zeros(506 - train)))


def _sequences(count: int, num_words: Optional[int], start_char: object, index_from: int,
               maxlen: Optional[int]) -> object:
    """Short reviews of different lengths; the longest word number is one that real data has."""
    top = (num_words or 80000) - 1
    made = np.empty(count, dtype=object)
    for i in range(count):
        length = 5 + i % 37 if maxlen is None else min(5 + i % 37, maxlen - 1)
        made[i] = ([] if start_char is None else [start_char]) + [
            min(index_from + 1 + (i + j) % 997, top) for j in range(length)]
    return made


def load_imdb(path: str = "imdb.npz", num_words: Optional[int] = None, skip_top: int = 0,
              maxlen: Optional[int] = None, seed: int = 113, start_char: object = 1, oov_char: int = 2,
              index_from: int = 3, **kwargs: Any) -> object:
    num_words = kwargs.pop("nb_words", num_words)
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))

    def half() -> object:
        return (_sequences(25000, num_words, start_char, index_from, maxlen),
                _labels(25000, 2, dtype=np.int64))

    return half(), half()


def load_reuters(path: str = "reuters.npz", num_words: Optional[int] = None, skip_top: int = 0,
                 maxlen: Optional[int] = None, test_split: float = 0.2, seed: int = 113,
                 start_char: object = 1, oov_char: int = 2, index_from: int = 3, **kwargs: Any) -> object:
    num_words = kwargs.pop("nb_words", num_words)
    train = int(11228 * (1 - test_split))

    def part(count: int) -> Any:
        return (_sequences(count, num_words, start_char, index_from, maxlen),
                _labels(count, 46, dtype=np.int64))

    return part(train), part(11228 - train)


def get_word_index(path: str = "word_index.json") -> Dict[str, int]:
    return {"word%d" % i: i for i in range(1, 30980)}


def load_california(version: str = "large", path: str = "california_housing.npz", test_split: float = 0.2,
                    seed: int = 113) -> object:
    total = 600 if version == "small" else 20640
    train = int(total * (1 - test_split))
    return ((np.zeros((train, 8), np.float32), np.zeros(train, np.float32)),
            (np.zeros((total - train, 8), np.float32), np.zeros(total - train, np.float32)))
