"""`"name" in unknown`: both branches are taken, and a condition that refuses lets the program go on."""
from command import report_of, write

PROGRAM = """\
import absent
import tensorflow as tf
x = absent.load()
def checked(x):
    if "a" not in x:
        raise ValueError("no a")
    if "b" in x:
        raise KeyError("b")
    assert "c" in x and "d" not in x
    return "e" in x
assert all(checked(x) is not None for _ in range(20))
found = {"width" in part.tag for part in x for _ in range(4)}
assert found == {True, False}, found
while "more" in x:
    x = absent.load()
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
"""


def test_what_is_in_something_unknown(tmp_path):
    write(tmp_path, train=PROGRAM)
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


INLINE = """\
import csv, pickle
import numpy as np
import tensorflow as tf
loaded = %s
word, *numbers = open("glove.txt").readline().split(" ")
assert len(numbers) > 1 and tf.zeros([2, 3]).shape == (2, 3)
"""


def test_a_reader_that_is_given_the_first_unknown_file(tmp_path):
    """It was looked up before anything was unknown."""
    for reader in ("pickle.load(open('a.pkl', 'rb'))['x'].shape",
                   "[row[3] for row in csv.reader(open('a.csv'))]"):
        write(tmp_path, train=INLINE % reader)
        report, done = report_of(tmp_path)
        assert done.returncode == 0, done.stdout
        assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


COMPARED = """\
import os
import tensorflow as tf
names = [name for name in os.listdir("data") if name != ".DS_Store" and not name == "__MACOSX"]
assert len(names) == len(os.listdir("data"))
kinds = {"train": 0, "test": 0, "": 0, "other": 0}
for line in open("list.txt"):
    name, kind, *rest = line.split()
    assert (kind == "train") == (kind == "train")  # it stays what it is
    if kind == "train":
        kinds["train"] += 1
    elif kind == "test":
        kinds["test"] += 1
    elif line == "\\n":
        kinds[""] += 1
    else:
        kinds["other"] += 1
assert all(kinds.values()), kinds
assert {"a": 1}.get(kind, 0) == 0 and (kind in {"train": 1}) is False
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
"""


def test_a_text_is_what_it_is_compared_with(tmp_path):
    write(tmp_path, train=COMPARED)
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


TURNS = """\
import absent
import tensorflow as tf
x = absent.load()
for episode in range(1000):
    if x.total(episode) > 400:
        print("solved")
        break
assert 0 < episode < 999, episode
turns = 0
while True:
    turns += 1
    if x.done or turns > 10_000: break
assert 2 < turns < 100, turns
for i in range(50):
    if not x.more(i):
        break
assert 2 < i < 49, i
for name in ("a", "b"):
    if name == x.name:
        break
else:
    raise KeyError(x.name)
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
"""


def test_a_loop_has_turns_before_something_unknown_breaks_it(tmp_path):
    write(tmp_path, train=TURNS)
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]
