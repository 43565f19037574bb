"""Does what a program uses exist in a version of TensorFlow, and take the arguments it is given?

The snapshots answer (api/snapshot.py). What they cannot know is said here: names that came and went between
two of them, those of Keras (whose version is the user's), and parameters whose order was changed.
"""
from __future__ import annotations

import _ast

from shapeflow.api import names, parameters, snapshot
from shapeflow.tensorflow.compat.evidence import keys_of, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Dict, FrozenSet, List, Optional, Sequence, Tuple, Union

    from shapeflow.tensorflow.compat.evidence import FileEvidence

    Version = Tuple[int, int]
    # What a call gives: how many positional arguments (-1: nobody knows), its keywords (None: `**` hides
    # some), those of them that are seen, and the kinds of literals among the arguments, by position or
    # keyword.
    Place = Union[int, str, None]
    Shape = Tuple[int, Optional[FrozenSet[str]], FrozenSet[str], Tuple[Tuple[Place, str], ...]]

# Between two snapshots, in the version that speaks for those around it.
_ONLY_IN: Dict[Tuple[int, int], FrozenSet[str]] = {
    (1, 0): frozenset("tf.contrib.seq2seq." + name for name in (
        "simple_decoder_fn_train", "simple_decoder_fn_inference", "attention_decoder_fn_train",
        "attention_decoder_fn_inference", "prepare_attention", "dynamic_rnn_decoder")) | {
            "tf.contrib.rnn.core_rnn_cell"},
    (1, 4): frozenset("tf.contrib.data." + name for name in (
        "Dataset", "TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset", "Iterator")),
}
# TensorFlow 2 took Keras from a package of its own, and had private modules and experiments that came and
# went: that its last snapshot lacks one of these says nothing of TensorFlow 2.
_OPEN_IN_2 = ("tf.keras.", "tf.compat.v1.keras.", "tf.compat.v2.keras.", "tf.losses.Reduction", "tf._api.")
_NEVER_IN_2 = frozenset({"tf.keras.backend.get_session", "tf.keras.backend.set_session",
                         "tf.keras.layers.CuDNNLSTM", "tf.keras.layers.CuDNNGRU"})
# Of these, what is given shows the order of the arguments: a number is no list of tensors, a list no axis.
_NO_NUMBER, _NO_LIST, _NO_TRUTH, _ONLY_TRUTH = "number", "list truths array", "truths", "list number"
_LITERALS: Dict[str, Dict[str, str]] = {
    "concat": {"values": _NO_NUMBER, "concat_dim": _NO_LIST, "axis": _NO_LIST},
    "split": {"value": _NO_NUMBER, "split_dim": _NO_LIST, "axis": _NO_LIST},
    "reverse": {"dims": _ONLY_TRUTH, "axis": _NO_TRUTH},
}
# Without a graph of one's own these fail in TensorFlow 2's eager mode.
_GRAPH_ONLY = frozenset("tf.compat.v1." + name for name in (
    "placeholder", "sparse_placeholder", "Session", "InteractiveSession", "train.string_input_producer",
    "train.batch", "train.shuffle_batch", "train.start_queue_runners", "train.MonitoredTrainingSession",
    "train.MonitoredSession", "train.Supervisor"))

_signatures: Dict[str, Tuple[List[str], int, FrozenSet[str], bool, bool]] = {}
_looked_up: Dict[Tuple[str, Version], Tuple[bool, Optional[snapshot.Entry]]] = {}


def shape_of(call: ast.Call, file: FileEvidence) -> Shape:
    """What a call in that file gives, as `misfit` compares it."""
    positional = 0
    literals: List[Tuple[Place, str]] = []
    for at, argument in enumerate(call.args):
        if type(argument) is _ast.Starred:
            positional = -1
        elif positional >= 0:
            positional += 1
            kind = kind_of(argument, file)
            if kind:
                literals.append((at, kind))
    keywords: List[Optional[str]] = []
    for keyword in call.keywords:
        hidden = keys_of(keyword.value, file) if keyword.arg is None else None
        keywords += [keyword.arg] if hidden is None else sorted(hidden)
    for keyword in call.keywords:
        kind = kind_of(keyword.value, file) if keyword.arg else ""
        if kind:
            literals.append((keyword.arg, kind))
    known = None if None in keywords else frozenset(k for k in keywords if k is not None)
    some = frozenset(k for k in keywords if k is not None)
    return positional, known, some, tuple(literals)


def look_up(dotted: str, version: Version) -> Tuple[bool, Optional[snapshot.Entry]]:
    """(is it there, what it is). What is below a class or an object is there with that."""
    key = dotted, version
    found = _looked_up.get(key)
    if found is None:
        found = _looked_up[key] = _look_up(dotted, version)
    return found


def _look_up(dotted: str, version: Version) -> Tuple[bool, Optional[snapshot.Entry]]:
    if dotted == "tf":
        return True, None
    if version >= (2, 0) and (dotted + ".").startswith("tf.compat.v2."):
        return look_up("tf" + dotted[12:], version)
    above = dotted[:dotted.rfind(".")]
    if above != "tf":
        there, entry = look_up(above, version)
        if not there:
            return False, None
        if entry is not None and entry.kind != "m":
            return True, None
    elif dotted.startswith("tf.__"):
        return True, None
    path = "tensorflow" + dotted[2:]
    private = any(source.version in snapshot.private_in(path) for source in snapshot.nearest(version))
    if private and dotted.count(".") == 1:
        return True, None
    if dotted in _ONLY_IN.get(version, ()):
        return True, snapshot.Entry(dotted, "o", "")
    entry = names.in_version(dotted, 1 if version < (2, 0) else 2, version)
    if entry is None and (private or dotted.startswith("tf.contrib.")):
        for source in snapshot.nearest(version):
            if source.block(path) is not None:  # quicker than its entry, for which imports are followed
                return True, snapshot.Entry(path, "m", "")
            entry = source.entry(path)
            if entry is not None:
                return True, entry
    return entry is not None, entry


class Eras:
    """How TensorFlow 2 is run: what a program says of its mode for the whole of it."""

    __slots__ = ("eager_in_2", "eager_in_1")

    def __init__(self, eager_in_2: bool, eager_in_1: bool) -> None:
        self.eager_in_2 = eager_in_2  # and no graph of its own anywhere
        self.eager_in_1 = eager_in_1  # enabled, or a graph and sessions are what it has


def misfit(dotted: str, shape: Optional[Shape], version: Version, eras: Eras) -> str:
    """Why a version does not take a use of a name: "name", "mode", "keyword NAME", "arguments"; ""
    where it does."""
    if version >= (2, 0):
        if dotted in _NEVER_IN_2:
            return "name"
        if dotted.startswith(_OPEN_IN_2) or ".experimental" in dotted or \
                dotted.count(".") > 1 and snapshot.NEWEST in snapshot.private_in("tensorflow" + dotted[2:]):
            return ""
        if eras.eager_in_2 and dotted in _GRAPH_ONLY:
            return "mode"
    there, entry = look_up(dotted, version)
    if not there:
        return "name"
    if version < (2, 0) and not eras.eager_in_1 and dotted in ("tf.function", "tf.GradientTape"):
        return "mode"
    if shape is None or entry is None:
        return ""
    text = entry.signature
    return _misfit_of_call(text, shape, dotted) if text else ""


def _misfit_of_call(text: str, shape: Shape, dotted: str) -> str:
    by_position, required, keyword_only, takes_more, takes_keywords = _parsed(text)
    positional, known, some, literals = shape
    if positional > 0 and by_position[:1] == ["_sentinel"]:
        return "arguments"
    if positional > len(by_position) and not takes_more:
        return "arguments"
    for name in sorted(some):
        if name not in keyword_only and not takes_keywords and name not in by_position:
            return "keyword " + name
        if name in by_position[:max(positional, 0)]:
            return "arguments"
    if positional >= 0 and known is not None:
        if any(name not in known for name in by_position[positional:required]):
            return "arguments"
    if any(kind in never.split() for never, kind in _ordered(dotted, by_position, literals)):
        return "arguments"
    return ""


def _ordered(dotted: str, by_position: Sequence[str], literals: Sequence[Tuple[Place, str]]
             ) -> List[Tuple[str, str]]:
    """Of the parameters of a function that had another order: what they never are, and what is given."""
    kinds, found = _kinds_of(dotted) or {}, []
    for place, kind in literals if kinds else ():
        name = by_position[place] if isinstance(place, int) and place < len(by_position) else place
        if isinstance(name, str) and name in kinds:
            found.append((kinds[name], kind))
    return found


def shows_axis(dotted: str, shape: Shape, version: Version) -> bool:
    """Is an axis given where that version has it?"""
    entry = look_up(dotted, version)[1]
    by_position = _parsed(entry.signature)[0] if entry is not None else ()
    return any(never != _NO_NUMBER and kind in ("number", "truths")
               for never, kind in _ordered(dotted, by_position, shape[3]))


def _kinds_of(dotted: str) -> Optional[Dict[str, str]]:
    """What parameters never are, of a function that had another order of them."""
    at_root = dotted.count(".") == (3 if dotted.startswith("tf.compat.") else 1)
    return _LITERALS.get(dotted[dotted.rfind(".") + 1:]) if at_root else None


def may_have_other_order(line: str) -> bool:
    """Does a line of a program name a function that had another order of its parameters?"""
    return any(name in line for name in _LITERALS)


def had_other_order(dotted: str) -> bool:
    return _kinds_of(dotted) is not None


def have_other_order(dotted: str, positional: int, one: Version, other: Version) -> bool:
    """Do the first `positional` arguments mean something else in the other version?"""
    orders = []
    for version in (one, other):
        entry = look_up(dotted, version)[1]
        kinds = _kinds_of(dotted)
        if entry is None or kinds is None or positional < 0:
            return False
        orders.append([kinds.get(name) for name in _parsed(entry.signature)[0][:positional]])
    return orders[0] != orders[1]


def _parsed(text: str) -> Tuple[List[str], int, FrozenSet[str], bool, bool]:
    """(names by position, how many of them must be given, keyword-only names, has *args, has **kwargs)."""
    found = _signatures.get(text)
    if found is None:
        parsed = parameters.parse(text)
        positional = [name for name, kind, _ in parsed if not kind]
        required = max((at for at, (name, kind, default) in enumerate(parsed, 1)
                        if not kind and not default), default=0)
        found = _signatures[text] = (
            positional, required, frozenset(name for name, kind, _ in parsed if kind == "k"),
            any(kind == "*" for _, kind, _ in parsed), any(kind == "**" for _, kind, _ in parsed))
    return found


def is_public(dotted: str) -> bool:
    """Does any TensorFlow have that name, as `from tensorflow import *` would give it?"""
    return any(look_up(dotted, version)[0] for version in snapshot.VERSIONS)

