"""Where something unknown decides whether a turn of a loop is left out, some turns are and some are not."""
import ast

import pytest

from command import report_of, write
from shapeflow.api.loop_breaks import loops_broken

LOOP = "for row in rows:\n    if {test}:\n        {body}\n    use(row)\n"
ROWS = """\
import json
import tensorflow as tf
kept, left = [], []
for row in json.load(open("rows.json")):
    if row["bad"] or row["split"] == "test":
        left.append(row)
        continue
    kept.append(row)
if kept and left:
    tf.matmul(tf.zeros([2, 3]), tf.zeros([%d, 4]))
"""
EPISODES = """\
import gym
import numpy as np
import tensorflow as tf
env = gym.make("CartPole-v0")
states = tf.placeholder(tf.float32, [None, 4])
actions = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(states, env.action_space.n)
chances, loss = tf.nn.softmax(logits), tf.losses.sparse_softmax_cross_entropy(actions, logits)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(20):
        seen, taken, state = [], [], env.reset()
        while True:
            chance = session.run(chances, {states: state[np.newaxis, :]})
            taken.append(np.random.choice(range(chance.shape[1]), p=chance.ravel()))
            seen.append(state)
            state, reward, done, _ = env.step(taken[-1])
            if done:
                break
        session.run(loss, {states: np.vstack(seen), actions: np.array(taken)%s})
"""


def lines_of_errors(folder, text):
    write(folder, train=text)
    report, _ = report_of(folder)
    return [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]


@pytest.mark.parametrize("test, body, expected", [
    ("row.bad", "break", (1, False)),
    ("row.bad", "continue", (1, True)),
    ("row.bad or row.old", "other.append(row); continue", (1, True)),
    ("not row.good", "continue", None),  # holds where row.good does not: the loop goes on as it is
    ("row.bad", "use(row)", None),
])
def test_what_a_condition_breaks(test, body, expected):
    broken = loops_broken(ast.parse(LOOP.format(test=test, body=body))).get(2)
    assert (broken and (broken[0].lineno, broken[1])) == expected


def test_an_else_says_what_happens_otherwise():
    text = "for row in rows:\n    if row.bad:\n        continue\n    else:\n        use(row)\n"
    assert loops_broken(ast.parse(text)) == {}


@pytest.mark.parametrize("rows, errors", [(3, []), (5, [10])])
def test_turns_are_left_out_and_are_not(tmp_path, rows, errors):
    """Every turn was left out: what the loop would have kept was an empty list."""
    assert lines_of_errors(tmp_path, ROWS % rows) == errors


@pytest.mark.parametrize("index, errors", [("", []), ("[:, None]", [20])])
def test_a_value_of_another_rank_is_fed(tmp_path, index, errors):
    """How many turns a loop has is made up; that of a list of numbers and a new axis there are two is not."""
    assert lines_of_errors(tmp_path, EPISODES % index) == errors


@pytest.mark.parametrize("fed, fed_again, is_same", [
    ("(16, 1)", "(32, 1)", True),
    ("(16,)", "(32,)", False),  # how many there are is made up
    ("(16, 1)", "(16,)", False),
])
def test_the_rank_of_what_is_fed_is_not_made_up(fed, fed_again, is_same):
    """A finding of two runs, of which each made up another number of turns."""
    from types import SimpleNamespace

    from shapeflow.sandbox.second_run import _is_same_conflict
    text = "Cannot feed value of shape %s for Tensor 'x:0', which has shape '(64,)'"
    both = [SimpleNamespace(message=text % shape, arguments=[]) for shape in (fed, fed_again)]
    assert _is_same_conflict(*both) is is_same
