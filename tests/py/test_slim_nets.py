"""The networks of tf.contrib.slim: names, shapes and counts are those of TensorFlow 1.15."""
import pytest

from command import report_of, write

HEAD = """
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.contrib.slim.nets import alexnet, inception, overfeat, resnet_utils, resnet_v1, resnet_v2, vgg


def check(scope, net, size, shape, points, variables, losses, **arguments):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, size, size, 3])
        with slim.arg_scope(scope()):
            out, ends = net(x, **arguments)
        assert out.shape.as_list() == shape, out.shape
        for name, dims in points.items():
            assert ends[name].shape.as_list() == dims, (name, ends[name].shape)
        assert len(tf.global_variables()) == variables, len(tf.global_variables())
        assert len(tf.losses.get_regularization_losses()) == losses
        return [v.name for v in tf.global_variables()]
"""
RIGHT = {
    "VGG": """
names = check(vgg.vgg_arg_scope, vgg.vgg_16, 224, [None, 10], {"vgg_16/conv5/conv5_3": [None, 14, 14, 512],
              "vgg_16/pool5": [None, 7, 7, 512], "vgg_16/fc7": [None, 1, 1, 4096], "vgg_16/fc8": [None, 10]},
              32, 16, num_classes=10)
assert names[0] == "vgg_16/conv1/conv1_1/weights:0" and names[-1] == "vgg_16/fc8/biases:0"
check(vgg.vgg_arg_scope, vgg.vgg_19, 256, [None, 2, 2, 1000], {}, 38, 19, spatial_squeeze=False,
      is_training=False)
""",
    "AlexNet and OverFeat": """
check(alexnet.alexnet_v2_arg_scope, alexnet.alexnet_v2, 224, [None, 1000],
      {"alexnet_v2/pool5": [None, 5, 5, 256]}, 16, 8)
check(overfeat.overfeat_arg_scope, overfeat.overfeat, 231, [None, 1000],
      {"overfeat/fc6": [None, 1, 1, 3072]}, 16, 8)
""",
    "ResNet": """
names = check(resnet_utils.resnet_arg_scope, resnet_v1.resnet_v1_50, 224, [None, 1, 1, 5],
              {"resnet_v1_50/block1": [None, 28, 28, 256], "resnet_v1_50/block4": [None, 7, 7, 2048],
               "predictions": [None, 1, 1, 5]}, 267, 54, num_classes=5)
assert "resnet_v1_50/block1/unit_1/bottleneck_v1/shortcut/BatchNorm/moving_mean:0" in names
check(resnet_utils.resnet_arg_scope, resnet_v2.resnet_v2_101, 321, [None, 21, 21, 2048],
      {"resnet_v2_101/block4": [None, 21, 21, 2048]}, 542, 104, global_pool=False, output_stride=16,
      is_training=False)
""",
    "Inception": """
names = check(inception.inception_v3_arg_scope, inception.inception_v3, 299, [None, 7],
              {"Mixed_5d": [None, 35, 35, 288], "Mixed_7c": [None, 8, 8, 2048], "AuxLogits": [None, 7],
               "PreLogits": [None, 1, 1, 2048]}, 388, 98, num_classes=7)
assert "InceptionV3/Mixed_5c/Branch_1/Conv_1_0c_5x5/weights:0" in names
check(inception.inception_v1_arg_scope, inception.inception_v1, 224, [None, 7],
      {"Mixed_4f": [None, 14, 14, 832], "Mixed_5c": [None, 7, 7, 1024]}, 230, 58, num_classes=7)
check(inception.inception_v2_arg_scope, inception.inception_v2, 224, [None, 7],
      {"Mixed_5c": [None, 7, 7, 1024]}, 277, 69, num_classes=7)
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(tmp_path, name):
    write(tmp_path, train=HEAD + RIGHT[name])
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert done.returncode == 0, done.stdout
    assert "not modelled" not in done.stderr and report["findings"] == [], report["findings"]


def test_wrong(tmp_path):
    write(tmp_path, train=HEAD + "check(vgg.vgg_arg_scope, vgg.vgg_16, 96, [None, 1000], {}, 32, 16)\n")
    report, _ = report_of(tmp_path, "--tf-version", "1.15.0")
    found = [f for f in report["findings"] if f["severity"] == "error"]
    assert len(found) == 1 and found[0]["code"] == "SF110", found
