"""All of TensorFlow's own files: what is a public object there is the same one here, and names are of the
same kind."""
import importlib
import multiprocessing
import sys
from pathlib import Path

import pytest

tensorflow = pytest.importorskip("tensorflow")

from shapeflow.api import modules, snapshot  # noqa: E402
from shapeflow.tensorflow.compat import version_detection  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from api_sample import FUTURES, UNLISTED, kind  # noqa: E402


def public_objects(lists):
    """id of a real public class or function -> its dotted name; ours are looked up by that name."""
    found = {}
    for name, entry in lists.public_names():
        if entry.kind not in "cf" or name != entry.dotted or ".keras." in name:
            continue
        value = tensorflow
        try:
            for part in name.split(".")[1:]:
                value = getattr(value, part)
        except AttributeError:
            continue
        found.setdefault(id(value), (name, value))
    return found


def ours(dotted):
    import shapeflow

    value = shapeflow
    for part in dotted.split(".")[1:]:
        value = getattr(value, part)
    return value


def differences(path, public):
    """(name, what differs) of one file."""
    real, here = importlib.import_module(path), modules.resolve_module(path)
    if here is None:
        yield path, "does not import"
        return
    for name, value in vars(real).items():
        if name.startswith("__") or name.endswith(UNLISTED) or name in FUTURES or not name.isidentifier():
            continue
        if type(value).__name__ in ("TypeVar", "TypeAliasType", "_GenericAlias", "_UnionGenericAlias"):
            continue
        if type(value).__name__.endswith("LazyLoader"):
            continue  # of a package that may not be there (tf_keras)
        try:
            mine = getattr(here, name)
        except AttributeError as error:
            yield path + "." + name, str(error)
            continue
        known = public.get(id(value))
        if path.startswith("tensorflow.python.keras"):
            continue  # 2.21 has a rest of an old Keras there; ours is what it was, tf.keras
        if known is not None and known[1] is value and mine is not ours(known[0]):
            yield path + "." + name, "is not %s but %r" % (known[0], mine)
        if kind(value) == "constant":
            if repr(mine) != repr(value):
                yield path + "." + name, "is %r, not %r" % (mine, value)
        elif kind(value) in ("module", "class") and kind(mine) != kind(value):
            yield path + "." + name, "is a %s, not a %s: %r" % (kind(mine), kind(value), mine)
        elif kind(value) == "callable" and not callable(mine):
            yield path + "." + name, "cannot be called: %r" % (mine,)


def all_differences():
    version_detection.activate("2.21.0", "eager")
    lists = snapshot.of((2, 21))
    public = public_objects(lists)
    return [difference for path in sorted(lists.sources()) for difference in differences(path, public)]


@pytest.mark.skipif(not tensorflow.__version__.startswith("2.21."),
                    reason="the snapshot is that of TensorFlow 2.21")
def test_every_file_of_tensorflow_is_here_with_the_same_names():
    # In a new process: what `import *` finds in a folder depends on what was imported before.
    with multiprocessing.get_context("spawn").Pool(1) as process:
        found = process.apply(all_differences)
    assert not found, "\n".join("%s: %s" % item for item in found[:60])
