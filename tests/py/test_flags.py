"""tf.flags: what it takes, and that an installed absl has the same flags."""
import inspect

import pytest

from command import lines, need, shapeflow, write
from shapeflow.tensorflow.python.platform import flags as ours

TF_DEFINES = """import tensorflow as tf
from absl import app
flags = tf.compat.v1.flags
flags.DEFINE_integer("n", 3, "x")
flags.DEFINE_multi_string("many", None, "x")
flags.DEFINE_bool("b", True, "x")
def main(argv):
    from absl import flags as of_absl
    assert of_absl.FLAGS.n == flags.FLAGS.n and argv[1:] == ["rest"]
    assert (flags.FLAGS.many, of_absl.FLAGS.b) == (["x", "y"], False)
    flags.FLAGS.n += 1
    assert of_absl.FLAGS.n == flags.FLAGS.n == 6 and "n" in of_absl.FLAGS
    tf.ones([flags.FLAGS.n]) + tf.ones([7])
app.run(main)
"""
ABSL_DEFINES = """import tensorflow as tf
from absl import flags
flags.DEFINE_integer("n", 3, "x")
FLAGS = tf.compat.v1.flags.FLAGS
def main(argv):
    assert "n" in FLAGS and FLAGS["n"].value == flags.FLAGS.n and FLAGS.flag_values_dict()["n"] == 5
    FLAGS.n = flags.FLAGS.n + 1
    assert flags.FLAGS.n == 6
    tf.ones([FLAGS.n]) + tf.ones([7])
tf.compat.v1.app.run(main)
"""
PRIVATE = """import tensorflow as tf
from tensorflow.python.platform import app, flags
flags.DEFINE_integer("n", 3, "x")
def main(argv):
    assert flags.FLAGS.is_parsed() and tf.compat.v1.flags.FLAGS.n == 5
    tf.ones([flags.FLAGS["n"].value]) + tf.ones([7])
app.run(main)
"""


@pytest.mark.parametrize("version", ["1.15.0", "2.21.0"])
@pytest.mark.parametrize("program, arguments, line", [
    (TF_DEFINES, ["--n=5", "--many", "x", "--many=y", "--nob", "rest"], 13), (ABSL_DEFINES, ["--n=5"], 9),
    (PRIVATE, ["--n=5"], 6)], ids=["tf_defines", "absl_defines", "private"])
def test_absl_and_tensorflow_have_one_set_of_flags(tmp_path, program, arguments, line, version):
    need("absl")
    write(tmp_path, train=program)
    done = shapeflow(tmp_path, "check", "--format", "concise", "--no-suggestions", "--no-cache",
                     "--tf-version", version, "train.py", "--", *arguments)
    assert [found[1] for found in lines(done)] == [line], done.stdout + done.stderr


def test_a_definition_takes_the_parameters_of_absl(monkeypatch):
    monkeypatch.setitem(ours.FLAGS.__dict__, "__flags", {})
    for name in "string integer float bool boolean list enum multi_string multi_integer multi_enum".split():
        taken = list(inspect.signature(ours._MEMBERS["DEFINE_" + name]).parameters)
        assert taken[:2] == ["name", "default"] and "help" in taken and "required" in taken
    define = ours._MEMBERS["DEFINE_integer"]
    define(name="a", default=3, help="x", lower_bound=0, upper_bound=9)
    define(flag_name="b", default_value=4, docstring="x")
    with pytest.raises(TypeError):
        define("c", 3)
    ours._MEMBERS["DEFINE_multi_enum"]("d", "q", ["p", "q"], "x")
    values = ours.FLAGS
    assert values(["prog", "--a=5", "--d=p", "--d=q"]) == ["prog"]
    assert (values.a, values.b, values.d) == (5, 4, ["p", "q"])
    for wrong in -1, 10:
        with pytest.raises(ours.IllegalFlagValueError):
            values.a = wrong
    with pytest.raises(ours.IllegalFlagValueError):
        values(["prog", "--d=z"])
    assert values.a == 5


def test_values_and_defaults_of_flags_by_name(version):
    version("2.21.0", "eager")
    from shapeflow.tensorflow.python.platform import flags

    values = flags._FlagValues()
    values._define(flags.Flag("steps", 3, "", int))
    values._parse_flags([])
    assert values.get_flag_value("steps", 7) == 3
    values.set_default("steps", 5)
    assert values.steps == 5 and not values.is_gnu_getopt()
    values._flags()["steps"].take("1")
    values.set_default("steps", 9)
    assert values.get_flag_value("steps", 7) == 1
    with pytest.raises(flags.UnrecognizedFlagError, match="Unknown command line flag 'other'"):
        values.set_default("other", 1)
    with pytest.raises(AttributeError):
        values.get_flag_value("other", 1)
