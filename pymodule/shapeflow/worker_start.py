"""Starts a worker: `PYTHON worker_start.py FOLDER ARGUMENTS`, where FOLDER is a package with serve.main.

The interpreter is any that has the framework; it need not have shapeflow. The package gets a name of its
own, so that none of its modules, and none of ours, hides one that the framework imports.
"""
import importlib.util
import os
import sys

NAME = "shapeflow_worker"

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]
    package_folder = sys.argv[1]
    spec = importlib.util.spec_from_file_location(NAME, os.path.join(package_folder, "__init__.py"),
                                                  submodule_search_locations=[package_folder])
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    importlib.import_module(NAME + ".serve").main(*sys.argv[2:])
