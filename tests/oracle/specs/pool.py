"""Raw ops of pooling and their gradients."""
from conv import flat, place
from rawspec import op, t, v


def pool(r, n, formats=("last",), explicit=False, depth_windows=False, dims=None):
    padding = r.choice(("SAME", "VALID", "EXPLICIT") if explicit else ("SAME", "VALID"))
    first = r.choice(formats) == "first"
    if depth_windows and not first and padding != "EXPLICIT" and r.random() < 0.2:
        k = r.choice((1, 2))
        shape = [r.dim(), *[r.dim() for _ in range(n)], k * r.choice((1, 2, 3))]
        one = [1] * (n + 1)
        return dict(input=shape, output=[*shape[:-1], shape[-1] // k],
                    attrs=dict(ksize=[*one, k], strides=[*one, k], padding=padding), first=False)
    ins, sizes, outs, strides, pads = [], [], [], [], []
    for _ in range(n):
        k, s = r.choice((1, 2, 3)), r.choice((1, 2, 3))
        before, after = (r.randint(0, k - 1), r.randint(0, k - 1)) if padding == "EXPLICIT" else (0, 0)
        size = max(1, k - before - after) + r.choice((0, 1, 2, 3))
        ins.append(size)
        sizes.append(k)
        strides.append(s)
        pads.append([before, after])
        outs.append(-(-size // s) if padding == "SAME" else (size + before + after - k) // s + 1)
    batch, depth = r.dim(), r.dim()
    attrs = dict(ksize=place(first, 1, sizes, 1), strides=place(first, 1, strides, 1), padding=padding)
    if explicit:
        attrs["explicit_paddings"] = flat(pads, first) if padding == "EXPLICIT" else []
    return dict(input=place(first, batch, ins, depth), output=place(first, batch, outs, depth), attrs=attrs,
                first=first)


@op("MaxPool", "AvgPool", "MaxPoolV2")
def pool_2d(r, name):
    c = pool(r, 2, ("last", "last", "first"), explicit=name == "MaxPool", depth_windows=name[0] == "M")
    attrs = c["attrs"]
    args = {"value" if name == "AvgPool" else "input": t("float32", c["input"])}
    if name == "MaxPoolV2":
        args.update(ksize=v("int32", attrs.pop("ksize")), strides=v("int32", attrs.pop("strides")))
    return dict(**args, **attrs, data_format="NCHW" if c["first"] else "NHWC")


@op("MaxPool3D", "AvgPool3D")
def pool_3d(r, name):
    c = pool(r, 3, ("last", "last", "first"))
    return dict(input=t("float32", c["input"]), **c["attrs"], data_format="NCDHW" if c["first"] else "NDHWC")


@op("MaxPoolWithArgmax")
def argmax(r, name):
    c = pool(r, 2)
    return dict(input=t("float32", c["input"]), **c["attrs"], include_batch_in_index=r.flag(),
                Targmax=r.choice(("int32", "int64")))


@op("MaxPoolGrad", "MaxPoolGradGrad", "MaxPoolGradV2", "MaxPoolGradGradV2")
def max_grad(r, name):
    c = pool(r, 2, explicit=name == "MaxPoolGrad", depth_windows=True)
    attrs = c["attrs"]
    args = dict(orig_input=t("float32", c["input"]), orig_output=t("float32", c["output"]),
                grad=t("float32", c["input" if "GradGrad" in name else "output"]))
    if name.endswith("V2"):
        args.update(ksize=v("int32", attrs.pop("ksize")), strides=v("int32", attrs.pop("strides")))
    return dict(**args, **attrs, data_format="NHWC")


@op("MaxPool3DGrad", "MaxPool3DGradGrad")
def max_grad_3d(r, name):
    c = pool(r, 3)
    return dict(orig_input=t("float32", c["input"]), orig_output=t("float32", c["output"]),
                grad=t("float32", c["input" if "GradGrad" in name else "output"]), **c["attrs"], data_format="NDHWC")


@op("MaxPoolGradWithArgmax", "MaxPoolGradGradWithArgmax")
def argmax_grad(r, name):
    c = pool(r, 2)
    return dict(input=t("float32", c["input"]),
                grad=t("float32", c["input" if "GradGrad" in name else "output"]),
                argmax=t("int64", c["output"], 0, 1), **c["attrs"], include_batch_in_index=r.flag())


@op("AvgPoolGrad", "AvgPool3DGrad")
def avg_grad(r, name):
    n = 3 if "3D" in name else 2
    c = pool(r, n)
    return dict(orig_input_shape=v("int32", c["input"]), grad=t("float32", c["output"]), **c["attrs"],
                data_format="NDHWC" if n == 3 else "NHWC")


def fractional(r):
    ratios = [1.0, r.choice((1.0, 1.3, 1.5, 2.0)), r.choice((1.0, 1.44, 1.73)), 1.0]
    shape = [r.dim(), r.choice((4, 5, 7, 9)), r.choice((4, 6, 8)), r.dim()]
    return ratios, shape, [int(d / q) for d, q in zip(shape, ratios)]


@op("FractionalMaxPool", "FractionalAvgPool")
def fractional_pool(r, name):
    ratios, shape, _ = fractional(r)
    return dict(value=t(r.choice(("float32", "float64", "int32")), shape), pooling_ratio=ratios,
                pseudo_random=r.flag(), overlapping=r.flag(), deterministic=True, seed=1, seed2=2)


@op("FractionalMaxPoolGrad", "FractionalAvgPoolGrad")
def fractional_grad(r, name):
    shape = [r.dim(), r.choice((4, 6)), r.choice((4, 6)), r.dim()]
    small = [shape[0], shape[1] // 2, shape[2] // 2, shape[3]]
    rows, cols = list(range(0, shape[1] + 1, 2)), list(range(0, shape[2] + 1, 2))
    args = dict(out_backprop=t("float32", small), row_pooling_sequence=v("int64", rows),
                col_pooling_sequence=v("int64", cols), overlapping=r.flag())
    if name == "FractionalAvgPoolGrad":
        return dict(orig_input_tensor_shape=v("int64", shape), **args)
    return dict(orig_input=t("float32", shape), orig_output=t("float32", small), **args)
