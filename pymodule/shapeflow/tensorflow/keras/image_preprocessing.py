"""keras.preprocessing.image: pictures of the right size, without their pixels.

Source: keras_preprocessing 1.1 image/{utils,image_data_generator,iterator}.py.
"""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.compat import python2
from shapeflow.tensorflow.keras import image_format
from shapeflow.tensorflow.keras.preprocessing import Sequence, keras
from shapeflow.tensorflow.python.framework.error_report import fail

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
_DEPTHS = {"L": 1, "1": 1, "I": 1, "F": 1, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4}
_EXTENSIONS = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")


class Image:
    """As much of a PIL image as its header tells."""

    format: Optional[str] = None

    def __init__(self, width: int, height: int, mode: str = "RGB") -> None:
        self.size = (int(width), int(height))
        self.mode = mode

    width = property(lambda self: self.size[0])
    height = property(lambda self: self.size[1])

    def _shape(self) -> Tuple[int, ...]:
        depth = _DEPTHS.get(self.mode, 3)
        return (self.height, self.width) + ((depth,) if depth > 1 else ())

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        return np.zeros(self._shape(), dtype or np.uint8)

    def resize(self, size: Any, resample: object = None, *args: object, **kwargs: object) -> "Image":
        return Image(size[0], size[1], self.mode)

    def convert(self, mode: str = "RGB", *args: object, **kwargs: object) -> "Image":
        return Image(self.width, self.height, mode)

    def crop(self, box: Any = None) -> "Image":
        if box is None:
            return self.copy()
        return Image(box[2] - box[0], box[3] - box[1], self.mode)

    def rotate(self, angle: float, resample: object = 0, expand: bool = False, **kwargs: object) -> "Image":
        turned = expand and angle % 180 == 90
        return Image(self.height, self.width, self.mode) if turned else self.copy()

    def transpose(self, method: object) -> "Image":
        return self.copy()

    def copy(self) -> "Image":
        return Image(self.width, self.height, self.mode)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is written: a check leaves files as they are."""

    def show(self, *args: object, **kwargs: object) -> None:
        pass

    def close(self) -> None:
        pass

    def __enter__(self) -> "Image":
        return self

    def __exit__(self, *exc: object) -> None:
        return None


@keras("preprocessing.image.load_img", "utils.load_img")
def load_img(path: Any, grayscale: bool = False, color_mode: str = "rgb", target_size: Any = None,
             interpolation: str = "nearest", keep_aspect_ratio: bool = False) -> Image:
    if isinstance(color_mode, (tuple, list)):  # the third argument before color_mode was there
        target_size, color_mode = color_mode, "rgb"
    if grayscale:
        color_mode = "grayscale"
    modes = {"grayscale": "L", "rgba": "RGBA", "rgb": "RGB"}
    if color_mode not in modes:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    with open(path, "rb") as stream:
        size = python2._image_size(stream)
    # A format whose header is not read here: as large as nothing that would be refused.
    height, width = (size[0], size[1]) if size is not None else (256, 256)
    if target_size is not None:
        height, width = target_size[0], target_size[1]
    return Image(width, height, modes[color_mode])


@keras("preprocessing.image.img_to_array", "utils.img_to_array")
def img_to_array(img: object, data_format: object = None, dtype: Any = None) -> Any:
    if data_format not in (None, "default", "channels_first", "channels_last"):
        raise ValueError("Unknown data_format: %s" % data_format)
    data_format = data_format or image_format.current()
    x = np.asarray(img)
    if x.dtype != (dtype or "float32"):
        x = x.astype(dtype or "float32")
    if x.ndim == 3:
        return x.transpose(2, 0, 1) if data_format == "channels_first" else x
    if x.ndim == 2:
        return x.reshape((1,) + x.shape if data_format == "channels_first" else x.shape + (1,))
    raise fail("SF401", "Unsupported image shape: {shape}", x.shape)


@keras("preprocessing.image.array_to_img", "utils.array_to_img")
def array_to_img(x: object, data_format: object = None, scale: bool = True, dtype: object = None) -> Image:
    shape = np.asarray(x).shape
    if len(shape) != 3:
        raise fail("SF401", "Expected image array to have rank 3 (single image). Got array with "
                   "shape: {shape}", shape)
    if (data_format or image_format.current()) == "channels_first":
        shape = (shape[1], shape[2], shape[0])
    if shape[2] not in (1, 3, 4):
        raise fail("SF401", "Unsupported channel number: {dim}", shape[2])
    return Image(shape[1], shape[0], _MODES[shape[2]])


@keras("preprocessing.image.save_img", "utils.save_img")
def save_img(path: object, x: object, *args: object, **kwargs: object) -> None:
    array_to_img(x)


class BatchIterator(Sequence):
    """Endless batches; the last of an epoch is what is left."""

    def __init__(self, n: int, batch_size: int) -> None:
        self.n, self.batch_size = n, batch_size
        self.batch_index, self.total_batches_seen = 0, 0

    samples = property(lambda self: self.n)

    def __len__(self) -> int:
        return (self.n + self.batch_size - 1) // self.batch_size

    def __getitem__(self, index: int) -> Any:
        if index >= len(self):
            raise ValueError("Asked to retrieve element {idx}, but the Sequence has length "
                             "{length}".format(idx=index, length=len(self)))
        return self._rows(index * self.batch_size, min((index + 1) * self.batch_size, self.n))

    def _rows(self, first: int, last: int) -> Any:
        raise NotImplementedError

    def reset(self) -> None:
        self.batch_index = 0

    def __iter__(self) -> BatchIterator:
        return self

    def __next__(self) -> Any:
        batch = self[self.batch_index % max(len(self), 1)]
        self.batch_index = (self.batch_index + 1) % max(len(self), 1)
        self.total_batches_seen += 1
        return batch

    next = __next__


class NumpyArrayIterator(BatchIterator):
    """Batches of arrays."""

    def __init__(self, x: Any, y: Any, batch_size: int, sample_weight: Any = None) -> None:
        x = np.asarray(x)
        if y is not None and not is_unmodelled(y) and len(x) != len(y):
            raise fail("SF401", "`x` (images tensor) and `y` (labels) should have the same length. "
                       "Found: x.shape = {shape}, y.shape = {shape}", x.shape, np.asarray(y).shape)
        if x.ndim != 4:
            raise ValueError("Input data in `NumpyArrayIterator` should have rank 4. You passed an "
                             "array with shape", x.shape)
        super().__init__(x.shape[0], batch_size)
        self.x, self.y = x, None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)

    def _rows(self, first: int, last: int) -> Any:
        x = np.zeros((last - first,) + self.x.shape[1:], np.float32)
        if self.y is None:
            return x
        if self.sample_weight is None:
            return x, self.y[first:last]
        return x, self.y[first:last], self.sample_weight[first:last]


class DirectoryIterator(BatchIterator):
    """Batches of the pictures in the folders of a directory, a class each."""

    def __init__(self, directory: Any, image_shape: Tuple[int, ...], classes: Any, class_mode: Any,
                 batch_size: int) -> None:
        if class_mode not in ("categorical", "binary", "sparse", "input", None):
            raise ValueError("Invalid class_mode: %s; expected one of \"categorical\", \"binary\", "
                             "\"sparse\", \"input\" or None." % class_mode)
        if not classes:
            classes = sorted(d for d in os.listdir(directory)
                             if os.path.isdir(os.path.join(directory, d)))
        self.directory, self.class_mode, self.image_shape = directory, class_mode, image_shape
        self.num_classes = len(classes)
        self.class_indices: Dict[str, int] = dict(zip(classes, range(len(classes))))
        self.filenames: List[str] = []
        found: List[int] = []
        for number, name in enumerate(classes):
            for root, _, files in sorted(os.walk(os.path.join(directory, name), followlinks=False)):
                for file in sorted(files):
                    if file.lower().endswith(_EXTENSIONS):
                        self.filenames.append(os.path.relpath(os.path.join(root, file), directory))
                        found.append(number)
        self.classes = np.array(found, dtype="int32")
        super().__init__(len(found), batch_size)
        print("Found %d images belonging to %d classes." % (self.n, self.num_classes))

    def _rows(self, first: int, last: int) -> Any:
        x = np.zeros((last - first,) + self.image_shape, np.float32)
        labels = self.classes[first:last]
        if self.class_mode is None:
            return x
        if self.class_mode == "input":
            return x, x.copy()
        if self.class_mode == "categorical":
            y = np.zeros((len(labels), self.num_classes), np.float32)
            y[np.arange(len(labels)), labels] = 1.
            return x, y
        return x, labels.astype(np.float32)


class DataFrameIterator(BatchIterator):
    """Batches of the pictures that a table names, with what it says of them."""

    def __init__(self, table: Any, image_shape: Tuple[int, ...], x_col: Any, y_col: Any, classes: Any,
                 class_mode: Any, batch_size: int) -> None:
        if class_mode not in (
                "binary", "categorical", "input", "multi_output", "other", "raw", "sparse", None):
            raise ValueError("Invalid class_mode: %s" % class_mode)
        super().__init__(len(table), batch_size)
        self.class_mode, self.image_shape = class_mode, image_shape
        self.filenames = list(table[x_col])
        self.class_indices: Dict[Any, int] = {}
        if class_mode in ("binary", "categorical", "sparse"):
            given = list(table[y_col])
            names = list(classes or sorted(set(given)))
            self.class_indices = dict(zip(names, range(len(names))))
            self.classes = np.array([self.class_indices.get(one, 0) for one in given], "int32")
        elif class_mode == "multi_output":
            self.labels: Any = [np.asarray(list(table[one])) for one in y_col]
        elif class_mode in ("raw", "other"):
            self.labels = np.asarray(table[y_col])
        print("Found %d validated image filenames%s." % (
            self.n, " belonging to %d classes" % len(self.class_indices) if self.class_indices else ""))

    def _rows(self, first: int, last: int) -> Any:
        x = np.zeros((last - first,) + self.image_shape, np.float32)
        if self.class_mode in (None, "input"):
            return x if self.class_mode is None else (x, x.copy())
        if self.class_mode == "multi_output":
            return x, [one[first:last] for one in self.labels]
        if self.class_mode in ("raw", "other"):
            return x, self.labels[first:last]
        numbers = self.classes[first:last]
        if self.class_mode != "categorical":
            return x, numbers.astype(np.float32)
        return x, np.eye(len(self.class_indices), dtype=np.float32)[numbers]


# What a generator is made with, beside what it does with batches: it moves pictures about.
_MOVES: Dict[str, Any] = {
    "featurewise_center": False, "samplewise_center": False, "featurewise_std_normalization": False,
    "samplewise_std_normalization": False, "zca_whitening": False, "zca_epsilon": 1e-06, "rotation_range": 0,
    "width_shift_range": 0.0, "height_shift_range": 0.0, "brightness_range": None, "shear_range": 0.0,
    "zoom_range": 0.0, "channel_shift_range": 0.0, "fill_mode": "nearest", "cval": 0.0,
    "horizontal_flip": False, "vertical_flip": False}


@keras("preprocessing.image.ImageDataGenerator")
class ImageDataGenerator:
    """Augmentation keeps the shape of its pictures: only the batches are made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(_MOVES)
        self.__dict__.update(zip(_MOVES, args))
        self.__dict__.update((name, value) for name, value in kwargs.items() if name in _MOVES)
        self.mean = self.std = self.principal_components = None
        self.data_format = kwargs.get("data_format") or image_format.current()
        self._validation_split = kwargs.get("validation_split", 0.0)
        self.rescale = kwargs.get("rescale")
        self.preprocessing_function = kwargs.get("preprocessing_function")

    def _image_shape(self, target_size: Any, color_mode: str) -> Tuple[int, ...]:
        if color_mode not in ("rgb", "rgba", "grayscale"):
            raise ValueError("Invalid color mode: %s ; expected \"rgb\", \"rgba\", or \"grayscale\"."
                             % color_mode)
        depth = {"rgb": 3, "rgba": 4, "grayscale": 1}[color_mode]
        size = tuple(target_size)
        return (depth,) + size if self.data_format == "channels_first" else size + (depth,)

    def flow(self, x: Any, y: Any = None, batch_size: int = 32, shuffle: bool = True,
             sample_weight: object = None, seed: object = None, save_to_dir: object = None,
             save_prefix: str = "", save_format: str = "png", subset: Any = None) -> Any:
        if is_unmodelled(x):
            return x._more(".flow()")
        if subset is not None:
            split = int(len(x) * self._validation_split)
            part = slice(0, split) if subset == "validation" else slice(split, None)
            x, y = x[part], None if y is None else y[part]
        return NumpyArrayIterator(x, y, batch_size, sample_weight)

    def flow_from_directory(self, directory: object, target_size: object = (256, 256),
                            color_mode: str = "rgb", classes: object = None,
                            class_mode: object = "categorical", batch_size: int = 32,
                            shuffle: bool = True, seed: object = None, save_to_dir: object = None,
                            save_prefix: str = "", save_format: str = "png",
                            follow_links: bool = False, subset: object = None,
                            interpolation: str = "nearest") -> DirectoryIterator:
        return DirectoryIterator(directory, self._image_shape(target_size, color_mode), classes,
                                 class_mode, batch_size)

    def flow_from_dataframe(self, dataframe: Any, directory: Any = None, x_col: Any = "filename",
                            y_col: Any = "class", weight_col: Any = None, target_size: Any = (256, 256),
                            color_mode: str = "rgb", classes: Any = None, class_mode: Any = "categorical",
                            batch_size: int = 32, shuffle: bool = True, seed: Any = None,
                            save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png",
                            subset: Any = None, interpolation: str = "nearest",
                            validate_filenames: bool = True, **kwargs: Any) -> Any:
        if is_unmodelled(dataframe):
            return dataframe._more(".flow()")
        if subset is not None:
            split = int(len(dataframe) * self._validation_split)
            dataframe = dataframe[:split] if subset == "validation" else dataframe[split:]
        return DataFrameIterator(dataframe, self._image_shape(target_size, color_mode), x_col, y_col, classes,
                                 class_mode, batch_size)

    def fit(self, x: Any, augment: bool = False, rounds: int = 1, seed: Any = None) -> None:
        x = np.asarray(x)
        if not is_unmodelled(x) and x.ndim != 4:
            raise fail("SF401", "Input to `.fit()` should have rank 4. Got array with shape: {shape}",
                       x.shape)

    def standardize(self, x: object) -> Any:
        return x

    def random_transform(self, x: object, seed: object = None) -> Any:
        return x

    def apply_transform(self, x: object, transform_parameters: object) -> Any:
        return x

    def get_random_transform(self, img_shape: object, seed: object = None) -> Dict[str, Any]:
        return {}


@keras("preprocessing.image.random_rotation", "preprocessing.image.random_shift",
        "preprocessing.image.random_shear", "preprocessing.image.random_zoom",
        "preprocessing.image.apply_affine_transform", "preprocessing.image.random_brightness")
def same_shape(x: object, *args: object, **kwargs: object) -> Any:
    """A picture moved about: of the same shape."""
    return x
