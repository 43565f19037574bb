"""Raw ops on quantised tensors."""
from conv import conv
from pool import pool
from rawspec import op, t, v


def low(value=0.0):
    return v("float32", value)


def ranges(*names):
    return {f"{end}_{n}": low(float(end == "max")) for n in names for end in ("min", "max")}


@op("QuantizedAdd", "QuantizedMul")
def binary(r, name):
    shape = r.shape(0, 3)
    other = r.choice((shape, shape[1:], [], [1] * len(shape)))
    x, y = (shape, other) if r.flag() else (other, shape)
    return dict(x=t("quint8", x), y=t("quint8", y), **ranges("x", "y"), Toutput="qint32")


@op("QuantizedRelu", "QuantizedRelu6", "QuantizedReluX")
def relu(r, name):
    args = dict(features=t("quint8", r.shape()), **ranges("features"))
    if name.endswith("X"):
        args["max_value"] = low(3.0)
    return args


@op("QuantizedBiasAdd")
def bias(r, name):
    shape = r.shape(2, 4)
    return dict(input=t("quint8", shape), bias=t("quint8", shape[-1:]), **ranges("input", "bias"), out_type="qint32")


@op("QuantizedBatchNormWithGlobalNormalization")
def norm(r, name):
    shape = [r.dim() for _ in range(4)]
    args = dict(t=t("quint8", shape))
    args.update({n: t("quint8", shape[3:]) for n in ("m", "v", "beta", "gamma")})
    for n in ("t", "m", "v", "beta", "gamma"):
        args.update({n + "_min": low(), n + "_max": low(1.0)})
    return dict(**args, out_type="qint32", variance_epsilon=0.001, scale_after_normalization=r.flag())


@op("QuantizedInstanceNorm")
def instance(r, name):
    return dict(x=t("quint8", [r.dim() for _ in range(4)]), x_min=low(), x_max=low(1.0))


@op("QuantizedAvgPool", "QuantizedMaxPool")
def pools(r, name):
    c = pool(r, 2)
    return dict(input=t("quint8", c["input"]), **ranges("input"), **c["attrs"])


@op("QuantizedResizeBilinear")
def resize(r, name):
    return dict(images=t("quint8", [r.dim(), r.dim() + 1, r.dim() + 1, r.dim()]),
                size=v("int32", [r.dim(), r.dim()]), min=low(), max=low(1.0))


MATMULS = ("", "WithBias", "WithBiasAndRelu", "WithBiasAndDequantize", "WithBiasAndRequantize",
           "WithBiasAndReluAndRequantize")


@op(*("QuantizedMatMul" + suffix for suffix in MATMULS))
def matmul(r, name):
    m, k, n = r.dim(), r.dim(), r.dim()
    ta, tb = r.flag(), r.flag()
    args = dict(a=t("quint8", [k, m] if ta else [m, k]), b=t("qint8" if "Bias" in name else "quint8",
                                                              [n, k] if tb else [k, n]),
                **ranges("a", "b"), transpose_a=ta, transpose_b=tb)
    if "Bias" in name:
        args["bias"] = t("float32", [n])
    if "equantize" in name:
        args.update(min_freezed_output=low(), max_freezed_output=low(1.0))
    if "Dequantize" in name:
        args["Toutput"] = "float32"
    return args


CONVS = ("", "PerChannel", "AndRelu", "AndRequantize", "AndReluAndRequantize", "WithBias", "WithBiasAndRelu",
         "WithBiasAndRequantize", "WithBiasAndReluAndRequantize", "WithBiasSumAndRelu",
         "WithBiasSumAndReluAndRequantize", "WithBiasSignedSumAndReluAndRequantize")
DEPTHWISE = ("", "WithBias", "WithBiasAndRelu", "WithBiasAndReluAndRequantize")


@op(*("QuantizedConv2D" + suffix for suffix in CONVS),
    *("QuantizedDepthwiseConv2D" + suffix for suffix in DEPTHWISE))
def convs(r, name):
    depthwise = "Depthwise" in name
    c = conv(r, 2, explicit=False, first=False, depthwise=depthwise, grouped=name != "QuantizedConv2D")
    attrs = c["attrs"]
    del attrs["data_format"]
    if name == "QuantizedConv2D":
        s = attrs["strides"][1]
        attrs.update(dilations=[1] * 4, strides=[1, s, s, 1])
    channels = c["filter"][3] * (c["filter"][2] if depthwise else 1)
    plain = name == "QuantizedConv2D"
    args = dict(input=t("quint8", c["input"]), filter=t("quint8" if plain else "qint8", c["filter"]),
                **ranges("input", "filter"), **attrs)
    vector = name not in ("QuantizedConv2D", "QuantizedConv2DAndRequantize") and r.flag()
    if vector:
        args.update(min_filter=v("float32", [0.0] * channels), max_filter=v("float32", [1.0] * channels))
    if "Bias" in name:
        args["bias"] = t("float32", [channels])
    if name.endswith("Requantize"):
        args.update(min_freezed_output=low(), max_freezed_output=low(1.0))
    if "Sum" in name:
        args["summand"] = t("float32", c["output"])
    if "SumAndReluAndRequantize" in name:
        args.update(summand=t("quint8", c["output"]), min_summand=low(), max_summand=low(1.0))
    return args
