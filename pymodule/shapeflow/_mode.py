"""Which TensorFlow a program was written for: version and mode, read off its source.

In this order: an explicit call (disable_v2_behavior...), the environment (SHAPEFLOW_TF_VERSION,
SHAPEFLOW_MODE), what the script's source shows, else TensorFlow 2.21 with eager execution.
Plain string searches only: this runs at every `import shapeflow`, where `re` would be the main cost.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Iterator, List, Optional, Tuple

DEFAULT_V2 = "2.21.0"
DEFAULT_V1 = "1.15.0"
DEFAULT_V0 = "0.12.1"
_FULL = {"0.12.0": "0.12.1"}  # of an asserted "0.12." the last release is meant

_V1_COMPAT = ("tensorflow.compat.v1", "shapeflow.compat.v1", "disable_v2_behavior",
              "disable_eager_execution", "compat import v1")
# Attributes of the module that TensorFlow 2 does not have.
_V1 = """placeholder Session InteractiveSession contrib. layers. get_variable( variable_scope( flags. app.
    gfile. initialize_all_variables global_variables_initializer reset_default_graph truncated_normal(
    random_normal( random_uniform( ConfigProto get_default_graph logging. GraphKeys get_collection(
    add_to_collection( set_random_seed trainable_variables( global_variables( local_variables train.Saver
    train.AdamOptimizer train.GradientDescentOptimizer train.MomentumOptimizer train.RMSPropOptimizer
    train.AdagradOptimizer train.AdadeltaOptimizer train.FtrlOptimizer train.exponential_decay
    train.batch( train.shuffle_batch( train.Coordinator train.start_queue_runners train.MonitoredTraining
    train.get_or_create_global_step train.string_input_producer summary.merge summary.FileWriter
    nn.rnn_cell nn.dynamic_rnn nn.static_rnn nn.softmax_cross_entropy_with_logits_v2
    losses.mean_squared_error( losses.softmax_cross_entropy( losses.sparse_softmax_cross_entropy(
    losses.get_ losses.sigmoid_cross metrics.mean( metrics.accuracy( to_float( to_int32( to_int64(
    py_func( read_file( assign( log( ceil( random_crop( matrix_inverse( matrix_diag( sparse_placeholder(
    sparse_to_dense( decode_csv( decode_raw( TextLineReader WholeFileReader FIFOQueue RandomShuffleQueue
    image.resize_images( name_scope(None get_default_session global_norm( real_div Print( lin_space(
    zeros_initializer( constant_initializer( random_shuffle( is_nan( gradients( tables_initializer""".split()
_V1_ANYWHERE = ("tensorflow.contrib", "tensorflow.examples", "tensorflow.python.platform",
                "from tensorflow import placeholder", "from tensorflow import contrib")
# Attributes that TensorFlow 1.0 removed.
_V0 = """pack( unpack( mul( sub( neg( batch_matmul( scalar_summary( merge_all_summaries( histogram_summary(
    image_summary( merge_summary( complex_abs( train.SummaryWriter nn.rnn( nn.seq2seq.
    nn.bidirectional_rnn( select( initialize_local_variables(""".split()


def _aliases(text: str) -> List[str]:
    """Names under which the text knows the module, each with its dot."""
    found = []
    at = text.find("import ")
    while at >= 0:
        end = text.find("\n", at)
        line = text[at + 7:] if end < 0 else text[at + 7:end]
        if "tensorflow" in line or "shapeflow" in line:
            for part in line.split("#")[0].split(";")[0].split(","):
                words = part.split()
                if words and words[0] in ("tensorflow", "shapeflow"):
                    alias = (words[2] if words[1:2] == ["as"] and len(words) > 2 else words[0]) + "."
                    if alias not in found:
                        found.append(alias)
        at = text.find("import ", at + 7)
    return found or ["tf."]


def _quoted(line: str) -> Iterator[str]:
    for quote in "'\"":
        yield from line.split(quote)[1::2]


def _asserted(text: str) -> Optional[str]:
    """The version that the program asserts: `__version__ == "1.8.0"`, also of a slice of it."""
    at = text.find("__version__")
    while at >= 0:
        end = text.find("\n", at)
        line = text[at:] if end < 0 else text[at:end]
        line = line.split("#")[0]
        if "==" in line or ".startswith(" in line:
            for word in _quoted(line):
                parts = word.strip(".").split(".")
                if len(parts) >= 2 and parts[0].isdigit() and parts[1].isdigit() and int(parts[0]) < 3:
                    patch = parts[2] if len(parts) > 2 and parts[2].isdigit() else "0"
                    version = "%s.%s.%s" % (parts[0], parts[1], patch)
                    return _FULL.get(version, version) if len(parts) == 2 else version
        at = text.find("__version__", at + 1)
    return None


def _mentions(text: str, aliases: List[str], names: List[str]) -> bool:
    return any(alias + name in text for alias in aliases for name in names)


def decide(source_text: str) -> Tuple[str, str]:
    """(version, mode) of a source: ("1.8.0", "graph"), ("2.21.0", "eager")."""
    text = source_text
    compat = any(mark in text for mark in _V1_COMPAT)
    version = _asserted(text)
    if version is not None:
        return version, "graph" if compat or not version.startswith("2.") else "eager"
    if compat:
        return DEFAULT_V2, "graph"
    aliases = _aliases(text)
    if _mentions(text, aliases, _V0):
        return DEFAULT_V0, "graph"
    if any(mark in text for mark in _V1_ANYWHERE) or _mentions(text, aliases, _V1):
        return DEFAULT_V1, "graph"
    return DEFAULT_V2, "eager"


def importing_source() -> Optional[str]:
    """The text of the file that imports shapeflow, and of the script; None without a file."""
    frame: Optional[FrameType] = sys._getframe(1)
    here = os.path.dirname(os.path.abspath(__file__))
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(("<", here)) and "importlib" not in path:
            break
        frame = frame.f_back
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    text = ""
    for path in dict.fromkeys([frame.f_code.co_filename if frame else "", main or ""]):
        if path and path.endswith((".py", ".pyw")):
            try:
                with open(path, encoding="utf-8", errors="replace") as f:
                    text += f.read(400000)
            except OSError:
                continue
    wanted = ("import tensorflow", "from tensorflow", "import shapeflow", "from shapeflow",
              "import keras", "from keras")
    return text if any(w in text for w in wanted) else None


def choose(source_text: Optional[str] = None) -> Tuple[str, str]:
    """The environment's wish, completed by the source."""
    version = os.environ.get("SHAPEFLOW_TF_VERSION")
    mode = os.environ.get("SHAPEFLOW_MODE")
    if version and mode:
        return version, mode
    if source_text is None:
        source_text = importing_source() or ""
    seen_version, seen_mode = decide(source_text)
    if version:
        seen_mode = "graph" if version.startswith(("0.", "1.")) else seen_mode
        seen_version = version
    if mode:
        if mode == "graph" and not version and seen_mode == "eager":
            seen_version = DEFAULT_V1
        if mode == "eager" and not version and seen_mode == "graph":
            seen_version = DEFAULT_V2
        seen_mode = mode
    return seen_version, seen_mode


def activate(version: str, mode: str) -> None:
    """Emulates `version` from here on; mode is "graph" or "eager"."""
    from shapeflow import _core

    _core.set_version(version)
    is_v1 = version.startswith(("0.", "1."))
    _core.set_v2_shapes(not is_v1 and mode == "eager")
    _core.set_eager(mode == "eager")
    for name, method in (("shapeflow._ns", "forget"), ("shapeflow", "_forget"),
                         ("shapeflow._impl.version", "register")):
        module = sys.modules.get(name)
        if module is not None:
            getattr(module, method)()


def api_version() -> int:
    """1 or 2: which API `import tensorflow as tf` means for the emulated version."""
    from shapeflow import _core

    return 1 if _core.get_version().startswith(("0.", "1.")) else 2
