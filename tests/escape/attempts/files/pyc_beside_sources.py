# .pyc files beside the sources, from an import and from py_compile and compileall
import compileall
import os
import py_compile

import aims
import helper_module

assert helper_module.VALUE == 1
aims.all_of(lambda: py_compile.compile("helper_module.py", doraise=True),
            lambda: compileall.compile_dir("package", quiet=2))
assert os.path.isdir("__pycache__")
