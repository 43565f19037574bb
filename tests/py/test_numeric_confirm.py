"""The search for witnesses without TensorFlow: what is taken of a run, and workers that fail.

The search itself, on real TensorFlow: tests/oracle/test_numeric_witness.py.
"""
import ast
import json
import math
import multiprocessing
import os
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

import shapeflow.commands._taken as taken
import shapeflow.commands.numeric as numeric_command
import shapeflow.worker_process as worker_process
from shapeflow import _core
from shapeflow.commands.option_tables import parse
from shapeflow.numeric import campaign, confirm, confirm_export, confirm_trace, feeds, replay
from shapeflow.numeric.worker import clock, contrast, externals, objective, runs, search, session
from shapeflow.sandbox import wait_child

WORKER = Path(confirm.__file__).parent / "worker"
SCRIPT = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
words = tf.placeholder(tf.string, [None], name="words")
w = tf.Variable(tf.zeros([2, 3]), name="w")
y = tf.log(tf.matmul(x, w), name="y")
size = tf.size(words)
step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(3):
        session.run({"a": [step, y]}, {x: np.full([4, 2], i)})
    session.run(size, {words: ["a"]})
"""


def suspect(node="y", op="Log", condition="nonpositive", **more):
    return {"node": node, "op": op, "input": 0, "condition": condition, "in_gradient": False, "graph": 0,
            "file": "s.py", "line": 6, **more}


def exported(tmp_path, source=SCRIPT):
    """What the script's process gives of its only graph."""
    path = tmp_path / "s.py"
    path.write_text(source)
    recorder = confirm_export.Recorder()

    def make(taker):
        return recorder.export(taker.graphs[0])

    def begin():
        fed = feeds.Recorder()
        fed.begin()
        recorder.begin(fed.note)

    found = taken.take_report(str(path), [], parse("shapeflow", numeric_command.COMMAND, [str(path)]), make,
                              begin)
    assert found is not None and found.made is not None, found and found.missing
    return found.made


def interpreter(tmp_path, body):
    """An executable that stands for a Python with TensorFlow."""
    path = tmp_path / "python"
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return str(path)


READY = """echo '{"ready": true, "tensorflow": "2.0.0", "notes": []}'\n"""


def confirmed(tmp_path, python, suspects=None, seconds=1.0, memory=None, **more):
    suspects = suspects or [suspect(), suspect(condition="overflow")]
    plain = {"graph": "", "data": "", "runs": [], "outputs": {}}
    settings = confirm.Settings(python, seconds, memory, 1, str(tmp_path / "out"), **more)
    confirm.confirm(suspects, {"0": plain}, "s.py", settings)
    return [item["witness"] for item in suspects]


def test_a_run_is_taken_with_its_fetches_feeds_and_graph(tmp_path):
    made = exported(tmp_path)
    folder = tmp_path / "request"
    folder.mkdir()
    request = confirm_export.unpack(made, str(folder))
    data = np.load(folder / "data.npz")
    trained = [run for run in request["runs"] if "y:0" in run["fetches"]]
    # Each batch of the loop that was run, as what the placeholder takes.
    assert trained and all(list(run["feeds"]) == ["x:0"] for run in trained)
    assert [data[run["feeds"]["x:0"]].dtype for run in trained] == [np.float32] * len(trained)
    assert data[trained[0]["feeds"]["x:0"]].tolist() == [[0, 0]] * 4
    assert trained[0]["fetches"] == ["GradientDescent", "y:0"]
    # Text is not searched, but numbers may be read from it.
    sizes = [run["feeds"] for run in request["runs"] if run["fetches"] == ["Size:0"]]
    assert [data[feeds["words:0"]].tolist() for feeds in sizes] == [[b"a"]]
    assert request["outputs"]["y"] == [["float32", [None, 3]]]
    assert b"VariableV2" in (folder / "graph.pb").read_bytes()


def test_data_that_are_not_there_keep_their_sizes_and_are_no_data():
    import shapeflow.compat.v1 as tf

    with tf.Graph().as_default() as graph:
        x, y, any = (tf.placeholder(tf.float32, shape) for shape in ([None, 4], [None, 3], None))
        words = tf.placeholder(tf.string, [None])
    nothing = np.array(object(), object)
    feeds, made_up = confirm_export._feeds(graph, {x: np.full([5, 4], 0.7), y: nothing, any: nothing,
                                                   words: nothing})
    assert {name: value.shape for name, value in feeds.items()} == {x.name: (5, 4), y.name: (5, 3)}
    assert made_up == [y.name]
    # Zeros, or ones, stand for data that are not there as well, and equal parts of 1 for what a softmax gave.
    for number in (0, 1, 1 / 2, 1 / 3, 1e-3):
        assert confirm_export._feeds(graph, {x: np.full([5, 4], number, "float32")})[1] == [x.name]


def test_a_script_has_a_default_graph_of_its_own(tmp_path):
    """What is there when the script's process is made is nothing of its, and hidden from its collector."""
    _core.default_graph()
    assert exported(tmp_path)["runs"]


def test_what_is_made_of_a_run_may_take_longer_than_what_the_script_does_at_its_end(tmp_path, monkeypatch):
    """Large data are packed for the search when the report is there."""
    monkeypatch.setattr(wait_child, "_LEAVING", 0.2)
    path = tmp_path / "s.py"
    path.write_text("import tensorflow as tf\ntf.zeros([2])\n")

    def make(taker):
        time.sleep(1.5)
        return {"made": True}

    found = taken.take_report(str(path), [], parse("shapeflow", numeric_command.COMMAND, [str(path)]), make)
    assert found.made == {"made": True}, found.missing


def test_what_is_recorded_has_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(confirm_export, "MOST_BYTES", 32)
    made = exported(tmp_path)
    # One batch of 4 x 2 numbers fits, and no text beside it.
    assert sum(bool(run["feeds"]) for run in made["runs"]) == 1 and made["left_out"] >= 1


def test_no_such_interpreter_leaves_the_suspects(tmp_path):
    for witness in confirmed(tmp_path, str(tmp_path / "nowhere")):
        assert witness["status"] == "standing"
        assert "cannot be started: No such file or directory" in witness["reason"]
        assert confirm.described(witness).startswith("no witness: ")


def test_an_interpreter_is_named_from_where_the_command_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "env" / "python"
    link.parent.mkdir()
    link.symlink_to(sys.executable)
    assert confirm.Settings("env/python", 1.0, None, 1, "out").python == str(link)
    assert confirm.Settings("python3", 1.0, None, 1, "out").python == "python3"  # of the path
    assert confirm.Settings(None, 1.0, None, 1, "out").python == sys.executable


@pytest.mark.parametrize("value, bytes", [
    (["1.5", "é"], [b"1.5", b"\xc3\xa9"]), ([[b"a"], [b""]], [[b"a"], [b""]]), ("x", b"x"),
    ([b"a\0"], None), ([1.5], None), (object(), None),
])
def test_text_that_is_fed_goes_to_the_search_where_a_file_of_arrays_holds_it(value, bytes):
    found = confirm_export._text(value)
    assert bytes == (None if found is None else found.tolist())


def test_an_interpreter_without_tensorflow_leaves_the_suspects(tmp_path):
    python = interpreter(tmp_path, """echo '{"ready": false, "reason": "ModuleNotFoundError: no"}'\n""")
    assert {w["reason"] for w in confirmed(tmp_path, python)} == \
        {f"{python} has no TensorFlow that can be used: ModuleNotFoundError: no"}
    python = interpreter(tmp_path, "echo 'no python here' >&2; exit 7\n")
    assert {w["reason"] for w in confirmed(tmp_path, python)} == \
        {"the worker ended with status 7: no python here"}
    python = interpreter(tmp_path, "echo 'what is this'\n")
    assert {w["reason"] for w in confirmed(tmp_path, python)} == {"its answer cannot be read"}


def test_a_crash_costs_one_suspect_and_the_next_has_a_worker(tmp_path):
    count = tmp_path / "count"
    python = interpreter(tmp_path, f"echo x >> {count}\n" + READY + """read task
if [ $(wc -l < %s) = 1 ]; then echo 'terminate called: std::bad_alloc' >&2; kill -ABRT $$; fi
echo '{"status": "standing", "reason": "the time limit", "closest": 0.25}'
read task
""" % count)
    crashed, second = confirmed(tmp_path, python)
    assert crashed == {"status": "standing",
                       "reason": "the worker was ended by SIGABRT: terminate called: std::bad_alloc"}
    assert second["reason"] == "the time limit" and second["closest"] == 0.25
    assert confirm.described(second) == "no witness: the time limit; the closest distance was 0.25"
    assert count.read_text() == "x\nx\n"


@pytest.mark.skipif("SHAPEFLOW_UNDER_ASAN" in os.environ, reason="the sanitizer reserves more than the limit")
def test_a_search_that_runs_out_of_memory_leaves_the_suspect(tmp_path):
    python = interpreter(tmp_path, f"""{READY}read task
exec {sys.executable} -c 'x = bytearray(1 << 40)'
""")
    witness, = confirmed(tmp_path, python, [suspect()], memory=256 << 20)
    assert witness["status"] == "standing"
    assert "MemoryError" in witness["reason"], witness


def test_a_worker_that_hangs_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("shapeflow.worker_process._GRACE", 0.2)
    python = interpreter(tmp_path, READY + "exec sleep 1000\n")
    first, second = confirmed(tmp_path, python, seconds=0.1)
    assert first["reason"] == second["reason"] == "the search did not end within 0 s"


def test_a_search_on_a_busy_machine_has_its_time_of_the_processor(tmp_path, monkeypatch):
    monkeypatch.setattr("shapeflow.worker_process._GRACE", 0.2)
    used = iter(np.arange(0, 1, 0.05).tolist())  # a sixth of what passes
    monkeypatch.setattr(worker_process.WorkerProcess, "_cpu_seconds", lambda self: next(used))
    python = interpreter(tmp_path, READY + """read task
sleep 0.8
echo '{"status": "standing", "reason": "it came to an end"}'
""")
    witness, = confirmed(tmp_path, python, [suspect()], seconds=0.1)
    assert witness["reason"] == "it came to an end"


def test_the_time_of_a_search_is_that_of_the_processor(monkeypatch):
    clocks = {"monotonic": 0.0, "process_time": 0.0}
    monkeypatch.setattr(clock, "time", types.SimpleNamespace(
        monotonic=lambda: clocks["monotonic"], process_time=lambda: clocks["process_time"]))
    one = clock.Clock()
    seen = []
    # One thread alone; a busy machine; a wait, which has an end as well; and two threads that compute.
    for passed, used in ((10, 10), (10, 2), (108, 0), (10, 20)):
        clocks["monotonic"] += passed
        clocks["process_time"] += used
        seen.append(one.now())
    assert seen == [10, 12, 16, 32]


@pytest.mark.skipif("SHAPEFLOW_UNDER_ASAN" in os.environ, reason="the sanitizer reserves more than the limit")
def test_too_little_memory_for_a_start_is_said(tmp_path):
    python = interpreter(tmp_path, f"""sleep 0.5
[ "$(ulimit -d)" = unlimited ] || kill -SEGV $$
{READY}read task
""")
    witness, = confirmed(tmp_path, python, [suspect()], memory=256 << 20)
    assert witness["reason"] == "--search-memory is too little for TensorFlow to start: " \
        "the worker was ended by SIGSEGV (its memory is limited to 256 MiB)"
    # What does not start with more either has another reason.
    python = interpreter(tmp_path, "echo 'no python here' >&2; exit 7\n")
    witness, = confirmed(tmp_path, python, [suspect()], memory=256 << 20)
    assert witness["reason"] == "the worker ended with status 7: no python here"


def test_what_does_not_replay_is_no_witness(tmp_path):
    answer = {"status": "found", "what": "NaN", "target": "y:0", "operand": "x:0",
              "externals": [["x", "input", [1, 2]]],
              "samples": 1, "changed": 0, "elements": 2, "phase": "own data"}
    # Started with replays.py it prints that the script ended well: nothing broke.
    python = interpreter(tmp_path, f"""case "$1" in *replays.py) printf '%s\\t0\\tfine\\n' "$2"; exit;; esac
{READY}read task
echo '{json.dumps(answer)}'
read task
""")
    found, = confirmed(tmp_path, python, [suspect()])
    assert found["status"] == "standing"
    assert found["reason"] == "what the search found did not appear again in a fresh process"
    assert not (tmp_path / "out").exists()


def test_workers_share_the_suspects(tmp_path):
    python = interpreter(tmp_path, READY + """while read task; do
echo '{"status": "standing", "reason": "the time limit"}'; done\n""")
    suspects = [suspect(line=i) for i in range(5)]
    seen = []
    confirm.confirm(suspects, {"0": {"graph": "", "data": "", "runs": [], "outputs": {}}}, "s.py",
                    confirm.Settings(python, 1.0, None, 3, str(tmp_path)), seen.append)
    assert [item["witness"]["reason"] for item in suspects] == ["the time limit"] * 5
    assert sorted(line.split()[0] for line in seen) == [f"{i}/5" for i in range(1, 6)]


def test_what_cannot_be_searched_is_said(tmp_path):
    own, eager = suspect(condition="nan_in_data"), suspect(graph=3)
    confirm.confirm([own, eager], {}, "s.py", confirm.Settings("nowhere", 1.0, None, 1, "."))
    assert own["witness"]["reason"] == "NaN or infinity is in the script's own data"
    assert eager["witness"]["reason"] == "its graph could not be exported"


@pytest.mark.parametrize("size, bytes", [("4G", 4 << 30), ("512M", 512 << 20), ("1.5GiB", 3 << 29), ("9", 9)])
def test_sizes(size, bytes):
    assert worker_process.bytes_of(size, "--search-memory") == bytes


@pytest.mark.parametrize("given, said", [
    (["--search-memory", "lots"], "--search-memory: 'lots' is no size"),
    (["--search-memory", "0"], "--search-memory: '0' is no size"),
    (["--search-time", "0"], "--search-time: there has to be some"),
    (["--workers", "0"], "--workers: 1 to 256"),
])
def test_options_that_cannot_be(given, said):
    arguments = parse("shapeflow", numeric_command.COMMAND, ["s.py", "--confirm", *given])
    with pytest.raises(ValueError) as error:
        confirm.settings_of(arguments)
    assert str(error.value) == said


def test_a_replay_script_is_python_whatever_the_names_are(tmp_path):
    answer = {"what": "inf", "target": "a/b:0", "operand": "x:0", "externals": [['q"""\\', "input", [1]]]}
    path = replay.write(str(tmp_path), "w", suspect(file='/a/"""/s.py', node='"""'), answer, "1.15.0")
    text = Path(path).read_text()
    ast.parse(text)
    assert len(text.splitlines()) < 25 and "gives inf" in text


def test_a_worker_is_of_no_package_and_old_python_reads_it():
    for path in WORKER.glob("*.py"):
        tree = ast.parse(path.read_text(), feature_version=(3, 7))
        for node in ast.walk(tree):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else \
                [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not [name for name in names if name.split(".")[0] == "shapeflow"], path


def test_the_legal_range_is_that_of_the_data():
    one_hot = np.eye(3, dtype="f4")
    assert externals.legal_range([np.array([[0, .5]], "f4"), np.array([[.25, 2]], "f4")]) == (0, 2)
    for fixed in (one_hot, np.array([1, 2]), np.full([4, 2], .5), np.zeros([0, 2]), np.array([["a"]])):
        assert externals.legal_range([fixed]) is None
    assert externals.legal_range([np.array([1, np.nan, 2.])]) == (1, 2)
    assert externals.is_whole([np.array([0., 255])]) and not externals.is_whole([np.array([0.5])])


@pytest.mark.parametrize("result, inputs, what", [
    ([1, np.inf], [[0., 1]], "inf"), ([-np.inf], [[0.]], "-inf"), ([np.nan, np.inf], [[0.]], "NaN"),
    ([1.], [[0.]], ""), ([np.nan], [[np.nan]], ""), ([np.inf], [[1.], [np.inf]], ""),
])
def test_an_operation_breaks_what_was_finite(result, inputs, what):
    assert objective.broke(result, inputs) == what


@pytest.mark.parametrize("order", [["x", "y"], ["y", "x"]])
@pytest.mark.parametrize("needs", [["x", "y"], ["y", "x"]])
def test_what_stands_for_labels_does_not_depend_on_the_order_of_a_set(order, needs):
    """A training step without the script's data: where the labels came before the images, they were numbers
    between 0 and 1, from which little is learnt, and no witness was found."""
    columns = {"x": 784, "y": 10}
    tensors = {name + ":0": types.SimpleNamespace(
        op=types.SimpleNamespace(type="Placeholder"), dtype=_Float,
        shape=types.SimpleNamespace(ndims=2, as_list=lambda size=size: [None, size]))
        for name, size in columns.items()}
    program = session.Program.__new__(session.Program)
    program.random = np.random.RandomState(0)
    program.imported = types.SimpleNamespace(order=order, fetch=tensors.get)
    run = session.Run([], {}, [], needs)
    program._feed_the_rest(run)
    assert run.feeds["x:0"].shape == (8, 784) and run.feeds["y:0"].shape == (8, 10)
    assert sorted(np.unique(run.feeds["y:0"])) == [0, 1] and (run.feeds["y:0"].sum(1) == 1).all()
    assert list(run.feeds) == [name + ":0" for name in order]  # whatever the order of `needs`


class _Float:
    name, is_floating, as_numpy_dtype = "float32", True, np.float32


_Float.base_dtype = _Float


class _Program:
    """What stands for a search, without TensorFlow: two inputs, a number, and labels."""

    def __init__(self):
        self.random = np.random.RandomState(0)
        self.program = self
        self.rows = 6
        self.values = {"x": np.full([6, 50], 0.5, "float32"), "pixels": np.full([6, 50], 7.0, "float32"),
                       "rate": np.float32(0.5), "y": np.eye(3, dtype="float32")[[1, 1, 2, 0, 1, 2]]}
        self.own = dict(self.values)
        self.ranges = {"x": (np.float32(0.25), np.float32(0.75)), "pixels": (np.float32(0), np.float32(255)),
                       "rate": (np.float32(0), np.float32(1))}
        self.whole = {"pixels": True}


@pytest.mark.parametrize("is_one_sided", [True, False])
@pytest.mark.parametrize("share, x, pixels", [(1.0, 0.75, 255), (0.5, 0.5, 128), (2.0 ** -10, 0.25049, 1)])
def test_samples_that_hardly_differ_are_legal_and_of_two_labels(share, x, pixels, is_one_sided):
    made = contrast.Contrast(_Program(), is_one_sided).at(share)
    assert {name: made[name].dtype for name in made} == {name: np.float32 for name in made}
    for name, low, high in (("x", 0.25, x), ("pixels", 0, pixels)):
        assert made[name].shape == (6, 50)
        assert sorted(np.unique(made[name])) == pytest.approx([low, high], abs=1e-4), name
        kinds = np.unique(made[name], axis=0)
        assert len(kinds) == 2 and (kinds[0] != kinds[1]).all()  # what one has the other lacks
        assert (kinds[0] < kinds[1]).all() == is_one_sided
    # A number is no sample, and two rows of the script's labels are the labels.
    assert made["rate"] == 0.5
    assert {tuple(row) for row in made["y"]} == {(0, 1, 0), (0, 0, 1)}
    assert len(np.unique(np.concatenate([made["x"], made["y"]], 1), axis=0)) == 2


class _Softmax:
    """A classifier of two features that learns by plain steps, as a search sees it."""

    def __init__(self, seed):
        random = np.random.RandomState(seed)
        self.program = types.SimpleNamespace(random=random, start=None, restore=self.restore,
                                             values=lambda: (self.weights, self.bias))
        self.rows, self.whole, self.slopes = 32, {}, {}
        self.values = {"x": random.rand(32, 2).astype("f"), "y": np.eye(3)[random.randint(3, size=32)]}
        self.own, self.ranges = self.values, {"x": (0.0, 1.0)}
        self.looks = 0
        # A thousand looks a second on any machine: where they took longer, both patterns had their turns.
        self.clock = types.SimpleNamespace(now=lambda: self.looks / 1000)

    def restore(self, values):
        self.weights, self.bias = values or (np.zeros([2, 3]), np.zeros(3))

    def probabilities(self, values):
        logits = values["x"] @ self.weights + self.bias
        powers = np.exp(logits - logits.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)

    def look(self, values, slopes=None, phase=""):
        self.looks += 1
        distance = self.probabilities(values).min()
        if distance < 1e-20:
            raise search.Found("-inf", values, phase)
        return {"distance": distance, "slopes": {}}

    def train(self, run, values):
        wrong = (self.probabilities(values) - values["y"]) / len(values["x"])
        self.weights = self.weights - 0.5 * values["x"].T @ wrong
        self.bias = self.bias - 0.5 * wrong.sum(0)

    def moved_by_sign(self, values, slopes):
        return values


@pytest.mark.parametrize("seed", range(3))
def test_samples_come_as_near_as_they_can_be_told_apart(seed):
    """The nearer, the larger what tells them apart has to become, but what is too near is not learnt; halved
    only when it was learnt, the difference led nowhere with two features. Where each kind had the lower end
    of one of the features, half of the way to the other end was of no use."""
    one = _Softmax(seed)
    with pytest.raises(search.Found):
        contrast.train(one, [None], 20.0)
    assert one.looks < 400, one.looks  # 283 to 320; 822 where each kind had an end of its own


class _Diverging(_Softmax):
    """Breaks after so many steps of training, and with the next one all its numbers end."""

    def __init__(self, breaks_after):
        super().__init__(0)
        self.breaks_after = breaks_after

    def restore(self, values):
        self.weights, self.bias = values or (0, 0)  # steps

    def look(self, values, slopes=None, phase=""):
        self.looks += 1
        if self.weights == self.breaks_after:
            raise search.Found("-inf", values, phase)
        is_finite = self.weights < self.breaks_after
        return {"distance": math.exp(-self.weights) if is_finite else math.nan, "slopes": {}}

    def train(self, run, values):
        self.weights += 1


@pytest.mark.parametrize("breaks_after", [7, 37, 40])
def test_what_breaks_between_two_looks_is_looked_at_step_by_step(breaks_after):
    with pytest.raises(search.Found):
        contrast.train(_Diverging(breaks_after), [None], 20.0)


class _Session:
    """What `Runs` asks of a session of TensorFlow; a tensor "t:0" is its own name, and gives what it is fed,
    or 7."""

    def __init__(self, monkeypatch):
        protobuf = types.SimpleNamespace(CallableOptions=lambda **options: types.SimpleNamespace(**options))
        for name in ("tensorflow", "tensorflow.core", "tensorflow.core.protobuf"):
            monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(config_pb2=protobuf))
        dtype = types.SimpleNamespace(base_dtype=types.SimpleNamespace(as_numpy_dtype=np.float32))
        self.graph = types.SimpleNamespace(get_tensor_by_name=lambda name: types.SimpleNamespace(dtype=dtype))
        self.compiled, self.calls = [], []

    def _make_callable_from_options(self, options):
        self.compiled.append((options.feed, options.fetch, options.target))

        def call(*arrays):
            self.calls.append(arrays)
            return [7.0] * len(options.fetch)

        return call


class _Nest:
    @staticmethod
    def flatten(wanted):
        return list(wanted.values())

    @staticmethod
    def pack_sequence_as(wanted, found):
        return dict(zip(wanted, found))


def test_runs_of_the_same_fetches_and_feeds_are_compiled_once(monkeypatch):
    session = _Session(monkeypatch)
    again = runs.Runs(types.SimpleNamespace(nest=_Nest), session)
    names = "a:0", "x:0", "step", "a:0"
    tensors = {str(i): types.SimpleNamespace(name=name) for i, name in enumerate(names)}
    for x in (1.0, 2.0):
        # What is fed is given back: TensorFlow refuses to fetch it. Of what is twice there is one.
        found = again.run(tensors, {"y:0": np.ones(2, np.float64), "x:0": x})
        assert list(found.values()) == [7.0, x, None, 7.0]
    assert session.compiled == [(("x:0", "y:0"), ["a:0"], ["step"])]
    assert [(float(x), y.dtype) for x, y in session.calls] == [(1.0, np.float32), (2.0, np.float32)]
    again.run(tensors, {"x:0": 1.0})
    assert len(session.compiled) == 2


@pytest.mark.parametrize("slope, drawn, looks", [
    (0.0, {}, 1),  # nothing moves, and nothing else changes
    (1.0, {}, 8),  # until all is at the end of its range: 7 steps of 0.15
    (0.0, {"noise": np.ones(2, np.float32)}, search._QUICK),  # what is drawn is another each time
])
def test_signs_are_followed_as_long_as_anything_changes(slope, drawn, looks):
    one = search.Search.__new__(search.Search)
    one.values = one.own = {"x": np.ones(2, np.float32)}
    one.ranges, one.whole, one.rows, one.turns, one.by_name = {"x": (0.0, 1.0)}, {}, 0, 0, {}
    one._derived = {"loss": {"x": None}}
    seen = []

    def look(values, slopes, phase):
        seen.append(values["x"])
        return {"distance": 0.5, "slopes": {"x": np.full(2, slope)}, "drawn": drawn}

    one.look = look
    try:
        one._iterate(search._QUICK, [])
    except search._Passed:
        pass
    assert len(seen) == looks
    assert slope == 0 or seen[-1].tolist() == [0, 0]


def test_what_is_left_of_a_distance_is_taken_by_one_element():
    """All elements together lost it in their last digits: 1 / reduce_sum(w) had no witness."""
    one = search.Search.__new__(search.Search)
    one.ranges, one.by_name = {"w": (-10.0, 10.0)}, {}
    one._derived = {"nearest": {"w": "log"}, "distance": {"w": None}}

    def look(values, slopes, phase):
        total = np.sum(values["w"], dtype=np.float32)
        if total == 0:
            raise search.Found("inf", values, phase)
        steep = np.abs(total) if slopes.get("w") == "log" else 1
        return {"distance": abs(total), "slopes": {"w": np.sign(total) * np.ones(12) / steep}, "drawn": {}}

    one.look = look
    with pytest.raises(search.Found):
        one._solve(["w"], {"w": np.random.RandomState(1).standard_normal(12).astype("f")}, "solve")


def test_feeds_of_one_shape_are_given_one_content_inside_both_ranges():
    one = search.Search.__new__(search.Search)
    one.values = {"a": np.array([0.0, 1.0, 3.0]), "b": np.array([5.0, 6.0, 7.0]), "c": np.zeros(2)}
    one.ranges = {"a": (0.0, 3.0), "b": (2.0, 7.0), "c": (0.0, 1.0)}
    seen = []
    one.look = lambda values, phase: seen.append(values)
    one._equals()
    assert [{name: value.tolist() for name, value in values.items()} for values in seen] == [
        {"a": [2, 2, 3], "b": [2, 2, 3], "c": [0, 0]}]


def test_which_samples_broke():
    assert objective.rows_that_broke(np.array([[1, 2], [np.nan, 1], [1, np.inf]])).tolist() == [1, 2]
    assert objective.rows_that_broke(np.float32("nan")).tolist() == []


def program(tmp_path, name, body):
    path = tmp_path / name
    path.write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32, [2])\n" + body +
                    "\nwith tf.Session() as s:\n    s.run(y, {x: [0.5, 0.25]})\n")
    return path


def command(tmp_path, *arguments):
    return subprocess.run([sys.executable, "-m", "shapeflow", "numeric", *map(str, arguments)], cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def test_the_command_says_of_each_suspect_what_came_of_its_search(tmp_path):
    path = program(tmp_path, "one.py", "y = tf.log(x - 0.5)")
    python = interpreter(tmp_path, READY + """read task; echo "$task" > task
echo '{"status": "standing", "reason": "the time limit", "closest": 0.25}'\nread task\n""")
    done = command(tmp_path, "--confirm", "--tensorflow", python, "--search-time", "3", path)
    assert done.returncode == 1, done.stderr
    assert "  no witness: the time limit; the closest distance was 0.25\n" in done.stdout
    done = command(tmp_path, "--confirm", "--tensorflow", python, "--json", path)
    document = json.loads(done.stdout)
    assert document["suspects"][0]["witness"]["closest"] == 0.25 and "exported" not in document
    assert "witness" not in command(tmp_path, path).stdout


def test_a_folder_is_a_campaign_that_goes_on_where_it_was(tmp_path):
    folder = tmp_path / "programs"
    folder.mkdir()
    program(folder, "breaks.py", "y = tf.log(x - 0.5)")
    program(folder, "safe.py", "y = tf.exp(x)")
    (folder / "other.py").write_text("print(1)\n")
    (folder / "wrong.py").write_text("import tensorflow as tf\nraise SystemExit('no data')\n")
    done = command(tmp_path, "--workers", "2", "--witnesses", tmp_path / "out", folder)
    assert "programs/breaks.py: 1 suspect (" in done.stdout
    assert "programs/safe.py: 0 suspects (" in done.stdout
    assert "  programs/breaks.py:3: Log, nonpositive" in done.stdout and "other.py" not in done.stdout
    assert "3/3 programs/" in done.stderr
    # A second time only what is new, or was changed since, runs.
    program(folder, "safe.py", "y = tf.exp(x * 1000)")
    done = command(tmp_path, "--witnesses", tmp_path / "out", "--json", folder)
    assert "2 of 3 scripts are done already" in done.stderr
    assert "3/3 programs/safe.py: 1 suspect (" in done.stderr
    results = json.loads(done.stdout)["scripts"]
    assert len(results[str(folder / "breaks.py")]["document"]["suspects"]) == 1
    assert done.returncode == 1


def test_a_state_file_that_cannot_be_read_is_no_state(tmp_path):
    path = tmp_path / "campaign.json"
    for text in ("", "[]", "{", '{"scripts": 3}'):
        path.write_text(text)
        assert campaign.State(str(path)).results == {}
    state = campaign.State(str(path))
    state.put("a.py", {"key": "k", "status": 0})
    assert campaign.State(str(path)).is_done("a.py", "k") and not state.is_done("a.py", "other")


def test_a_campaign_without_scripts_or_cluster_is_refused(tmp_path):
    assert "no script that uses TensorFlow" in command(tmp_path, tmp_path).stderr
    path = program(tmp_path, "one.py", "y = x")
    done = command(tmp_path, path, tmp_path / "nowhere.py")
    assert done.returncode == 2 and "nowhere.py: no such file" in done.stderr
    done = command(tmp_path, "--dask", "tcp://127.0.0.1:1", path, program(tmp_path, "two.py", "y = x"))
    assert done.returncode == 2 and "--dask" in done.stderr


def test_a_campaign_on_a_cluster(tmp_path):
    distributed = pytest.importorskip("distributed")
    scripts = [str(program(tmp_path, name, "y = tf.log(x - 0.5)")) for name in ("one.py", "two.py")]
    seen = []
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False,
                                  dashboard_address=None) as cluster:
        results = campaign.run(scripts, [], str(tmp_path / "out"), 1, None, cluster.scheduler_address,
                               seen.append)
    assert [len(results[script]["document"]["suspects"]) for script in scripts] == [1, 1]
    assert sorted(line[:3] for line in seen) == ["1/2", "2/2"]
    # What is done needs no cluster.
    assert campaign.run(scripts, [], str(tmp_path / "out"), 1, None, None, seen.append) == results


def test_a_script_with_findings_and_one_with_unknown_shapes_are_searched_all_the_same(tmp_path):
    python = interpreter(tmp_path, READY + """while read task; do
echo '{"status": "standing", "reason": "the time limit"}'; done\n""")
    wrong = program(tmp_path, "wrong.py", "y = tf.log(x - 0.5)\ntf.matmul(tf.ones([2, 3]), tf.ones([4, 5]))")
    unknown = program(tmp_path, "unknown.py", "y = tf.log(tf.placeholder_with_default(x, None) - 0.5)")
    for path in (wrong, unknown):
        done = command(tmp_path, "--confirm", "--tensorflow", python, path)
        assert "no witness: the time limit" in done.stdout, done.stderr


if sys.platform != "linux":
    pytestmark = pytest.mark.skip(reason="the stand-ins are shell scripts")


EAGER = """\
import numpy as np
import tensorflow as tf
data = np.arange(64 * 40, dtype="float32").reshape(64, 40) / 64
w = tf.Variable(tf.random.normal([40, 3]))
a = tf.Variable(np.full(3, 2.0, "float32"))
b = tf.Variable(np.full(4, 3.0, "float32"))
for x in [data[:32], data[32:]]:
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(tf.math.log(tf.nn.softmax(tf.constant(x) @ w)))
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""


def trace_of(tmp_path, source=EAGER):
    """What eager code gives to the search, and the noted arrays. In a new process, as the command is: what
    other tests have left in this one would be outside of the program, too."""
    path = tmp_path / "s.py"
    path.write_text(source)
    with multiprocessing.get_context("spawn").Pool(1) as process:
        return process.apply(_traced, (str(path),))


def _traced(path):
    fed, arrays = feeds.Recorder(), confirm_trace.Arrays()

    def make(taker):
        graph, outputs, outside, writes = _core.trace_program()
        batches, made_up = confirm_trace._data(outside, arrays)
        data = [[sorted(batch), [float(batch[name].min()) for name in sorted(batch)]] for batch in batches]
        return {"graph": graph.decode("latin-1"), "outputs": outputs, "outside": outside, "writes": writes,
                "data": data, "made_up": made_up}

    found = taken.take_report(path, [], parse("shapeflow", numeric_command.COMMAND, [path]), make,
                              lambda: fed.begin(arrays.bounds))
    assert found is not None and found.made is not None, found and found.missing
    return found.made


def test_batches_of_a_data_set_are_those_of_its_arrays(tmp_path):
    """Their bounds are known, and are of no array of their shape."""
    made = trace_of(tmp_path, """
import numpy as np
import tensorflow as tf
data = np.arange(64 * 40, dtype="float32").reshape(64, 40)
w = tf.Variable(tf.random.normal([40, 3]))
for x in tf.data.Dataset.from_tensor_slices(data).batch(32):
    print(tf.math.log(tf.nn.softmax(x @ w)))
""")
    name = next(row[0] for row in made["outside"] if list(row[2]) == [32, 40]) + ":0"
    assert name not in made["made_up"]
    assert [dict(zip(*batch))[name] for batch in made["data"]] == [0.0, 32 * 40]


def test_eager_code_is_exported_with_its_data_and_writes(tmp_path):
    made = trace_of(tmp_path)
    assert len(set(made["outputs"])) == len(made["outputs"])  # names of records are unique
    (name, dtype, shape, lo, hi), = made["outside"]
    assert (dtype, list(shape), lo, hi) == ("float32", [32, 40], 0, data_at(64 * 40 - 1))
    # One record for both batches, which are the script's own.
    assert made["data"] == [[[name + ":0"], [0.0]], [[name + ":0"], [data_at(32 * 40)]]]
    assert made["made_up"] == []
    (root, record, sources), = made["writes"]
    assert root != record and root.startswith("Snapshot_") and len(sources) == 2
    assert all(source.startswith("Sub_") and output == 0 for source, output in sources)


def data_at(number):
    return number / 64


def test_a_reader_of_content_of_its_own_reads_that(tmp_path):
    """Two variables are made at one line of TensorFlow's, of contents of their own."""
    graph = trace_of(tmp_path, "import tensorflow as tf\n"
                               "def zeros(n): return tf.Variable(tf.zeros([n]) + tf.constant([1.0] * n))\n"
                               "a, b = zeros(3), zeros(5)\n")["graph"]
    assert graph.count("outside_") >= 4


def test_samples_of_data_whose_way_was_not_followed_are_found(tmp_path):
    arrays = confirm_trace.Arrays()
    rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    arrays.bounds(rows)
    assert [batch[0, 0] for batch in arrays.batches("float32", (4, 2))] == [0, 8]
    assert arrays.batches("float32", (4, 3)) == [] and arrays.batches("int32", (4, 2)) == []
    arrays.bounds(np.arange(24, dtype=np.float32).reshape(12, 2))  # which of both is meant?
    assert arrays.batches("float32", (4, 2)) == []


def test_fixes_of_eager_code_are_tried_at_their_own_operation(tmp_path):
    path = tmp_path / "s.py"
    path.write_text("import tensorflow as tf\n"
                    "x = tf.random.normal([4])\n"
                    "y = tf.math.log(x)\n"
                    "z = tf.math.log(tf.nn.softmax(x * 100.0))\n")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first, second = json.loads(done.stdout.decode())["suspects"]
    assert [fix["kind"] for fix in first["fixes"]] == ["clip"]
    assert "log_softmax" in [fix["kind"] for fix in second["fixes"]]
    assert first["node"] != second["node"]
