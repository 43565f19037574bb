"""Folders of images and texts that the installed Keras would read, and that are not there.

What stands for them is a data set of batches of the shapes that the call says. How many files there are, and
of which classes, nobody knows, unless [tool.shapeflow.data] does.
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Tuple

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}


def acts(data: DataFiles) -> Dict[str, Callable[[ModuleType, Patcher], None]]:
    """What is done to modules of Keras, by their names."""
    def images(module: ModuleType, by: Patcher) -> None:
        _replace(module, "image_dataset_from_directory", _images, data, by)

    def texts(module: ModuleType, by: Patcher) -> None:
        _replace(module, "text_dataset_from_directory", _texts, data, by)

    def generators(module: ModuleType, by: Patcher) -> None:
        cls = vars(module)["ImageDataGenerator"]
        read = cls.flow_from_directory

        def flow_from_directory(self: object, directory: Any, *args: Any, **kwargs: Any) -> object:
            if not by.on or not data.may_stand_in(directory):
                return read(self, directory, *args, **kwargs)
            data.note(directory)
            return _Flow(data, directory, *args, **kwargs).iterator()

        by.set(cls, "flow_from_directory", flow_from_directory)

    def pictures(module: ModuleType, by: Patcher) -> None:
        load = vars(module)["load_img"]

        def load_img(path: object, color_mode: str = "rgb", target_size: object = None, *args: object,
                     **kwargs: object) -> object:
            if not by.on or not data.may_stand_in(path):
                return load(path, color_mode, target_size, *args, **kwargs)
            data.note(path)
            return _image(path, color_mode, target_size)

        to_array = vars(module)["img_to_array"]

        def img_to_array(img: object, *args: object, **kwargs: object) -> object:
            from shapeflow.api import unknown_images, unknown_package, unmodelled

            if not by.on or not unmodelled.is_unmodelled(img):
                return to_array(img, *args, **kwargs)

            known = img._array() if isinstance(img, unknown_images.UnknownImage) else None
            if known is not None:
                return to_array(known, *args, **kwargs)
            return unknown_package.Unknown("keras.utils.img_to_array()")

        by.set(module, "load_img", load_img)
        by.set(module, "img_to_array", img_to_array)

    return {"keras.src.utils.image_utils": pictures, "keras.src.utils.image_dataset_utils": images,
            "keras.src.utils.text_dataset_utils": texts, "keras.src.legacy.preprocessing.image": generators}


def _replace(module: ModuleType, name: str, stand_in: Any, data: DataFiles, by: Patcher) -> None:
    read = vars(module)[name]

    def from_directory(directory: Any, *args: Any, **kwargs: Any) -> object:
        if not by.on or not data.may_stand_in(directory):
            return read(directory, *args, **kwargs)
        data.note(directory)
        made = stand_in(data, directory, *args, **kwargs)
        return (made, made) if kwargs.get("subset") == "both" else made

    from_directory.__name__ = name
    by.set(module, name, from_directory)


# --- what a folder holds ----------------------------------------------------------------------------
def _classes(data: DataFiles, directory: object) -> Tuple[Any, Any]:
    """(their names, how many there are; None: nobody knows)."""
    declared = data.declared(directory) or {}
    if declared.get("classes"):
        return list(declared["classes"]), len(declared["classes"])
    from shapeflow.api import unknown_package, unknown_text

    unknown_package.assumed.number()  # how long the list is
    return [unknown_text.UnknownText("class%d" % i) for i in range(unknown_package.assumed.turns)], None


def _labels(mode: Any, classes: Any) -> Any:
    """(dtype, shape behind the batch) of the labels; None: there are none."""
    return {"int": ("int32", []), "sparse": ("float32", []), "binary": ("float32", [1]),
            "categorical": ("float32", [classes])}.get(mode)


def _batches(batch_size: Any, element: Any, labels: Any) -> Any:
    """A data set without a known end."""
    tf: Any = sys.modules["tensorflow"]
    head = [] if batch_size is None else [None]
    dtype, shape = element
    spec = tf.TensorSpec(head + shape, dtype)
    if labels is not None:
        spec = spec, tf.TensorSpec(head + labels[1], labels[0])

    def generate() -> object:
        from shapeflow.api import unknown_package

        for _ in range(unknown_package.assumed.turns):
            yield tf.nest.map_structure(_zeros(tf, batch_size), spec)

    return tf.data.Dataset.from_generator(generate, output_signature=spec)


def _zeros(tf: Any, batch_size: object) -> Callable[[Any], Any]:
    from shapeflow.api import unknown_tensor

    def zeros(spec: Any) -> object:
        dims = spec.shape.as_list()
        if batch_size is not None:
            dims[0] = batch_size
        if None in dims:
            return unknown_tensor.unknown(spec.dtype, dims)
        return tf.fill(dims, "") if spec.dtype == tf.string else tf.zeros(dims, spec.dtype)

    return zeros


def _images(data: DataFiles, directory: Any, labels: Any = "inferred", label_mode: Any = "int",
            class_names: Any = None, color_mode: str = "rgb", batch_size: Any = 32,
            image_size: Any = (256, 256), *args: Any, **kwargs: Any) -> object:
    names, count = (class_names, len(class_names)) if class_names else _classes(data, directory)
    mode = None if labels is None else label_mode
    element = "float32", [*image_size, _CHANNELS.get(color_mode)]
    made = _batches(batch_size, element, _labels(mode, count))
    made.class_names, made.file_paths = names, []
    return made


def _texts(data: DataFiles, directory: Any, labels: object = "inferred", label_mode: object = "int",
           class_names: Any = None, batch_size: object = 32, *args: object, **kwargs: object) -> Any:
    names, count = (class_names, len(class_names)) if class_names else _classes(data, directory)
    made = _batches(batch_size, ("string", []), _labels(None if labels is None else label_mode, count))
    made.class_names = names
    return made


def _image(path: object, color_mode: str, size: Any) -> object:
    """An image of the size that is asked for; of an unknown one without."""
    from shapeflow.api import unknown_images

    mode = {"grayscale": "L", "rgba": "RGBA"}.get(color_mode, "RGB")
    name = "keras.utils.load_img(%s)" % path
    if size is None:
        return unknown_images.UnknownImage(name, mode=mode)
    height, width = (size, size) if isinstance(size, int) else size
    try:
        from PIL import Image
    except ImportError:
        return unknown_images.UnknownImage(name, mode=mode, size=(int(width), int(height)))
    return Image.new(mode, (int(width), int(height)))


class _Flow:
    """ImageDataGenerator.flow_from_directory."""

    def __init__(self, data: DataFiles, directory: Any, target_size: Any = (256, 256),
                 color_mode: str = "rgb", classes: Any = None, class_mode: Any = "categorical",
                 batch_size: Any = 32, *args: Any, **kwargs: Any) -> None:
        found: Tuple[Any, Any] = (list(classes), len(classes)) if classes else _classes(data, directory)
        self._names, count = found
        self._shape = [*target_size, _CHANNELS.get(color_mode)]
        self._batch_size = batch_size
        labels = ("float32", self._shape) if class_mode == "input" else \
            ("float32", []) if class_mode == "binary" else _labels(class_mode, count)
        self._data_set = _batches(batch_size, ("float32", self._shape), labels)

    def iterator(self) -> Any:
        """The data set, with what else such an iterator has."""
        from shapeflow.api.unknown_package import assumed

        batches = assumed.number() + 1
        made, shape = self._data_set, tuple(self._shape)
        members = {
            "__len__": lambda self: batches, "__getitem__": lambda self, i: next(iter(self)),
            "__next__": lambda self: next(iter(self)), "next": lambda self: next(iter(self)),
            "reset": lambda self: None, "on_epoch_end": lambda self: None}
        made.__class__ = type("DirectoryIterator", (type(made),), members)
        made.samples = made.n = batches * self._batch_size
        made.batch_size, made.image_shape, made.target_size = self._batch_size, shape, shape[:2]
        made.num_classes = len(self._names)
        made.class_indices = {name: i for i, name in enumerate(self._names)}
        made.filenames = made.filepaths = ["%d.jpg" % i for i in range(made.samples)]
        made.classes = made.labels = [i % len(self._names) for i in range(made.samples)]
        return made
