"""What Keras costs: processor seconds of a whole check, beside the same program under real TensorFlow.

    python benchmarks/keras_cost.py [--tf PYTHON] [--repeat 5] [--write]

PYTHON is one that has TensorFlow, which runs each program once; of checks it is the median of `--repeat`. The
time that Python takes to begin is taken off, that of numpy is not. --write rewrites docs/keras_cost.md.
"""
import argparse
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "keras_cost.md"
LENET = """\
import keras
import numpy as np
from keras import layers
model = keras.Sequential([
    keras.Input((28, 28, 1)), layers.Conv2D(6, 5, padding="same", activation="tanh"),
    layers.AveragePooling2D(2), layers.Conv2D(16, 5, activation="tanh"), layers.AveragePooling2D(2),
    layers.Flatten(), layers.Dense(120, activation="tanh"), layers.Dense(84, activation="tanh"),
    layers.Dense(10, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x, y = np.random.rand(1000, 28, 28, 1).astype("float32"), np.random.randint(0, 10, 1000)
model.fit(x, y, epochs=3, batch_size=32, validation_split=0.1, verbose=0)
model.evaluate(x, y, verbose=0)
"""
RESNET = """\
import keras
import numpy as np
model = keras.applications.ResNet50(weights=None, classes=10)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(np.zeros((64, 224, 224, 3), "float32"), np.zeros(64, "int64"), batch_size=16, epochs=2, verbose=0)
"""
STEPS = """\
import keras
import numpy as np
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
model.compile(optimizer="adam", loss="mse")
count = %d
model.fit(np.zeros((32 * count, 8), "float32"), np.zeros((32 * count, 4), "float32"), epochs=1, verbose=0)
"""
MANY = 4000  # steps of the longer of two programs, whose difference is that of its further steps
PROGRAMS = {"import numpy": "import numpy\n", "import keras": "import keras\n", "LeNet: fit, evaluate": LENET,
            "ResNet50: fit": RESNET}
HEAD = """# What Keras costs

Made by `python benchmarks/keras_cost.py --tf PYTHON --write` (Python %s): processor seconds beyond those of a
bare Python. That of a check is the whole of `shapeflow check --no-cache` with its two processes, the median
of %s; TensorFlow ran once, in an earlier run where --tf is not given. The programs are in that file.

| program | shapeflow check | TensorFlow |
|---|---|---|
"""


def seconds(command, folder):
    """Of one run, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(text, pythons, repeat, folder):
    """[median of the check, median of TensorFlow], None where there is none."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    check = [sys.executable, "-m", "shapeflow", "check", "--no-cache", "--every-batch", "--tf-version",
             "2.21.0", "program.py"]
    commands = [check, *([python, "program.py"] for python in pythons)]
    taken = [statistics.median(seconds(command, folder) for _ in range(repeat if command is check else 1))
             for command in commands]
    return taken + [None] * (2 - len(taken))


def rows(pythons, repeat, folder):
    bare = statistics.median(seconds([sys.executable, "-c", ""], folder) for _ in range(repeat))
    for name, text in PROGRAMS.items():
        found = measure(text, pythons, repeat, folder)
        yield (name, *("" if one is None else "%.2f s" % (one - bare) for one in found))
    few, many = (measure(STEPS % count, pythons, repeat, folder) for count in (10, MANY + 10))
    yield ("a further step of fit, every one run",
           *("" if a is None else "%.0f us" % ((b - a) / MANY * 1e6) for a, b in zip(few, many)))


def written():
    """What docs/keras_cost.md says of TensorFlow now, by program."""
    lines = [line.strip("| \n").split(" | ") for line in DOCUMENT.read_text(encoding="utf-8").splitlines()]
    return {line[0]: line[2] for line in lines if len(line) == 3}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tf", help="a Python that has TensorFlow")
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(rows([given.tf] if given.tf else [], given.repeat, pathlib.Path(folder)))
    if not given.tf:
        of_tensorflow = written()
        found = [(name, ours, of_tensorflow.get(name, "")) for name, ours, _ in found]
    text = HEAD % (platform.python_version(), given.repeat)
    text += "".join("| %s |\n" % " | ".join(row) for row in found)
    if given.write:
        DOCUMENT.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
