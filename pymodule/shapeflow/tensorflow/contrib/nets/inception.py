"""tf.contrib.slim's Inception networks, as tables: a branch is the layers that follow each other, a layer its
name, depth, kernel and stride.

Source: tensorflow/contrib/slim/python/slim/nets/{inception_v1,inception_v2,inception_v3}.py (1.15).
"""

from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

    Layer = Tuple[Any, ...]  # (name, depth, kernel, stride, padding); depth 0: max pooling, -1: average
    Branch = Sequence[Union[Layer, List[Layer]]]  # a list: layers side by side
    Depth = Callable[[int], int]
    Net = Sequence[Tuple[str, Any]]

_PATH = "tensorflow.contrib.slim.python.slim.nets."
_MAX, _AVERAGE = 0, -1


# --- layers ---------------------------------------------------------------------------------------------
def _layer(net: object, layer: Layer, depth: Depth, padding: str) -> Any:
    slim = tf.contrib.layers
    name, units, kernel, *rest = layer
    stride = rest[0] if rest else 1
    how = {"stride": stride, "padding": rest[1] if len(rest) > 1 else padding, "scope": name}
    size = [kernel, kernel] if isinstance(kernel, int) else list(kernel)
    if units in (_MAX, _AVERAGE):
        return (slim.max_pool2d if units == _MAX else slim.avg_pool2d)(net, size, **how)
    return slim.conv2d(net, depth(units), size, **how)


def _branch(net: object, branch: Branch, depth: Depth) -> Any:
    for layer in branch:
        if isinstance(layer, list):
            net = tf.concat([_layer(net, one, depth, "SAME") for one in layer], 3)
        else:
            net = _layer(net, layer, depth, "SAME")
    return net


def _base(net: object, table: Net, depth: Depth, padding: str, final: str,
          end_points: Dict[str, object]) -> Any:
    """Up to `final`; a layer that is a function makes itself."""
    for name, what in table:
        if callable(what):
            net = what(net, name)
        elif isinstance(what[0], int):
            net = _layer(net, (name, *what), depth, padding)
        else:
            with tf.variable_scope(name):
                branches = []
                for number, branch in enumerate(what):
                    with tf.variable_scope("Branch_%d" % number):
                        branches.append(_branch(net, branch, depth))
                net = tf.concat(branches, 3)
        end_points[name] = net
        if name == final:
            return net
    raise fail("SF201", "Unknown final endpoint {text}", final)


def _scaled(min_depth: int, multiplier: float) -> Depth:
    if multiplier <= 0:
        raise fail("SF201", "depth_multiplier is not greater than zero.")
    return lambda d: max(int(d * multiplier), min_depth)


def _reduced(net: Any, size: List[int]) -> List[int]:
    """A kernel that is no larger than its input."""
    dims = net.get_shape().as_list()
    return size if dims[1] is None or dims[2] is None else [min(dims[1], size[0]), min(dims[2], size[1])]


@export(*(_PATH + net + "._reduced_kernel_size_for_small_input" for net in ("inception_v2", "inception_v3")))
def reduced_kernel_size(input_tensor: Any, kernel_size: Any) -> List[int]:
    return _reduced(input_tensor, list(kernel_size))


# --- tables ---------------------------------------------------------------------------------------------
def _mixed_v1(b0: int, b1: Tuple[int, int], b2: Tuple[int, int], b3: int, name: str = "Conv2d_0b_3x3") -> Any:
    return ((("Conv2d_0a_1x1", b0, 1),), (("Conv2d_0a_1x1", b1[0], 1), ("Conv2d_0b_3x3", b1[1], 3)),
            (("Conv2d_0a_1x1", b2[0], 1), (name, b2[1], 3)),
            (("MaxPool_0a_3x3", _MAX, 3), ("Conv2d_0b_1x1", b3, 1)))


_V1: Net = (
    ("Conv2d_1a_7x7", (64, 7, 2)), ("MaxPool_2a_3x3", (_MAX, 3, 2)), ("Conv2d_2b_1x1", (64, 1)),
    ("Conv2d_2c_3x3", (192, 3)), ("MaxPool_3a_3x3", (_MAX, 3, 2)),
    ("Mixed_3b", _mixed_v1(64, (96, 128), (16, 32), 32)),
    ("Mixed_3c", _mixed_v1(128, (128, 192), (32, 96), 64)),
    ("MaxPool_4a_3x3", (_MAX, 3, 2)),
    ("Mixed_4b", _mixed_v1(192, (96, 208), (16, 48), 64)),
    ("Mixed_4c", _mixed_v1(160, (112, 224), (24, 64), 64)),
    ("Mixed_4d", _mixed_v1(128, (128, 256), (24, 64), 64)),
    ("Mixed_4e", _mixed_v1(112, (144, 288), (32, 64), 64)),
    ("Mixed_4f", _mixed_v1(256, (160, 320), (32, 128), 128)),
    ("MaxPool_5a_2x2", (_MAX, 2, 2)),
    ("Mixed_5b", _mixed_v1(256, (160, 320), (32, 128), 128, "Conv2d_0a_3x3")),
    ("Mixed_5c", _mixed_v1(384, (192, 384), (48, 128), 128)),
)


def _mixed_v2(b0: int, b1: Tuple[int, int], b2: Tuple[int, int], b3: int, pool: int = _AVERAGE) -> Any:
    return ((("Conv2d_0a_1x1", b0, 1),), (("Conv2d_0a_1x1", b1[0], 1), ("Conv2d_0b_3x3", b1[1], 3)),
            (("Conv2d_0a_1x1", b2[0], 1), ("Conv2d_0b_3x3", b2[1], 3), ("Conv2d_0c_3x3", b2[1], 3)),
            (("AvgPool_0a_3x3" if pool == _AVERAGE else "MaxPool_0a_3x3", pool, 3), ("Conv2d_0b_1x1", b3, 1)))


def _smaller_v2(b0: Tuple[int, int], b1: Tuple[int, int]) -> Any:
    return ((("Conv2d_0a_1x1", b0[0], 1), ("Conv2d_1a_3x3", b0[1], 3, 2)),
            (("Conv2d_0a_1x1", b1[0], 1), ("Conv2d_0b_3x3", b1[1], 3), ("Conv2d_1a_3x3", b1[1], 3, 2)),
            (("MaxPool_1a_3x3", _MAX, 3, 2),))


_V2: Net = (
    ("MaxPool_2a_3x3", (_MAX, 3, 2)), ("Conv2d_2b_1x1", (64, 1)), ("Conv2d_2c_3x3", (192, 3)),
    ("MaxPool_3a_3x3", (_MAX, 3, 2)),
    ("Mixed_3b", _mixed_v2(64, (64, 64), (64, 96), 32)), ("Mixed_3c", _mixed_v2(64, (64, 96), (64, 96), 64)),
    ("Mixed_4a", _smaller_v2((128, 160), (64, 96))),
    ("Mixed_4b", _mixed_v2(224, (64, 96), (96, 128), 128)),
    ("Mixed_4c", _mixed_v2(192, (96, 128), (96, 128), 128)),
    ("Mixed_4d", _mixed_v2(160, (128, 160), (128, 160), 96)),
    ("Mixed_4e", _mixed_v2(96, (128, 192), (160, 192), 96)),
    ("Mixed_5a", _smaller_v2((128, 192), (192, 256))),
    ("Mixed_5b", _mixed_v2(352, (192, 320), (160, 224), 128)),
    ("Mixed_5c", _mixed_v2(352, (192, 320), (192, 224), 128, _MAX)),
)


def _mixed_v3_5(b3: int, names: Tuple[str, str] = ("Conv2d_0a_1x1", "Conv2d_0b_5x5")) -> Any:
    return ((("Conv2d_0a_1x1", 64, 1),), ((names[0], 48, 1), (names[1], 64, 5)),
            (("Conv2d_0a_1x1", 64, 1), ("Conv2d_0b_3x3", 96, 3), ("Conv2d_0c_3x3", 96, 3)),
            (("AvgPool_0a_3x3", _AVERAGE, 3), ("Conv2d_0b_1x1", b3, 1)))


def _mixed_v3_6(inner: int) -> Any:
    return ((("Conv2d_0a_1x1", 192, 1),),
            (("Conv2d_0a_1x1", inner, 1), ("Conv2d_0b_1x7", inner, (1, 7)), ("Conv2d_0c_7x1", 192, (7, 1))),
            (("Conv2d_0a_1x1", inner, 1), ("Conv2d_0b_7x1", inner, (7, 1)), ("Conv2d_0c_1x7", inner, (1, 7)),
             ("Conv2d_0d_7x1", inner, (7, 1)), ("Conv2d_0e_1x7", 192, (1, 7))),
            (("AvgPool_0a_3x3", _AVERAGE, 3), ("Conv2d_0b_1x1", 192, 1)))


def _mixed_v3_7(second: str) -> Any:
    return ((("Conv2d_0a_1x1", 320, 1),),
            (("Conv2d_0a_1x1", 384, 1), [("Conv2d_0b_1x3", 384, (1, 3)), (second, 384, (3, 1))]),
            (("Conv2d_0a_1x1", 448, 1), ("Conv2d_0b_3x3", 384, 3),
             [("Conv2d_0c_1x3", 384, (1, 3)), ("Conv2d_0d_3x1", 384, (3, 1))]),
            (("AvgPool_0a_3x3", _AVERAGE, 3), ("Conv2d_0b_1x1", 192, 1)))


_V3: Net = (
    ("Conv2d_1a_3x3", (32, 3, 2)), ("Conv2d_2a_3x3", (32, 3)), ("Conv2d_2b_3x3", (64, 3, 1, "SAME")),
    ("MaxPool_3a_3x3", (_MAX, 3, 2)), ("Conv2d_3b_1x1", (80, 1)), ("Conv2d_4a_3x3", (192, 3)),
    ("MaxPool_5a_3x3", (_MAX, 3, 2)),
    ("Mixed_5b", _mixed_v3_5(32)), ("Mixed_5c", _mixed_v3_5(64, ("Conv2d_0b_1x1", "Conv_1_0c_5x5"))),
    ("Mixed_5d", _mixed_v3_5(64)),
    ("Mixed_6a", ((("Conv2d_1a_1x1", 384, 3, 2, "VALID"),),
                  (("Conv2d_0a_1x1", 64, 1), ("Conv2d_0b_3x3", 96, 3), ("Conv2d_1a_1x1", 96, 3, 2, "VALID")),
                  (("MaxPool_1a_3x3", _MAX, 3, 2, "VALID"),))),
    ("Mixed_6b", _mixed_v3_6(128)), ("Mixed_6c", _mixed_v3_6(160)), ("Mixed_6d", _mixed_v3_6(160)),
    ("Mixed_6e", _mixed_v3_6(192)),
    ("Mixed_7a", ((("Conv2d_0a_1x1", 192, 1), ("Conv2d_1a_3x3", 320, 3, 2, "VALID")),
                  (("Conv2d_0a_1x1", 192, 1), ("Conv2d_0b_1x7", 192, (1, 7)), ("Conv2d_0c_7x1", 192, (7, 1)),
                   ("Conv2d_1a_3x3", 192, 3, 2, "VALID")),
                  (("MaxPool_1a_3x3", _MAX, 3, 2, "VALID"),))),
    ("Mixed_7b", _mixed_v3_7("Conv2d_0b_3x1")), ("Mixed_7c", _mixed_v3_7("Conv2d_0c_3x1")),
)


# --- networks -------------------------------------------------------------------------------------------
@export(_PATH + "inception_v1.inception_v1_base")
def inception_v1_base(inputs: object, final_endpoint: str = "Mixed_5c", scope: object = "InceptionV1") -> Any:
    slim = tf.contrib.layers
    end_points: Dict[str, object] = {}
    start = tf.truncated_normal_initializer(0.0, 0.01)
    with tf.variable_scope(scope, "InceptionV1", [inputs]), \
            tf.contrib.framework.arg_scope([slim.conv2d, slim.fully_connected], weights_initializer=start):
        return _base(inputs, _V1, int, "SAME", final_endpoint, end_points), end_points


@export(_PATH + "inception_v2.inception_v2_base")
def inception_v2_base(inputs: object, final_endpoint: str = "Mixed_5c", min_depth: int = 16,
                      depth_multiplier: float = 1.0, scope: Optional[str] = None) -> Any:
    depth = _scaled(min_depth, depth_multiplier)

    def first(net: Any, name: str) -> Any:
        return tf.contrib.layers.separable_conv2d(
            net, depth(64), [7, 7], depth_multiplier=min(int(depth(64) / 3), 8), stride=2, padding="SAME",
            weights_initializer=tf.truncated_normal_initializer(0.0, 1.0), scope=name)

    end_points: Dict[str, object] = {}
    with tf.variable_scope(scope, "InceptionV2", [inputs]):
        table = (("Conv2d_1a_7x7", first), *_V2)
        return _base(inputs, table, depth, "SAME", final_endpoint, end_points), end_points


@export(_PATH + "inception_v3.inception_v3_base")
def inception_v3_base(inputs: object, final_endpoint: str = "Mixed_7c", min_depth: int = 16,
                      depth_multiplier: float = 1.0, scope: Optional[str] = None) -> Any:
    end_points: Dict[str, object] = {}
    with tf.variable_scope(scope, "InceptionV3", [inputs]):
        depth = _scaled(min_depth, depth_multiplier)
        return _base(inputs, _V3, depth, "VALID", final_endpoint, end_points), end_points


def _head(net: object, end_points: Dict[str, Any], num_classes: object, pool: Tuple[List[int], int, str],
          dropout: str, conv: str, keep: float, prediction_fn: Any, squeeze: bool,
          keeps: bool = False) -> Any:
    slim = tf.contrib.layers
    size, stride, name = pool
    with tf.variable_scope("Logits"):
        net = slim.avg_pool2d(net, size, stride=stride, padding="VALID", scope=name)
        net = slim.dropout(net, keep_prob=keep, scope=dropout)
        if keeps:
            end_points["PreLogits"] = net
        logits = slim.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=conv)
        if squeeze:
            logits = tf.squeeze(logits, [1, 2], name="SpatialSqueeze")
    end_points["Logits"] = logits
    end_points["Predictions"] = (prediction_fn or slim.softmax)(logits, scope="Predictions")
    return logits, end_points


def _training(is_training: object) -> Any:
    slim = tf.contrib.layers
    return tf.contrib.framework.arg_scope([slim.batch_norm, slim.dropout], is_training=is_training)


@export(_PATH + "inception_v1.inception_v1")
def inception_v1(inputs: object, num_classes: object = 1000, is_training: bool = True,
                 dropout_keep_prob: float = 0.8, prediction_fn: object = None, spatial_squeeze: bool = True,
                 reuse: object = None, scope: object = "InceptionV1") -> Any:
    with tf.variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as sc, \
            _training(is_training):
        net, end_points = inception_v1_base(inputs, scope=sc)
        return _head(net, end_points, num_classes, ([7, 7], 1, "MaxPool_0a_7x7"), "Dropout_0b",
                     "Conv2d_0c_1x1", dropout_keep_prob, prediction_fn, spatial_squeeze)


@export(_PATH + "inception_v2.inception_v2")
def inception_v2(inputs: object, num_classes: object = 1000, is_training: bool = True,
                 dropout_keep_prob: float = 0.8, min_depth: int = 16, depth_multiplier: float = 1.0,
                 prediction_fn: object = None,
                 spatial_squeeze: bool = True, reuse: object = None, scope: object = "InceptionV2") -> Any:
    with tf.variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as sc, \
            _training(is_training):
        net, end_points = inception_v2_base(inputs, scope=sc, min_depth=min_depth,
                                            depth_multiplier=depth_multiplier)
        size = _reduced(net, [7, 7])
        return _head(net, end_points, num_classes, (size, 2, "AvgPool_1a_{}x{}".format(*size)), "Dropout_1b",
                     "Conv2d_1c_1x1", dropout_keep_prob, prediction_fn, spatial_squeeze)


@export(_PATH + "inception_v3.inception_v3")
def inception_v3(inputs: object, num_classes: object = 1000, is_training: bool = True,
                 dropout_keep_prob: float = 0.8, min_depth: int = 16, depth_multiplier: float = 1.0,
                 prediction_fn: object = None,
                 spatial_squeeze: bool = True, reuse: object = None, scope: object = "InceptionV3") -> Any:
    depth = _scaled(min_depth, depth_multiplier)
    with tf.variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as sc, \
            _training(is_training):
        net, end_points = inception_v3_base(inputs, scope=sc, min_depth=min_depth,
                                            depth_multiplier=depth_multiplier)
        end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], depth, num_classes, spatial_squeeze)
        size = _reduced(net, [8, 8])
        return _head(net, end_points, num_classes, (size, 2, "AvgPool_1a_{}x{}".format(*size)), "Dropout_1b",
                     "Conv2d_1c_1x1", dropout_keep_prob, prediction_fn, spatial_squeeze, keeps=True)


def _auxiliary(net: object, depth: Depth, num_classes: object, squeeze: bool) -> Any:
    slim = tf.contrib.layers
    with tf.variable_scope("AuxLogits"):
        net = slim.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = slim.conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        size = _reduced(net, [5, 5])
        net = slim.conv2d(net, depth(768), size, padding="VALID", scope="Conv2d_2a_{}x{}".format(*size),
                          weights_initializer=tf.truncated_normal_initializer(0.0, 0.01))
        net = slim.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                          scope="Conv2d_2b_1x1",
                          weights_initializer=tf.truncated_normal_initializer(0.0, 0.001))
        return tf.squeeze(net, [1, 2], name="SpatialSqueeze") if squeeze else net


# --- argument scopes ------------------------------------------------------------------------------------
def _arg_scope(weight_decay: float, normal: Any) -> Any:
    slim, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    regularizer = slim.l2_regularizer(weight_decay)
    with arg_scope([slim.conv2d, slim.fully_connected], weights_regularizer=regularizer), \
            arg_scope([slim.conv2d], weights_initializer=slim.variance_scaling_initializer(),
                      activation_fn=tf.nn.relu, **normal) as inner:
        return inner


def _normal(collection: str, decay: float = 0.9997, epsilon: float = 0.001,
            updates: object = "update_ops", **more: object) -> Dict[str, Any]:
    collections = {"beta": None, "gamma": None, "moving_mean": [collection], "moving_variance": [collection]}
    return {"normalizer_fn": tf.contrib.layers.batch_norm,
            "normalizer_params": {"decay": decay, "epsilon": epsilon, "updates_collections": updates,
                                  "variables_collections": collections, **more}}


@export(_PATH + "inception_v1.inception_v1_arg_scope")
def inception_v1_arg_scope(weight_decay: float = 0.00004, use_batch_norm: bool = True,
                           batch_norm_var_collection: str = "moving_vars") -> Any:
    normal: Dict[str, object] = {"normalizer_fn": None, "normalizer_params": {}}
    return _arg_scope(weight_decay, _normal(batch_norm_var_collection) if use_batch_norm else normal)


@export(_PATH + "inception_v2.inception_v2_arg_scope")
def inception_v2_arg_scope(weight_decay: float = 0.00004,
                           batch_norm_var_collection: str = "moving_vars") -> Any:
    return _arg_scope(weight_decay, _normal(batch_norm_var_collection))


@export(_PATH + "inception_v3.inception_v3_arg_scope")
def inception_v3_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars",
                           batch_norm_decay: float = 0.9997, batch_norm_epsilon: float = 0.001,
                           updates_collections: object = "update_ops",
                           use_fused_batchnorm: bool = True) -> Any:
    return _arg_scope(weight_decay, _normal(batch_norm_var_collection, batch_norm_decay, batch_norm_epsilon,
                                            updates_collections, fused=use_fused_batchnorm))
