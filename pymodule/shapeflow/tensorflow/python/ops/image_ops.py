"""tf.image: the names that are not functions. Source: tensorflow/python/ops/image_ops_impl.py."""
from shapeflow.api.registry import export, put


@export("tf.image.ResizeMethod", v1=False, v2=True)
class ResizeMethod:
    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


class ResizeMethodV1:
    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


put(ResizeMethodV1, "tf.image.ResizeMethod")
