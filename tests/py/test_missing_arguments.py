"""Arguments that a program was not given: they are made up when it could not be run to its end without."""
import pytest

from command import environment, shapeflow, write
from shapeflow.checker.missing_arguments import _argv_length

TF = "import sys\nimport numpy as np\nimport tensorflow as tf\n"
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 5]))\n"
ARGPARSE = "import argparse\np = argparse.ArgumentParser()\n"
FLAGS = "flags = tf.app.flags\n"

# What the program wants, and the names that are said to be made up.
PROGRAMS = {
    "positional": (ARGPARSE + "p.add_argument('folder')\na = p.parse_args()\n", "folder"),
    "several": (ARGPARSE + "p.add_argument('files', nargs='+')\nassert p.parse_args().files\n", "files"),
    "two": (ARGPARSE + "p.add_argument('ab', nargs=2)\na = p.parse_args()\nassert len(a.ab) == 2\n", "ab"),
    "required": (ARGPARSE + "p.add_argument('-d', '--data', required=True)\na = p.parse_args()\n", "--data"),
    "a choice": (ARGPARSE + "p.add_argument('mode', choices=['train', 'test'])\n"
                 "assert p.parse_args().mode == 'train'\n", "mode"),
    "a number": (ARGPARSE + "p.add_argument('--n', type=int, required=True)\n"
                 "assert isinstance(p.parse_args().n, int)\n", "--n"),
    "a float": (ARGPARSE + "p.add_argument('--rate', type=float, required=True)\n"
                "assert isinstance(p.parse_args().rate, float)\n", "--rate"),
    "a command": (ARGPARSE + "s = p.add_subparsers(dest='what')\ns.required = True\n"
                  "s.add_parser('fit').add_argument('x')\nassert p.parse_args().what == 'fit'\n", "what, x"),
    "an option that the program looks at": (
        ARGPARSE + "p.add_argument('--data_dir')\np.add_argument('--name')\na = p.parse_args()\n"
        "if not a.data_dir:\n    raise ValueError('give --data_dir')\nassert a.name is None\n", "--data_dir"),
    "a path that is None": (
        ARGPARSE + "p.add_argument('--labels')\np.add_argument('--weights_path')\n"
        "def read(path):\n    return open(path).read()\nread(p.parse_args().weights_path)\n",
        "--weights_path"),
    "usage": ("if len(sys.argv) != 2:\n    print('usage')\n    sys.exit()\n", "sys.argv[1]"),
    "sys.argv": ("a, b = sys.argv[1], int(sys.argv[2])\nx = np.load(a)\n", "sys.argv[1], sys.argv[2]"),
}
FLAGGED = {
    "an empty flag": (FLAGS + "flags.DEFINE_string('data_dir', '', '')\nif not flags.FLAGS.data_dir:\n"
                      "    raise ValueError('no --data_dir')\n", "--data_dir"),
    "a flag that is asserted": (FLAGS + "flags.DEFINE_string('pattern', None, '')\n"
                                "flags.DEFINE_string('other', None, '')\nassert flags.FLAGS.pattern\n"
                                "assert flags.FLAGS.other is None\n", "--pattern"),
    "files of it": (FLAGS + "flags.DEFINE_string('pattern', None, '')\nassert flags.FLAGS.pattern\n"
                    "names = tf.gfile.Glob(flags.FLAGS.pattern)\ntf.train.string_input_producer(names)\n",
                    "--pattern"),
}


def check(folder, text, *options, arguments=()):
    write(folder, program=text)
    return shapeflow(folder, "check", "--no-cache", "--no-suggestions", *options, "program.py", "--",
                     *arguments)


@pytest.mark.parametrize("name", [*PROGRAMS, *FLAGGED])
def test_a_program_that_wants_arguments_is_checked_to_its_end(name, tmp_path):
    text, made_up = {**PROGRAMS, **FLAGGED}[name]
    options = ("--tf-version", "1.15.0") if name in FLAGGED else ()
    done = check(tmp_path, TF + text + BUG, *options)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "SF1" in done.stdout and "could not be run" not in done.stderr
    assert f"are made up: {made_up} (pass them after --" in done.stderr


def test_what_depends_on_a_number_that_is_made_up_is_not_reported(tmp_path):
    text, _ = PROGRAMS["a number"]
    done = check(tmp_path, TF + text + "tf.matmul(tf.zeros([2, 3]), tf.zeros([p.parse_args().n, 5]))\n")
    assert done.returncode != 1, done.stdout


def test_arguments_that_are_given_are_left_alone(tmp_path):
    text = ARGPARSE + "p.add_argument('n', type=int)\np.add_argument('--data_dir')\na = p.parse_args()\n" \
                      "assert (a.n, a.data_dir) == (3, None)\n"
    done = check(tmp_path, TF + text + BUG, arguments=["3"])
    assert done.returncode == 1 and "made up" not in done.stderr


def test_a_program_that_fails_all_the_same_fails_in_its_first_words(tmp_path):
    text = ARGPARSE + "p.add_argument('--data_dir')\na = p.parse_args()\n" \
                      "if a.data_dir is None or type(a.data_dir) is not int:\n" \
                      "    raise MemoryError('not that %s' % a.data_dir)\n"
    done = check(tmp_path, TF + text + BUG)
    assert done.returncode == 3 and "MemoryError: not that None" in done.stderr
    assert "made up" not in done.stderr


def test_a_program_that_wants_nothing_is_run_once(tmp_path):
    done = check(tmp_path, TF + ARGPARSE + "p.add_argument('--log_dir')\np.parse_args()\n" + BUG)
    assert done.returncode == 1 and "made up" not in done.stderr


def test_fixes_are_tried_with_the_arguments_that_were_made_up(tmp_path):
    write(tmp_path, program=TF + ARGPARSE + "p.add_argument('--size', type=int, required=True)\n"
                                            "rows = tf.zeros([p.parse_args().size, 4])\n" + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "program.py",
                     env=environment(SHAPEFLOW_NO_SUGGESTIONS=""))
    assert done.returncode == 1 and "help: write 3 instead of 2 on line 8" in done.stdout, done.stdout


@pytest.mark.parametrize("source, length", [
    ("", 0), ("import sys", 0), ("x = sys.argv[1]", 2), ("from sys import argv\nx = argv[3] + argv[1]", 4),
    ("if len(sys.argv) < 3: pass", 3), ("if len(sys.argv) <= 3: pass", 4), ("if len(argv) != 2: pass", 2),
    ("if len(sys.argv) > 3: pass", 0), ("my_argv[7]", 0), ("sys.argv[12345]", 0),
])
def test_how_many_arguments_a_text_expects(source, length):
    assert _argv_length(source) == length


def test_what_a_program_refuses_of_made_up_arguments_is_passed_over(tmp_path):
    text = ARGPARSE + "p.add_argument('--net')\na = p.parse_args()\n" \
                      "if a.net is None:\n    raise ValueError('give --net')\n" \
                      "if a.net.count('x') != 9:\n    raise ValueError('which net?')\n"
    done = check(tmp_path, TF + text + BUG)
    assert done.returncode == 1 and "program.py:11 was passed over" in done.stderr


def test_what_a_program_compares_a_made_up_argument_with_it_is(tmp_path):
    text = ARGPARSE + "p.add_argument('--net')\na = p.parse_args()\n" \
                      "if a.net is None:\n    raise ValueError('give --net')\n" \
                      "if a.net not in ('small', 'large'):\n    raise ValueError('which net?')\n"
    done = check(tmp_path, TF + text + BUG)
    assert done.returncode == 1 and "passed over" not in done.stderr
