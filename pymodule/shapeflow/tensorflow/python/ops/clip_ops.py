"""tf.clip_by_norm, clip_by_global_norm, global_norm, clip_by_average_norm.

Source: tensorflow/python/ops/clip_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple


def _parts(t: object) -> Any:
    return t.values if isinstance(t, framework_lib.IndexedSlices) else t


def _rebuilt(t: object, values: object) -> Any:
    if isinstance(t, framework_lib.IndexedSlices):
        return framework_lib.IndexedSlices(values, t.indices, t.dense_shape)
    return values


@export("tf.clip_by_norm", v2=True)
def clip_by_norm(t: object, clip_norm: object, axes: object = None, name: Optional[str] = None) -> Any:
    with framework_lib.name_scope(name, "clip_by_norm", [t, clip_norm]):
        values = framework_lib.convert_to_tensor(_parts(t), None, "t")
        l2sum = tf.reduce_sum(values * values, axes, True)
        is_positive = l2sum > 0
        # The root is taken of what is not 0, where its derivative is infinite.
        safe = tf.where(is_positive, l2sum, tf.ones_like(l2sum))
        norm = tf.where(is_positive, tf.sqrt(safe), l2sum)
        clipped = values * clip_norm
        # Dividing by max(norm, clip_norm) must not change the shape.
        clipped.get_shape().merge_with(values.get_shape())
        return _rebuilt(t, tf.identity(clipped / tf.maximum(norm, clip_norm), name=name))


@export("tf.global_norm", "tf.linalg.global_norm", v2=True)
def global_norm(t_list: object, name: Optional[str] = None) -> Any:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError("t_list should be a sequence")
    with framework_lib.name_scope(name, "global_norm", t_list):
        values = [framework_lib.convert_to_tensor(_parts(t)) for t in t_list if t is not None]
        halves = [tf.nn.l2_loss(v) for v in values]
        half = tf.reduce_sum(tf.stack(halves))
        return tf.sqrt(half * tf.constant(2.0, dtype=half.dtype), name="global_norm")


@export("tf.clip_by_global_norm", v2=True)
def clip_by_global_norm(t_list: object, clip_norm: Any, use_norm: Any = None,
                        name: Optional[str] = None) -> Tuple[List[Any], Any]:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError("t_list should be a sequence")
    t_list = list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with framework_lib.name_scope(name, "clip_by_global_norm", t_list + [clip_norm]) as scope:
        scale = clip_norm * tf.minimum(1.0 / use_norm,
                                       tf.constant(1.0, dtype=use_norm.dtype) / clip_norm)
        made: List[Any] = []
        for i, t in enumerate(t_list):
            if t is None:
                made.append(None)
                continue
            values = framework_lib.convert_to_tensor(_parts(t))
            clipped = values * tf.cast(scale, values.dtype.base_dtype)
            made.append(_rebuilt(t, tf.identity(clipped, name="%s_%d" % (scope.rstrip("/").split("/")[-1],
                                                                   i))))
        return made, use_norm


@export("tf.clip_by_average_norm")
def clip_by_average_norm(t: Any, clip_norm: Any, name: Optional[str] = None) -> Any:
    with framework_lib.name_scope(name, "clip_by_average_norm", [t, clip_norm]):
        t = framework_lib.convert_to_tensor(t, None, "t")
        size = tf.cast(tf.size(t), _core.as_dtype("float32"))
        norm = tf.sqrt(tf.reduce_sum(t * t)) / size
        return tf.identity(t * clip_norm / tf.maximum(norm, clip_norm))
