"""Campaigns of `shapeflow backends generate`: side by side, on a cluster, stopped and gone on with. The
backends are scripts that stand for a framework, and the shape engine is a table."""
import json
import os
import signal
import sys
import threading
import time

import pytest

from shapeflow import parallel, progress
from shapeflow.backends import campaign, comparing, job, process
from test_backends_generate import SIGNATURES, engine

# Answers as a worker does: every layer gives zeros, on a backend that is "off" Flatten gives ones.
STAND_IN = """#!{python}
import json, os, sys, time
import numpy as np
print(json.dumps({{"ready": True, "versions": {{"keras": "3.0", "numpy": "1"}}}}), flush=True)
for line in sys.stdin:
    task = json.loads(line)
    if task["do"] != "run":
        print(json.dumps({{"status": "refused", "reason": "no"}}), flush=True)
        continue
    misfits = {{}}
    {body}
    arrays, nodes = {{}}, []
    for row in json.load(open(task["folder"] + "/model.json"))["config"]["layers"]:
        if row["class_name"] == "InputLayer":
            continue
        name = row["name"]
        value = 1.0 if {off} and row["class_name"] == "Flatten" else 0.0
        arrays["f/" + name + "/0"] = np.full([8, 2], value, "f4")
        nodes.append({{"key": name, "layer": name, "class": row["class_name"], "inputs": ["input 0"],
                      "indices": [0], "precision": "float32", "input_precisions": ["float32"],
                      "outputs": [[[8, 2], "float32"]], "weights": [], "is_output": False}})
    with open(task["out"], "wb") as stream:
        np.savez(stream, **arrays)
    print(json.dumps({{"status": "ok", "nodes": nodes, "skipped": {{}}, "misfits": misfits}}), flush=True)
"""


class Table:
    """Stands for the shape engine."""

    release = "3.0"

    def signatures(self):
        return SIGNATURES

    def infer(self, layers):
        return engine(layers)

    def shapes(self, folder):
        return {"status": "ok", "weights": [], "ends": [[None, 2]], "shapes": {}, "dtypes": {},
                "parameters": 0}

    def close(self):
        pass


class Told:
    """Progress that a test looks at."""

    def __init__(self, after=lambda done: None):
        self.done, self.said, self.after = 0, [], after

    def step(self, more=""):
        self.done += 1
        self.after(self.done)

    def say(self, text):
        self.said.append(text)

    def close(self):
        pass


def stand_in(folder, name, off=False, body="pass"):
    path = folder / name
    path.write_text(STAND_IN.format(python=sys.executable, off=off, body=body))
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def campaign_of(tmp_path, monkeypatch):
    """Makes a campaign on jax and on a torch that is off; closed at the end."""
    monkeypatch.setattr(campaign, "Engine", Table)
    made = []

    def make(told=None, body="pass", folder="results", off_body="pass", only_shapes=False):
        pythons = {"jax": stand_in(tmp_path, "jax", body=body),
                   "torch": stand_in(tmp_path, "torch", True, off_body)}
        fleet = process.Fleet(["jax", "torch"], pythons)
        assert len(fleet.start()) == 2, fleet.notes
        one = campaign.Campaign(fleet, comparing.Settings(["forward"]), str(tmp_path / folder), 0, 6,
                                told or Told(), only_shapes)
        made.append((one, fleet))
        return one

    yield make
    for one, fleet in made:
        one.close()
        fleet.close()


@pytest.mark.parametrize("workers", [1, 3])
def test_models_run_side_by_side_and_each_counts_once(campaign_of, workers):
    told = Told()
    summary = campaign_of(told).run(12, workers=workers)
    assert sum(summary["models"].values()) == 12 == told.done
    assert summary["models"]["ok"] >= 10
    reached, all_cells = summary["cells"]  # of the forward phase, which is the only one here
    assert 0 < reached <= all_cells and summary["phases"]["forward"] >= 5
    assert set(summary["phases"]) == {"forward"}
    (finding,) = summary["findings"]
    assert (finding["class"], finding["kind"], finding["phase"]) == ("Flatten", "inconsistent", "forward")
    assert sorted(os.listdir(finding["folder"])) == [
        "inputs.npz", "model.json", "replay_jax.py", "replay_torch.py", "report.html", "report.json",
        "report.txt", "weights.npz"]
    layers = json.load(open(os.path.join(finding["folder"], "model.json")))["config"]["layers"]
    assert [row["class_name"] for row in layers] == ["InputLayer", "Flatten"]


def test_a_campaign_that_is_stopped_goes_on(campaign_of):
    def stop(done):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign_of(Told(stop)).run(50, workers=2)
    first = campaign_of()
    before = numbers_of(first)
    assert len(before) == 3 and first.store.seconds() > 0.05  # or its models a minute are too many
    left = {made["number"] for made in first.store.under_way()}
    assert left and not left & before
    summary = first.run(4, workers=2)
    assert sum(summary["models"].values()) == 7
    # What was under way is among the four; nothing is left out.
    assert numbers_of(first) == set(range(7)) and not first.store.under_way()


def test_a_campaign_that_is_killed_has_kept_its_seconds(campaign_of):
    """What ends it may leave it no time: they were kept at the end only, and its models a minute too many."""
    kept = []
    told = Told(lambda done: kept.append(one.store.seconds()))
    one = campaign_of(told)
    one.run(3)
    assert kept[0] == 0 < kept[1] < kept[2] < one.store.seconds()


def numbers_of(one):
    return {row[0] for row in one.store._base.execute("select number from models")}


def test_a_campaign_that_is_stopped_finds_what_one_finds_that_is_not(campaign_of, monkeypatch):
    """Models, findings and how often each layer was used and ran: nothing is lost, and nothing counts twice,
    wherever it was stopped."""
    def all_of(one):
        rows = [one.store.counts(), {row["model"]: row["times"] for row in one.store.findings()},
                one.coverage.layers, one.coverage.cells]
        return json.dumps([sorted(map(repr, row.items())) for row in rows])

    whole = campaign_of(folder="whole")
    whole.run(6)

    def stopped(name, *calls):
        method, count = getattr(campaign.Campaign, name), iter(range(100))

        def call(self, *arguments):
            if next(count) in calls:
                raise KeyboardInterrupt
            return method(self, *arguments)

        monkeypatch.setattr(campaign.Campaign, name, call)

    stopped("_put", 1, 3)  # it ran, and nothing of that is written
    stopped("_keep", 0, 2)  # in the midst of what is written
    stops = 0
    while True:
        parts = campaign_of(folder="parts")
        try:
            parts.run(6 - sum(parts.store.counts().values()))
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops == 4
    assert all_of(parts) == all_of(whole)


def test_what_is_in_the_middle_of_a_model_is_ended_too(campaign_of):
    """After Ctrl-C nobody waits for models that are under way, and no process of theirs is left."""
    one = campaign_of(body="time.sleep(60)")
    config = one.generator.model(1, 4)
    made = {"number": 0, "config": config, "engine": one._engine_of(config), "apart": {}}
    thread = threading.Thread(target=job.run, args=(one.specification, made), daemon=True)
    thread.start()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        runners = [runner for some in job._busy.values() for runner in some]
        if runners and all(backend._process for backend in runners[0].fleet.all):
            break
        time.sleep(0.02)
    (runner,) = runners
    started = [backend._process._process for backend in runner.fleet.all]
    job.close(one.specification)
    thread.join(10)
    assert not thread.is_alive() and all(one.poll() is not None for one in started)
    assert not runner.fleet.start() and runner.fleet.notes[0] == "jax is left out: it was ended"


def test_shapes_that_are_compared_go_on_with_the_layers_that_were_used(campaign_of):
    """They forgot them, and drew the same layers again."""
    first = campaign_of(only_shapes=True)
    first.run(3)
    used = dict(first.coverage.layers)
    assert used and dict(campaign_of(only_shapes=True).coverage.layers) == used


def test_a_disk_that_is_full_stops_a_campaign_and_is_no_finding(campaign_of):
    """The stand-in says what a worker says when its results cannot be written."""
    body = 'print(json.dumps({"status": "unwritten", "reason": "x.npz: No space left on device"}), ' \
        "flush=True); continue"
    one = campaign_of(body=body)
    with pytest.raises(OSError, match="No space left"):
        one.run(3)
    assert one.store.findings() == [] and one.store.counts().get("ok") is None


def test_a_folder_that_cannot_be_written_is_said_and_the_finding_is_kept(campaign_of, monkeypatch):
    def full(folder, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(campaign.results, "write", full)
    told = Told()
    summary = campaign_of(told).run(8)
    assert len(summary["findings"]) == 1 and "folder" not in summary["findings"][0]
    assert told.said and "cannot be written: No space left on device" in told.said[0]


def test_a_model_that_all_refuse_is_kept(campaign_of, tmp_path):
    """It should have been valid: somebody has to look at it."""
    body = 'print(json.dumps({"status": "failed", "reason": "ValueError: no"}), flush=True); continue'
    made = campaign_of(body=body, off_body=body)
    summary = made.run(3)
    assert summary["models"]["refused"] == 3 and summary["refused"] == ["ValueError: no; ValueError: no"]
    config = json.loads((tmp_path / "results" / "refused-00002.json").read_text())
    assert config["config"]["layers"][0]["class_name"] == "InputLayer"


class Refusing:
    """A backend of some release, which does not run layers of some names."""

    def __init__(self, keras, *names):
        self.versions, self.names, self.asked = {"keras": keras}, names, 0
        self.answer = {"reason": "ValueError: rank"}

    def ask(self, task):
        assert task["do"] == "infer" and task["run"]
        self.asked += len(task["layers"])
        return {"status": "ok", "layers": [
            self.answer if row["config"]["class_name"] in self.names else {"outputs": []}
            for row in task["layers"]]}


def test_what_a_release_refuses_on_all_of_its_backends_is_not_drawn(campaign_of):
    """Hashing of rank 3 raised in Keras 3.0.0 when it ran. What some backends raise is for the comparison."""
    layers = [{"config": {"class_name": name, "config": {"units": 3}}, "inputs": [[[None, 2, 3], "float32"]]}
              for name in ("Dense", "Flatten", "Rescaling")]
    made = campaign_of()
    made.fleet.there = backends = [Refusing("3.0.0", "Dense", "Flatten"), Refusing("3.0.0", "Flatten"),
                                   Refusing("3.0", "Rescaling")]
    assert [row.get("reason") for row in made._infer(layers)] == [
        None, "Keras 3.0.0: ValueError: rank", None]
    # The engine is of 3.0 itself; only what the first refuses is asked of the second.
    assert [backend.asked for backend in backends] == [3, 2, 0]
    # One gives it in another shape, one not at all: nothing may take it.
    backends[1].answer = backends[2].answer = {"outputs": [], "apart": "(None, 2) by Keras's word"}
    for made.fleet.there in (backends, backends[1::-1]):
        assert [row.get("apart") for row in made._infer(layers)] == [
            None, "Keras 3.0.0: (None, 2) by Keras's word", None]


@pytest.mark.parametrize("seen, alone", [(True, []), (False, [("Flatten", ["shapeflow"], ["jax", "torch"])])])
def test_a_layer_whose_shape_is_another_one_is_listed(campaign_of, monkeypatch, seen, alone):
    """Once in the summary; and where no backend says so it is the engine that is wrong."""
    words = "(None, 2) by Keras's word, (2, 3) when it runs"
    monkeypatch.setattr(Table, "infer", lambda self, layers: [
        {**made, "apart": words} if one["config"]["class_name"] == "Flatten" else made
        for one, made in zip(layers, engine(layers))])
    body = """misfits = {row["name"]: "x" for row in json.load(open(task["folder"] + "/model.json"))["config"]
               ["layers"] if row["class_name"] == "Flatten"}""" if seen else "misfits = {}"
    made = campaign_of(body=body)
    summary = made.run(6)
    ((layer, told, times),) = summary["apart"]
    assert (layer, told) == ("Flatten", words) and times > 1
    shapes = [row for row in summary["findings"] if row["kind"] == "shape"]
    assert alone == [(row["class"], row["backends"], row["against"]) for row in shapes
                     if "shapeflow" in row["backends"]]
    assert len(shapes) == 1 and os.listdir(shapes[0]["folder"])
    assert campaign_of().run(0)["apart"] == summary["apart"]  # also when it goes on


def test_a_backend_that_crashes_is_a_finding_and_the_campaign_goes_on(campaign_of):
    summary = campaign_of(body="os.abort()").run(2)
    assert sum(summary["models"].values()) == 2
    assert {(row["kind"], tuple(row["backends"])) for row in summary["findings"]} == {("crash", ("jax",))}


def test_a_worker_of_the_cluster_is_killed_and_no_result_is_lost(campaign_of):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        first = {worker.process.pid for worker in cluster.workers.values()}

        def kill(done):
            if done == 3:
                os.kill(min(first), signal.SIGKILL)

        told = Told(kill)
        # Long enough that work is under way when the worker dies.
        summary = campaign_of(told, body="time.sleep(0.2)").run(14, dask=cluster.scheduler_address)
        assert {worker.process.pid for worker in cluster.workers.values()} != first
    assert sum(summary["models"].values()) == 14 == told.done
    assert set(summary["models"]) <= {"ok", "stuck"} and summary["models"]["ok"] >= 12
    assert len(summary["findings"]) == 1


# --- parallel -------------------------------------------------------------------------------------------
def test_items_are_taken_when_a_worker_is_free():
    taken, hold = [], threading.Event()

    def items():
        for i in range(10):
            taken.append(i)
            yield i

    def work(i):
        hold.wait(20)
        if i == 4:
            raise ValueError("four")
        return i * i

    results = parallel.each(work, items(), 3)
    hold.set()
    first = next(results)
    assert len(taken) == 3 and first[1] == first[0] ** 2
    rest = dict(results)
    assert len(rest) == 9 and isinstance(rest.pop(4), ValueError)
    assert all(value == key * key for key, value in rest.items())


def test_a_cluster_that_is_not_there_is_said():
    with pytest.raises(parallel.NoCluster, match="--dask"):
        list(parallel.each(abs, [1], dask="tcp://127.0.0.1:1"))


# --- progress -------------------------------------------------------------------------------------------
def test_progress_is_a_line_for_each_step_where_nobody_looks(capsys):
    shown = progress.Progress(2, "models")
    shown.step("0 findings")
    shown.step("1 findings")
    shown.close()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("shapeflow: 1/2 models, ") and lines[0].endswith(" a minute, 0 findings")
    assert len(lines) == 2


def test_progress_is_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = progress.Progress(4, "models")
    shown.step()
    shown.say("note")
    shown.step()
    shown.close()
    err = capsys.readouterr().err
    assert "\r[######..................] 1/4 models, " in err and " left" in err
    assert "[############............] 2/4" in err and "shapeflow: note\n" in err and err.endswith("\n")


@pytest.mark.parametrize("seconds, text", [(0, "0:00"), (61, "1:01"), (3700, "1:01:40")])
def test_times(seconds, text):
    assert progress._time(seconds) == text
