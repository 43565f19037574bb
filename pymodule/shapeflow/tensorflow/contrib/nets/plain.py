"""tf.contrib.slim's AlexNet, OverFeat and VGG: convolutions one after the other.

Source: tensorflow/contrib/slim/python/slim/nets/{alexnet,overfeat,vgg}.py (1.15).
"""

from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Sequence, Tuple

    Step = Callable[[Any], Any]

_PATH = "tensorflow.contrib.slim.python.slim.nets."


def _network(inputs: object, steps: Sequence[Step], first_fc: Tuple[int, int], second_fc: int,
             num_classes: object, is_training: object, keep: float, squeeze: bool, scope: object,
             default: str, **fc: object) -> Any:
    """The steps, then what were fully connected layers as convolutions."""
    slim = tf.contrib.layers
    with tf.variable_scope(scope, default, [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        with tf.contrib.framework.arg_scope([slim.conv2d, slim.fully_connected, slim.max_pool2d],
                                            outputs_collections=[collection]):
            net = inputs
            for step in steps:
                net = step(net)
            depth, size = first_fc
            with tf.contrib.framework.arg_scope([slim.conv2d], **fc):
                net = slim.conv2d(net, depth, [size, size], padding="VALID", scope="fc6")
                net = slim.dropout(net, keep, is_training=is_training, scope="dropout6")
                net = slim.conv2d(net, second_fc, [1, 1], scope="fc7")
                net = slim.dropout(net, keep, is_training=is_training, scope="dropout7")
                start = {"biases_initializer": tf.zeros_initializer()} if fc else {}
                net = slim.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                                  scope="fc8", **start)
            end_points = slim.utils.convert_collection_to_dict(collection)
            if squeeze:
                net = tf.squeeze(net, [1, 2], name="fc8/squeezed")
                end_points[sc.name + "/fc8"] = net
            return net, end_points


def _arg_scope(weight_decay: float, bias: float, pools: bool) -> Any:
    slim, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    start = tf.constant_initializer(bias) if bias else tf.zeros_initializer()
    with arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu,
                   weights_regularizer=slim.l2_regularizer(weight_decay), biases_initializer=start), \
            arg_scope([slim.conv2d], padding="SAME") as inner:
        if not pools:
            return inner
        with arg_scope([slim.max_pool2d], padding="VALID") as innermost:
            return innermost


def _conv(*args: object, **kwargs: object) -> Step:
    return lambda net: tf.contrib.layers.conv2d(net, *args, **kwargs)


def _pool(size: int, scope: str) -> Step:
    return lambda net: tf.contrib.layers.max_pool2d(net, [size, size], 2, scope=scope)


# --- AlexNet, OverFeat ----------------------------------------------------------------------------------
@export(_PATH + "alexnet.alexnet_v2_arg_scope")
def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Any:
    return _arg_scope(weight_decay, 0.1, True)


@export(_PATH + "alexnet.alexnet_v2")
def alexnet_v2(inputs: object, num_classes: object = 1000, is_training: bool = True,
               dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True,
               scope: object = "alexnet_v2") -> Any:
    steps = [_conv(64, [11, 11], 4, padding="VALID", scope="conv1"), _pool(3, "pool1"),
             _conv(192, [5, 5], scope="conv2"), _pool(3, "pool2"), _conv(384, [3, 3], scope="conv3"),
             _conv(384, [3, 3], scope="conv4"), _conv(256, [3, 3], scope="conv5"), _pool(3, "pool5")]
    return _network(inputs, steps, (4096, 5), 4096, num_classes, is_training, dropout_keep_prob,
                    spatial_squeeze, scope, "alexnet_v2", weights_initializer=_truncated(0.005),
                    biases_initializer=tf.constant_initializer(0.1))


@export(_PATH + "overfeat.overfeat_arg_scope")
def overfeat_arg_scope(weight_decay: float = 0.0005) -> Any:
    return _arg_scope(weight_decay, 0.0, True)


@export(_PATH + "overfeat.overfeat")
def overfeat(inputs: object, num_classes: object = 1000, is_training: bool = True,
             dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True, scope: object = "overfeat") -> Any:
    steps = [_conv(64, [11, 11], 4, padding="VALID", scope="conv1"), _pool(2, "pool1"),
             _conv(256, [5, 5], padding="VALID", scope="conv2"), _pool(2, "pool2"),
             _conv(512, [3, 3], scope="conv3"), _conv(1024, [3, 3], scope="conv4"),
             _conv(1024, [3, 3], scope="conv5"), _pool(2, "pool5")]
    return _network(inputs, steps, (3072, 6), 4096, num_classes, is_training, dropout_keep_prob,
                    spatial_squeeze, scope, "overfeat", weights_initializer=_truncated(0.005),
                    biases_initializer=tf.constant_initializer(0.1))


def _truncated(stddev: float) -> Any:
    return tf.truncated_normal_initializer(0.0, stddev)


@export(*(_PATH + net + ".trunc_normal" for net in
          ("alexnet", "overfeat", "vgg", "inception_v1", "inception_v2", "inception_v3")))
def trunc_normal(stddev: float) -> Any:
    return _truncated(stddev)


# --- VGG ------------------------------------------------------------------------------------------------
@export(_PATH + "vgg.vgg_arg_scope")
def vgg_arg_scope(weight_decay: float = 0.0005) -> Any:
    return _arg_scope(weight_decay, 0.0, False)


def _vgg(names: Tuple[str, ...], counts: Sequence[int], default: str) -> None:
    @export(*(_PATH + "vgg." + name for name in names))
    def vgg(inputs: object, num_classes: object = 1000, is_training: bool = True,
            dropout_keep_prob: float = 0.5, spatial_squeeze: bool = True, scope: object = default) -> Any:
        steps: List[Step] = []
        for number, (count, depth) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
            steps.append(_repeated(count, depth, "conv%d" % number))
            steps.append(_pool(2, "pool%d" % number))
        return _network(inputs, steps, (4096, 7), 4096, num_classes, is_training, dropout_keep_prob,
                        spatial_squeeze, scope, default)


def _repeated(count: int, depth: int, scope: str) -> Step:
    slim = tf.contrib.layers
    return lambda net: slim.repeat(net, count, slim.conv2d, depth, [3, 3], scope=scope)


_vgg(("vgg_a",), (1, 1, 2, 2, 2), "vgg_a")
_vgg(("vgg_16", "vgg_d"), (2, 2, 3, 3, 3), "vgg_16")
_vgg(("vgg_19", "vgg_e"), (2, 2, 4, 4, 4), "vgg_19")
