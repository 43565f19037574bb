"""tf.contrib.slim's residual networks.

Source: tensorflow/contrib/slim/python/slim/nets/{resnet_utils,resnet_v1,resnet_v2}.py (1.15).
"""

from __future__ import annotations

import collections

from shapeflow.api.registry import export
from shapeflow.tensorflow.contrib.framework import add_arg_scope
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_PATH = "tensorflow.contrib.slim.python.slim.nets."
_UNITS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


@export(_PATH + "resnet_utils.Block")
class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """Units of one depth: `args` has a dict of arguments of `unit_fn` for each, in 0.12 a tuple of them."""

    __slots__ = ()


@export(_PATH + "resnet_utils.subsample")
def subsample(inputs: object, factor: int, scope: Optional[str] = None) -> Any:
    return inputs if factor == 1 else tf.contrib.layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


@export(_PATH + "resnet_utils.conv2d_same")
def conv2d_same(inputs: object, num_outputs: object, kernel_size: int, stride: int, rate: int = 1,
                scope: Optional[str] = None) -> Any:
    """A strided convolution whose padding does not depend on the size of its input."""
    conv2d = tf.contrib.layers.conv2d
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    around = [total // 2, total - total // 2]
    padded = tf.pad(inputs, [[0, 0], around, around, [0, 0]])
    return conv2d(padded, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@export(_PATH + "resnet_utils.stack_blocks_dense")
@add_arg_scope
def stack_blocks_dense(net: object, blocks: Any, output_stride: Any = None,
                       outputs_collections: object = None) -> Any:
    """The blocks, with dilated convolutions in place of strides once `output_stride` is reached."""
    reached = rate = 1
    for block in blocks:
        with tf.variable_scope(block.scope, "block", [net]) as sc:
            for number, unit in enumerate(block.args, 1):
                if output_stride is not None and reached > output_stride:
                    raise fail("SF201", "The target output_stride cannot be reached.")
                if not isinstance(unit, dict):
                    unit = dict(zip(("depth", "depth_bottleneck", "stride"), unit))
                stride = unit.get("stride", 1)
                with tf.variable_scope("unit_%d" % number, values=[net]):
                    if output_stride is not None and reached == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= stride
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        reached *= stride
            net = tf.contrib.layers.utils.collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and reached != output_stride:
        raise fail("SF201", "The target output_stride cannot be reached.")
    return net


@export(_PATH + "resnet_utils.resnet_arg_scope")
def resnet_arg_scope(weight_decay: float = 0.0001, batch_norm_decay: float = 0.997,
                     batch_norm_epsilon: float = 1e-5, batch_norm_scale: bool = True,
                     is_training: object = None) -> Any:
    slim, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    normal = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
              "updates_collections": tf.GraphKeys.UPDATE_OPS}
    if is_training is not None:  # of 0.12
        normal["is_training"] = is_training
    with arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(weight_decay),
                   weights_initializer=slim.variance_scaling_initializer(), activation_fn=tf.nn.relu,
                   normalizer_fn=slim.batch_norm, normalizer_params=normal), \
            arg_scope([slim.batch_norm], **normal), \
            arg_scope([slim.max_pool2d], padding="SAME") as inner:
        return inner


# --- units ----------------------------------------------------------------------------------------------
@export(_PATH + "resnet_v1.bottleneck")
@add_arg_scope
def bottleneck_v1(inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
                  outputs_collections: object = None, scope: Optional[str] = None) -> Any:
    slim = tf.contrib.layers
    with tf.variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        depth_in = slim.utils.last_dimension(inputs.get_shape(), min_rank=4)
        if depth == depth_in:
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = slim.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = slim.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = slim.conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return slim.utils.collect_named_outputs(outputs_collections, sc.name, tf.nn.relu(shortcut + residual))


@export(_PATH + "resnet_v2.bottleneck")
@add_arg_scope
def bottleneck_v2(inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
                  outputs_collections: object = None, scope: Optional[str] = None) -> Any:
    slim = tf.contrib.layers
    with tf.variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
        depth_in = slim.utils.last_dimension(inputs.get_shape(), min_rank=4)
        preact = slim.batch_norm(inputs, activation_fn=tf.nn.relu, scope="preact")
        if depth == depth_in:
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = slim.conv2d(preact, depth, [1, 1], stride=stride, normalizer_fn=None,
                                   activation_fn=None, scope="shortcut")
        residual = slim.conv2d(preact, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = slim.conv2d(residual, depth, [1, 1], stride=1, normalizer_fn=None, activation_fn=None,
                               scope="conv3")
        return slim.utils.collect_named_outputs(outputs_collections, sc.name, shortcut + residual)


# --- networks -------------------------------------------------------------------------------------------
def _network(version: int, inputs: object, blocks: object, num_classes: object, is_training: object,
             global_pool: bool, output_stride: Any, include_root_block: bool, reuse: object,
             scope: object) -> Any:
    slim, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    unit = bottleneck_v1 if version == 1 else bottleneck_v2
    plain = {"activation_fn": None, "normalizer_fn": None}
    with tf.variable_scope(scope, "resnet_v%d" % version, [inputs], reuse=reuse) as sc:
        collection = sc.original_name_scope + "_end_points"
        training = {} if is_training is None else {"is_training": is_training}
        with arg_scope([slim.conv2d, unit, stack_blocks_dense], outputs_collections=collection), \
                arg_scope([slim.batch_norm], **training):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise fail("SF201", "The output_stride needs to be a multiple of 4.")
                    output_stride /= 4
                with arg_scope([slim.conv2d], **({} if version == 1 else plain)):
                    net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = slim.max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = stack_blocks_dense(net, blocks, output_stride)
            if version == 2:
                net = slim.batch_norm(net, activation_fn=tf.nn.relu, scope="postnorm")
            if global_pool:
                net = tf.reduce_mean(net, [1, 2], name="pool5", keep_dims=True)
            if num_classes is not None:
                net = slim.conv2d(net, num_classes, [1, 1], scope="logits", **plain)
            end_points = slim.utils.convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = slim.softmax(net, scope="predictions")
            return net, end_points


def _export_version(version: int) -> None:
    path = "%sresnet_v%d.resnet_v%d" % (_PATH, version, version)
    unit = bottleneck_v1 if version == 1 else bottleneck_v2

    @export(path)
    def resnet(inputs: object, blocks: object, num_classes: object = None, is_training: bool = True,
               global_pool: bool = True, output_stride: object = None, include_root_block: bool = True,
               reuse: object = None, scope: Optional[str] = None) -> Any:
        return _network(version, inputs, blocks, num_classes, is_training, global_pool, output_stride,
                        include_root_block, reuse, scope)

    @export(path + "_block")
    def block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
        arguments = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
        units = [dict(arguments, stride=1)] * (num_units - 1) + [dict(arguments, stride=stride)]
        return Block(scope, unit, units)

    def export_size(layers: int) -> None:
        @export("%s_%d" % (path, layers))
        def sized(inputs: object, num_classes: object = None, is_training: bool = True,
                  global_pool: bool = True, output_stride: object = None, reuse: object = None,
                  scope: object = "resnet_v%d_%d" % (version, layers)) -> Any:
            blocks: List[Block] = [
                block("block%d" % (i + 1), 64 * 2 ** i, count, 2 if i < 3 else 1)
                for i, count in enumerate(_UNITS[layers])]
            return _network(version, inputs, blocks, num_classes, is_training, global_pool, output_stride,
                            True, reuse, scope)

    for layers in _UNITS:
        export_size(layers)


_export_version(1)
_export_version(2)
