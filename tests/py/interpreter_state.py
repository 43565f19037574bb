"""All of the interpreter that we could leave changed, as one mapping; for tests.

Values are compared by identity, and are kept alive so that an identity means something. Of lists, sets and
mappings, whose content is state as well, it is the content that is compared.
"""
import atexit
import os
import signal
import sys
import threading
import types

_CONTENTS = {"sys": ("path", "meta_path", "path_hooks", "argv"), "warnings": ("filters",),
             "os": ("supports_dir_fd", "supports_effective_ids", "supports_fd", "supports_follow_symlinks")}
# What Python itself moves on: counters, lazily made values, the error that was last shown.
_MOVING = {"warnings._filters_version", "_warnings._filters_version", "threading._counter",
           "sys.__warningregistry__", "sys.last_exc", "sys.last_type", "sys.last_value", "sys.last_traceback"}


def _is_ours(name):
    return name.partition(".")[0] == "shapeflow"


def _members(kind, name):
    """Of a class: where methods are patched."""
    return {f"{name}.{kind.__name__}.{key}": value for key, value in vars(kind).items()
            if not key.startswith("__")}


def state():
    """{dotted name: value}."""
    found = {}
    for name, module in list(sys.modules.items()):
        found[f"sys.modules[{name}]"] = module
        if _is_ours(name) or not isinstance(module, types.ModuleType) or name in (
                "__main__", "__mp_main__") or _is_ours(type(module).__module__):
            continue  # or one that is loaded when it is touched
        for key, value in list(vars(module).items()):
            found[f"{name}.{key}"] = value
            if isinstance(value, type) and value.__module__ == name and name in (
                    "_frozen_importlib_external", "random", "socket", "io", "os", "threading",
                    "subprocess", "tempfile", "pathlib"):
                found.update(_members(value, name))
            elif isinstance(value, types.FunctionType):
                found[f"{name}.{key}.__defaults__"] = value.__defaults__
        for key in _CONTENTS.get(name, ()):
            for at, item in enumerate(sorted(getattr(module, key), key=str) if key.startswith("supports")
                                      else getattr(module, key)):
                found[f"{name}.{key}[{at}]"] = item if not isinstance(item, (str, tuple)) else repr(item)
    found["os.environ.__class__"] = type(os.environ)
    found["os.environb.__class__"] = type(os.environb)
    for name, value in os.environ.items():
        found[f"os.environ[{name}]"] = repr(value)
    for number in signal.valid_signals():
        found[f"signal {number}"] = signal.getsignal(number)
    found["trace"] = sys.gettrace()
    found["profile"] = sys.getprofile()
    found["atexit"] = repr(atexit._ncallbacks())
    found["threads"] = repr(threading.active_count())
    found["cwd"] = repr(os.getcwd())
    found["__main__"] = sys.modules.get("__main__")
    return {name: value for name, value in found.items() if name not in _MOVING}


def differences(before, after=None):
    """What is there now that was not, is no more, or is another; modules that were imported are not told."""
    after = state() if after is None else after
    told = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, "absent"), after.get(name, "absent")
        if old is new or isinstance(old, str) and old == new:
            continue
        module = name.split("[", 1)[1][:-1] if name.startswith("sys.modules[") else name
        if old == "absent" and any(f"sys.modules[{module[:cut]}]" not in before
                                   for cut in _cuts(module)):
            continue  # of a module that is new
        told.append(name)
    return told


def _cuts(name):
    """Where the name of the module may end in a dotted name: only names of modules that are there count."""
    cuts = [at for at, letter in enumerate(name) if letter == "."] + [len(name)]
    return [cut for cut in cuts if name[:cut] in sys.modules]
