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
