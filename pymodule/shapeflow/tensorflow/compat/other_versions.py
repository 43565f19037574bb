"""A name, or a keyword, that the emulated TensorFlow lacks: which other version has it?

Asked when a check has ended by such an error. The version was taken by what the program's files show; what
a program comes to at run time (getattr, modules from elsewhere) may show another, and the check is started
again.
"""
from __future__ import annotations

from shapeflow.tensorflow.compat import version_fit
from shapeflow.tensorflow.compat.judgement import Judgement, pair
from shapeflow.tensorflow.compat.programs import canonical
from shapeflow.tensorflow.compat.version_decision import CANDIDATES, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple


def that_has(error: BaseException, decision: Decision) -> Tuple[str, str]:
    """(version, text that follows the message); ("", "") where no version has it, or the error is another."""
    found = decision.judgement
    if found is None:
        return "", ""
    message = str(error).split("\n")[0]
    if isinstance(error, TypeError):
        having, name = _with_keyword(message, found, decision.version)
    else:
        dotted = _missing(error, message)
        if dotted is None or not _is_lacking(dotted, decision.version):
            return "", ""
        having, name = [v for v in CANDIDATES if not _is_lacking(dotted, v)], dotted
    if not having:
        return "", ""
    best = min(having, key=lambda version: len(found.misfits(version)))  # the newest of equals
    return best, " (TensorFlow %s has %s; the script is taken as %s: %s)" % (
        best, name, decision.version, decision.because)


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
