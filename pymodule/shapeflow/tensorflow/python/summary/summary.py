"""tf.summary: summary ops, their collection, writers that write nothing.

Source: tensorflow/python/summary/summary.py, logging_ops.py of TensorFlow 0.x.
"""
from __future__ import annotations

import contextlib
import os
import re

from shapeflow import _core
from shapeflow.api import outside
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.message import message_class
from shapeflow.tensorflow.python.framework.op_builders import op, tf
from shapeflow.tensorflow.python.platform import gfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Optional

_INVALID = re.compile(r"[^-/\w\.]")


def clean_tag(name: Optional[str]) -> Optional[str]:
    return None if name is None else _INVALID.sub("_", name).lstrip("/")


def _collect(value: object, collections: Any) -> Any:
    graph = get_default_graph()
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        graph.add_to_collection(key, value)
    return value


def _summary(op_type: str, name: Any, family: Any, inputs: List[Any], attrs: Any,
             collections: object) -> Any:
    """The op `op_type`, tagged with its scope, in a scope of its own."""
    if _core.executing_eagerly():
        for item in inputs:
            framework_lib.convert_to_tensor(item)
        return tf.constant(b"")
    name = clean_tag(name)
    scope_name = name if family is None else "%s/%s" % (clean_tag(family), name)
    with framework_lib.name_scope(scope_name) as scope:
        tag = scope.rstrip("/") if family is None else "%s/%s" % (clean_tag(family),
                                                                scope.rstrip("/"))
        value = op(op_type, [tag] + inputs, attrs, scope)
        return _collect(value, collections)


@export("tf.summary.scalar")
def scalar(name: object, tensor: object, collections: object = None, family: object = None) -> Any:
    tensor = framework_lib.convert_to_tensor(tensor)
    return _summary("ScalarSummary", name, family, [tensor], None, collections)


@export("tf.summary.histogram")
def histogram(name: object, values: object, collections: object = None, family: object = None) -> Any:
    values = framework_lib.convert_to_tensor(values)
    return _summary("HistogramSummary", name, family, [values], None, collections)


@export("tf.summary.image")
def image(name: object, tensor: object, max_outputs: int = 3, collections: object = None,
          family: object = None) -> Any:
    tensor = framework_lib.convert_to_tensor(tensor)
    return _summary("ImageSummary", name, family, [tensor], {"max_images": max_outputs}, collections)


@export("tf.summary.audio")
def audio(name: object, tensor: object, sample_rate: object, max_outputs: int = 3, collections: object = None,
          family: object = None) -> Any:
    tensor = framework_lib.convert_to_tensor(tensor)
    rate = framework_lib.convert_to_tensor(sample_rate, _core.as_dtype("float32"))
    return _summary("AudioSummaryV2", name, family, [tensor, rate], {"max_outputs": max_outputs},
                    collections)


@export("tf.summary.tensor_summary", "tf.summary.text")
def text(name: Any, tensor: Any, summary_description: Any = None, collections: Any = None,
         summary_metadata: Any = None, family: Any = None, display_name: Any = None) -> Any:
    if isinstance(summary_description, (list, tuple)):  # tf.summary.text(name, tensor, collections)
        collections = summary_description
    tensor = framework_lib.convert_to_tensor(tensor)
    return _collect(_as_string(tensor, name), collections)


def _as_string(tensor: Any, name: Any) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import unknown

    return unknown("string", [], clean_tag(name), [tensor])


@export("tf.summary.merge", "tf0.merge_summary")
def merge(inputs: Any, collections: object = None, name: Optional[str] = None) -> Any:
    with framework_lib.name_scope(name, "Merge", inputs):
        merged = op("MergeSummary", [list(inputs)], None, "MergeSummary")
        if collections:
            _collect(merged, collections)
        return merged


@export("tf.summary.merge_all", "tf0.merge_all_summaries")
def merge_all(key: object = GraphKeys.SUMMARIES, scope: Optional[str] = None,
              name: Optional[str] = None) -> Any:
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


@export("tf.summary.get_summary_description")
def get_summary_description(node_def: object) -> Any:
    return message_class("SummaryDescription")()


# --- names of TensorFlow before 1.0 ------------------------------------------------------------------
def _old(op_type: str, extra: object = None) -> Any:
    def summary(tags: object, values: object, *args: object, collections: object = None,
                name: Optional[str] = None, **kwargs: object) -> Any:
        inputs = [tags, framework_lib.convert_to_tensor(values)]
        attrs = None
        if op_type == "ImageSummary":
            attrs = {"max_images": args[0] if args else kwargs.get("max_images", 3)}
            args = args[1:]
        elif op_type == "AudioSummaryV2":
            inputs.append(framework_lib.convert_to_tensor(args[0], _core.as_dtype("float32")))
            args = args[2:]
        if args:
            collections = args[0]
        return _collect(op(op_type, inputs, attrs, name), collections)

    return summary


put(_old("ScalarSummary"), "tf0.scalar_summary")
put(_old("HistogramSummary"), "tf0.histogram_summary")
put(_old("ImageSummary"), "tf0.image_summary")
put(_old("AudioSummaryV2"), "tf0.audio_summary")


def _make_event_file(logdir: Any) -> None:
    """With its first record, which names the format: 9, the time (zeros), 26, its length, its name."""
    name = b"brain.Event:2"
    record = b"\x09" + bytes(8) + bytes([26, len(name)]) + name
    gfile.note_file(os.path.join(os.fspath(logdir), "events.out.tfevents.0000000000.localhost"),
                    len(record).to_bytes(8, "little") + bytes(4) + record + bytes(4))


# --- writers -------------------------------------------------------------------------------------------
class FileWriter:
    """A summary writer that keeps nothing. In a sandbox it makes an event file, which is empty."""

    def __init__(self, logdir: Any, graph: Any = None, max_queue: int = 10, flush_secs: int = 120,
                 graph_def: Any = None, filename_suffix: Any = None, session: Any = None) -> None:
        self._logdir = logdir
        self._closed = False
        if outside.sandbox.holds and isinstance(logdir, (str, os.PathLike)):
            _make_event_file(logdir)

    def get_logdir(self) -> Any:
        return self._logdir

    def add_summary(self, summary: object, global_step: object = None) -> None:
        if isinstance(summary, str):
            raise TypeError("Parameter to MergeFrom() must be instance of same class")

    def add_event(self, event: object) -> None:
        pass

    def add_graph(self, graph: object, global_step: object = None, graph_def: object = None) -> None:
        pass

    def add_meta_graph(self, meta_graph_def: object, global_step: object = None) -> None:
        pass

    def add_run_metadata(self, run_metadata: object, tag: str, global_step: object = None) -> None:
        pass

    def add_session_log(self, session_log: object, global_step: object = None) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self._closed = True

    def reopen(self) -> None:
        self._closed = False

    def __enter__(self) -> "FileWriter":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


put(FileWriter, "tf.summary.FileWriter", "tf0.train.SummaryWriter")


@export("tf.summary.FileWriterCache")
class FileWriterCache:
    """One writer for each directory."""

    _cache: dict[Any, Any] = {}

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        return FileWriterCache._cache.setdefault(logdir, FileWriter(logdir))

    @staticmethod
    def clear() -> None:
        FileWriterCache._cache.clear()


@export("tf.train.summary_iterator")
def summary_iterator(path: object) -> Any:
    return iter(())


@export("tf.summary.SummaryWriter", v1=False, v2=True)
class SummaryWriter:
    """A writer of TensorFlow 2: nothing is written."""

    def as_default(self, step: Any = None) -> "SummaryWriter":
        return self

    def set_as_default(self, step: object = None) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def init(self) -> None:
        pass

    def __enter__(self) -> "SummaryWriter":
        return self

    def __exit__(self, *exc: object) -> None:
        pass


@export("tf.summary.create_file_writer", v1=False, v2=True)
def create_file_writer(logdir: object, max_queue: object = None, flush_millis: object = None,
                       filename_suffix: object = None, name: Optional[str] = None,
                       experimental_trackable: bool = False,
                       experimental_mesh: object = None) -> SummaryWriter:
    if outside.sandbox.holds and isinstance(logdir, (str, os.PathLike)):
        _make_event_file(logdir)
    return SummaryWriter()


@export("tf.summary.create_noop_writer", v1=False, v2=True)
def create_noop_writer() -> SummaryWriter:
    return SummaryWriter()


@export("tf.summary.record_if", v1=False, v2=True)
@contextlib.contextmanager
def record_if(condition: object) -> Iterator[None]:
    """Whether summaries are recorded changes no shape."""
    yield


@export("tf.summary.scalar", "tf.summary.histogram", "tf.summary.image", "tf.summary.audio",
        "tf.summary.text", v1=False, v2=True)
def summary_v2(name: object, data: object, *args: object, **kwargs: object) -> bool:
    framework_lib.convert_to_tensor(data)
    return True


@export("tf.summary.write", v1=False, v2=True)
def write_v2(tag: object, tensor: object, step: object = None, metadata: object = None,
             name: Optional[str] = None) -> bool:
    framework_lib.convert_to_tensor(tensor() if callable(tensor) else tensor)
    return True


@export("tf.summary.trace_on", "tf.summary.trace_off", "tf.summary.trace_export", "tf.summary.graph",
        "tf.summary.flush", v1=False, v2=True)
def trace(*args: object, **kwargs: object) -> None:
    """Tracing writes files; nothing is written here."""


