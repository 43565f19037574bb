"""tf.train.Saver and checkpoints: what was saved is remembered; files are made where a sandbox holds them.

A save notes the shapes of the saved variables in this process, so that a later restore of the same
path is checked against them; a restore from a path that we know nothing of marks the variables as
initialised. Files that exist are only looked at. Source: tensorflow/python/training/saver.py.
"""
from __future__ import annotations

import glob
import os

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque, is_unmodelled
from shapeflow.tensorflow.python.framework import errors
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.message import is_of_absent_file, message_class
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.platform import gfile
from shapeflow.tensorflow.python.training import meta_graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Union

_saved: Dict[str, Dict[str, List[Any]]] = {}  # path -> variable name -> shape
_counts: Dict[str, Dict[str, Any]] = {}       # path -> variable name -> value of a counter
_states: Dict[str, List[str]] = {}            # directory -> checkpoint paths, oldest first
_made_up: Set[str] = set()                    # paths that a file would name that is not there


def _named(var_list: Any) -> Dict[str, Any]:
    if var_list is None:
        graph = get_default_graph()
        var_list = variables.global_variables() + graph.get_collection(GraphKeys.SAVEABLE_OBJECTS)
    if isinstance(var_list, dict):
        return dict(var_list)
    return {getattr(getattr(v, "op", v), "name", str(v)): v for v in var_list}


@export("tf.train.Saver")
class Saver:
    """Saves to memory and restores from it."""

    def __init__(self, var_list: Any = None, reshape: bool = False, sharded: bool = False,
                 max_to_keep: Any = 5, keep_checkpoint_every_n_hours: float = 10000.0,
                 name: Optional[str] = None, restore_sequentially: bool = False,
                 saver_def: Any = None, builder: Any = None, defer_build: bool = False,
                 allow_empty: bool = False, write_version: Any = 2, pad_step_number: bool = False,
                 save_relative_paths: bool = False, filename: Any = None) -> None:
        self._given = var_list
        self._reshape = reshape
        self._max_to_keep = max_to_keep
        self._last: List[str] = []
        self._vars: Dict[str, Any] = {}
        if not defer_build:
            self._vars = _named(var_list)
            if not self._vars and not allow_empty and not vars(_core.default_graph()).get("_sf_opaque"):
                raise ValueError("No variables to save")
        self.saver_def = saver_def or message_class("SaverDef")(
            save_tensor_name="save/Const:0", restore_op_name="save/restore_all",
            filename_tensor_name="save/Const:0", max_to_keep=max_to_keep, sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, version=write_version)

    def build(self) -> None:
        self._vars = _named(self._given)

    last_checkpoints = property(lambda self: list(self._last))

    def set_last_checkpoints(self, last_checkpoints: List[str]) -> None:
        self._last = list(last_checkpoints)

    set_last_checkpoints_with_time = set_last_checkpoints
    recover_last_checkpoints = set_last_checkpoints

    def as_saver_def(self) -> Any:
        return self.saver_def

    def to_proto(self, export_scope: Any = None) -> Any:
        return self.saver_def

    def save(self, sess: Any, save_path: Any, global_step: Any = None, latest_filename: Any = None,
             meta_graph_suffix: str = "meta", write_meta_graph: bool = True, write_state: bool = True,
             strip_default_attrs: bool = False, save_debug_info: bool = False) -> str:
        if not hasattr(sess, "run"):
            raise TypeError("'sess' must be a Session; %s" % sess)
        save_path = os.fspath(save_path)
        if os.path.split(latest_filename or "")[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if global_step is not None:
            if not isinstance(global_step, int):
                global_step = int(sess.run(global_step)) if isinstance(
                    global_step, (_core.Tensor, _core.VariableBase, str)) else int(global_step)
            save_path = "%s-%d" % (save_path, global_step)
        # Reading the variables finds out whether they are initialised, as saving does.
        named = {n: v for n, v in self._vars.items()
                 if isinstance(v, (_core.VariableBase, _core.Tensor))}
        note = getattr(sess, "note_usage", lambda on: None)
        note(False)
        try:
            values = dict(zip(named, sess.run(list(named.values()))))
        finally:
            note(True)
        path = os.path.abspath(save_path)
        _saved[path] = {n: _shape(v) for n, v in self._vars.items()}
        for suffix in (".index", ".data-00000-of-00001"):
            gfile.note_file(path + suffix)
        if write_meta_graph:
            where = "%s.%s" % (path, meta_graph_suffix)
            gfile.note_file(where)
            meta_graph.keep(where, sess.graph, self._vars)
        _counts[path] = {n: v for n, v in values.items()
                         if not is_unmodelled(v) and getattr(getattr(v, "dtype", None), "kind", "") in "iub"
                         and getattr(v, "size", 1) == 1}
        if save_path in self._last:
            self._last.remove(save_path)
        self._last.append(save_path)
        if self._max_to_keep and len(self._last) > self._max_to_keep:
            self._last.pop(0)
        if write_state:
            directory = os.path.abspath(os.path.dirname(save_path) or ".")
            _states[directory] = list(self._last)
            gfile.note_file(os.path.join(directory, "checkpoint"))
        return save_path

    def export_meta_graph(self, *args: Any, **kwargs: Any) -> Any:
        return export_meta_graph(*args, **kwargs)

    def restore(self, sess: Any, save_path: Any) -> None:
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        save_path = os.fspath(save_path)
        known = _saved.get(os.path.abspath(save_path))
        counts = _counts.get(os.path.abspath(save_path), {})
        if known is None and not checkpoint_exists(save_path):
            raise ValueError("The passed save_path is not a valid checkpoint: " + save_path)
        for name, var in self._vars.items():
            if known is not None and name not in known:
                raise errors.NotFoundError(None, None, "Key %s not found in checkpoint" % name)
            shape = None if known is None or self._reshape else known[name]
            if shape is not None and not _core.TensorShape(shape).is_compatible_with(_tensor_shape(var)):
                raise fail("SF305", "Assign requires shapes of both tensors to match. lhs shape= "
                           "{shape:brackets} rhs shape= {shape:brackets}", _shape(var), shape,
                           error=lambda text: errors.InvalidArgumentError(None, None, text))
            initialise(sess, var, counts.get(name))


def saver_or_default() -> Saver:
    """The graph's one saver, made when there is none."""
    graph = get_default_graph()
    savers = graph.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection \"savers\". Please indicate which one to "
                           "use by passing it to the constructor.")
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    graph.add_to_collection(GraphKeys.SAVERS, saver)
    return saver


def _tensor_shape(var: Any) -> Any:
    return var.get_shape() if hasattr(var, "get_shape") else _core.TensorShape(None)


def _shape(var: Any) -> Any:
    shape = _tensor_shape(var)
    return None if shape.ndims is None else shape.as_list()


def initialise(sess: Any, var: Any, value: Any = None) -> None:
    """Marks a variable of a session as written, with its value where that is known."""
    core = _innermost(sess)
    if isinstance(core, _core.SessionCore) and hasattr(var, "op"):
        core.set_state(var.op, _tensor_shape(var), value)


def _innermost(sess: Any) -> Any:
    while getattr(sess, "_sess", None) is not None:
        sess = sess._sess
    return sess


@export("tf.train.checkpoint_exists", "tf.gfile.checkpoint_exists")
def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    if checkpoint_prefix is None:
        return False
    if os.path.abspath(checkpoint_prefix) in _made_up:
        return True
    if os.path.abspath(checkpoint_prefix) in _saved:
        return gfile.exists(checkpoint_prefix + ".index")
    if gfile.is_gone(checkpoint_prefix):
        return False
    return bool(glob.glob(glob.escape(checkpoint_prefix) + ".index") or os.path.isfile(
        checkpoint_prefix) or glob.glob(glob.escape(checkpoint_prefix) + "-?????-of-?????"))


@export("tf.train.get_checkpoint_state", v2=True)
def get_checkpoint_state(checkpoint_dir: Any, latest_filename: Any = None) -> Any:
    listing = os.path.join(checkpoint_dir or ".", latest_filename or "checkpoint")
    if not gfile.exists(listing):
        return None
    paths = _states.get(os.path.abspath(checkpoint_dir or "."))
    if paths is None:
        paths = _from_file(listing)
    if not paths:
        return None
    return message_class("CheckpointState")(model_checkpoint_path=paths[-1],
                                            all_model_checkpoint_paths=list(paths))


def _from_file(path: str) -> Optional[List[str]]:
    """The paths in TensorFlow's own `checkpoint` file, the latest one last."""
    if gfile.is_gone(path):
        return None
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
    except OSError:
        return None
    if is_of_absent_file(text):
        made = os.path.join(os.path.dirname(path), "model.ckpt-0")
        _made_up.add(os.path.abspath(made))
        return [made]
    lines = text.splitlines()
    latest, every = None, []
    for line in lines:
        key, _, value = line.partition(":")
        value = value.strip().strip('"')
        if not os.path.isabs(value):
            value = os.path.join(os.path.dirname(path), value)
        if key.strip() == "model_checkpoint_path":
            latest = value
        elif key.strip() == "all_model_checkpoint_paths":
            every.append(value)
    if latest is None:
        return None
    return [p for p in every if p != latest] + [latest]


@export("tf.train.latest_checkpoint", v2=True)
def latest_checkpoint(checkpoint_dir: Any, latest_filename: Any = None) -> Optional[str]:
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not checkpoint_exists(state.model_checkpoint_path):
        return None
    return state.model_checkpoint_path


@export("tf.__internal__.train.update_checkpoint_state", v1=False, v2=True)
def update_checkpoint_state_internal(save_dir: str, model_checkpoint_path: str,
                                     all_model_checkpoint_paths: Optional[List[str]] = None,
                                     latest_filename: object = None, save_relative_paths: object = False,
                                     all_model_checkpoint_timestamps: object = None,
                                     last_preserved_timestamp: object = None) -> None:
    update_checkpoint_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename)


@export("tf.train.update_checkpoint_state")
def update_checkpoint_state(save_dir: str, model_checkpoint_path: str,
                            all_model_checkpoint_paths: Optional[List[str]] = None,
                            latest_filename: object = None, all_model_checkpoint_timestamps: object = None,
                            last_preserved_timestamp: object = None) -> None:
    """Says which checkpoint of a folder is the latest."""
    paths = [path for path in all_model_checkpoint_paths or () if path != model_checkpoint_path]
    note_state(save_dir or ".", [*paths, model_checkpoint_path])


@export("tf.train.remove_checkpoint", "tf.train.write_graph",
        "tf.io.write_graph", "tf.train.generate_checkpoint_state_proto",
        "tf.train.get_checkpoint_mtimes", v2=True)
def write_nothing(*args: Any, **kwargs: Any) -> str:
    """Checking a script writes no checkpoint and no graph."""
    return ""


@export("tf.train.import_meta_graph")
def import_meta_graph(meta_graph_or_file: Any, clear_devices: bool = False, import_scope: Any = None,
                      **kwargs: Any) -> Saver:
    """The nodes of the file, when there is one; its collections are not read, and unknown."""
    graph = get_default_graph()
    if isinstance(meta_graph_or_file, (str, bytes, os.PathLike)):
        path = os.fsdecode(meta_graph_or_file)
        copies = meta_graph.import_kept(path, import_scope)
        if copies is not None:
            return Saver(copies, allow_empty=True)
        graph.__dict__["_sf_imported"] = True
        if not os.path.isfile(path) or os.path.getsize(path) == 0:
            _core.notice_unmodelled("tf.train.import_meta_graph")
            return Saver(allow_empty=True)
        with open(path, "rb") as stream:
            data = stream.read()
        if is_of_absent_file(data):
            return Saver(allow_empty=True)
        data = _core.text_to_wire(data, "meta") or data
        for _, _, start, size, _, _ in _core.model_parts(data, "meta"):
            _core.import_graph_def(data[start:start + size], graph, name=import_scope or "")
    else:
        graph.__dict__["_sf_imported"] = True
        _core.notice_unmodelled("tf.train.import_meta_graph")
    return Saver(allow_empty=True)


def _import_scope(graph: Any, name: Any) -> str:
    """The prefix of the new nodes, made unique; "" for none."""
    with graph.name_scope(name if name is not None else "import") as scope:
        return str(scope or "").rstrip("/")


def _input_map(graph: Any, input_map: Any) -> Dict[str, _core.Tensor]:
    made = {}
    for key, value in dict(input_map or {}).items():
        key = key.decode() if isinstance(key, bytes) else key
        if not isinstance(key, str):
            raise TypeError("Keys in `input_map` must be strings.")
        value = graph.as_graph_element(value, allow_operation=True) \
            if isinstance(value, _core.Operation) else value
        if isinstance(value, _core.Operation):
            value = value.outputs[0]
        made[key] = value if isinstance(value, _core.Tensor) else _core.convert_to_tensor(value)
    return made


@export("tf.import_graph_def", "tf.graph_util.import_graph_def", v2=True)
def import_graph_def(graph_def: Any, input_map: Any = None, return_elements: Any = None,
                     name: Any = None, op_dict: Any = None, producer_op_list: Any = None) -> Any:
    if not hasattr(graph_def, "SerializeToString"):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    graph = get_default_graph()
    elements = None if return_elements is None else [
        e.decode() if isinstance(e, bytes) else e for e in return_elements]
    if elements is not None and not all(isinstance(e, str) for e in elements):
        raise TypeError("Argument `return_elements` must be a list of strings.")
    with graph.as_default():
        given = _input_map(graph, input_map)
        prefix = "" if name == "" else _import_scope(graph, name)
        if getattr(graph_def, "_of_absent_file", False):
            graph.__dict__["_sf_imported"] = True
        _core.import_graph_def(graph_def.SerializeToString(), graph, name=prefix, input_map=given)
    if elements is None:
        return None
    return [_imported_element(graph, prefix, element) for element in elements]


def _imported_element(graph: Any, prefix: str, element: str) -> Any:
    full = f"{prefix}/{element}" if prefix else element
    try:
        return graph.as_graph_element(full)
    except (KeyError, ValueError):
        raise ValueError(
            f"Requested return_element {element!r} not found in graph_def.") from None


@export("tf.train.export_meta_graph")
def export_meta_graph(filename: Any = None, *args: Any, graph_def: Any = None, **kwargs: Any) -> Any:
    made: Any = message_class("MetaGraphDef")()
    if filename is not None and graph_def is None:
        meta_graph.keep(filename, get_default_graph(), _named(None))
        gfile.note_file(filename)
    made.graph_def.CopyFrom(get_default_graph().as_graph_def() if graph_def is None else graph_def)
    made.meta_info_def.tensorflow_version = _core.get_version()
    return made


def _known(ckpt_dir_or_file: Any) -> Optional[Dict[str, List[Any]]]:
    path = os.fsdecode(ckpt_dir_or_file)
    latest = latest_checkpoint(path) if os.path.isdir(path) else path
    return _saved.get(os.path.abspath(latest)) if latest else None


@export("tf.train.list_variables", "tf.contrib.framework.list_variables", v2=True)
def list_variables(ckpt_dir_or_file: Any) -> List[Any]:
    return sorted((_known(ckpt_dir_or_file) or {}).items())


def note_saved(path: str, shapes: Dict[str, Any]) -> None:
    """A checkpoint that somebody else has made."""
    _saved[os.path.abspath(path)] = shapes
    for suffix in (".index", ".data-00000-of-00001"):
        gfile.note_file(path + suffix)


def note_state(directory: str, paths: List[str]) -> None:
    """Which checkpoints a folder has, the latest one last."""
    _states[os.path.abspath(directory)] = list(paths)
    gfile.note_file(os.path.join(directory, "checkpoint"))


# How the names of values end in a checkpoint of objects; the paths before it are not kept here.
_OF_OBJECTS = "/.ATTRIBUTES/VARIABLE_VALUE"


class CheckpointReader:
    """What a checkpoint of this program holds: the shapes of its variables; their content is zeros."""

    def __init__(self, shapes: Dict[str, List[Any]]) -> None:
        self._shapes = shapes

    def get_variable_to_shape_map(self) -> Dict[str, List[Any]]:
        return dict(self._shapes)

    def get_variable_to_dtype_map(self) -> Dict[str, Any]:
        return {name: _core.as_dtype("float32") for name in self._shapes}

    def has_tensor(self, name: str) -> bool:
        return name in self._shapes or name.endswith(_OF_OBJECTS)

    def get_tensor(self, name: str) -> Any:
        import numpy

        if name.endswith(_OF_OBJECTS):
            return Opaque("tf.train.load_variable")
        if name not in self._shapes:
            raise errors.NotFoundError(None, None, "Key %s not found in checkpoint" % name)
        shape = self._shapes[name]
        return Opaque("tf.train.load_variable") if shape is None or None in shape else \
            numpy.zeros(shape, "float32")

    def debug_string(self) -> bytes:
        return b""


@export("tf.train.NewCheckpointReader", "tf.train.load_checkpoint", "tf.contrib.framework.load_checkpoint",
        v2=True)
def load_checkpoint(ckpt_dir_or_file: Any) -> Union[CheckpointReader, Opaque]:
    known = _known(ckpt_dir_or_file)
    if known is None:
        _core.notice_unmodelled("tf.train.load_checkpoint")
        return Opaque("tf.train.load_checkpoint")
    return CheckpointReader(known)


@export("tf.train.load_variable", "tf.contrib.framework.load_variable", v2=True)
def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)
