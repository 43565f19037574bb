"""Raw ops that work element by element, of one, two or more operands."""
from rawspec import op, t, v

FLOATS = ("float32", "float64", "float16")
REALS = ("float32", "float64", "int32", "int64")


def _pair(r):
    """Two shapes that broadcast."""
    b = r.shape()
    a = [d if r.random() < 0.7 else 1 for d in b][r.randint(0, len(b)) if r.random() < 0.3 else 0:]
    return (a, b) if r.flag() else (b, a)


def _both(r, dtype, x="x", y="y", low=None, high=None):
    a, b = _pair(r)
    return {x: t(dtype, a, low, high), y: t(dtype, b, low, high)}


@op("Add", "AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference")
def arithmetic(r, name):
    return _both(r, r.choice(REALS))


@op("Div", "FloorDiv", "FloorMod", "TruncateDiv")
def division(r, name):
    dtype = r.choice(REALS)
    case = _both(r, dtype, low=1, high=9)
    if dtype == "int32" and r.random() < 0.4:
        case["y"] = v("int32", [r.choice([0, 1, -1, 3])])
    return case


@op("TruncateMod", "Mod")
def rest(r, name):
    return _both(r, r.choice(("int32", "int64", "float32", "float64")), low=1, high=9)


@op("RealDiv", "DivNoNan", "MulNoNan", "Xdivy", "Xlogy", "Xlog1py")
def real(r, name):
    return _both(r, r.choice(("float32", "float64")))


@op("Pow")
def power(r, name):
    if r.random() < 0.3:
        return dict(x=t("int32", r.shape(), 0, 4), y=v("int32", r.choice([0, 2, 3, -1])))
    return _both(r, r.choice(("float32", "int32")), low=0, high=5)


@op("Atan2")
def atan2(r, name):
    return _both(r, r.choice(("float32", "float64")), "y", "x")


@op("Igamma", "Igammac", "IgammaGradA", "Polygamma")
def gammas(r, name):
    return _both(r, r.choice(("float32", "float64")), "a", "x", 1, 5)


@op("Zeta")
def zeta(r, name):
    return _both(r, r.choice(("float32", "float64")), "x", "q", 2, 5)


@op("NextAfter")
def next_after(r, name):
    return _both(r, r.choice(("float32", "float64")), "x1", "x2")


@op("Complex")
def complex_(r, name):
    dtype = r.choice(("float32", "float64"))
    return dict(_both(r, dtype, "real", "imag"),
                Tout="complex64" if dtype == "float32" else "complex128")


@op("Less", "LessEqual", "Greater", "GreaterEqual")
def compare(r, name):
    return _both(r, r.choice(REALS))


@op("Equal", "NotEqual")
def equal(r, name):
    case = _both(r, r.choice(REALS + ("bool", "string")))
    return dict(case, incompatible_shape_error=r.flag()) if r.flag() else case


@op("ApproximateEqual")
def approximate(r, name):
    s, dtype = r.shape(), r.choice(("float32", "int32"))
    return dict(x=t(dtype, s), y=t(dtype, s), tolerance=0.1)


@op("LogicalAnd", "LogicalOr")
def logical(r, name):
    return _both(r, "bool")


@op("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift")
def bitwise(r, name):
    return _both(r, r.choice(("int32", "int64", "uint8")), low=0, high=7)


# --- one operand ------------------------------------------------------------------------------------
@op("Abs", "Neg", "Sign", "Square")
def signed(r, name):
    return dict(x=t(r.choice(REALS), r.shape()))


@op("Reciprocal", "Inv", "Round", "Sqrt", "Rsqrt", "Exp", "Expm1", "Log", "Log1p", "Sin", "Cos", "Tan",
    "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Sigmoid", "Erf", "Erfc",
    "Erfinv", "Ndtri", "Lgamma", "Digamma", "Floor", "Ceil", "Rint", "BesselI0", "BesselI1", "BesselI0e",
    "BesselI1e", "BesselK0", "BesselK1", "BesselK0e", "BesselK1e", "BesselJ0", "BesselJ1", "BesselY0",
    "BesselY1", "Dawsn", "Expint", "FresnelCos", "FresnelSin", "Spence", "IsNan", "IsInf", "IsFinite")
def floating(r, name):
    return dict(x=t(r.choice(("float32", "float64")), r.shape()))


@op("Invert", "PopulationCount")
def integral(r, name):
    return dict(x=t(r.choice(("int32", "int64", "uint8", "int16")), r.shape()))


@op("OnesLike", "ZerosLike")
def like(r, name):
    return dict(x=t(r.choice(REALS + ("bool",)), r.shape()))


@op("LogicalNot")
def logical_not(r, name):
    return dict(x=t("bool", r.shape()))


@op("Real", "Imag", "Angle")
def of_complex(r, name):
    wide = r.flag()
    return dict(input=t("complex128" if wide else "complex64", r.shape()),
                Tout="float64" if wide else "float32")


@op("ComplexAbs")
def complex_abs(r, name):
    return dict(x=t("complex64", r.shape()))


@op("Conj")
def conj(r, name):
    return dict(input=t(r.choice(("complex64", "complex128")), r.shape()))


@op("Cast")
def cast(r, name):
    return dict(x=t(r.choice(REALS + ("bool", "uint8")), r.shape(), 0, 2),
                DstT=r.choice(REALS + ("bool", "uint8", "float16")))


@op("Bitcast")
def bitcast(r, name):
    small, large, ratio = r.choice([("uint8", "int32", 4), ("int16", "float64", 4),
                                    ("float32", "float64", 2), ("int32", "float32", 1)])
    s = r.shape(0, 3)
    if r.flag():
        return dict(input=t(large, s), type=small)
    return dict(input=t(small, s + [ratio] if ratio > 1 else s), type=large)


@op("Softplus", "Softsign", "Relu", "Relu6", "Elu", "Selu")
def activation(r, name):
    return dict(features=t("float32", r.shape()))


@op("LeakyRelu")
def leaky_relu(r, name):
    return dict(features=t("float32", r.shape()), alpha=0.3)


@op("SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad")
def gradient(r, name):
    s, dtype = r.shape(), r.choice(("float32", "float64"))
    return dict(y=t(dtype, s), dy=t(dtype, s))


@op("SoftplusGrad", "SoftsignGrad", "ReluGrad", "Relu6Grad", "LeakyReluGrad")
def activation_gradient(r, name):
    s = r.shape()
    return dict(gradients=t("float32", s), features=t("float32", s))


@op("EluGrad", "SeluGrad")
def elu_gradient(r, name):
    s = r.shape()
    return dict(gradients=t("float32", s), outputs=t("float32", s))


# --- more operands ----------------------------------------------------------------------------------
@op("AddN")
def add_n(r, name):
    s = r.shape()
    return dict(inputs=[t("float32", s) for _ in range(r.randint(1, 4))])


@op("AccumulateNV2")
def accumulate(r, name):
    s = r.shape()
    return dict(inputs=[t("float32", s) for _ in range(r.randint(1, 3))], shape=s)


@op("Select")
def select(r, name):
    s = r.shape()
    cond = r.choice([s, [], s[:1]])
    return dict(condition=t("bool", cond), x=t("float32", s), y=t("float32", s))


@op("SelectV2")
def select_v2(r, name):
    a, b = _pair(r)
    return dict(condition=t("bool", r.choice([a, b, []])), t=t("float32", a), e=t("float32", b))


@op("ClipByValue")
def clip(r, name):
    s = r.shape()
    return dict(t=t("float32", s), clip_value_min=t("float32", r.choice([s, []]), 0, 1),
                clip_value_max=t("float32", r.choice([s, []]), 1, 2))


@op("BiasAdd", "BiasAddV1", "BiasAddGrad")
def bias(r, name):
    first = name != "BiasAddV1" and r.flag()
    s = r.shape(3 if first else 2, 5)
    case = dict(out_backprop=t("float32", s)) if name == "BiasAddGrad" else \
        dict(value=t("float32", s), bias=t("float32", [s[1 if first else -1]]))
    return dict(case, data_format="NCHW" if first else "NHWC") if name != "BiasAddV1" else case


@op("Betainc")
def betainc(r, name):
    s = r.shape()
    draw = lambda: t("float32", s if r.random() < 0.7 else [], 0.1, 0.9)  # noqa: E731
    return dict(a=draw(), b=draw(), x=draw())


@op("Cumsum", "Cumprod", "CumulativeLogsumexp")
def cumulative(r, name):
    s = r.shape(1, 4)
    axis = v(r.choice(("int32", "int64")), r.axis(len(s)))
    return dict(x=t(r.choice(("float32", "float64")), s), axis=axis,
                exclusive=r.flag(), reverse=r.flag())


@op("CheckNumerics", "CheckNumericsV2")
def check_numerics(r, name):
    return dict(tensor=t("float32", r.shape()), message="not finite")


@op("L2Loss")
def l2_loss(r, name):
    return dict(t=t("float32", r.shape()))
