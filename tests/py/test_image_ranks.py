"""tf.image of an image of unknown rank: one image to TensorFlow, as 1.15 and 1.8 have it."""
import pytest
import shapeflow.compat.v1 as tf

from shapeflow.checker import runner

ONE = {
    "crop": (lambda x: tf.image.crop_to_bounding_box(x, 0, 0, 5, 5), [5, 5, None]),
    "pad": (lambda x: tf.image.pad_to_bounding_box(x, 0, 0, 5, 5), [5, 5, None]),
    "crop or pad": (lambda x: tf.image.resize_image_with_crop_or_pad(x, 5, 6), [5, 6, None]),
    "resize with pad": (lambda x: tf.image.resize_image_with_pad(x, 5, 6), [5, 6, None]),
    "flip": (tf.image.flip_left_right, [None] * 3),
    "random flip": (tf.image.random_flip_up_down, [None] * 3),
    "turn": (tf.image.rot90, [None] * 3),
    "transpose": (tf.image.transpose_image, [None] * 3),
}
WITHOUT_RANK = "x = tf.image.decode_image(tf.placeholder(tf.string))\n"


@pytest.mark.parametrize("name", ONE)
def test_an_image_of_unknown_rank_is_one_image(name):
    call, wanted = ONE[name]
    with tf.Graph().as_default():
        x = tf.image.decode_image(tf.placeholder(tf.string))
        assert call(x).shape.as_list() == wanted
        assert call(tf.placeholder(tf.float32, [None, None, None, 3])).shape.ndims == 4


def check(tmp_path, text, version):
    script = tmp_path / "program.py"
    script.write_text("import tensorflow as tf\n" + text)
    return runner.run(str(script), ["--tf-version", version, "--no-cache"])


def test_to_be_resized_it_must_have_a_rank(tmp_path):
    report = check(tmp_path, WITHOUT_RANK + "tf.image.resize_images(x, [5, 6])\n", "1.15.0")
    assert [(record.code, record.message) for record in report.of("error")] == \
        [("SF132", "'images' contains no shape.")]


@pytest.mark.parametrize("call", ["resize(x, [5, 6])", "resize_with_crop_or_pad(x, 5, 6)", "rot90(x)",
                                  "flip_left_right(x)"])
def test_where_tensorflow_knows_the_rank_it_is_unknown_here(call, tmp_path):
    """An image that was decoded eagerly has a shape in TensorFlow."""
    report = check(tmp_path, "x = tf.image.decode_image(tf.io.read_file('a.gif'))\n"
                             f"y = tf.image.{call}\nassert y.shape.rank in (3, 4)\n"
                             "tf.ensure_shape(y, [3, None, None, 3])\ntf.ensure_shape(y, [None, None, 3])\n",
                   "2.21.0")
    assert (report.status, report.failure) == (0, None)
