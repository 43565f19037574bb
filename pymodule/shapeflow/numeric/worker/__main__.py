"""Starts a worker: `PYTHON .../numeric/worker FOLDER`. Its modules are a package under a name of their own,
so that none of them hides a module that TensorFlow imports."""
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "shapeflow_witness_worker"

if __name__ == "__main__":
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]
    spec = importlib.util.spec_from_file_location(NAME, os.path.join(HERE, "__init__.py"),
                                                  submodule_search_locations=[HERE])
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    importlib.import_module(NAME + ".serve").main(sys.argv[1])
