"""Modules that the installed Keras imports are loaded when they are touched; a program sees no difference."""
import gc
import importlib.util

import pytest

from command import shapeflow, write
from shapeflow.checker import lazy_imports

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")


def printed(folder, text):
    write(folder, train=text)
    options = ("--no-cache", "--no-suggestions", "--show-output")
    done = shapeflow(folder, "check", *options, "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_what_is_not_touched_is_not_loaded(tmp_path):
    assert printed(tmp_path, """\
import sys
import keras
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3)])
print(model.output_shape)
print([name for name in ("pandas.core", "scipy.linalg", "sklearn.base", "keras.src.applications.resnet",
                         "keras.src.datasets.mnist", "keras.src.quantizers.gptq", "namex.convert")
       if name in sys.modules])
print(keras.applications.ResNet50.__module__, "keras.src.applications.resnet" in sys.modules)
""")[:3] == ["(None, 3)", "[]", "keras.src.applications.resnet True"]


def test_every_name_of_keras_is_there(tmp_path):
    """Each name that a file of Keras's public packages imports, and nothing is a module of another kind."""
    assert printed(tmp_path, """\
import ast, importlib, os, sys, types
import keras
root = os.path.dirname(keras.__file__)
count = 0
for folder, folders, files in os.walk(root):
    folders[:] = [one for one in folders if one not in ("src", "__pycache__")]
    name = ".".join(["keras", *os.path.relpath(folder, root).replace(".", "").split(os.sep)]).rstrip(".")
    if "__init__.py" not in files or "_tf_keras" in name:
        continue
    module = importlib.import_module(name)
    text = open(os.path.join(folder, "__init__.py"), encoding="utf-8").read()
    names = [alias.asname or alias.name for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)
             for alias in node.names]
    assert not set(names) - set(dir(module)), (name, set(names) - set(dir(module)))
    for one in names:
        assert getattr(module, one) is vars(module)[one], (name, one)
        count += 1
    assert type(module) is types.ModuleType and module.__spec__.loader is module.__loader__, name
    assert module.__file__ == os.path.join(folder, "__init__.py") and module.__name__ == name
print(count > 1000)
""")[0] == "True"


def test_a_package_of_the_program_is_its_own(tmp_path):
    """What Keras asked for first is whole for the program, and a class of it is what it is."""
    pytest.importorskip("pandas")
    assert printed(tmp_path, """\
import keras
import pandas
import pandas as pd
from pandas import DataFrame
print(type(pandas).__name__, pd.DataFrame is DataFrame, isinstance(DataFrame(), pandas.DataFrame))
import numpy as np
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(DataFrame(np.zeros((4, 2), "float32")), np.zeros((4, 1)), verbose=0)
print(model.predict(DataFrame(np.zeros((4, 2), "float32")), verbose=0).shape)
""")[:2] == ["module True True", "(4, 1)"]


def test_models_are_read_and_written_by_their_configs(tmp_path):
    assert printed(tmp_path, """\
import keras
model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Conv2D(4, 3), keras.layers.Flatten(),
                          keras.layers.Dense(2, kernel_regularizer="l2")])
again = keras.Sequential.from_config(model.get_config())
print(again.output_shape, keras.layers.deserialize(keras.layers.serialize(keras.layers.Dropout(0.5))).rate)
print(keras.models.clone_model(model).count_params() == model.count_params())
""")[:2] == ["(None, 2) 0.5", "True"]


def test_a_list_of_names_imports_what_is_asked_for(tmp_path):
    """Every way to ask for a layer, and what a list says of itself."""
    lines = printed(tmp_path, """\
import sys
import keras
from keras import layers
loaded = lambda name: "keras.src.layers." + name in sys.modules
print(loaded("pooling.max_pooling2d"), loaded("rnn.lstm"), "urllib.request" in sys.modules)
pool = layers.MaxPooling2D(2)
same = layers.MaxPooling2D is keras.src.layers.MaxPooling2D
print(loaded("pooling.max_pooling2d"), loaded("rnn.lstm"), same)
from keras.layers import GRU
import keras.src.layers.rnn.lstm as lstm
print(GRU.__module__, keras.layers.LSTM is lstm.LSTM, keras.src.layers.rnn.lstm is lstm)
print(hasattr(layers, "NoSuchLayer"), hasattr(keras.src.layers, "NoSuchLayer"), "Conv2D" in dir(layers))
print(keras.src.layers.deserialize(keras.src.layers.serialize(pool)).pool_size)
names = {}
exec("from keras.layers import *", names)
print(names["Conv2D"] is layers.Conv2D, len(names) > 150, type(layers).__name__)
print(keras.utils.get_file.__module__, keras.callbacks.EarlyStopping.__module__)
""")
    assert lines[:7] == [
        "False False False", "True False True", "keras.src.layers.rnn.gru True True", "False False True",
        "(2, 2)", "True True module", "keras.src.utils.file_utils keras.src.callbacks.early_stopping"]


def test_a_layer_is_found_by_its_class_name_before_it_was_imported(tmp_path):
    assert printed(tmp_path, """\
import keras
config = {"module": "keras.layers", "class_name": "Dropout", "config": {"rate": 0.5}, "registered_name": None}
print(keras.saving.deserialize_keras_object(config).rate)
""")[:1] == ["0.5"]


def test_what_keras_itself_uses_later_is_loaded_then(tmp_path):
    """Quantization, saving, the backend's modules: all start from functions that Keras has named already."""
    assert printed(tmp_path, """\
import sys, types
import keras
import numpy as np
numpy_part = keras.src.backend.numpy
print("zipfile" in sys.modules, "keras.src.quantizers.gptq" in sys.modules,
      isinstance(numpy_part, types.ModuleType))
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
model.save("model.keras")
print(keras.models.load_model("model.keras").output_shape, "zipfile" in sys.modules, callable(numpy_part.add))
try:
    keras.src.models.model.gptq_quantize(None, None)
except Exception as error:
    print(type(error).__name__ != "TypeError" or "_FunctionOf" not in str(error))
larger = keras.ops.image.resize(np.zeros((1, 4, 4, 3)), (8, 8))
print("keras.src.quantizers.gptq" in sys.modules, larger.shape)
print(keras.saving.load_model is keras.models.load_model, keras.quantizers.AbsMaxQuantizer.__name__)
""")[:5] == ["False False True", "(None, 4) True True", "True", "True (1, 8, 8, 3)", "True AbsMaxQuantizer"]


def test_the_collector_runs_again_after_an_import(tmp_path):
    """It rests while a large package is imported; what the program says of it holds, and what was made before
    is found: garbage, and graphs, by who asks it for objects (`shapeflow numeric`)."""
    assert printed(tmp_path, """\
import gc, weakref
class Node: pass
def one():
    node = Node()
    node.own = node
    return weakref.ref(node)
def late():
    import matplotlib.pyplot
    try:
        import sklearn
    except ImportError:
        pass
    return gc.isenabled()
made, kept = one(), Node()
try:
    import numpy
    import keras
finally:
    print(gc.isenabled())
print(late())
gc.collect()
print(made(), any(item is kept for item in gc.get_objects()))
""")[:3] == ["True", "True", "None True"]
    assert printed(tmp_path, """\
import gc
gc.disable()
import keras
print(gc.isenabled())
""")[0] == "False"


def test_numpy_loads_what_its_functions_alone_use_when_they_do(tmp_path):
    """Also what it only names in annotations: they say the same to who evaluates them."""
    assert printed(tmp_path, """\
import sys, typing
import numpy as np
print([name for name in ("_pickle", "_ctypes", "numpy._typing._array_like", "numpy._typing._array_like_type")
       if name in sys.modules])
import pickle
print(pickle.loads(pickle.dumps(np.zeros(3))).shape, "_pickle" in sys.modules)
import numpy.typing as npt
result = type(np.linalg.eigh(np.eye(3)))
print(typing.get_type_hints(result)["eigenvalues"] == npt.NDArray[typing.Any], np.zeros(3).ctypes.data > 0)
import platform, ctypes
print(platform.python_version() == sys.version.split()[0], ctypes.sizeof(ctypes.c_int))
""")[:4] == ["[]", "(3,) True", "True True", "True 4"]


@pytest.mark.parametrize("first", [
    "keras.src.backend.tensorflow.optimizer", "keras.src.backend.tensorflow.export", "keras.src.models.model",
    "keras.src.optimizers.schedules", "keras.src.trainers.data_adapters.array_data_adapter"])
def test_any_module_of_keras_may_come_first(tmp_path, first):
    assert printed(tmp_path, f"""\
import importlib, sys
import keras
print([name for name in ("keras.src.layers.layer", "keras.src.models.model", "keras.src.ops.numpy", "optree")
       if type(sys.modules.get(name)) is type(sys)])
print(vars(importlib.import_module("{first}"))["__name__"])
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3)])
model.compile("adam", "mse")
print(model.output_shape, type(model.optimizer).__name__)
""")[:3] == ["[]", first, "(None, 3) Adam"]


def test_threads_wait_for_a_module_that_another_loads(tmp_path):
    assert printed(tmp_path, """\
import threading
import keras
found, start = [], threading.Barrier(8)
def touch(number):
    start.wait()
    found.append(getattr((keras.layers, keras.src.optimizers)[number % 2], ("Dense", "Adam")[number % 2]))
threads = [threading.Thread(target=touch, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(kind.__name__ for kind in found), len(set(found)))
""")[0] == "['Adam', 'Adam', 'Adam', 'Adam', 'Dense', 'Dense', 'Dense', 'Dense'] 2"


def test_what_an_import_makes_is_old_at_once():
    made = []
    lazy_imports.uncollected(lambda module: made.extend([[at] for at in range(5000)]), gc)
    assert gc.isenabled() and gc.get_count()[0] < 2000 and not gc.get_freeze_count()
    assert any(one is made[0] for one in gc.get_objects(generation=2))


def test_what_the_program_froze_stays_frozen():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        lazy_imports.uncollected(lambda module: [[at] for at in range(5000)], gc)
        assert gc.isenabled() and gc.get_freeze_count() >= frozen // 2
    finally:
        gc.unfreeze()


def test_what_the_supervisor_froze_is_no_programs(monkeypatch):
    gc.freeze()
    try:
        monkeypatch.setattr(lazy_imports, "_frozen", 0)
        lazy_imports.note_frozen()
        made = []
        lazy_imports.uncollected(lambda module: made.extend([[at] for at in range(5000)]), gc)
        assert gc.isenabled() and gc.get_count()[0] < 2000 and not gc.get_freeze_count()
        assert any(one is made[0] for one in gc.get_objects(generation=2))
    finally:
        gc.unfreeze()
