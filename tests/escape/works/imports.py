# modules: of the project, of a package, one that the script writes itself and imports
import importlib

import helper_module
import package.inner

assert helper_module.VALUE == 1 and package.inner.VALUE == 2
with open("written_module.py", "w") as stream:
    stream.write("VALUE = 3\n")
importlib.invalidate_caches()
assert importlib.import_module("written_module").VALUE == 3
