"""ShapeFlow: TensorFlow's API over shapes only. `import shapeflow as tf` and run the script.

Nothing but the C core is loaded here; every name is looked up when first touched (PEP 562). The command
does not even load that: its process only waits for the one that runs the script.
"""
import os as _os
import sys as _sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Names of TensorFlow's root that begin with two underscores.
_DUNDERS = ("__version__", "__git_version__", "__compiler_version__", "__internal__", "__operators__",
            "__cxx11_abi_flag__", "__cxx_version__", "__monolithic_build__")
_MODULES = ("_core", "_sandbox", "_version")  # ours, which the import system asks for before they are there
_cached: "set[str]" = set()
_awake = False


def _is_command() -> bool:
    """Is this the start of `python -m shapeflow` or of the installed command? To be wrong costs nothing
    but time: what comes first wakes the core."""
    given = getattr(_sys, "orig_argv", ())
    if _sys.argv[:1] == ["-m"]:  # until Python has found the module
        return list(given[-len(_sys.argv) - 1:]) == ["-m", "shapeflow", *_sys.argv[1:]]
    main = getattr(_sys.modules.get("__main__"), "__file__", None) or ""
    return _os.path.basename(main) == "shapeflow-python"


def _wake() -> None:
    """Loads the C core and chooses what is emulated; idempotent."""
    global _awake
    if _awake:
        return
    _awake = True
    from shapeflow import _core
    from shapeflow.tensorflow.compat import version_detection

    _core.register_library_path(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), ""))
    version_detection.activate(*version_detection.choose())


def _forget() -> None:
    """Drops cached names: the emulated version changed."""
    for name in _cached:
        globals().pop(name, None)
    _cached.clear()


def __getattr__(name: str) -> "Any":
    if name in _MODULES or name.startswith("__") and name not in _DUNDERS:
        raise AttributeError("module 'shapeflow' has no attribute %r" % name)
    _wake()
    from shapeflow.api import namespace
    from shapeflow.tensorflow.compat import version_detection

    value = getattr(namespace.namespace("tf", version_detection.api_version()), name)
    globals()[name] = value
    _cached.add(name)
    return value


def __dir__() -> "list[str]":
    _wake()
    from shapeflow.api import namespace
    from shapeflow.tensorflow.compat import version_detection

    return dir(namespace.namespace("tf", version_detection.api_version()))


def load_ipython_extension(shell: "Any") -> None:
    """%load_ext shapeflow."""
    from shapeflow.notebook.extension import load

    load(shell)


def unload_ipython_extension(shell: "Any") -> None:
    """%unload_ext shapeflow."""
    from shapeflow.notebook.extension import unload

    unload()


class _Names:
    """`import shapeflow.nn`: names that are no file of this package are TensorFlow's. Where more is looked
    for, module_finder.py takes its place."""

    @staticmethod
    def concerns(name: str) -> bool:
        return name.startswith("shapeflow.") and not name.startswith(("shapeflow._", "shapeflow.cli"))

    @staticmethod
    def find(name: str) -> "Any":
        _wake()
        from shapeflow.api import modules

        return modules.spec(name)

    @staticmethod
    def find_spec(name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        return _Names.find(name) if _Names.concerns(name) else None


_sys.meta_path.append(_Names)
if not _is_command():
    _wake()
