"""Raw ops of convolutions: forward, backward, fused, and morphological dilation."""
from rawspec import op, t, v


def windows(r, n, padding, positions=(1, 2, 3)):
    """For n spatial axes: sizes of the input, of the filter and of the output; strides, dilations, pads."""
    ins, sizes, outs, strides, dilations, pads = [], [], [], [], [], []
    for _ in range(n):
        size, stride = r.choice((1, 2, 3)), r.choice((1, 1, 2, 3))
        dilation = r.choice((1, 1, 1, 2))
        if stride > 1 and dilation > 1:
            dilation = 1
        reach = (size - 1) * dilation + 1
        before, after = (r.choice((0, 1, 2)), r.choice((0, 1))) if padding == "EXPLICIT" else (0, 0)
        size_in = max(1, reach - before - after) + r.choice((0, 1, 2, 3))
        whole = size_in + before + after
        ins.append(size_in)
        sizes.append(size)
        strides.append(stride)
        dilations.append(dilation)
        pads.append([before, after])
        outs.append(-(-size_in // stride) if padding == "SAME" else (whole - reach) // stride + 1)
    return ins, sizes, outs, strides, dilations, pads


def place(first, batch, spatial, channel):
    return [batch, channel, *spatial] if first else [batch, *spatial, channel]


def flat(pads, first):
    every = [[0, 0], [0, 0], *pads] if first else [[0, 0], *pads, [0, 0]]
    return [x for pair in every for x in pair]


def conv(r, n, explicit=True, first=None, depthwise=False, grouped=True):
    padding = r.choice(("SAME", "VALID", "EXPLICIT") if explicit else ("SAME", "VALID"))
    first = r.random() < 0.3 if first is None else first
    ins, sizes, outs, strides, dilations, pads = windows(r, n, padding)
    batch, depth, out = r.dim(), r.choice((1, 2, 3)), r.choice((1, 2, 4))
    if depthwise:
        strides, dilations = [strides[0]] * n, [1] * n
        outs = [-(-i // s) if padding == "SAME" else (i + a + b - k) // s + 1
                for i, s, k, (a, b) in zip(ins, strides, sizes, pads)]
        ins = [max(i, 1) for i in ins]
    groups = r.choice((1, 1, 2)) if grouped and not depthwise and out % 2 == 0 else 1
    attrs = dict(strides=place(first, 1, strides, 1), dilations=place(first, 1, dilations, 1), padding=padding)
    if explicit:
        attrs["explicit_paddings"] = flat(pads, first) if padding == "EXPLICIT" else []
    attrs["data_format"] = ("NCHW" if first else "NHWC") if n == 2 else ("NCDHW" if first else "NDHWC")
    return dict(input=place(first, batch, ins, depth * groups), filter=[*sizes, depth, out],
                output=place(first, batch, outs, depth * out if depthwise else out), attrs=attrs)


@op("Conv2D")
def conv2d(r, name):
    c = conv(r, 2)
    return dict(input=t("float32", c["input"]), filter=t("float32", c["filter"]), **c["attrs"])


@op("Conv3D")
def conv3d(r, name):
    c = conv(r, 3, explicit=False)
    return dict(input=t("float32", c["input"]), filter=t("float32", c["filter"]), **c["attrs"])


@op("DepthwiseConv2dNative")
def depthwise(r, name):
    c = conv(r, 2, depthwise=True)
    return dict(input=t("float32", c["input"]), filter=t("float32", c["filter"]), **c["attrs"])


@op("Conv2DBackpropInput", "Conv2DBackpropFilter", "DepthwiseConv2dNativeBackpropInput",
    "DepthwiseConv2dNativeBackpropFilter")
def backprop_2d(r, name):
    c = conv(r, 2, depthwise=name[0] == "D", first=False if r.random() < 0.8 else None)
    grad = t("float32", c["output"])
    if name.endswith("Input"):
        return dict(input_sizes=v("int32", c["input"]), filter=t("float32", c["filter"]), out_backprop=grad,
                    **c["attrs"])
    return dict(input=t("float32", c["input"]), filter_sizes=v("int32", c["filter"]), out_backprop=grad, **c["attrs"])


@op("Conv2DBackpropInputV2", "Conv2DBackpropFilterV2")
def backprop_2d_tensors(r, name):
    c = conv(r, 2)
    return dict(input=t("float32", c["input"]), filter=t("float32", c["filter"]),
                out_backprop=t("float32", c["output"]), **c["attrs"])


@op("Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "Conv3DBackpropInput", "Conv3DBackpropFilter")
def backprop_3d(r, name):
    c = conv(r, 3, explicit=False, grouped=False, first=False)
    c["attrs"]["dilations"] = [1] * 5
    ins, outs, n = c["input"], c["output"], range(1, 4)
    for i in n:  # dilations were drawn for another output
        size, stride = c["filter"][i - 1], c["attrs"]["strides"][i]
        outs[i] = -(-ins[i] // stride) if c["attrs"]["padding"] == "SAME" else (ins[i] - size) // stride + 1
    grad = t("float32", outs)
    if not name.endswith("V2"):
        del c["attrs"]["data_format"]
        return dict(input=t("float32", ins), filter=t("float32", c["filter"]), out_backprop=grad, **c["attrs"])
    if name.endswith("InputV2"):
        return dict(input_sizes=v(r.choice(("int32", "int64")), ins), filter=t("float32", c["filter"]),
                    out_backprop=grad, **c["attrs"])
    return dict(input=t("float32", ins), filter_sizes=v("int32", c["filter"]), out_backprop=grad, **c["attrs"])


@op("Dilation2D", "Dilation2DBackpropInput", "Dilation2DBackpropFilter")
def dilation(r, name):
    padding = r.choice(("SAME", "VALID"))
    ins, sizes, outs, strides, rates, _ = windows(r, 2, padding)
    batch, depth = r.dim(), r.dim()
    args = dict(input=t("float32", [batch, *ins, depth]), filter=t("float32", [*sizes, depth]))
    if name != "Dilation2D":
        args["out_backprop"] = t("float32", [batch, *outs, depth])
    return dict(**args, strides=[1, *strides, 1], rates=[1, *rates, 1], padding=padding)


@op("Conv")
def conv_any(r, name):
    c = conv(r, r.choice((2, 3)), grouped=False, first=False)
    attrs = c["attrs"]
    del attrs["data_format"]
    batches = r.choice((0, 1, 1, 2))
    shape = [r.dim() for _ in range(batches)] + c["input"][1:]
    return dict(input=t("float32", shape), filter=t("float32", c["filter"]), batch_dims=batches,
                groups=1, data_format="CHANNELS_LAST", **attrs)


@op("FusedPadConv2D", "FusedResizeAndPadConv2D")
def fused(r, name):
    mode = r.choice(("REFLECT", "SYMMETRIC"))
    padding, stride = r.choice(("SAME", "VALID")), r.choice((1, 2))
    hw = [r.choice((3, 4, 5, 6)) for _ in range(2)]
    pads = [[0, 0], [r.choice((0, 1, 2)), r.choice((0, 1))], [r.choice((0, 1)), r.choice((0, 2))], [0, 0]]
    batch, depth, out = r.dim(), r.dim(), r.dim()
    size = [r.choice((1, 2, 3)) for _ in range(2)]
    args = dict(paddings=v("int32", pads), filter=t("float32", [*size, depth, out]), mode=mode,
                strides=[1, stride, stride, 1], padding=padding)
    if name == "FusedPadConv2D":
        return dict(input=t("float32", [batch, *hw, depth]), **args)
    return dict(input=t("float32", [batch, r.dim() + 1, r.dim() + 1, depth]), size=v("int32", hw),
                resize_align_corners=r.flag(), **args)
