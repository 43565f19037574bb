"""Raw ops that quantise, and those that only pretend to."""
from rawspec import op, t, v

QTYPES = ("qint8", "quint8", "qint32")
LIMITS = dict(quantization_min_val=-8, quantization_max_val=7)


def limits(r, s, axis):
    n = None if axis == -1 else s[axis]
    low, high = r.randint(-5, 0) / 2, r.randint(1, 9) / 2
    return (v("float32", low), v("float32", high)) if n is None else (v("float32", [low] * n), v("float32", [high] * n))


def axis_of(r, s):
    return -1 if r.flag() or not s else r.randrange(len(s))


@op("QuantizeV2")
def quantize_v2(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    low, high = limits(r, s, axis)
    return dict(input=t("float32", s), min_range=low, max_range=high, T=r.choice(["qint8", "quint8"]), axis=axis,
                mode=r.choice(["MIN_COMBINED", "MIN_FIRST", "SCALED"]), narrow_range=False)


@op("Dequantize")
def dequantize(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    low, high = limits(r, s, axis)
    return dict(input=t(r.choice(["qint8", "quint8"]), s), min_range=low, max_range=high, axis=axis,
                mode=r.choice(["MIN_COMBINED", "MIN_FIRST", "SCALED"]))


@op("QuantizeDownAndShrinkRange", "RequantizationRange")
def shrink(r, name):
    low, high = limits(r, [], -1)
    more = dict(out_type="quint8") if name[0] == "Q" else {}
    return dict(input=t("qint32", r.shape(1)), input_min=low, input_max=high, **more)


@op("Requantize")
def requantize(r, name):
    low, high = limits(r, [], -1)
    return dict(input=t("qint32", r.shape(1)), input_min=low, input_max=high, requested_output_min=low,
                requested_output_max=high, out_type="quint8")


@op("RequantizePerChannel", "RequantizationRangePerChannel")
def per_channel(r, name):
    s = r.shape(4, 4)
    low, high = limits(r, s, 3)
    if name == "RequantizePerChannel":
        more = dict(requested_output_min=v("float32", 0.0), requested_output_max=v("float32", 6.0), out_type="quint8")
    else:
        more = dict(clip_value_max=6.0)
    return dict(input=t("qint32", s), input_min=low, input_max=high, **more)


@op("QuantizedInstanceNorm")
def instance_norm(r, name):
    return dict(x=t("quint8", [1, 4, 4, 32]), x_min=v("float32", 0.0), x_max=v("float32", 2.0))


@op("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4", "QuantizeAndDequantizeV3")
def pretend(r, name):
    s = r.shape()
    given = r.flag()
    axis = axis_of(r, s)
    low, high = limits(r, s, axis)
    bits = v("int32", r.randint(2, 16)) if name[-1] == "3" else r.randint(2, 16)
    return dict(input=t("float32", s), input_min=low, input_max=high, num_bits=bits, range_given=given, axis=axis,
                signed_input=r.flag())


@op("QuantizeAndDequantizeV4Grad")
def pretend_grad(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    low, high = limits(r, s, axis)
    return dict(gradients=t("float32", s), input=t("float32", s), input_min=low, input_max=high, axis=axis)


@op("FakeQuantWithMinMaxArgs")
def fake_args(r, name):
    return dict(inputs=t("float32", r.shape()), num_bits=r.randint(2, 16))


@op("FakeQuantWithMinMaxArgsGradient")
def fake_args_grad(r, name):
    s = r.shape()
    return dict(gradients=t("float32", s), inputs=t("float32", s))


@op("FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel")
def fake_vars(r, name):
    channels = name.endswith("PerChannel")
    s = r.shape(1 if channels else 0)
    low, high = limits(r, s, len(s) - 1 if channels else -1)
    return dict(inputs=t("float32", s), min=low, max=high, num_bits=r.randint(2, 16))


@op("FakeQuantWithMinMaxVarsGradient", "FakeQuantWithMinMaxVarsPerChannelGradient")
def fake_vars_grad(r, name):
    channels = "PerChannel" in name
    s = r.shape(1 if channels else 0)
    low, high = limits(r, s, len(s) - 1 if channels else -1)
    return dict(gradients=t("float32", s), inputs=t("float32", s), min=low, max=high)


# --- uniform quantisation ----------------------------------------------------------------------------

def pair(r, who, s, axis):
    n = None if axis == -1 else s[axis]
    scales, zeros = (0.5, 0) if n is None else ([0.5] * n, [0] * n)
    return {who + "scales": v("float32", scales), who + "zero_points": v("int32", zeros)}


def ends(who, axis):
    return {who + "quantization_axis": axis, **{who + k: x for k, x in LIMITS.items()}}


@op("UniformQuantize", "UniformDequantize")
def uniform(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    to = name == "UniformQuantize"
    return dict(input=t("float32" if to else "qint8", s), Tout="qint8" if to else "float32", **pair(r, "", s, axis),
                **ends("", axis))


@op("UniformRequantize")
def uniform_requantize(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    to = r.choice([-1, axis])
    return dict(input=t("qint32", s), Tout="qint8", **pair(r, "input_", s, axis), **pair(r, "output_", s, to),
                **ends("input_", axis), **ends("output_", to))


@op("UniformQuantizedClipByValue")
def uniform_clip(r, name):
    s = r.shape()
    axis = axis_of(r, s)
    size = [] if axis == -1 else [s[axis]]
    return dict(operand=t("qint32", s), min=t("qint32", size, -8, 0), max=t("qint32", size, 1, 7),
                **pair(r, "", s, axis), **ends("", axis))


@op("UniformQuantizedAdd")
def uniform_add(r, name):
    s = r.shape()
    rhs = s[r.randint(0, len(s)):]
    whole = {k: x for who in ("lhs_", "rhs_", "output_") for k, x in {**pair(r, who, s, -1), **ends(who, -1)}.items()}
    return dict(lhs=t("qint32", s), rhs=t("qint32", rhs), **whole)


@op("UniformQuantizedDot")
def uniform_dot(r, name):
    m, k, n = r.dim(), r.dim(), r.dim()
    axis = r.choice([-1, 1])
    to = r.choice([-1, axis])
    return dict(lhs=t("qint8", [m, k]), rhs=t("qint8", [k, n]), Tout="qint32", **pair(r, "lhs_", [m, k], -1),
                **pair(r, "rhs_", [k, n], axis), **pair(r, "output_", [m, n], to), **ends("lhs_", -1),
                **ends("rhs_", axis), **ends("output_", to))


@op("UniformQuantizedDotHybrid")
def uniform_dot_hybrid(r, name):
    m, k, n = r.dim(), r.dim(), r.dim()
    axis = r.choice([-1, 1])
    return dict(lhs=t("float32", [m, k]), rhs=t("qint8", [k, n]), Tout="float32", **pair(r, "rhs_", [k, n], axis),
                **ends("rhs_", axis))


def conv_parts(r):
    n = r.randint(1, 2)
    groups = r.randint(1, 2)
    batches = r.randint(1, 2) if groups == 1 else 1
    each, per = r.dim(), r.dim()
    kernel = [per * groups * batches, each] + [r.randint(1, 3) for _ in range(n)]
    strides, left, right = ([r.randint(1, 2) for _ in range(n)] for _ in range(3))
    spatial = [(k - 1) * q + 1 + r.randint(0, 3) for k, q in zip(kernel[2:], right)]
    lhs = [r.dim() * batches, each * groups] + spatial
    padding = r.choice(["SAME", "VALID", "EXPLICIT"])
    explicit = [r.randint(0, 2) for _ in range(2 * n)] if padding == "EXPLICIT" else []
    attrs = dict(padding=padding, explicit_padding=explicit, window_strides=strides, lhs_dilation=left,
                 rhs_dilation=right, feature_group_count=groups, batch_group_count=batches)
    return lhs, kernel, attrs


@op("UniformQuantizedConvolution")
def uniform_conv(r, name):
    lhs, kernel, attrs = conv_parts(r)
    axis = r.choice([-1, 0])
    return dict(lhs=t("qint8", lhs), rhs=t("qint8", kernel), Tout="qint32", **pair(r, "lhs_", lhs, -1),
                **pair(r, "rhs_", kernel, axis), **pair(r, "output_", lhs, -1), **ends("lhs_", -1),
                **ends("rhs_", axis), **ends("output_", -1), **attrs)


@op("UniformQuantizedConvolutionHybrid")
def uniform_conv_hybrid(r, name):
    lhs, kernel, attrs = conv_parts(r)
    axis = r.choice([-1, 0])
    return dict(lhs=t("float32", lhs), rhs=t("qint8", kernel), Tout="float32", **pair(r, "rhs_", kernel, axis),
                **ends("rhs_", axis), **attrs)
