"""What a check costs grows with its findings, and not with their square. Calls of functions are counted,
in all processes of the command, since the time depends on who else uses the machine."""
import sys

import pytest

from command import environment, shapeflow

needs_columns = pytest.mark.skipif(sys.version_info < (3, 11),
                                   reason="expressions are told apart by their columns")

# Python runs it when it starts. The script's process is forked, and keeps what it set but no open file: it
# leaves its count in memory that both see.
COUNTING = """
import atexit, mmap, os, sys
shared = mmap.mmap(-1, 8)
counted = [0]
leave, first = os._exit, os.getpid()

def count(frame, event, argument):
    if event == "call" or event == "c_call":
        counted[0] += 1

def write(status):
    sys.setprofile(None)
    if os.getpid() != first:
        shared[:] = counted[0].to_bytes(8, "little")
    else:
        with open(os.environ["COUNTS_OF_CALLS"], "w") as stream:
            print(counted[0], int.from_bytes(shared[:], "little"), file=stream)
    leave(status)

os._exit = write
sys.setprofile(count)
"""


def calls_of(folder, source, findings):
    """How many calls `shapeflow check` makes of a script with so many errors."""
    (folder / "start").mkdir(exist_ok=True)
    (folder / "start" / "sitecustomize.py").write_text(COUNTING)
    (folder / "many.py").write_text(source)
    counts = folder / "counts"
    done = shapeflow(folder, "check", "--no-suggestions", "--no-cache", "many.py", env=environment(
        PYTHONPATH=str(folder / "start"), COUNTS_OF_CALLS=str(counts), PYTHONHASHSEED="0"))
    assert done.returncode == 1 and f"{findings} errors" in done.stderr, done.stderr
    supervisor, script = map(int, counts.read_text().split())
    assert script > supervisor / 2
    return supervisor + script


def eager(n):
    return "import tensorflow as tf\na = tf.zeros([3, 4])\n" + "".join(
        f"b{i} = tf.zeros([5, {i + 6}])\nc{i} = tf.matmul(a, b{i})\n" for i in range(n))


def methods(n):
    """Expressions of several lines, attributes, parameters and local names."""
    return "import tensorflow as tf\nx = tf.zeros([3, 4])\n" + "".join(f"""class Net{i}:
    def __init__(self):
        self.w = tf.zeros([{i + 6}, 2])
    def call(self, x):
        h = x + tf.zeros([4])
        return (tf.nn.relu(h)
                .__add__(
                    self.w))
y{i} = Net{i}().call(x)
""" for i in range(n))


def feeds(n):
    return "import tensorflow as tf\ns = tf.Session()\n" + "".join(f"""\
p{i} = tf.placeholder(tf.float32, [3, {i + 6}])
value{i} = [[1., 2.]]
try:
    s.run(p{i}, feed_dict={{p{i}: value{i}}})
except ValueError:
    pass
""" for i in range(n))


@needs_columns
@pytest.mark.parametrize("script", [eager, methods, feeds])
def test_a_hundred_errors_cost_a_hundred_times_one(tmp_path, script):
    some, more, many = (calls_of(tmp_path, script(n), n) for n in (20, 60, 100))
    assert many - more < 1.15 * (more - some), (some, more, many)
