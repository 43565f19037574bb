"""Real module objects for any `tensorflow.*` and `keras.*` path, also TensorFlow's private files.

`resolve_module("tensorflow.python.ops.array_ops")` is what the import hook of the command line and
`import shapeflow.nn` use. Private files map to the public names that they define.
"""
import importlib.machinery
import types
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from shapeflow import _mode, _ns
from shapeflow._impl import registry

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc is not worth its import time

# Last component of a private path -> namespaces that hold its names, best first.
_FILES: Dict[str, str] = {
    "ops": "private.ops tf tf.framework",
    "dtypes": "private.dtypes tf tf.dtypes",
    "tensor_shape": "tf private.tensor_shape",
    "tensor_util": "private.tensor_util tf",
    "constant_op": "tf",
    "random_seed": "private.random_seed tf",
    "errors": "tf.errors", "errors_impl": "tf.errors", "framework_lib": "tf private.ops",
    "common_shapes": "private.common_shapes", "function": "private.function tf",
    "sparse_tensor": "tf", "importer": "tf", "graph_util": "tf.graph_util",
    "graph_util_impl": "tf.graph_util", "meta_graph": "private.meta_graph tf.train",
    "math_ops": "tf tf.math private.math_ops", "gen_math_ops": "private.gen tf tf.math",
    "array_ops": "tf private.array_ops", "gen_array_ops": "private.gen tf",
    "nn": "tf.nn tf", "nn_ops": "tf.nn tf", "nn_impl": "tf.nn", "gen_nn_ops": "private.gen tf.nn",
    "rnn": "tf.nn tf.contrib.rnn private.rnn", "rnn_cell": "tf.nn.rnn_cell tf.contrib.rnn",
    "rnn_cell_impl": "tf.nn.rnn_cell tf.contrib.rnn private.rnn_cell_impl",
    "core_rnn_cell": "tf.contrib.rnn tf.nn.rnn_cell private.rnn_cell_impl",
    "core_rnn_cell_impl": "tf.contrib.rnn private.rnn_cell_impl",
    "core_rnn": "tf.contrib.rnn tf.nn",
    "seq2seq": "tf.contrib.legacy_seq2seq tf.nn.seq2seq tf.contrib.seq2seq",
    "init_ops": "tf tf.initializers tf.keras.initializers", "control_flow_ops": "tf private.control_flow",
    "variable_scope": "tf private.variable_scope", "variables": "tf private.variables",
    "state_ops": "tf private.state_ops", "gen_state_ops": "private.gen tf",
    "resource_variable_ops": "private.resource_variable_ops tf", "random_ops": "tf tf.random",
    "gen_random_ops": "private.gen tf.random", "clip_ops": "tf", "check_ops": "tf tf.debugging",
    "embedding_ops": "tf.nn tf", "image_ops": "tf.image", "image_ops_impl": "tf.image",
    "gen_image_ops": "private.gen tf.image", "io_ops": "tf tf.io", "data_flow_ops": "tf private.data_flow",
    "gen_data_flow_ops": "private.gen tf", "linalg_ops": "tf tf.linalg", "logging_ops": "tf tf.summary",
    "parsing_ops": "tf tf.io", "partitioned_variables": "tf", "script_ops": "tf",
    "sparse_ops": "tf tf.sparse", "special_math_ops": "tf tf.math", "string_ops": "tf tf.strings",
    "tensor_array_ops": "tf private.tensor_array", "template": "tf", "functional_ops": "tf",
    "gradients": "tf private.gradients", "gradients_impl": "tf private.gradients",
    "histogram_ops": "tf", "metrics": "tf.metrics", "metrics_impl": "tf.metrics",
    "losses": "tf.losses", "losses_impl": "tf.losses", "util": "tf.losses", "loss_ops": "tf.contrib.losses",
    "lookup_ops": "tf.contrib.lookup tf.lookup tf", "ctc_ops": "tf.nn", "candidate_sampling_ops": "tf.nn",
    "standard_ops": "tf", "summary_ops": "tf.summary tf", "confusion_matrix": "tf.math tf",
    "summary": "tf.summary", "writer": "tf.summary", "training": "tf.train",
    "optimizer": "tf.train private.optimizer", "adam": "tf.train", "gradient_descent": "tf.train",
    "momentum": "tf.train", "adagrad": "tf.train", "adadelta": "tf.train", "rmsprop": "tf.train",
    "ftrl": "tf.train", "saver": "tf.train private.saver",
    "moving_averages": "tf.train private.moving_averages",
    "learning_rate_decay": "tf.train", "training_util": "tf.train", "training_ops": "private.gen",
    "gen_training_ops": "private.gen", "queue_runner": "tf.train", "queue_runner_impl": "tf.train",
    "coordinator": "tf.train", "input": "tf.train", "supervisor": "tf.train", "session_run_hook": "tf.train",
    "basic_session_run_hooks": "tf.train", "monitored_session": "tf.train", "checkpoint_utils": "tf.train",
    "slot_creator": "private.slot_creator", "session_manager": "tf.train", "server_lib": "tf.train",
    "device_setter": "tf.train", "session": "tf", "device_lib": "private.device_lib",
    "client": "private.client tf", "app": "tf.app", "flags": "tf.flags", "gfile": "tf.gfile",
    "tf_logging": "tf.logging", "resource_loader": "tf.resource_loader", "googletest": "tf.test",
    "test": "tf.test", "file_io": "tf.gfile private.file_io", "compat": "tf.compat",
    "nest": "tf.nest private.nest",
    "tf_inspect": "private.tf_inspect", "deprecation": "private.deprecation",
    "tf_export": "private.tf_export",
    "tf_decorator": "private.tf_decorator", "layers": "tf.layers tf.contrib.layers",
    "base": "tf.layers private.layers_base", "convolutional": "tf.layers", "core": "tf.layers",
    "normalization": "tf.layers", "pooling": "tf.layers", "core_layers": "tf.layers",
    "pywrap_tensorflow": "private.pywrap", "context": "private.context tf", "dataset_ops": "tf.data",
    "signature_constants": "tf.saved_model", "tag_constants": "tf.saved_model",
    "builder": "tf.saved_model", "estimator": "tf.estimator", "lib": "tf", "python_io": "tf.python_io",
    "tf_record": "tf.python_io", "arg_scope": "tf.contrib.framework", "types_pb2": "private.types_pb2",
    "event_pb2": "tf", "summary_pb2": "tf", "graph_pb2": "tf", "config_pb2": "tf", "example_pb2": "tf.train",
    "node_def_pb2": "tf", "attr_value_pb2": "tf", "tensor_pb2": "private.tensor_pb2",
    "feature_pb2": "tf.train",
    "checkpoint_state_pb2": "private.checkpoint", "saver_pb2": "tf.train", "protobuf": "tf",
    "framework": "tf private.ops", "variable": "tf", "tensor": "tf",
}
# Folders of tensorflow/python that are namespaces on their own.
_FOLDERS = {"ops", "framework", "training", "platform", "client", "layers", "util", "lib", "io",
            "summary", "estimator", "eager", "data", "saved_model", "tools", "feature_column",
            "losses", "distribute", "autograph", "debug", "profiler", "checkpoint", "trackable",
            "module", "types", "kernel_tests", "user_ops", "grappler", "compat", "core",
            "protobuf", "example", "writer"}
_SAME_AS = {"tf.contrib.keras.api.keras": "tf.keras", "tf.contrib.keras.api": "tf.keras",
            "tf.contrib.keras.python": "tf.keras", "tf.contrib.keras.python.keras": "tf.keras",
            "tf.contrib.keras": "tf.keras", "tf.python.keras": "tf.keras", "tf.keras.api": "tf.keras",
            "tf.contrib.estimator.python.estimator": "tf.estimator",
            "tf.contrib.slim.nets": "tf.contrib.slim.nets"}
_made: Dict[str, Any] = {}


def resolve_module(name: str) -> Optional[types.ModuleType]:
    """The module object of a dotted import path, or None when TensorFlow has no such module."""
    parts = name.split(".")
    if parts[0] == "keras":
        dotted = ".".join(["tf", "keras"] + parts[1:])
    else:
        dotted = ".".join(["tf"] + parts[1:])
    version = _mode.api_version()
    for head, v in (("tf.compat.v1", 1), ("tf.compat.v2", 2), ("tf._api.v1", 1), ("tf._api.v2", 2)):
        if dotted == head or dotted.startswith(head + "."):
            dotted, version = "tf" + dotted[len(head):], v
    for head, real in sorted(_SAME_AS.items(), key=lambda kv: -len(kv[0])):
        if dotted == head or dotted.startswith(head + "."):
            dotted = real + dotted[len(head):]
            break
    if dotted == "tf":
        return _ns.namespace("tf", version)
    if registry.has_prefix(dotted, version):
        return _ns.namespace(dotted, version)
    if ".python" in dotted or dotted.startswith(("tf.core", "tf.tools")):
        return private_submodule("tensorflow" + dotted[2:], version)
    found = _ns.resolve(dotted, version)
    if isinstance(found, types.ModuleType):
        return found
    from shapeflow import _names

    if _names.kind(dotted, version) == "m":
        return _ns.namespace(dotted, version)
    if dotted.startswith("tf.keras.") and _names.kind(".".join(dotted.split(".")[:3]), version) == "m":
        return _ns.namespace(".".join(dotted.split(".")[:3]), version)
    return None


def private_submodule(name: str, version: Optional[int] = None) -> Optional[types.ModuleType]:
    """The stand-in of a private path ("tensorflow.python.ops.math_ops"), or None when it names no
    file or folder that we know (the caller then treats it as an unmodelled name)."""
    if name in _made:
        return _made[name]
    parts = name.split(".")
    version = version or _mode.api_version()
    last = parts[-1]
    places: List[str] = []
    if parts[1] == "contrib":
        for end in range(len(parts), 1, -1):
            dotted = ".".join(["tf"] + [p for p in parts[1:end] if p != "python"])
            if registry.has_prefix(dotted, version):
                places.append(dotted)
    if parts[1] == "python" and len(parts) == 3 and last in _FOLDERS:
        places = ["tf"]
    elif last in _FILES:
        places += _FILES[last].split()
    elif last in _FOLDERS or last == "python" or len(parts) <= 3:
        places += ["tf"]
    elif not places:
        return None
    module = _made[name] = _ns.PrivateModule(name, places, version)
    return module


def file_in_folder(folder: str, attr: str) -> Optional[types.ModuleType]:
    """`tensorflow.python.ops.variable_scope`: a file's module wins over the function of that name."""
    parts = folder.split(".")
    is_folder = parts[-1] == "python" and attr in _FOLDERS or (
        len(parts) > 2 and (parts[-2] == "python" or "contrib" in parts) and parts[-1] in _FOLDERS
        and attr in _FILES)
    return private_submodule(folder + "." + attr) if is_folder else None


class _Loader(Loader):
    def __init__(self, module: types.ModuleType) -> None:
        self.module = module

    def create_module(self, spec: Any) -> types.ModuleType:
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def spec(name: str) -> Optional[importlib.machinery.ModuleSpec]:
    """An import spec for `tensorflow.*`, `keras.*` or `shapeflow.*`; None: no such module."""
    root, _, rest = name.partition(".")
    module = resolve_module("tensorflow." + rest if root == "shapeflow" else name)
    if module is None:
        return None
    return importlib.machinery.ModuleSpec(name, _Loader(module), is_package=True)
