"""Packages that a script imports and that are not installed: the check goes on, and finds what it can.

Lines of a program that end with `# E` must have an error, and no others; none may end with status 3.
"""
import importlib.util
import json
import re
import sys

import pytest

from command import environment, report_of, shapeflow, write
from shapeflow.checker import runner
from shapeflow.checker.missing_imports import answer, pip_name

TF = "import numpy as np\nimport tensorflow as tf\n"
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))  # E\n"

# Each is checked as it stands; every second one has a mistake beside the package.
PROGRAMS = {
    "attributes and calls": "import absent\nmodel = absent.models.big(3, size=4).compile()\n" + BUG,
    "a submodule by another name": "import absent.one.two as two\nx = two.load('a')\n",
    "names of a submodule": "from absent.one import first, second as other\nfirst(other)\n" + BUG,
    "a star import": "from absent import *\nx = make_something(3)\ndef f():\n    return other_thing.x\nf()\n",
    "a star import in front of a real one": """
from absent import *
from math import *
x = sqrt(float(4)) + helper
""" + BUG,
    "a subclass": """
from absent import Base
class Mine(Base):
    def __init__(self):
        super().__init__(3, key=4)
        self.size = 5
        self.other = super().make(self.size)
mine = Mine()
assert mine.size == 5
mine.run(mine.unset)
""",
    "a subclass of several, with keywords": """
import abc
import absent
class Mixin:
    def both(self):
        return 3
class Mine(absent.Base, Mixin, abc.ABC, flavour="x"):
    pass
assert Mine().both() == 3
""" + BUG,
    "a metaclass of the program's": """
import absent
class Meta(type):
    pass
class Mine(absent.Base, metaclass=Meta):
    pass
assert type(Mine) is Meta
Mine().run()
""",
    "a caller of decorator's": """
import decorator
@decorator.decorator
def around(wrapped, *args, **kwargs):
    return wrapped(*args, **kwargs)
@around
def product(a, b=2):
    return tf.matmul(a, b)  # E
product(tf.zeros([2, 3]), b=tf.zeros([4, 5]))
@decorator.decorator
def repeated(wrapped, times=1, *args, **kwargs):
    return [wrapped(*args, **kwargs) for _ in range(times)]
@repeated(3)
def one(a):
    return a + 1
assert one(4) == [5, 5, 5]
""",
    "a decorator of wrapt's": """
import wrapt
@wrapt.decorator
def around(wrapped, instance, args, kwargs):
    return instance, wrapped(*args, **kwargs)
class Mine:
    @around
    def double(self, a, b=2):
        return a * b
mine = Mine()
assert mine.double(3) == (mine, 6) and Mine.double.__name__ == "double"
@around
def half(a):
    return a / 2
assert half(4) == (None, 2)
""",
    "a base that is initialized by name": """
import absent
class Mine(absent.Base):
    def __init__(self, size):
        absent.Base.__init__(self, size, key=3)
        absent.Other.__init__(self, size)
        self.size = absent.Base.size
mine = Mine(3)
assert mine.other.x is not None and absent.Base.y.z is not None
tf.matmul(tf.zeros([2, mine.size]), tf.zeros([4, 5]))
""" + BUG,
    "a wrapper of gym's": """
import gym
class Clipped(gym.Wrapper):
    def __init__(self, env, limit):
        gym.Wrapper.__init__(self, env=env)
        self.limit = limit
    def step(self, action):
        seen, reward, done, more = self.env.step(action)
        return seen, min(reward, self.limit), done, more
env = Clipped(gym.make("Hopper-v2"), 3)
env.reset(seed=1)
seen, reward, done, more = env.step([1, 2, 3])
assert env.observation_space.shape == (11,) and env.unwrapped is not None
tf.matmul(tf.zeros((2,) + env.observation_space.shape), tf.zeros([12, 4]))  # E
""",
    "a shape that nobody knows": """
import absent
shape = absent.space.shape
for given in (shape, (3,) + shape, shape[0]):
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, given)
        assert x.shape.rank is None
        tf.matmul(x, tf.zeros([4, 5]))
assert np.zeros(3, absent.space.dtype).shape == (3,)
""",
    "a list of unmodelled length": """
import absent
v1 = tf.compat.v1
def padded(image, pads=(0, 0, 0)):
    channels = tf.unstack(image, axis=2)
    if len(channels) != len(pads):
        raise ValueError("the channels are others")
    image = tf.stack([channels[i] + pads[i] for i in range(len(channels))], axis=2)
    image.set_shape([None, None, 3])
    return image
with tf.Graph().as_default():
    padded(v1.image.resize_images(absent.load(), [3, 4]))
    padded(v1.placeholder(tf.float32, [5, 6, 3]))
    padded(v1.placeholder(tf.float32, [5, 6, 3]), (0, 0, 0)).set_shape([5, 6, 4])  # E
""",
    "an unknown metaclass": """
import absent
class Mine(metaclass=absent.Meta):
    x = 3
assert Mine.x == 3
""" + BUG,
    "a layer's call is checked": """
import absent
class Mine(absent.Layer):
    def call(self, x):
        return tf.matmul(x, tf.zeros([4, 5]))  # E
Mine()(tf.zeros([2, 3]))
""",
    "class attributes of the base": """
import absent
class M(absent.M):
    pass
m = M.from_pretrained('x')
m(tf.zeros([2]))
""",
    "a decorator": """
import absent
@absent.timed
def f(a):
    tf.matmul(a, tf.zeros([4, 5]))  # E
f(tf.zeros([2, 3]))
""",
    "a decorator with arguments": """
from absent import cache
@cache(size=3)
def f(a):
    return a + 1
assert f(2) == 3
""",
    "arguments that the decorator brings": """
import absent
@absent.command()
@absent.option("--size")
def main(size, name="x"):
    tf.zeros([size, 3])
    tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))  # E
main()
""",
    "a decorated class": """
import absent
@absent.s
class C:
    a = absent.ib()
    b: int = absent.ib()
assert C(b=3).b == 3
""",
    "a decorated method": """
import absent
class C:
    @absent.checked
    def f(self, n):
        return n
assert C().f(2) == 2
""" + BUG,
    "a context manager": """
import absent
with absent.run(name='a') as run, absent.lock:
    run.log({'loss': 1.0})
""",
    "an async context manager and loop": """
import asyncio
import absent
async def main():
    async with absent.session() as s:
        got = await s.get("x")
        async for item in got:
            item.use()
asyncio.run(main())
""" + BUG,
    "iteration": "import absent\nn = 0\nfor a, (b, c) in absent.pairs():\n    n += 1\nassert 1 <= n < 10\n",
    "unpacking": "import absent\na, b, c = absent.three()\nfirst, *rest = absent.many()\n" + BUG,
    "next, until it stops": """
import absent
it = iter(absent.data())
while True:
    try:
        batch = next(it)
    except StopIteration:
        break
""",
    "a loop until it is done": """
import absent
env = absent.make('x')
done = False
while not done:
    s, r, done, i = env.step(0)
""" + BUG,
    "a loop up to an unknown bound": "import absent\nn = 0\nwhile n < absent.cfg.steps:\n    n += 1\n",
    "an exception that is caught": """
import absent
try:
    raise ValueError("x")
except (absent.NotThere, absent.OtherError):
    pass
except ValueError:
    pass
""" + BUG,
    "an exception by its imported name": """
from absent import Empty
try:
    {}['x']
except Empty:
    pass
except KeyError:
    pass
""",
    "an exception that is raised and derived": """
import absent
class Mine(absent.Problem):
    pass
try:
    raise Mine("words")
except Mine as error:
    print(error.code)
""" + BUG,
    "isinstance and issubclass": """
import absent
class Mine(absent.Base):
    pass
assert isinstance(Mine(), absent.Base) and issubclass(Mine, absent.Base)
assert not isinstance(3, absent.Base) and not isinstance(3, (str, absent.Other))
assert not issubclass(absent.Base, dict)
""",
    "annotations": """
from typing import Dict, Optional, Union
import absent
def f(a: Optional[absent.A], b: Union[absent.B, int] = 3) -> Dict[str, absent.C]:
    return {}
f(None)
""" + BUG,
    "pickling and copies": """
import copy, pickle
import absent
x = absent.thing(3)
copy.copy(x), copy.deepcopy({"a": x})
pickle.loads(pickle.dumps([x, 3]))
""",
    "a pickled object of a subclass": """
import copy
import absent
class M(absent.B):
    pass
m = M()
m.a = 4
assert copy.deepcopy(m).a == 4
""" + BUG,
    "as a tensor": """
import absent
x = tf.reshape(absent.features(), [-1, 20])
y = tf.matmul(x, tf.zeros([20, 3]))
z = absent.f(y) + y
tf.reduce_mean(z * 3.0)
""",
    "behind a reshape shapes are known": """
import absent
x = tf.reshape(absent.features(), [-1, 20])
tf.matmul(x, tf.zeros([21, 3]))  # E
""",
    "sizes in a list with numbers": """
from absent import cfg
x = tf.zeros([4, 3])
tf.tile(tf.fill([cfg.n, 2], 0.0), [cfg.n, 1])
y = tf.reshape(x, [cfg.a, -1])
tf.pad(x, [[cfg.n, 0], [0, 0]])
""",
    "sizes of a configuration": """
from absent import cfg
x = tf.zeros([cfg.batch, cfg.size])
y = tf.matmul(x, tf.zeros([784, 10]))
""",
    "a size as a number": """
from absent import cfg
n = int(cfg.size)
x = np.zeros((n, n), np.float32)
tf.matmul(x, tf.zeros([784, 10]))
""",
    "as numpy": """
import absent
a = absent.read('x.png')
b = np.array(a) / 255.0
c = np.mean(a, axis=0) + np.zeros([3, 4])
tf.add(c, tf.zeros([5, 6]))
""",
    "the rank of an array whose shape is known in part": """
import absent
a = np.asarray(absent.images() / 255).reshape(-1, 6, 5, 3)
if a.ndim != 4 or a[0].ndim != 3:
    raise ValueError("a has not the rank of pictures")
""" + BUG,
    "arrays of unknown sizes": """
import absent
a = np.array([absent.x, absent.y], np.float32).reshape(-1, 7)
b = np.zeros((absent.cfg.n, 784), np.float32) + np.random.rand(absent.cfg.n)
tf.matmul(tf.constant(np.asarray(absent.x)), tf.zeros([7, 3]))
tf.matmul(a, tf.zeros([4, 5]))  # E
tf.matmul(b, tf.zeros([6, 3]))  # E
""" + BUG,
    "a generator": """
import absent
kinds = dict(output_types=tf.float32, output_shapes=[None, 3])
data = tf.data.Dataset.from_generator(lambda: absent.rows(), **kinds)
for row in data.take(1):
    tf.matmul(row, tf.zeros([4, 5]))  # E
""",
    "a model over a model of the package": """
import absent
base = absent.Net(include_top=False)
model = tf.keras.Model(base.input, tf.keras.layers.Dense(3)(base.output))
model.compile("adam", "mse")
model.fit(absent.x, absent.y)
""" + BUG,
    "sizes of an image": """
import absent
img = absent.imread('a.png')
h, w = img.shape[:2]
net = tf.image.resize(tf.cast(img, tf.float32), (h // 2, w // 2))
""" + BUG,
    "a layer in a Keras model": """
import absent
model = tf.keras.Sequential([absent.HubLayer("x", trainable=True), tf.keras.layers.Dense(3)])
model.compile(optimizer=absent.AdamW(1e-3), loss="mse", metrics=[absent.F1()])
model.fit(np.zeros([8, 5]), np.zeros([8, 3]), callbacks=[absent.Callback()])
""",
    "a layer in a functional model": """
import absent
i = tf.keras.Input([8])
o = tf.keras.layers.Dense(3)(absent.Layer(4)(i))
model = tf.keras.Model(i, o)
tf.keras.layers.Dense(4)(tf.zeros([2, 3]))
""" + BUG,
    "a layer that is added": """
import absent
model = tf.keras.Sequential()
model.add(tf.keras.layers.Dense(3))
model.add(absent.Layer(3))
model.add(tf.keras.layers.Dense(3))
model.compile("adam", "mse")
model.fit(np.zeros([3, 4]), np.zeros([3, 5]))
model.summary()
""" + BUG,
    "sizes and values of layers": """
import absent
tf.keras.layers.Dense(absent.units)(tf.zeros([3, 4]))
tf.keras.layers.Embedding(absent.words, 4)(tf.zeros([3], tf.int32))
tf.keras.layers.LSTM(4, input_shape=(absent.steps, 3))
assert tf.keras.layers.Dense(3, activation=absent.relu)(tf.zeros([2, 4])).shape == (2, 3)
""" + BUG,
    "gradients of an unknown model": """
import absent
model = absent.Net()
tf.keras.optimizers.Adam().apply_gradients(zip(absent.gradients(), model.trainable_variables))
""" + BUG,
    "ranks that Keras wants": """
import absent
x = tf.convert_to_tensor(absent.f(), tf.float32)
tf.keras.losses.sparse_categorical_crossentropy(absent.f(), x, from_logits=True)
norm = tf.keras.layers.Normalization()
norm.adapt(x)
norm(tf.zeros([3, 4]))
""" + BUG,
    "data of a package": """
import absent
data, info = absent.load("mnist", split="train", with_info=True)
data = data.map(lambda x, y: (x, y)).batch(32).prefetch(1)
model = tf.keras.Sequential([tf.keras.layers.Flatten(),
                             tf.keras.layers.Dense(info.features["label"].num_classes)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data, epochs=2)
""",
    "print and format": """
import absent
x = absent.f()
print(x, '%s %d %.2f' % (x, x, x), f'{x:.3f} {x:>5}', 'a' + x)
""" + BUG,
    "comparisons and asserts": """
import absent
assert absent.__version__ >= '0.5' and absent.f() == 3 and absent.g() > 2
assert absent.h() != 0
""",
    "paths": """
import os
import absent
p = os.path.join(absent.home(), 'x')
os.path.dirname(absent.__file__)
""" + BUG,
    "given to the bottom": """
import absent
d = absent.settings()
d['a'] = 3
del d['a']
d.x = 4
assert d.x == 4
dict(**d)
dict(d)
list(d)
""",
    "a module that is called": """
import absent
for i in absent(range(3)):
    pass
absent.bar.update(1)
""" + BUG,
    "importlib": "import importlib\nm = importlib.import_module('absent.core')\nm.run()\n",
    "a namespace that exists": "from google.absent import drive\ndrive.mount('/content')\n" + BUG,
    "a handler that only gives up": """
try:
    import absent
except ImportError:
    raise ImportError('install absent')
absent.f()
""",
    "a broad handler far outside": """
def main():
    import absent
    absent.f()
    return 3
try:
    got = main()
except Exception:
    got = 4
assert got == 3
""" + BUG,
}


def check(folder, source, *options):
    script = folder / "program.py"
    script.write_text(source, encoding="utf-8")
    return runner.run(str(script), ["--tf-version", "2.21.0", "--no-cache", *options])


def notes(report):
    return [record.message for record in report.of("note") if record.code == "SF904"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, tmp_path):
    if "import wrapt" in PROGRAMS[name] and importlib.util.find_spec("wrapt"):
        pytest.skip("wrapt is installed: it came with a TensorFlow")
    source = TF + PROGRAMS[name]
    report = check(tmp_path, source)
    wanted = {number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# E")}
    assert report.failure is None, report.failure
    found = {record.primary.line for record in report.of("error", "warning")
             if record.primary and record.code != "SF907"}
    assert found == wanted, [record.message for record in report.of("error", "warning")]
    assert len(notes(report)) == 1


def test_there_are_enough_programs():
    assert len(PROGRAMS) >= 40
    assert sum("# E" in text for text in PROGRAMS.values()) * 2 >= len(PROGRAMS)


# --- who gets an answer ---------------------------------------------------------------------------
GUARDED = {
    "a try": "try:\n    import absent\nexcept ImportError:\n    absent = None\nassert absent is None\n",
    "a try of all": "try:\n    from absent import x\nexcept:\n    x = None\nassert x is None\n",
    "another name": """
try:
    import absent
except ModuleNotFoundError:
    import json as absent
absent.dumps(3)
""",
    "suppress": """
import contextlib
x = 3
with contextlib.suppress(ImportError):
    import absent
    x = 4
assert x == 3
""",
    "find_spec": "import importlib.util\nassert importlib.util.find_spec('absent') is None\n",
    "find_spec of a submodule's package": """
import importlib.util as u
assert (u.find_spec('absent') is not None) is False
""",
    "import_module": """
import importlib
try:
    importlib.import_module('absent')
except ImportError as e:
    assert e.name == 'absent'
else:
    assert False
""",
}


@pytest.mark.parametrize("name", GUARDED)
def test_a_script_with_an_answer_of_its_own_sees_the_import_fail(name, tmp_path):
    report = check(tmp_path, TF + GUARDED[name])
    assert report.failure is None, report.failure
    assert not notes(report)


def test_a_module_that_is_imported_in_a_try_fails_as_a_whole(tmp_path):
    (tmp_path / "extras.py").write_text("import absent\nabsent.f()\n")
    report = check(tmp_path, TF + "try:\n    import extras\nexcept ImportError:\n    extras = None\n"
                   "assert extras is None\n")
    assert report.failure is None and not notes(report)


def test_a_library_that_asks_sees_the_import_fail(tmp_path):
    packages = tmp_path / "site-packages"
    packages.mkdir()
    (packages / "optional.py").write_text("import absent\n")
    report = check(tmp_path, TF + f"import sys\nsys.path.append({str(packages)!r})\nimport optional\n")
    assert report.status == 3 and "absent" in report.failure


# --- the project's own modules --------------------------------------------------------------------
def test_a_missing_part_of_the_projects_own_package_stays_an_error(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("from .lost import x\n")
    report = check(tmp_path, TF + "import mine\n")
    assert report.status == 3
    assert "No module named 'mine.lost': looked for in" in report.failure


def test_a_module_that_lies_elsewhere_in_the_project_stays_an_error(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "helpers.py").write_text("x = 3\n")
    report = check(tmp_path, TF + "import helpers\n")
    assert report.status == 3
    assert "helpers.py, which was not looked at" in report.failure


@pytest.mark.parametrize("name", ["cPickle", "distutils2x.y", "_tkinter_absent"])
def test_names_that_look_like_the_standard_library(name, tmp_path):
    report = check(tmp_path, TF + f"import {name}\n")
    assert (report.status == 3) == (name == "cPickle")


# --- what is asked for ----------------------------------------------------------------------------
def test_a_folder_without_modules_hides_no_package(tmp_path):
    write(tmp_path, train="import wandb\nimport parts.sizes\nwandb.init(project='a')\n"
                          "import tensorflow as tf\n"
                          "tf.matmul(tf.zeros([2, parts.sizes.N]), tf.zeros([4, 5]))\n",
          parts__sizes="N = 3\n")
    (tmp_path / "wandb" / "run").mkdir(parents=True)
    (tmp_path / "wandb" / "run" / "log.txt").write_text("loss 3\n")
    report, _ = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [5]
    absent = [f["message"] for f in report["findings"] if f["code"] == "SF904"]
    assert len(absent) == 1 and absent[0].startswith("wandb is not installed")
    (tmp_path / "wandb" / "run" / "helper.py").write_text("")
    report, _ = report_of(tmp_path)
    assert "has no attribute 'init'" in report["scripts"][0]["failure"]


def test_missing_imports_may_be_errors(tmp_path):
    report = check(tmp_path, TF + "import absent\n", "--missing-imports", "error")
    assert report.status == 3 and "No module named 'absent'" in report.failure


def test_the_configuration_says_it_for_each_module(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.shapeflow.missing-imports]\n"*" = "error"\n"absent.*" = "unknown"\n')
    (tmp_path / "a.py").write_text(TF + "import absent.x\n")
    (tmp_path / "b.py").write_text(TF + "import elsewhere\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--format", "json", "a.py", "b.py")
    by_script = {item["script"]: item["exit_status"] for item in json.loads(done.stdout)["reports"]} \
        if "reports" in json.loads(done.stdout) else None
    assert done.returncode == 3, done.stderr
    assert by_script is None or by_script == {"a.py": 0, "b.py": 3}
    assert shapeflow(tmp_path, "check", "--no-cache", "a.py").returncode == 0


def test_a_wrong_word_in_the_configuration_is_said(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\nmissing-imports = "ignore"\n')
    (tmp_path / "a.py").write_text(TF)
    done = shapeflow(tmp_path, "check", "a.py")
    assert done.returncode == 2 and "'unknown' or 'error'" in done.stderr


def test_the_longest_pattern_wins():
    rules = {"*": "error", "a.*": "unknown", "a.b.*": "error"}
    assert [answer(name, rules) for name in ("x", "a", "a.c", "a.b", "a.b.c", "ab")] == \
        ["error", "unknown", "unknown", "error", "error", "error"]
    assert answer("anything", {}) == "unknown"


def test_pip_names():
    assert pip_name("cv2") == ("opencv-python", True) and pip_name("sklearn") == ("scikit-learn", True)
    assert pip_name("tensorflow_datasets") == ("tensorflow-datasets", True)
    assert pip_name("nobody_knows_this")[1] is False


def test_the_summary_counts_packages(tmp_path):
    (tmp_path / "a.py").write_text(TF + "import absent.x\nimport absent.y\nimport absent_too\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "a.py")
    assert done.returncode == 0
    assert re.search(r"0 errors, 0 warnings in \S+ s; 2 packages not installed", done.stderr)
    assert done.stderr.count("note[SF904]") == 2


# --- what is installed ----------------------------------------------------------------------------
def test_a_package_that_is_there_wins_and_the_cache_knows_when_one_is_installed(tmp_path):
    (tmp_path / "a.py").write_text(TF + "import absent\ntf.matmul(absent.f(), tf.zeros([4, 5]))\n")
    env = {k: v for k, v in environment().items() if k != "SHAPEFLOW_NO_CACHE"}
    first = shapeflow(tmp_path, "check", "a.py", env=env)
    assert first.returncode == 0 and "SF904" in first.stderr
    # The folders above were searched, too, and other tests make folders there.
    assert any("unchanged" in shapeflow(tmp_path, "check", "a.py", env=env).stderr for _ in range(5))
    (tmp_path / "absent.py").write_text("import tensorflow as tf\ndef f():\n    return tf.zeros([2, 3])\n")
    then = shapeflow(tmp_path, "check", "a.py", env=env)
    assert then.returncode == 1 and "SF904" not in then.stderr


def test_finders_that_are_added_later_are_asked_first(tmp_path):
    report = check(tmp_path, TF + """
import sys, types
from importlib.machinery import ModuleSpec
class Mine:
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self) if name == "absent" else None
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        module.x = 3
sys.meta_path.append(Mine())
import absent
assert absent.x == 3
""")
    assert report.failure is None and not notes(report)


def test_nothing_is_loaded_for_a_program_that_lacks_nothing(tmp_path):
    report = check(tmp_path, TF + """
import sys
assert not {name for name in sys.modules if "unknown_p" in name or "missing_imports" in name}
""")
    assert report.failure is None, report.failure


def test_a_check_in_this_process_leaves_nothing_behind(tmp_path):
    from shapeflow.checker.one_check import check as check_here
    from shapeflow.checker.options import CheckOptions

    script = tmp_path / "a.py"
    script.write_text(TF + "import absent.part\nassert absent.part.f()\n")
    before = list(sys.meta_path)
    kept = []
    check_here(CheckOptions(str(script)), lambda report, out, err: kept.append(report) or report.status)
    assert kept[0].failure is None and notes(kept[0])
    assert sys.meta_path == before and not [name for name in sys.modules if name.startswith("absent")]


def test_the_version_of_the_package_tensorflow_is_the_emulated_one(tmp_path):
    """Packages ask for it before they import TensorFlow."""
    write(tmp_path, train="import importlib.metadata as metadata\nimport importlib.util\n"
          "print(metadata.version('tensorflow'), importlib.util.find_spec('tensorflow') is not None)\n"
          "try:\n    metadata.version('no_such_package')\nexcept metadata.PackageNotFoundError:\n"
          "    print('not found')\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--show-output", "--tf-version", "2.15.0", "train.py")
    assert done.stdout.splitlines()[:2] == ["2.15.0 True", "not found"], done.stdout + done.stderr


# --- files of TensorFlow that no release has of which there is a list -----------------------------
def test_a_file_of_a_release_between(tmp_path):
    """TensorFlow 1.3 kept its Keras there; what became of a file is found, the rest is unknown."""
    source = """import tensorflow as tf
from tensorflow.contrib.keras.python.keras.layers.core import Dense
from tensorflow.contrib.keras.python.keras.engine.topology import get_source_inputs
from tensorflow.contrib.factory.python.ops import parts
x = tf.placeholder(tf.float32, [None, 3])
y = Dense(4)(parts.widened(x)) + get_source_inputs(x)
tf.matmul(Dense(4)(x), tf.zeros([5, 6]))  # E
"""
    report = check(tmp_path, source, "--tf-version", "1.15.0")
    assert report.failure is None
    assert [record.primary.line for record in report.of("error")] == [7]
    assert [record.message.split(":")[0] for record in report.records if record.code == "SF902"] == [
        "tensorflow 1.15.0 has no tensorflow.contrib." + name for name in ("keras.python", "factory")]


def test_a_public_module_that_no_release_has(tmp_path):
    report = check(tmp_path, "import tensorflow as tf\nfrom tensorflow.kears.layers import Dense\n")
    assert "No module named 'tensorflow.kears'" in report.failure


def test_a_private_file_that_a_release_of_tensorflow_2_had(tmp_path):
    """2.21 lacks it, TensorFlow 2 had it for years."""
    source = TF + """from tensorflow.python.training.tracking import base
class State(base.Trackable):
    pass
@tf.function
def step(x):
    return tf.keras.activations.relu(x)
step(tf.zeros([2, 3]))
""" + BUG
    write(tmp_path, train=source)
    done = shapeflow(tmp_path, "check", "-v", "--no-cache", "--no-suggestions", "train.py")
    assert done.returncode == 1 and done.stdout.count("error[") == 1, done.stdout + done.stderr
    assert "TensorFlow 2.15.0" in done.stderr
