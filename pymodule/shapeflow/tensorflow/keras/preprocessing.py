"""keras.preprocessing, keras.utils and keras.datasets: the parts without models.

Arrays have the real sizes and are zeros that the system allocates when touched; nothing is
downloaded. What works on Python data (padding, tokenizing, one-hot) is the real algorithm.
Source: keras_preprocessing 1.1 {sequence,text,image}.py, tensorflow/python/keras/{utils,datasets}.
"""

from __future__ import annotations

import collections
import hashlib
import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from shapeflow.api import keras_data_sets, outside
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework.error_report import fail


def keras(*names: str) -> Callable[[Any], Any]:
    """Registers below tf.keras, for both versions, and below tf.contrib.keras."""
    places = ("tf.keras.", "tf.contrib.keras.")
    return export(*[place + name for place in places for name in names])


# --- sequences ------------------------------------------------------------------------------------
@keras("preprocessing.sequence.pad_sequences", "utils.pad_sequences")
def pad_sequences(sequences: Any, maxlen: Optional[int] = None, dtype: Any = "int32",
                  padding: str = "pre", truncating: str = "pre", value: Any = 0.) -> Any:
    """[len(sequences), maxlen, ...]: shorter ones filled, longer ones cut."""
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths, sample_shape, flag = [], (), True
    for x in sequences:
        try:
            lengths.append(len(x))
        except TypeError:
            raise ValueError("`sequences` must be a list of iterables. Found non-iterable: " + str(x))
        if flag and len(x) and not is_unmodelled(x):
            sample_shape, flag = np.asarray(x).shape[1:], False
    if maxlen is None:
        maxlen = int(np.max(lengths))
    is_text = np.issubdtype(dtype, np.str_) if dtype is not object else False
    is_object = np.dtype(dtype) == np.dtype(object)
    if isinstance(value, str) and not is_object and not is_text:
        raise ValueError("`dtype` {} is not compatible with `value`'s type: {}\nYou should set "
                         "`dtype=object` for variable length strings.".format(dtype, type(value)))
    made = np.full((len(sequences), maxlen) + sample_shape, value, dtype=dtype)
    for i, s in enumerate(sequences):
        if not len(s) or is_unmodelled(s):
            continue
        if truncating == "pre":
            kept = s[-maxlen:]
        elif truncating == "post":
            kept = s[:maxlen]
        else:
            raise ValueError('Truncating type "%s" not understood' % truncating)
        kept = np.asarray(kept, dtype=dtype)
        if kept.shape[1:] != sample_shape:
            raise fail("SF401", "Shape of sample {shape} of sequence at position {int} is different from "
                       "expected shape {shape}", kept.shape[1:], i, sample_shape)
        if padding == "post":
            made[i, :len(kept)] = kept
        elif padding == "pre":
            made[i, -len(kept):] = kept
        else:
            raise ValueError('Padding type "%s" not understood' % padding)
    return made


@keras("preprocessing.sequence.make_sampling_table")
def make_sampling_table(size: int, sampling_factor: float = 1e-05) -> Any:
    gamma = 0.577
    rank = np.arange(size)
    rank[0] = 1
    f = sampling_factor * (rank * (np.log(rank) + gamma) + 0.5 - 1. / (12. * rank))
    return np.minimum(1., f / np.sqrt(f))


@keras("preprocessing.sequence.skipgrams")
def skipgrams(sequence: Any, vocabulary_size: int, window_size: int = 4,
              negative_samples: float = 1., shuffle: bool = True, categorical: bool = False,
              sampling_table: Any = None, seed: Any = None) -> Tuple[List[Any], List[Any]]:
    import random

    couples, labels = [], []
    for i, word in enumerate(sequence):
        if not word or sampling_table is not None and sampling_table[word] < random.random():
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        words = [c[0] for c in couples]
        for i in range(int(len(labels) * negative_samples)):
            couples.append([words[i % len(words)], random.randint(1, vocabulary_size - 1)])
            labels.append([1, 0] if categorical else 0)
    if shuffle:
        seed = random.randint(0, 10 ** 6) if seed is None else seed
        random.Random(seed).shuffle(couples)
        random.Random(seed).shuffle(labels)
    return couples, labels


@keras("utils.Sequence", "utils.PyDataset")
class Sequence:
    """Base of data sets that know their length."""

    def __init__(self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10) -> None:
        self.workers, self.use_multiprocessing = workers, use_multiprocessing
        self.max_queue_size = max_queue_size

    def __getattr__(self, name: str) -> int:
        if name == "num_batches":  # of Keras 3; before it scripts had one of their own
            return len(self)
        raise AttributeError("%r object has no attribute %r" % (type(self).__name__, name))

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def on_epoch_end(self) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        for i in range(len(self)):
            yield self[i]


@keras("preprocessing.sequence.TimeseriesGenerator")
class TimeseriesGenerator(Sequence):
    """Windows of a series and what follows them."""

    def __init__(self, data: Any, targets: Any, length: int, sampling_rate: int = 1,
                 stride: int = 1, start_index: int = 0, end_index: Optional[int] = None,
                 shuffle: bool = False, reverse: bool = False, batch_size: int = 128) -> None:
        if len(data) != len(targets):
            raise fail("SF401", "Data and targets have to be of same length. Data length is {dim} while "
                       "target length is {dim}", len(data), len(targets))
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride = sampling_rate, stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse, self.batch_size = shuffle, reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError("`start_index+length=%i > end_index=%i` is disallowed, as no part of the "
                             "sequence would be left to be used as current step."
                             % (self.start_index, self.end_index))

    def __len__(self) -> int:
        step = self.batch_size * self.stride
        return (self.end_index - self.start_index + step) // step

    def __getitem__(self, index: int) -> Tuple[Any, Any]:
        first = self.start_index + self.batch_size * self.stride * index
        rows = np.arange(first, min(first + self.batch_size * self.stride, self.end_index + 1),
                         self.stride)
        samples = np.array([self.data[r - self.length:r:self.sampling_rate] for r in rows])
        targets = np.array([self.targets[r] for r in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), targets


# --- text -----------------------------------------------------------------------------------------
_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


@keras("preprocessing.text.text_to_word_sequence")
def text_to_word_sequence(input_text: str, filters: str = _FILTERS, lower: bool = True,
                          split: str = " ") -> List[str]:
    text = input_text.lower() if lower else input_text
    to: Dict[str, Any] = {c: split for c in filters}
    text = text.translate(str.maketrans(to))
    return [word for word in text.split(split) if word]


@keras("preprocessing.text.hashing_trick")
def hashing_trick(text: str, n: int, hash_function: Any = None, filters: str = _FILTERS,
                  lower: bool = True, split: str = " ", analyzer: Any = None) -> List[int]:
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        def hash_function(w: str) -> int:
            return int(hashlib.md5(w.encode()).hexdigest(), 16)
    return [hash_function(w) % (n - 1) + 1
            for w in (analyzer(text) if analyzer is not None
                      else text_to_word_sequence(text, filters, lower, split))]


@keras("preprocessing.text.one_hot")
def one_hot(input_text: str, n: int, filters: str = _FILTERS, lower: bool = True,
            split: str = " ", analyzer: Any = None) -> List[int]:
    return hashing_trick(input_text, n, None, filters, lower, split, analyzer)


@keras("preprocessing.text.Tokenizer")
class Tokenizer(Members):
    """Words of texts as integers, the most frequent word first."""

    def __init__(self, num_words: Optional[int] = None, filters: str = _FILTERS, lower: bool = True,
                 split: str = " ", char_level: bool = False, oov_token: Any = None,
                 document_count: int = 0, **kwargs: Any) -> None:
        if "nb_words" in kwargs:
            num_words = kwargs.pop("nb_words")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self.word_counts: Dict[str, int] = collections.OrderedDict()
        self.word_docs: Dict[str, int] = collections.defaultdict(int)
        self.filters, self.split, self.lower = filters, split, lower
        self.num_words, self.document_count = num_words, document_count
        self.char_level, self.oov_token = char_level, oov_token
        self.index_docs: Dict[int, int] = collections.defaultdict(int)
        self.word_index: Dict[str, int] = {}
        self.index_word: Dict[int, str] = {}

    def _words(self, text: Any) -> List[str]:
        if self.char_level or isinstance(text, list):
            if self.lower:
                text = [w.lower() for w in text] if isinstance(text, list) else text.lower()
            return list(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Any) -> None:
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ordered = sorted(self.word_counts.items(), key=lambda item: item[1], reverse=True)
        vocabulary = [] if self.oov_token is None else [self.oov_token]
        vocabulary.extend(word for word, _ in ordered)
        self.word_index = dict(zip(vocabulary, range(1, len(vocabulary) + 1)))
        self.index_word = {i: w for w, i in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        self.document_count += len(sequences)
        for sequence in sequences:
            for i in set(sequence):
                self.index_docs[i] += 1

    def texts_to_sequences(self, texts: object) -> List[List[int]]:
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Any) -> Iterator[List[int]]:
        limit, unknown = self.num_words, self.word_index.get(self.oov_token)
        for text in texts:
            found = []
            for word in self._words(text):
                index = self.word_index.get(word)
                if index is not None and not (limit and index >= limit):
                    found.append(index)
                elif unknown is not None:
                    found.append(unknown)
            yield found

    def sequences_to_texts(self, sequences: Any) -> List[str]:
        unknown = self.word_index.get(self.oov_token)
        texts = []
        for sequence in sequences:
            words = []
            for number in sequence:
                word = self.index_word.get(number)
                if word is not None and not (self.num_words and number >= self.num_words):
                    words.append(word)
                elif unknown is not None:
                    words.append(self.index_word[unknown])
            texts.append(" ".join(words))
        return texts

    def texts_to_matrix(self, texts: object, mode: str = "binary") -> Any:
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> Any:
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data "
                             "first.")
        if mode not in ("binary", "count", "freq", "tfidf"):
            raise ValueError("Unknown vectorization mode:", mode)
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        width = self.num_words or len(self.word_index) + 1
        made = np.zeros((len(sequences), width))
        for i, sequence in enumerate(sequences):
            counts = collections.Counter(j for j in sequence if j < width)
            for j, count in counts.items():
                if mode == "binary":
                    made[i][j] = 1
                elif mode == "count":
                    made[i][j] = count
                elif mode == "freq":
                    made[i][j] = count / len(sequence)
                else:
                    idf = np.log(1 + self.document_count / (1 + self.index_docs.get(j, 0)))
                    made[i][j] = (1 + np.log(count)) * idf
        return made


# --- utilities ------------------------------------------------------------------------------------
@keras("utils.to_categorical", "utils.np_utils.to_categorical")
def to_categorical(y: Any, num_classes: Optional[int] = None, dtype: Any = "float32",
                   nb_classes: Optional[int] = None) -> Any:
    """Class numbers as one-hot rows; a last axis of 1 goes away."""
    num_classes = nb_classes if num_classes is None else num_classes
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = tuple(shape[:-1])
    y = y.ravel()
    if not num_classes:
        num_classes = int(np.max(y)) + 1
    made = np.zeros((y.shape[0], num_classes), dtype=dtype)
    made[np.arange(y.shape[0]), y] = 1
    return np.reshape(made, shape + (num_classes,))


@keras("utils.normalize", "utils.np_utils.normalize")
def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)


@keras("utils.get_file", "utils.data_utils.get_file")
def get_file(fname: str, origin: str = "", untar: bool = False, md5_hash: object = None,
             file_hash: object = None, cache_subdir: str = "datasets", hash_algorithm: str = "auto",
             extract: bool = False, archive_format: str = "auto",
             cache_dir: Optional[str] = None) -> str:
    """The path that the file would have; it is not fetched."""
    base = cache_dir or os.path.join(os.path.expanduser("~"), ".keras")
    path = os.path.join(base, cache_subdir, fname or os.path.basename(origin))
    if not os.path.exists(path):
        outside.fetch(path)
    return path


# --- data sets ------------------------------------------------------------------------------------
keras("datasets.mnist.load_data", "datasets.fashion_mnist.load_data")(keras_data_sets.load_mnist)
keras("datasets.cifar10.load_data")(keras_data_sets.load_cifar10)
keras("datasets.cifar100.load_data")(keras_data_sets.load_cifar100)
keras("datasets.boston_housing.load_data")(keras_data_sets.load_boston)
keras("datasets.imdb.load_data")(keras_data_sets.load_imdb)
keras("datasets.reuters.load_data")(keras_data_sets.load_reuters)
keras("datasets.imdb.get_word_index", "datasets.reuters.get_word_index")(keras_data_sets.get_word_index)
