"""Lists of what nobody knows, fed: they have as many items as they have, of the shape that these share."""
import pytest

from command import report_of, write

TEXT = """\
import gym
import numpy as np
import tensorflow as tf
env = gym.make("CartPole-v0")
state, reward, done, info = env.step(env.action_space.sample())
table = np.load("table.npy")
wanted = tf.placeholder(tf.float32, {shape})
twice = wanted * 2
with tf.Session() as session:
    session.run(twice, {{wanted: {fed}}})
"""
CASES = [
    ("[reward] * 5", "[None]", True), ("[reward] * 5", "[None, 3]", False), ("[reward] * 5", "[4]", False),
    ("[[reward, reward], (reward, reward)]", "[None, 2]", True),
    ("[[reward, reward], (reward, reward)]", "[None, 3]", False),
    ("[state, state]", "[None, 4]", True), ("[state, state]", "[None, 5]", False),
    ("(state, np.zeros(4))", "[None, 4]", True), ("(state, np.zeros(4))", "[None, 5]", False),
    ("[state, [reward] * 4]", "[2, 4]", True), ("[state, [reward] * 4]", "[3, 4]", False),
    # Of what is in it nobody knows the shape, or numpy alone knows what it makes of them.
    ("[table, table]", "[None, 3]", True), ("[reward, table]", "[None, 3]", True),
    ("[state, reward]", "[None, 3]", True), ("[reward, np.array([None])]", "[None, 3]", True)]


@pytest.mark.parametrize("fed, shape, fits", CASES)
def test_a_list_of_unknown_values(tmp_path, fed, shape, fits):
    write(tmp_path, train=TEXT.format(fed=fed, shape=shape))
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF301"] * (not fits), \
        done.stdout


# How long a list is that a loop over something unknown fills nobody knows, and how many parts a line has that
# is split at one place says nothing of another.
MADE_UP = {
    "turns of a loop": "import absent_rows\nrows = [np.zeros(4) for row in absent_rows.read()]\nwidth = 4\n",
    "steps of an episode": "import gym\nenv = gym.make('CartPole-v0')\nenv.reset()\nrows, done = [], False\n"
                           "while not done:\n    state, reward, done, _ = env.step(0)\n"
                           "    rows.append(state)\nwidth = 4\n",
    "turns before a loop breaks": "import absent_rows\nrows = []\nfor i in range(200):\n"
                                  "    rows.append(np.zeros(4))\n"
                                  "    if absent_rows.over():\n        break\nwidth = 4\n",
    "turns of a while": "import absent_rows\nrows = []\nwhile absent_rows.more():\n"
                        "    rows.append(np.zeros(4))\nwidth = 4\n",
    "parts of other lines": "pairs = [line.split(',') for line in open('pairs.txt')]\n"
                            "source, target = zip(*pairs)\n"
                            "rows = [[float(v) for v in line.split(',')] for line in open('rows.txt')][:32]\n"
                            "width = 300\n",
}


@pytest.mark.parametrize("name", MADE_UP)
def test_what_is_made_up_is_no_error(tmp_path, name):
    text = "import numpy as np\nimport tensorflow as tf\n" + MADE_UP[name] + """\
wanted = tf.placeholder(tf.float32, [32, width])
twice = wanted * 2
with tf.Session() as session:
    session.run(twice, {wanted: rows})
"""
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert not [f for f in report["findings"] if f["severity"] == "error"], done.stdout
    assert report["scripts"][0]["failure"] is None
