"""Raw ops of normalisation and softmax."""
from rawspec import op, t


def image(r, first, n=2):
    spatial = [r.dim() for _ in range(n)]
    batch, depth = r.dim(), r.dim()
    return ([batch, depth, *spatial] if first else [batch, *spatial, depth]), depth


@op("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(r, name):
    training = r.flag()
    n = r.choice((2, 2, 3)) if name.endswith("V3") else 2
    shape, depth = image(r, False, n)
    half = "float16" if name != "FusedBatchNorm" and r.random() < 0.2 else "float32"
    estimates = 0 if training and r.flag() else depth
    return dict(x=t(half, shape), scale=t("float32", [depth]), offset=t("float32", [depth]),
                mean=t("float32", [estimates]), variance=t("float32", [estimates], 1, 2), is_training=training,
                epsilon=0.001, exponential_avg_factor=1.0, data_format="NDHWC" if n == 3 else "NHWC")


@op("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3")
def batch_norm_grad(r, name):
    shape, depth = image(r, False)
    args = dict(y_backprop=t("float32", shape), x=t("float32", shape), scale=t("float32", [depth]),
                reserve_space_1=t("float32", [depth]), reserve_space_2=t("float32", [depth], 1, 2))
    if name.endswith("V3"):
        args["reserve_space_3"] = t("float32", [r.choice((0, depth))])
    return dict(**args, is_training=r.flag(), epsilon=0.001, data_format="NHWC")


@op("BatchNormWithGlobalNormalization", "BatchNormWithGlobalNormalizationGrad")
def global_norm(r, name):
    shape, depth = image(r, False)
    args = {n: t("float32", [depth], 1, 2) for n in ("m", "v", "beta", "gamma")}
    if name.endswith("Grad"):
        del args["beta"]
        args["backprop"] = t("float32", shape)
    return dict(t=t("float32", shape), **args, variance_epsilon=0.001, scale_after_normalization=r.flag())


@op("LRN", "LRNGrad")
def lrn(r, name):
    shape, _ = image(r, False)
    names = ("input",) if name == "LRN" else ("input_grads", "input_image", "output_image")
    return dict({n: t("float32", shape) for n in names}, depth_radius=r.choice((1, 2, 5)), bias=1.0, alpha=1.0,
                beta=0.5)


@op("Softmax", "LogSoftmax")
def softmax(r, name):
    return dict(logits=t(r.choice(("float32", "float16", "float64")), r.shape(1, 4)))
