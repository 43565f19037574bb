"""tf.saved_model: what a program saves it loads again; saved models of others are unknown.

Source: tensorflow/python/saved_model/{builder_impl,loader_impl,simple_save,save,load}.py.
"""
from __future__ import annotations

import os

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.message import message_class
from shapeflow.tensorflow.python.ops import io_ops, variables
from shapeflow.tensorflow.python.platform import gfile
from shapeflow.tensorflow.python.training import meta_graph, saver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple, Union

_graphs: Dict[str, List[Tuple[frozenset[str], meta_graph.Saved, Any]]] = {}  # by folder
_FILE = "saved_model.pb"
_SIGNATURES = "serving_default"


@export("tf.saved_model.utils.build_tensor_info", "tf.saved_model.build_tensor_info")
def build_tensor_info(tensor: Any) -> Any:
    made: Any = message_class("TensorInfo")()
    tensor = getattr(tensor, "_tensor", tensor) if isinstance(tensor, _core.VariableBase) else tensor
    made.name = str(tensor.name)
    made.dtype = tensor.dtype.as_datatype_enum
    if tensor.shape.ndims is None:
        made.tensor_shape.unknown_rank = True
    for dim in () if tensor.shape.ndims is None else tensor.shape.as_list():
        made.tensor_shape.dim.add().size = -1 if dim is None else dim
    return made


@export("tf.saved_model.signature_def_utils.build_signature_def", "tf.saved_model.build_signature_def")
def build_signature_def(inputs: Any = None, outputs: Any = None, method_name: Any = None,
                        defaults: Any = None) -> Any:
    made: Any = message_class("SignatureDef")()
    for given, ours in ((inputs, made.inputs), (outputs, made.outputs)):
        for key, info in dict(given or {}).items():
            ours[key].CopyFrom(info)
    made.method_name = method_name or ""
    for key, value in dict(defaults or {}).items():
        made.defaults[key].CopyFrom(_default(value))
    return made


def _default(tensor: Any) -> Any:
    """The TensorProto of what an input is when nothing is given for it."""
    if isinstance(tensor, _core.EagerTensor):
        return io_ops.make_tensor_proto(tensor.numpy())
    if tensor.op.type == "Const":
        return io_ops.make_tensor_proto(tensor.op.get_attr("value"))
    raise ValueError("Unable to convert object %s of type %s to TensorProto." % (tensor, type(tensor)))


@export("tf.saved_model.signature_def_utils.predict_signature_def", "tf.saved_model.predict_signature_def")
def predict_signature_def(inputs: Any, outputs: Any) -> Any:
    return build_signature_def({key: build_tensor_info(value) for key, value in inputs.items()},
                               {key: build_tensor_info(value) for key, value in outputs.items()},
                               "tensorflow/serving/predict")


@export("tf.saved_model.builder.SavedModelBuilder", "tf.saved_model.Builder")
class SavedModelBuilder:
    def __init__(self, export_dir: Any) -> None:
        self._folder = os.path.abspath(os.fsdecode(export_dir))
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise AssertionError("Export directory already exists, and isn't empty. Please choose a "
                                 "different export directory, or delete all the contents of the "
                                 "specified directory: %s" % export_dir)
        self._parts: List[Tuple[frozenset[str], meta_graph.Saved, Any]] = []

    def add_meta_graph_and_variables(self, sess: Any, tags: object, signature_def_map: object = None,
                                     **kwargs: object) -> None:
        named = {variable.op.name: variable for variable in variables.global_variables()}
        sess.run(list(named.values()))  # finds out whether they are initialised, as saving does
        self._add(tags, signature_def_map, named)

    def add_meta_graph(self, tags: object, signature_def_map: object = None, **kwargs: object) -> None:
        self._add(tags, signature_def_map,
                  {variable.op.name: variable for variable in variables.global_variables()})

    def _add(self, tags: Any, signatures: Any, named: Dict[str, Any]) -> None:
        self._parts.append((frozenset(tags), meta_graph.Saved(get_default_graph(), named),
                            dict(signatures or {})))

    def save(self, as_text: bool = False) -> bytes:
        _graphs[self._folder] = list(self._parts)
        gfile.note_file(os.path.join(self._folder, _FILE))
        gfile.note_file(os.path.join(self._folder, "variables", "variables.index"))
        return os.path.join(self._folder, _FILE).encode()


@export("tf.saved_model.simple_save")
def simple_save(session: object, export_dir: object, inputs: object, outputs: object,
                legacy_init_op: object = None) -> None:
    made = SavedModelBuilder(export_dir)
    signatures = {_SIGNATURES: predict_signature_def(inputs, outputs)}
    made.add_meta_graph_and_variables(session, ["serve"], signatures)
    made.save()


@export("tf.saved_model.loader.maybe_saved_model_directory", "tf.saved_model.maybe_saved_model_directory",
        "tf.saved_model.contains_saved_model", v2=True)
def contains_saved_model(export_dir: Any) -> bool:
    return gfile.exists(os.path.join(os.fsdecode(export_dir), _FILE)) or \
        gfile.exists(os.path.join(os.fsdecode(export_dir), "saved_model.pbtxt"))


@export("tf.saved_model.loader.load", "tf.saved_model.load")
def load(sess: Any, tags: Any, export_dir: Any, import_scope: Any = None, **kwargs: object) -> Any:
    for wanted, saved, signatures in _graphs.get(os.path.abspath(os.fsdecode(export_dir)), ()):
        if wanted != frozenset(tags):
            continue
        for variable in saved.into(sess.graph, import_scope).values():
            saver.initialise(sess, variable)
        made: Any = message_class("MetaGraphDef")()
        for name, signature in signatures.items():
            made.signature_def[name].CopyFrom(signature)
        made.meta_info_def.tags.extend(sorted(wanted))
        return made
    if not gfile.exists(os.path.join(os.fsdecode(export_dir), _FILE)):
        raise OSError("SavedModel file does not exist at: %s/{saved_model.pbtxt|saved_model.pb}"
                      % os.fsdecode(export_dir))
    _core.notice_unmodelled("tf.saved_model.load")
    sess.graph.__dict__["_sf_imported"] = True
    return Opaque("tf.saved_model.load")


# --- TensorFlow 2 ---------------------------------------------------------------------------------
_objects: Dict[str, Tuple[object, object]] = {}  # by folder: what was saved, and its signatures


@export("tf.saved_model.save", v1=False, v2=True)
def save_object(obj: object, export_dir: Any, signatures: object = None, options: object = None) -> None:
    folder = os.path.abspath(os.fsdecode(export_dir))
    _objects[folder] = (obj, signatures)
    gfile.note_file(os.path.join(folder, _FILE))
    gfile.note_file(os.path.join(folder, "variables", "variables.index"))


class _Loaded:
    """What was saved, with its signatures. Its attributes and calls are those of the object."""

    def __init__(self, saved: Any, signatures: Any) -> None:
        self.__dict__["_sf_saved"] = saved
        self.__dict__["signatures"] = _signatures(saved, signatures)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_sf_saved"], name)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        saved = self.__dict__["_sf_saved"]
        if not callable(saved):
            raise TypeError("'_UserObject' object is not callable")
        return saved(*args, **kwargs)


class Signature:
    """A function that takes keywords, and gives a dictionary."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            made = self._function(*args, **kwargs)
        except TypeError:  # its parameters are not called as those of the signature
            made = self._function(*args, *kwargs.values())
        if isinstance(made, dict):
            return made
        made = made if isinstance(made, (list, tuple)) else [made]
        return {"output_%d" % i: item for i, item in enumerate(made)}

    def __getattr__(self, name: str) -> Opaque:
        if name.startswith("__"):
            raise AttributeError(name)
        return Opaque("tf.saved_model signature." + name)


def _signatures(saved: object, given: object) -> Dict[str, Signature]:
    if given is None:
        call = vars(type(saved)).get("__call__")
        given = saved if hasattr(call, "input_signature") or hasattr(saved, "input_shape") else {}
    if not isinstance(given, dict):
        given = {_SIGNATURES: given}
    return {name: Signature(function) for name, function in given.items()}


@export("tf.saved_model.load", v1=False, v2=True)
def load_object(export_dir: Any, tags: object = None, options: object = None) -> Union[Opaque, _Loaded]:
    found = _objects.get(os.path.abspath(os.fsdecode(export_dir)))
    if found is not None:
        return _Loaded(*found)
    _core.notice_unmodelled("tf.saved_model.load")
    return Opaque("tf.saved_model.load")


