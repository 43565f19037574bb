"""Variables and shapes whose sizes come from data that are not there."""
import pytest

from command import report_of, write

HEAD = ("import numpy as np\nimport tensorflow as tf\nn = np.load('x.npy').shape[1]\n"
        "tf.placeholder(tf.float32, [None, n])\n")
RIGHT = {
    "a new variable": "v = tf.get_variable('v', [5, n, 3])\nassert v.shape.as_list() == [5, None, 3]\n",
    "a shared variable": "def f(size):\n    with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
                         "        return tf.get_variable('v', [5, size])\nf(8)\nf(n)\n",
    "a shape": "assert tf.TensorShape([5, n]).as_list() == [5, None]\n",
    "a dimension": "assert (tf.Dimension(3) + tf.Dimension(n)).value is None\n",
    "a layer of a placeholder": "x = tf.placeholder(tf.float32, [None, n])\n"
                                "h = tf.layers.dense(tf.layers.dense(x, 5), 3)\n"
                                "assert h.shape.as_list() == [None, 3]\n",
    "a layer of a declared shape": "x = tf.placeholder(tf.float32, tf.TensorShape([None, 4, n]))\n"
                                   "tf.layers.conv1d(x, 5, 3)\n"
                                   "tf.layers.dense(tf.reshape(x, [-1, 4 * n]), 3)\n",
    "a convolution of channels": "x = tf.placeholder(tf.float32, [None, 8, 8, n])\n"
                                 "tf.layers.conv2d(x, 5, 3)\ntf.contrib.slim.conv2d(x, 5, [3, 3])\n",
    "random numbers": "w = tf.Variable(tf.random_uniform((n, 256)))\nwith tf.Session() as s:\n"
                      "    s.run(tf.global_variables_initializer())\n",
}


@pytest.mark.parametrize("version", ["1.15.0", "0.12.1"])
@pytest.mark.parametrize("name", RIGHT)
def test_unknown_sizes(tmp_path, name, version):
    if version == "0.12.1" and ("AUTO_REUSE" in RIGHT[name] or "tf.layers" in RIGHT[name]):
        pytest.skip("0.12 has none of it")
    write(tmp_path, train=HEAD + RIGHT[name])
    report, done = report_of(tmp_path, "--tf-version", version)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]


def test_known_sizes_are_compared(tmp_path):
    text = HEAD + RIGHT["a shared variable"].replace("f(n)", "f(9)")
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF205"], done.stdout


def test_a_scope_of_something_unknown(tmp_path):
    write(tmp_path, train="import tensorflow as tf\nimport absent_nets\nslim = tf.contrib.slim\n"
          "with slim.arg_scope(absent_nets.arg_scope()):\n"
          "    assert slim.conv2d(tf.zeros([1, 8, 8, 3]), 4, 3).shape.as_list() == [1, 8, 8, 4]\n")
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert done.returncode == 0, done.stdout


def test_what_comes_of_something_unknown_may_be_of_any_of_its_classes(tmp_path):
    write(tmp_path, train="import gym\nimport tensorflow as tf\nenv = gym.make('CartPole-v0')\n"
          "assert isinstance(env.action_space, gym.spaces.Discrete)\n"
          "assert isinstance(gym.spaces.Box(), gym.spaces.Box)\n"
          "assert not isinstance(gym.spaces.Box(), gym.spaces.Discrete)\ntf.zeros([env.action_space.n])\n")
    report, done = report_of(tmp_path)
    assert done.returncode == 0, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]
