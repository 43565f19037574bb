# importlib's own writer: _bootstrap_external._write_atomic and SourceFileLoader.set_data
import importlib.machinery
import os
import sys

from aims import PROJECT, all_of

external = sys.modules["importlib._bootstrap_external"] if "importlib._bootstrap_external" in sys.modules \
    else sys.modules["_frozen_importlib_external"]
loader = importlib.machinery.SourceFileLoader("helper_module", PROJECT + "/helper_module.py")
all_of(lambda: external._write_atomic(PROJECT + "/notes.txt", b"changed"),
       lambda: loader.set_data(PROJECT + "/made/by/loader.pyc", b"made"))
assert os.path.getsize("notes.txt") == 7
