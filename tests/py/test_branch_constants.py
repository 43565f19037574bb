"""What TensorFlow knows of constants inside the branches and loops of a graph: it reads one through the
Switch or the Enter by which it comes there, but evaluates no op behind it. Answers of the real 1.15."""

import pytest

from command import report_of, write

HEAD = """import tensorflow as tf
pred = tf.placeholder(tf.bool)
size = tf.stack([50, 100])
five = tf.constant(5)
of_zeros = tf.shape(tf.zeros([7, 8]))
any_shape = tf.placeholder(tf.float32, None)
def at(shapes):
    return [t.shape.as_list() for t in shapes]
def made():
    return at([tf.fill(size, 0), tf.reshape(any_shape, size), tf.tile(tf.zeros([2, 3]), size), tf.range(five),
               tf.reshape(any_shape, [-1, size[0]]), tf.fill(size * 1, 0), tf.fill(tf.identity(size), 0),
               tf.fill([five, 2], 0), tf.fill(tf.concat([size, [3]], 0), 0), tf.fill(size[0:1], 0),
               tf.fill([of_zeros[0], 2], 0), tf.fill(of_zeros, 0),
               tf.fill(tf.stack([tf.constant([3])[0], 4]), 0), tf.fill(tf.shape(tf.zeros([3, 4])) * 2, 0)])
seen = []
def body(i):
    seen.append(made())
    return i + 1
"""
DIRECT = "[[50, 100], [50, 100], [100, 300], [5], "
INSIDE = "[7, 8], [3, 4], [6, 8]]"
UNKNOWN = "[None, None], [None, None], [None, None], [None, 2], [None, None, 3], [None], [None, 2], "
OF_LOOP = "[None, None], [None, None], [None, None], [5, 2], [50, 100, 3], [50], [None, 2], "
PLACES = {"a branch": ("tf.cond(pred, lambda: body(0), lambda: 0)\n", UNKNOWN),
          "a branch in a loop": ("tf.while_loop(lambda i: i < 3, lambda i: tf.cond(pred, lambda: body(i), "
                                 "lambda: i), [0])\n", UNKNOWN),
          "a loop in a branch": ("tf.cond(pred, lambda: tf.while_loop(lambda i: i < 3, body, [0]), "
                                 "lambda: 0)\n", UNKNOWN),
          "a loop": ("tf.while_loop(lambda i: i < 3, body, [0])\n", OF_LOOP)}


@pytest.mark.parametrize("place", PLACES)
def test_constants_from_outside(place, tmp_path):
    call, expected = PLACES[place]
    text = HEAD + call + f"expected = {DIRECT}{expected}{INSIDE}\nassert seen[0] == expected, seen[0]\n"
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert report["scripts"][0]["failure"] is None and done.returncode == 0, done.stderr


def test_a_branch_that_would_be_wrong_and_is_not_taken(tmp_path):
    text = """import tensorflow as tf
masks = tf.random_uniform([15, 60, 40])
size = tf.stack([50, 100])
def resized():
    new = tf.image.resize_nearest_neighbor(tf.expand_dims(masks, 3), size)
    return tf.squeeze(new, axis=3)
def as_they_are():
    return tf.reshape(masks, [-1, size[0], size[1]])
made = tf.cond(tf.shape(masks)[0] %s 0, resized, as_they_are)
with tf.Session() as sess:
    assert sess.run(made).shape == (15, 50, 100)
"""
    write(tmp_path, train=text % ">")
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert not report["findings"] and done.returncode == 0, done.stderr
    write(tmp_path, train=text % "<")
    report, _ = report_of(tmp_path, "--tf-version", "1.15.0")
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"]] == [("SF109", 8)]
