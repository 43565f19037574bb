"""Texts that nobody knows, and what regular expressions and questions about texts say of them."""
from command import report_of, write

PATTERNS = """\
import re
import tensorflow as tf
COMPILED = re.compile(r"(?P<key>\\w+)=(\\d+)")
BLANK = re.compile(r"^\\s*$")
assert isinstance(COMPILED, re.Pattern)
text = open("absent.txt").read()  # from here on something is unknown
NAME = re.compile(r"p(\\d+)_(\\d+)[.]wav")
assert isinstance(NAME, re.Pattern) and re.compile(NAME) == NAME and {NAME: 1}[NAME] == 1
# Real texts are asked as ever.
real = NAME.match("p3_4.wav")
assert real.groups() == ("3", "4") and type(real) is re.Match and NAME.match("other") is None
assert re.sub(NAME, "x", "p3_4.wav") == "x" and NAME.split("ap1_2.wavb") == ["a", "1", "2", "b"]
assert re.match("a", "b") is None and re.findall(NAME, "p1_2.wav p3_4.wav") == [("1", "2"), ("3", "4")]
assert re.search("P", "p", re.I) and re.split(",", "a,b", maxsplit=1) == ["a", "b"]
# What nobody knows matches, whole and in parts.
found = NAME.match(text)
assert found and found.group() == text and found.group(1) == found[1] and len(found.groups()) == 2
assert int(found.group(1)) >= 0 and found.span()[0] == 0 and isinstance(found.expand("x"), str)
try:
    found.group(3)
    raise AssertionError("no such group was there")
except IndexError:
    pass
named = COMPILED.search(text)
assert named.group("key") == named.groupdict()["key"]
assert re.search("(?P<a>zzz)", text).group("a") and re.fullmatch(pattern="zzz", string=text)
pairs = NAME.findall(text)
assert pairs and all(len(pair) == 2 for pair in pairs)
assert list(re.finditer("zzz", text)) and list(NAME.finditer(text))
assert isinstance(re.sub("1", "x", text), str) and isinstance(re.split("zzz", text)[0], str)
assert not BLANK.match(text)  # few lines are blank
while re.search("zzz", text):  # it ends
    pass
cut = re.sub("zz", "", text)
assert re.search("zz", text) and not re.search("zz", cut) and not re.compile("zz").search(cut)
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
"""

QUESTIONS = """\
import tensorflow as tf
seen = {"blank": 0, "full": 0, "digit": 0, "word": 0, "comment": 0, "one": 0, "other": 0, "in": 0, "out": 0}
for number, line in enumerate(open("absent.txt")):
    seen["in" if "->" in line else "out"] += 1
    line = line.strip()
    if not line:
        seen["blank"] += 1
        continue
    assert bool(line)  # it stays what it is
    if line.startswith("#"):
        assert line.startswith("#")
        seen["comment"] += 1
        continue
    seen["full"] += 1
    seen["digit" if line.isdigit() else "word"] += 1
    seen["one" if int(line.split()[0]) == 1 else "other"] += 1
assert all(seen.values()), seen
for _ in range(30):  # more lines than a place may be told of, and each comes to an end
    for line in open("absent.txt"):
        while "  " in line:
            line = line.replace("  ", " ")
lengths = {len(line.split()) > 0 for line in open("absent.txt")}
assert lengths == {True, False}, lengths
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))
"""

SIZES = """\
import pickle
import numpy as np
import tensorflow as tf
n = len(pickle.load(open("absent.pkl", "rb"))["x"])
k = pickle.load(open("absent.pkl", "rb"))["k"]
v = tf.Variable(tf.zeros([k, 3]))
assert v.shape.as_list() == [None, 3], v.shape
assert tf.zeros([k, 3]).shape.as_list() == [None, 3] == tf.random_normal([k, 3]).shape.as_list()
assert tf.random_uniform((k, 3), minval=-k, maxval=k).shape.as_list() == [None, 3]
assert tf.constant(0.1, shape=[k, 3]).shape.as_list() == [None, 3]
assert tf.Variable(np.random.normal(size=(k, 3))).shape.as_list() == [None, 3]
assert tf.Variable(np.random.rand(k, 3), dtype=tf.float32).shape.as_list() == [None, 3]
assert tf.constant(np.random.randint(0, 5, (k, 3))).shape.as_list() == [None, 3]
cell = tf.nn.rnn_cell.GRUCell(k)
assert cell(tf.zeros([2, 5]), cell.zero_state(2, tf.float32))[0].shape.ndims == 2
x = tf.placeholder(tf.float32, [None, 4])
tf.matmul(x, v)  # of v only the columns are known
tf.matmul(tf.placeholder(tf.float32, [None, 4]), tf.transpose(v))
"""


def test_a_pattern_matches_what_nobody_knows(tmp_path):
    write(tmp_path, train=PATTERNS)
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


def test_lines_are_blank_and_begin_as_the_program_asks(tmp_path):
    write(tmp_path, train=QUESTIONS)
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


def test_sizes_that_nobody_knows_leave_the_rank_and_other_dims(tmp_path):
    """TensorFlow 1: what is known of them is enough for a finding."""
    write(tmp_path, train=SIZES)
    report, done = report_of(tmp_path)
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [18], done.stdout
