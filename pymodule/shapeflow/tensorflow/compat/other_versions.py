"""A name or a keyword that the emulated TensorFlow lacks: which other version has it?

Asked when a check has ended by such an error (the order of arguments: other_orders.py). The version was taken
by what the program's files show; what a program comes to at run time (getattr, modules from elsewhere) may
show another, and the check is started again.
"""
from __future__ import annotations

from shapeflow.api import index, installed_keras, snapshot
from shapeflow.tensorflow.compat import version_fit
from shapeflow.tensorflow.compat.judgement import Judgement, pair
from shapeflow.tensorflow.compat.programs import canonical
from shapeflow.tensorflow.compat.version_decision import BETWEEN, CANDIDATES, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple


def that_has(error: BaseException, decision: Decision) -> Tuple[str, str]:
    """(version, text that follows the message); ("", "") where no version has it, or the error is another."""
    found = decision.judgement
    if found is None:
        return "", ""
    message = str(error).split("\n")[0]
    of_keras = _older_keras(error, message, found, decision.version)
    if of_keras:
        return of_keras, " (TensorFlow %s has an older Keras; the script is taken as %s: %s)" % (
            of_keras, decision.version, decision.because)
    if isinstance(error, TypeError):
        having, name = _with_keyword(message, found, decision.version)
    else:
        dotted = _missing(error, message)
        if dotted is None or not _is_lacking(dotted, decision.version):
            return "", ""
        having, name = [v for v in CANDIDATES if not _is_lacking(dotted, v)], dotted
        is_newest = pair(decision.version) >= (2, 16)
        if is_newest and snapshot.was_kept("tensorflow" + dotted[2:]) and not _is_lacking(dotted, "1.15.0"):
            having.insert(0, BETWEEN[0])  # it had files of 1.15 that its list lacks
    if not having:
        return "", ""
    best = min(having, key=lambda version: len(found.misfits(version)))  # the newest of equals
    return best, " (TensorFlow %s has %s; the script is taken as %s: %s)" % (
        best, name, decision.version, decision.because)


def of_python2(decision: Decision) -> Tuple[str, str]:
    """(version, text) of the newest that ran on Python 2 and has all that a program names; ("", ""): none."""
    found = decision.judgement
    if found is None or decision.is_stated:
        return "", ""
    for version in CANDIDATES:
        if pair(version) < (2, 0) and not found.misfits(version, 1):
            return version, " (it is Python 2, for which TensorFlow is %s; the script is taken as %s: %s)" % (
                version, decision.version, decision.because)
    return "", ""


# --- Keras --------------------------------------------------------------------------------------------
# What Keras 3 says of a program of Keras 1 or 2.
_GONE_METHODS = ("'fit_generator'", "'evaluate_generator'", "'predict_generator'", "'predict_classes'",
                 "'predict_proba'", "'total_loss'", "'targets'", "'_make_predict_function'")
_NO_TENSOR = "A KerasTensor cannot be used as input to a TensorFlow function"
_GONE_ARGUMENTS = ("Unrecognized keyword arguments passed to", "Argument(s) not recognized",
                   "got an unexpected keyword argument", "missing 1 required positional argument")


def _older_keras(error: BaseException, message: str, found: Judgement, current: str) -> str:
    """The version whose Keras takes what Keras 3 has refused as not there; "": it is something else."""
    if pair(current) < (2, 16):
        return ""
    parts = message.split("'")
    if isinstance(error, ModuleNotFoundError):
        gone = _had_older_keras(error.name or "")
    elif isinstance(error, ImportError):
        gone = message.startswith("cannot import name '") and len(parts) > 3 and \
            _had_older_keras(parts[3] + "." + parts[1])
    elif isinstance(error, AttributeError):
        gone = message.endswith(_GONE_METHODS) or message.startswith("module '") and len(parts) > 3 and \
            _had_older_keras(parts[1] + "." + parts[3])
    else:
        gone = (isinstance(error, (TypeError, ValueError)) and
                message.startswith((*_GONE_ARGUMENTS, _NO_TENSOR)) or
                isinstance(error, TypeError) and any(text in message for text in _GONE_ARGUMENTS)) and \
            _is_raised_for_keras(error)
    if not gone:
        return ""
    # A program that names nothing of TensorFlow is one of the Keras that ran on TensorFlow 1.
    is_old = not found.facts or found.misfits("2.15.0") and not found.misfits("1.15.0")
    return "1.15.0" if is_old else "2.15.0"


def _had_older_keras(dotted: str) -> bool:
    """Is it a module, or a public name, of Keras 1 or 2?"""
    short = dotted.replace("._tf_keras.keras", "", 1).replace("tensorflow.keras", "keras", 1)
    root, _, rest = short.partition(".")
    if root != "keras" or not rest:
        return False
    is_module = any(rest == known or rest.startswith(known + ".") for known in _OLD_MODULES)
    return is_module or bool(version_fit.look_up("tf.keras." + rest, (1, 15))[0]) or \
        "keras_1." + rest in index.of(1)


_OLD_MODULES = frozenset(name[1:] for name in installed_keras.MOVED) | frozenset((
    "preprocessing.text", "preprocessing.image", "wrappers", "legacy", "backend.tensorflow_backend",
    "layers.local", "layers.cudnn_recurrent", "layers.convolutional_recurrent", "layers.crf"))


def _is_raised_for_keras(error: BaseException) -> bool:
    """Does it come out of a call of Keras?"""
    trace, files = error.__traceback__, []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return any("/keras/src/" in file for file in files) or "__init__()" in str(error)


# --- names of TensorFlow ------------------------------------------------------------------------------
def _missing(error: BaseException, message: str) -> Optional[str]:
    """The name of TensorFlow's that an error says is not there."""
    parts = message.split("'")
    if isinstance(error, ModuleNotFoundError):
        return canonical(error.name or "")
    if isinstance(error, AttributeError) and message.startswith("module '") and \
            " has no attribute " in message:
        module, name = parts[1], parts[3]
    elif isinstance(error, ImportError) and message.startswith("cannot import name '") and len(parts) > 3:
        name, module = parts[1], parts[3]
    else:
        return None
    dotted = canonical(module)
    return None if dotted is None else dotted + "." + name


def _is_lacking(dotted: str, version: str) -> bool:
    if version_fit.look_up(dotted, pair(version))[0]:
        return False
    return pair(version) < (2, 0) or not dotted.startswith("tf.compat.v1.") or \
        not version_fit.look_up("tf" + dotted[12:], pair(version))[0]


def _with_keyword(message: str, found: Judgement, current: str) -> Tuple[List[str], str]:
    """f() got an unexpected keyword argument 'k': versions in which an f that the program uses has it."""
    function, _, rest = message.partition("() got an unexpected keyword argument '")
    keyword = rest.partition("'")[0]
    if not keyword:
        return [], ""
    last = "." + function.rpartition(".")[2]
    given = (-1, None, frozenset([keyword]), ())
    used = (name for fact in found.facts for name in fact.meanings if name.endswith(last))
    for dotted in dict.fromkeys(used):
        if found.why_not(dotted, given, current).startswith("keyword"):
            return [v for v in CANDIDATES if not found.why_not(dotted, given, v)], f"{dotted}({keyword}=)"
    return [], ""
