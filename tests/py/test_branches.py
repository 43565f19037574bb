"""What only a run refuses, in a branch or body that may never run: the run reports it, at its line. As real
TensorFlow 2.21 answers; what its construction refuses is reported at once."""
import numpy as np
import pytest

import shapeflow as tf
from shapeflow import _core

v1 = tf.compat.v1
InvalidArgument = tf.errors.InvalidArgumentError


pytestmark = pytest.mark.usefixtures("eager")


def errors():
    return [f for f in _core.findings() if f.severity == "error"]


def crop(x=None):
    return tf.image.random_crop(tf.ones([2, 2]) if x is None else x, [4, 4] if x is None else [10, 10, 3])


def asserting():
    fits = tf.reduce_all(tf.greater_equal(tf.shape(tf.ones([2, 2])), [4, 4]))
    with tf.control_dependencies([v1.Assert(fits, ["no"])]):
        return tf.ones([2, 2])


def comparing():
    with tf.control_dependencies([v1.assert_equal(tf.shape(tf.ones([2, 2]))[0], 3)]):
        return tf.ones([2, 2])


LATENT = {
    "random_crop": crop,
    "Assert": asserting,
    "assert_equal": comparing,
    "gather": lambda: tf.gather(tf.ones([3, 2]), [0, 5]),
    "slice": lambda: tf.slice(tf.ones([3, 3]), [2, 0], [2, 2]),
}


@pytest.mark.parametrize("make", list(LATENT.values()), ids=list(LATENT))
def test_a_branch_that_is_not_taken_is_not_reported(make):
    with tf.Graph().as_default(), v1.Session() as session:
        taken = v1.placeholder(tf.bool, [])
        chosen = v1.cond(taken, make, lambda: tf.ones([2, 2]))
        assert not errors()
        assert session.run(chosen, {taken: False}).shape == (2, 2)
        assert not errors()
        with pytest.raises(InvalidArgument):
            session.run(chosen, {taken: True})
        assert len(errors()) == 1


@pytest.mark.parametrize("make", list(LATENT.values()), ids=list(LATENT))
def test_elsewhere_it_is_reported_where_it_is_made(make):
    with tf.Graph().as_default():
        try:
            make()
        except InvalidArgument:  # assert_equal says so at once
            pass
        assert len(errors()) == 1


@pytest.mark.parametrize("make", [lambda: tf.matmul(tf.ones([2, 2]), tf.ones([4, 4])),
                                  lambda: tf.reshape(tf.ones([2, 2]), [3]), lambda: v1.assert_equal(1, 2)])
def test_construction_refuses_in_any_branch(make):
    with tf.Graph().as_default():
        taken = v1.placeholder(tf.bool, [])
        with pytest.raises((ValueError, InvalidArgument)):
            v1.cond(taken, make, lambda: tf.ones([2, 2]))
        assert len(errors()) == 1


def test_a_loop_that_never_turns():
    with tf.Graph().as_default(), v1.Session() as session:
        turns = v1.placeholder(tf.int32, [])
        _, last = tf.while_loop(lambda i, x: i < turns, lambda i, x: (i + 1, tf.gather(x, [5, 0, 0])),
                                [0, tf.ones([3])])
        assert not errors()
        assert session.run(last, {turns: 0}).shape == (3,)
        with pytest.raises(InvalidArgument, match=r"indices\[0\] = 5 is not in \[0, 3\)"):
            session.run(last, {turns: 2})


def guarded(x):
    return tf.cond(tf.shape(x)[0] >= 10, lambda: crop(x), lambda: tf.zeros([10, 10, 3]))


def test_the_guard_of_a_dataset_holds():
    small = tf.data.Dataset.from_tensor_slices(tf.zeros([4, 8, 8, 3])).map(guarded).batch(2)
    assert [x.shape.as_list() for x in small] == [[2, 10, 10, 3]] * 2
    kept = tf.data.Dataset.from_tensors(tf.zeros([4, 4, 3])).filter(lambda x: tf.shape(x)[0] > 9).map(crop)
    assert list(kept) == []
    assert not errors()


def test_a_dataset_is_judged_when_it_is_iterated():
    images = tf.data.Dataset.from_tensors(tf.zeros([4, 4, 3])).map(crop)
    assert not errors()
    with pytest.raises(InvalidArgument, match="Need value.shape >= size"):
        list(images)
    assert len(errors()) == 1
    with tf.Graph().as_default(), v1.Session() as session:
        following = v1.data.make_one_shot_iterator(
            v1.data.Dataset.from_tensors(np.zeros([4, 4, 3], np.float32)).map(crop)).get_next()
        with pytest.raises(InvalidArgument, match="Need value.shape >= size"):
            session.run(following)
