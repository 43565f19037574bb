"""Which public names the emulated TensorFlow has, and what each is: read off the snapshots."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Set, Tuple

_versions: Dict[str, Tuple[int, int]] = {}  # the text of a version -> its numbers
_found: Dict[Tuple[str, int, Tuple[int, int]], Optional[snapshot.Entry]] = {}
# What TensorFlow 2 had before 2.16 and its last snapshot has no more; 1.15 says what it was.
_UNTIL_2_16 = ("tf.estimator", "tf.feature_column", "tf.compat.v1.estimator")
# What tf.compat.v1 takes from Keras 2, where that is installed (tf_keras); 1.15 says what it is.
_OF_KERAS_2 = ("tf.compat.v1.layers", "tf.compat.v1.nn.rnn_cell")


def emulated() -> Tuple[int, int]:
    """The emulated version as (major, minor)."""
    text = _core.get_version()
    found = _versions.get(text)
    if found is None:
        parts = text.split(".")
        found = _versions[text] = int(parts[0]), int("".join(c for c in parts[1] if c.isdigit()) or 0)
    return found


def in_version(dotted: str, api: int, version: Tuple[int, int]) -> Optional[snapshot.Entry]:
    """What a public name is in a version, seen by API 1 or 2; None: that TensorFlow does not have it.

    API 1 of a TensorFlow 2 is tf.compat.v1, and API 2 of a TensorFlow 1 tf.compat.v2."""
    if version >= (2, 0):
        last = snapshot.of(snapshot.NEWEST)
        old = api == 1 and not dotted.startswith("tf.compat.v1")
        asked = _of_compat("tf.compat.v1" + dotted[2:] if old else dotted)
        found = last.entry(asked)
        if found is None and (version < (2, 16) and asked.startswith(_UNTIL_2_16) or
                              asked.startswith(_OF_KERAS_2)):
            found = snapshot.of((1, 15)).entry(asked)
        return found
    asked = _in_compat_v2(dotted) if api == 2 else dotted
    for source in snapshot.nearest(version):
        if snapshot.speaks_for(source, version, dotted):
            found = source.entry(asked)
            if found is not None:
                return found
    return None


def _in_compat_v2(dotted: str) -> str:
    return dotted if dotted.startswith("tf.compat.v2") else "tf.compat.v2" + dotted[2:]


def _of_compat(dotted: str) -> str:
    """tf.compat.v1.compat has what tf.compat has, and no snapshot repeats it."""
    while (dotted + ".").startswith("tf.compat.v1.compat."):
        dotted = "tf.compat" + dotted[len("tf.compat.v1.compat"):]
    return dotted


def place(dotted: str, api: int) -> Tuple[str, int]:
    """Where a name of a snapshot is looked up: one of 2.21's in API 2, below tf.compat.v1 in API 1; one of
    1.15's below tf.compat.v2 in API 2."""
    if emulated() < (2, 0):
        is_of_2 = dotted.startswith("tf.compat.v2.")
        return ("tf" + dotted[len("tf.compat.v2"):], 2) if is_of_2 else (dotted, api)
    if dotted.startswith("tf.compat.v1."):
        return "tf" + dotted[len("tf.compat.v1"):], 1
    return dotted, 2


def listed(dotted: str, api: int, version: Tuple[int, int]) -> List[str]:
    """The names of snapshots that `place` looks up there."""
    if not dotted.startswith("tf."):  # a file of the sources
        return [dotted]
    if version < (2, 0):
        return [dotted] if api == 1 else ["tf.compat.v2" + dotted[2:]]
    return [dotted] if api == 2 else ["tf.compat.v1" + dotted[2:]]


def source_of(found: snapshot.Entry) -> Optional[snapshot.Snapshot]:
    """The snapshot that knows the owner of an entry, of those that speak for the emulated version."""
    for source in snapshot.nearest(emulated()) + [snapshot.of((1, 15))]:
        if source.class_block(found.dotted) is not None:
            return source
    return None


def entry(dotted: str, api: int) -> Optional[snapshot.Entry]:
    """What a public name is in the emulated version, seen by API 1 or 2; None: it does not have it."""
    key = dotted, api, emulated()
    if key not in _found:
        _found[key] = in_version(*key)
    return _found[key]


def home(dotted: str, api: int) -> str:
    """The file of TensorFlow's sources that defines a public name, as its `__module__`; of a name that only
    another version has its namespace."""
    found = entry(dotted, api)
    return found and found.home or "tensorflow" + dotted.rpartition(".")[0][2:]


def kind(dotted: str, api: int) -> str:
    """"m" namespace, "c" class, "f" function, "v" constant, "o" other; "" for no such public name."""
    found = entry(dotted, api)
    return found.kind if found is not None else ""


# Names that the lists do not decide: those of our own tables, and what came and went between two lists.
_UNDECIDED = ("tf0.", "old.", "tf.keras.", "tf.__", "tf.nn.rnn_cell.", "tf.examples", "tf.python")
# What TensorFlow 2 takes from Keras: the user's version of that decides.
OF_KERAS = ("tf.initializers.", "tf.losses.", "tf.metrics.", "tf.optimizers.")
_ALL_OF_KERAS = ("tf.keras.", *OF_KERAS)


def is_of_keras(dotted: str) -> bool:
    """Is a public name of TensorFlow 2 one of Keras?"""
    return (dotted + ".").startswith(_ALL_OF_KERAS)


def exists(dotted: str, api: int) -> bool:
    """Does the emulated TensorFlow have that public name, as far as the lists say?"""
    if dotted.startswith(_UNDECIDED) or emulated() < (1, 0) or api == 2 and dotted.startswith(OF_KERAS):
        return True
    if dotted.startswith("tf.contrib"):
        return emulated() < (2, 0)
    return entry(dotted, api) is not None


def below(dotted: str, api: int) -> List[str]:
    """The public names directly below a namespace or class, for dir()."""
    version = emulated()
    if version >= (2, 0):
        sources = [snapshot.of(snapshot.NEWEST)]
        if api == 1 and dotted != "tf.raw_ops":
            dotted = _of_compat("tf.compat.v1" + dotted[2:])
    else:
        sources = [s for s in snapshot.nearest(version) if snapshot.speaks_for(s, version, dotted)]
        if api == 2:
            dotted = _in_compat_v2(dotted)
    # The snapshot of TensorFlow 2 does not repeat tf.compat.v2.
    names: Set[str] = {"v2"} if dotted == "tf.compat" and version >= (1, 13) else set()
    for source in sources:
        block = source.block(dotted)
        if block is not None:
            names.update(block.lines)
    return sorted(names)


def is_known(dotted: str, api: int) -> bool:
    """Does any TensorFlow 1 (or, of API 2, the last TensorFlow 2) have that public name?"""
    versions = snapshot.VERSIONS if api == 1 else snapshot.VERSIONS[-1:]
    return any(in_version(dotted, api, version) is not None for version in versions)
