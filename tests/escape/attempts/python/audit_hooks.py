# sys.addaudithook: a hook of the script's own that raises and hides; hooks removed by ctypes
import sys

from aims import all_of, read, write

seen = []


def hook(event, given):
    seen.append(event)
    if event.startswith("shapeflow"):
        raise RuntimeError("not seen by me")


sys.addaudithook(hook)
all_of(lambda: write("notes.txt", b"changed"), lambda: write("new.txt", b"made"))
assert read("notes.txt") == b"changed"
