# ShapeFlow's own modules: what is called uninstall, restore or undo is called, lists are extended
import contextlib
import sys

from aims import read, write

WORDS = ("uninstall", "restore", "undo", "allow", "disable")
for name, module in list(sys.modules.items()):
    if not name.startswith("shapeflow.sandbox") and name != "shapeflow._sandbox":
        continue
    for key, value in list(vars(module).items()):
        if isinstance(value, list):
            value.append("/")
        if isinstance(value, set):
            value.add("/")
        if callable(value) and any(word in key.lower() for word in WORDS):
            with contextlib.suppress(BaseException):
                value()
try:
    from shapeflow import _sandbox

    with contextlib.suppress(Exception):
        _sandbox.guard(False, ["/"], True)
except ImportError:
    pass
write("notes.txt", b"changed")
assert read("notes.txt") == b"changed"
