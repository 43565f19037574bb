"""`# shapeflow: ignore` comments, and the baseline."""
import json

from command import WRONG, lines, shapeflow, write
from shapeflow.checker.ignores import comments_of

BODY = """import tensorflow as tf
x = tf.placeholder(tf.float32, [2, 3])
a = tf.matmul(x, x)  # shapeflow: ignore[SF101]
b = tf.matmul(x, x)  # shapeflow: ignore
c = tf.matmul(x, x)  # shapeflow: ignore[SF102]
d = tf.matmul(
    x,
    x)  # shapeflow: ignore[SF1, SF202]
e = tf.matmul(  # why # shapeflow:ignore[SF101] because
    x, x)
with tf.name_scope("s"):  # shapeflow: ignore
    f = tf.matmul(x, x)
g = tf.matmul(x, x), "# shapeflow: ignore"
"""


def spans(text):
    return [(c.first, c.last, sorted(c.codes)) for c in comments_of(text.splitlines(True))]


def test_what_a_comment_covers():
    assert spans("x = 1  # shapeflow: ignore[SF101,SF2]\n") == [(1, 1, ["SF101", "SF2"])]
    assert spans("x = [\n 1,  # shapeflow: ignore\n 2]\n") == [(1, 3, [])]
    assert spans("def f(a,  # shapeflow: ignore\n      b):\n    return a\n") == [(1, 2, [])]
    assert spans("@g  # shapeflow: ignore\ndef f():\n    pass\n") == [(1, 1, [])]
    assert spans("s = '''\n# shapeflow: ignore\n'''\n") == []
    assert spans("x = 1  # shapeflow: ignored\n") == []
    assert spans("x = 1  # shapeflow: ignore[]\n") == []
    assert spans("x = (  # shapeflow: ignore\n") == []


def test_findings_are_silenced_where_a_comment_says_so(tmp_path):
    write(tmp_path, s=BODY)
    done = shapeflow(tmp_path, "check", "--format", "concise", "s.py")
    assert [line for _, line, _ in lines(done)] == [5, 12, 13], done.stdout
    write(tmp_path, t=BODY.replace("[SF102]", "").replace("\nwith", "\nif 1: pass\nwith").replace(
        "    f = tf.matmul(x, x)", "    pass").replace("g = tf.matmul(x, x), ", ""))
    assert shapeflow(tmp_path, "check", "t.py").returncode == 0


def test_unused_comments_are_warned_of_when_asked(tmp_path):
    write(tmp_path, s=BODY, lib="y = 3  # shapeflow: ignore[SF301]\n", u="import lib\n" + WRONG.replace(
        "x)\n", "x)  # shapeflow: ignore[SF101, SF205]\n"))
    done = shapeflow(tmp_path, "check", "--format", "concise", "--warn-unused-ignores", "s.py")
    assert [(line, code) for _, line, code in lines(done) if code == "SF591"] == [
        (5, "SF591"), (8, "SF591"), (11, "SF591")]
    done = shapeflow(tmp_path, "check", "--format", "concise", "--warn-unused-ignores", "u.py")
    assert lines(done) == [("lib.py", 1, "SF591"), ("u.py", 4, "SF591")], done.stdout
    assert done.returncode == 0 and "SF205" in done.stdout
    done = shapeflow(tmp_path, "check", "--strict", "--warn-unused-ignores", "u.py")
    assert done.returncode == 1
    assert "SF591" not in shapeflow(tmp_path, "check", "u.py").stdout


def test_a_module_of_two_scripts_needs_its_comment_in_one_only(tmp_path):
    write(tmp_path, lib="import tensorflow as tf\n\ndef mul(x, y):\n"
                        "    return tf.matmul(x, y)  # shapeflow: ignore[SF101]\n",
          a="import tensorflow as tf\nfrom lib import mul\nmul(tf.placeholder('float32', [2, 3]), "
            "tf.placeholder('float32', [2, 3]))\n",
          b="import tensorflow as tf\nfrom lib import mul\nmul(tf.placeholder('float32', [3, 3]), "
            "tf.placeholder('float32', [3, 3]))\n")
    assert "SF591" in shapeflow(tmp_path, "check", "--warn-unused-ignores", "b.py").stdout
    done = shapeflow(tmp_path, "check", "--warn-unused-ignores", "a.py", "b.py")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


def test_baseline(tmp_path):
    two = WRONG + "z = tf.matmul(x, x)\n"
    write(tmp_path, s=two)
    done = shapeflow(tmp_path, "check", "--write-baseline", "--baseline", "known.json", "s.py")
    assert done.returncode == 0 and "2 findings written to known.json" in done.stderr
    content = json.loads((tmp_path / "known.json").read_text())
    assert [(f["path"], f["code"], f["text"], f["count"]) for f in content["findings"]] == [
        ("s.py", "SF101", "y = tf.matmul(x, x)", 1), ("s.py", "SF101", "z = tf.matmul(x, x)", 1)]

    def check(text):
        write(tmp_path, s=text)
        return shapeflow(tmp_path, "check", "--format", "concise", "--baseline", "known.json", "s.py")

    assert check(two).returncode == 0
    moved = check("import os\n" + two.replace("z =", "if os:\n    z =").replace("(x, x)", "( x, x)"))
    assert len(lines(moved)) == 2  # other text
    assert check("# a line\n\nimport os\n" + two.replace("z =", "\n\nz =")).returncode == 0
    third = check(two + "y = tf.matmul(x, x)\n")
    assert lines(third) == [("s.py", 5, "SF101")]
    (tmp_path / "known.json").write_text("{")
    assert check(two).returncode == 2
    (tmp_path / "known.json").unlink()
    done = check(two)
    assert done.returncode == 2 and "--write-baseline makes one" in done.stderr
