"""Compares what a real TensorFlow says of its files and signatures with what ours says.

    PYTHON tests/tools/api_sample.py REAL_PYTHON [SEED ...]     200 files and 100 signatures, picked at random
    PYTHON tests/tools/api_sample.py REAL_PYTHON --all          all of them: ten seconds

They are picked from the package itself, not from its snapshot, so that what the snapshots leave out is seen
too; without seeds, one is today's. PYTHON has shapeflow, REAL_PYTHON the TensorFlow in question (0.12, 1.8,
1.15 or 2.21); under the latter this file runs as well, and so must suit Python 3.6. Of a file: the kinds of
its names, the parameters of its functions and classes, the members of its classes, its constants.

Exit status 1 when something differs that is not in api_differences.txt, where each line has its reason, or
when a line there is of nothing that differs (asked with --all).
"""
import enum
import fnmatch
import importlib
import inspect
import json
import os
import random
import subprocess
import sys
import time
import types
import warnings

FILES, SIGNATURES = 200, 100
PLAIN = (bool, int, float, type(None))
OURS = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "shapeflow")
# What a file makes for itself and no snapshot lists.
UNLISTED = ("_eager_fallback", "_dispatcher", "_type_based_dispatcher")
LAZY = ("LazyLoader", "_LazyContribLoader")
FUTURES = ("absolute_import", "division", "print_function", "unicode_literals", "annotations")
OF_TYPING = ("TypeVar", "TypeAliasType", "_GenericAlias", "_UnionGenericAlias", "_Feature")
# Keras's files of TensorFlow 2.21 and its names are those of the package that is installed.
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "api_differences.txt")
KERAS = ("tensorflow.python.keras", "tensorflow.tools.api.generator.api.keras", "tensorflow.keras",
         "tensorflow.contrib.keras", "tensorflow.lite.experimental.examples")
OF_KERAS = ("tf.keras", "tf.contrib.keras", "tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers",
            "tf.compat", "tf._api")


def kind(value):
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(value, PLAIN):
        return "constant"
    return "callable" if callable(value) else "object"


def parameters(value):
    """[[name, kind, has it a default]], or None where Python does not know, or where it is another package's.
    What `*args` is called is nobody's business."""
    home = getattr(value, "__module__", None) if isinstance(value, (type, types.FunctionType)) else None
    if isinstance(home, str) and home.partition(".")[0] not in OURS:
        return None
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    return [["" if "VAR_" in p.kind.name else p.name, p.kind.name, p.default is not p.empty]
            for p in found.parameters.values()]


def described(value):
    """What is compared of a value."""
    told = {"kind": kind(value)}
    if told["kind"] == "constant":
        told["value"] = repr(value)
    if told["kind"] in ("callable", "class") and not isinstance(value, enum.EnumMeta):  # Python's own
        told["parameters"] = parameters(value)
    if told["kind"] == "class" and not issubclass(value, BaseException):
        told["members"] = sorted(name for name in dir(value) if not name.startswith("_"))
    return told


def is_listed(name, value):
    return not (name.startswith("__") or name.endswith(UNLISTED) or name in FUTURES or not name.isidentifier()
                or type(value).__name__ in OF_TYPING or type(value).__name__.endswith(LAZY))


def files_of(root):
    """Paths of the modules of a package, by its files."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.relpath(os.path.join(folder, name), os.path.dirname(root))[:-3]
                dotted = path.replace(os.sep, ".")
                yield dotted[:-9] if dotted.endswith(".__init__") else dotted


def public_callables(tf):
    """(dotted name, value) of what is below the root's public namespaces."""
    waiting, seen = [("tf", tf)], set()
    while waiting:
        path, space = waiting.pop()
        if id(space) in seen or path.startswith(OF_KERAS):
            continue
        seen.add(id(space))
        for name in sorted(dir(space)):
            if name.startswith("_"):
                continue
            try:
                value = getattr(space, name)
            except Exception:
                continue
            if isinstance(value, types.ModuleType):
                if value.__name__.startswith("tensorflow") and not any(
                        part in value.__name__ for part in (".python", ".core", ".tools")):
                    waiting.append((path + "." + name, value))
            elif callable(value):
                yield path + "." + name, value


def ask(seed, is_all):
    """What the real TensorFlow says, as plain data."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    warnings.simplefilter("ignore")
    del sys.argv[1:]  # some files parse them
    from api_snapshot import OPTIONAL

    sys.modules.update(dict.fromkeys(OPTIONAL))  # what they have must not depend on the machine
    import tensorflow as tf

    rng = random.Random(seed)
    calls = dict(public_callables(tf))  # before files that are imported add to it
    picked = sorted(rng.sample(sorted(calls), len(calls) if is_all else min(SIGNATURES, len(calls))))
    root_names = {name: described(value) for name, value in sorted(vars(tf).items())
                  if not name.startswith("__") and is_listed(name, value)}
    roots = [os.path.dirname(path) for path in (importlib.import_module(name).__file__ for name in (
        "tensorflow", *(["tensorflow_core"] if tf.__version__ == "1.15.0" else [])))]
    every = [path.replace("tensorflow_core", "tensorflow") for root in roots for path in files_of(root)]
    every = sorted({path for path in every if not path.startswith(KERAS) and "._api." not in path
                    and "test" not in path and not path.endswith("__main__")})
    files = {}
    rng.shuffle(every)
    for path in every:
        try:
            module = importlib.import_module(path)
        except BaseException:
            continue
        files[path] = {name: described(value) for name, value in sorted(vars(module).items())
                       if is_listed(name, value)}
        if len(files) == FILES and not is_all:
            break
    return {"version": tf.__version__, "files": files,
            "calls": {name: described(calls[name]) for name in picked},
            "root": root_names}


def differences(real, value):
    """What of it is not so with us: (what, real, ours)."""
    ours = described(value)
    if real["kind"] != ours["kind"]:
        # An object of a type of its own may be called or not: that is all that shows.
        if {real["kind"], ours["kind"]} != {"callable", "object"}:
            yield "kind", real["kind"], ours["kind"]
        elif real["kind"] == "callable":
            yield "kind", real["kind"], ours["kind"]
        return
    if real.get("value") != ours.get("value"):
        yield "value", real.get("value"), ours.get("value")
    if real.get("parameters") is not None and real["parameters"] != ours.get("parameters"):
        yield "parameters", real["parameters"], ours.get("parameters")
    # What is private and not modelled has whatever it is asked for, and no list.
    missing = sorted(name for name in set(real.get("members", ())) - set(ours.get("members", ()))
                     if not hasattr(value, name))
    if missing:
        yield "members", missing, "none"


def compare(told):
    """[(dotted name, what, real, ours)], and how much was compared."""
    from shapeflow.api import modules, namespace
    from shapeflow.tensorflow.compat import version_detection

    version = told["version"]
    version_detection.activate(version, "eager" if version.startswith("2") else "graph")
    found, compared = [], 0
    root = namespace.namespace("tf", 2 if version.startswith("2") else 1)

    def judge(dotted, real, space, name):
        try:
            mine = getattr(space, name)
        except AttributeError as error:
            # A file becomes an attribute of its folder when it is imported, and all of them were.
            if real["kind"] != "module" or modules.resolve_module(dotted) is None:
                found.append((dotted, "absent", real["kind"], str(error)))
            return
        found.extend((dotted, *difference) for difference in differences(real, mine))

    for path, names in told["files"].items():
        here = modules.resolve_module(path)
        if here is None:
            found.append((path, "absent", "a module", ""))
            continue
        for name, real in names.items():
            compared += 1
            judge(path + "." + name, real, here, name)
    for dotted, real in told["calls"].items():
        compared += 1
        space = root
        try:
            for part in dotted.split(".")[1:-1]:
                space = getattr(space, part)
        except AttributeError as error:
            found.append((dotted, "absent", real["kind"], str(error)))
            continue
        judge(dotted, real, space, dotted.rpartition(".")[2])
    for name, real in told["root"].items():
        compared += 1
        judge("tf." + name, real, root, name)
    return found, compared


def known_differences(version):
    """[(pattern of names, what, reason)] of a version."""
    found = []
    with open(KNOWN) as stream:
        for line in stream:
            if line.startswith("#") or not line.strip():
                continue
            versions, pattern, what, reason = line.strip().split(" ", 3)
            if any(version.startswith(one + ".") for one in versions.split(",")):
                found.append((pattern, what, reason))
    return found


def report(told, is_all, seed):
    """Prints what differs; is there anything that the list does not have, or the other way round?"""
    known = known_differences(told["version"])
    found, compared = compare(told)
    used, rest = set(), []
    for difference in found:
        fits = [one for one in known if one[1] in (difference[1], "*")
                and fnmatch.fnmatchcase(difference[0], one[0])]
        used.update(fits)
        if not fits:
            rest.append(difference)
            print("%s: %s: TensorFlow %s, ours %s" % difference)
    unused = [one for one in known if one not in used and not one[2].startswith("now and then")]
    unused = unused if is_all else []
    for pattern, what, _ in unused:
        print("api_differences.txt: %s %s: nothing differs there" % (pattern, what))
    print("TensorFlow %s, %s: %d files, %d signatures, %d names compared, %d differ, %d not listed" % (
        told["version"], "all" if is_all else "seed %s" % seed, len(told["files"]), len(told["calls"]),
        compared, len(found), len(rest)))
    return bool(rest or unused)


def main(arguments):
    arguments = list(arguments)
    if arguments[0] == "--ask":
        _, seed, path = arguments
        told = ask(0 if seed == "--all" else int(seed), seed == "--all")
        with open(path, "w") as stream:
            json.dump(told, stream)
        return 0
    import tempfile

    status = 0
    for seed in arguments[1:] or [str(int(time.time()) // 86400)]:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "told.json")
            subprocess.run([arguments[0], os.path.abspath(__file__), "--ask", seed, path], cwd=folder,
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(path) as stream:
                told = json.load(stream)
        status = int(report(told, seed == "--all", seed)) or status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
