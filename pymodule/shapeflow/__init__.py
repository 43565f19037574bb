"""ShapeFlow: TensorFlow's API over shapes only. `import shapeflow as tf` and run the script.

Nothing but the C core is loaded here; every name is looked up when first touched (PEP 562).
"""
import os as _os
import sys as _sys

from shapeflow import _core, _mode

_cached: "set[str]" = set()

_core.register_library_path(_os.path.dirname(_os.path.abspath(__file__)))


def _forget():
    """Drops cached names: the emulated version changed."""
    for name in _cached:
        globals().pop(name, None)
    _cached.clear()


def __getattr__(name):
    if name.startswith("_") and name not in ("__version__", "__git_version__",
                                             "__compiler_version__"):
        raise AttributeError("module 'shapeflow' has no attribute %r" % name)
    from shapeflow import _ns

    value = getattr(_ns.namespace("tf", _mode.api_version()), name)
    globals()[name] = value
    _cached.add(name)
    return value


def __dir__():
    from shapeflow import _ns

    return dir(_ns.namespace("tf", _mode.api_version()))


def load_ipython_extension(shell):
    """%load_ext shapeflow."""
    from shapeflow.notebook import load

    load(shell)


def unload_ipython_extension(shell):
    """%unload_ext shapeflow."""
    from shapeflow.notebook import unload

    unload()


class _Finder:
    """`import shapeflow.nn`: names that are no file of this package are TensorFlow's."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not name.startswith("shapeflow.") or name.startswith(("shapeflow._", "shapeflow.cli")):
            return None
        from shapeflow import _modules

        return _modules.spec(name)


_sys.meta_path.append(_Finder)
_mode.activate(*_mode.choose())
