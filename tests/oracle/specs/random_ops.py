"""Raw ops that draw random numbers."""
from rawspec import op, out, t, v

INDEX = ("int32", "int64")


def _shape(r):
    s = r.shape(0, 3)
    return v(r.choice(INDEX), s, [len(s)])


def _seed(r):
    return t(r.choice(INDEX), [2])


@op("RandomUniform", "RandomStandardNormal", "TruncatedNormal")
def plain(r, name):
    return dict(shape=_shape(r), dtype=r.choice(("float32", "float64")))


@op("RandomUniformInt")
def uniform_int(r, name):
    dtype = r.choice(INDEX)
    return dict(shape=_shape(r), minval=v(dtype, r.randint(-3, 2)),
                maxval=v(dtype, r.randint(3, 9)))


@op("ParameterizedTruncatedNormal")
def parameterized(r, name):
    s = r.shape(1, 3)
    of = lambda low, high: t("float32", r.choice([[], [1], s[:1]]), low, high)  # noqa: E731
    return dict(shape=v("int32", s), means=of(0, 1), stdevs=of(1, 2), minvals=of(-3, -2), maxvals=of(2, 3))


@op("RandomShuffle")
def shuffle(r, name):
    return dict(value=t("float32", r.shape()))


@op("Multinomial")
def multinomial(r, name):
    return dict(logits=t("float32", [r.dim(), r.dim()]), num_samples=v("int32", r.randint(0, 5)),
                output_dtype=r.choice(INDEX))


@op("RandomGamma")
def gamma(r, name):
    return dict(shape=_shape(r), alpha=t("float32", r.shape(0, 2), 1, 3))


@op("RandomGammaGrad")
def gamma_grad(r, name):
    s = r.shape()
    return dict(alpha=t("float32", s, 1, 3), sample=t("float32", s, 1, 3))


@op("RandomPoisson", "RandomPoissonV2")
def poisson(r, name):
    return dict(shape=_shape(r), rate=t("float32", r.shape(0, 2), 1, 3),
                dtype="float32" if name == "RandomPoisson" else "int32")


@op("RandomCrop")
def crop(r, name):
    h, w = r.dim(), r.dim()
    return dict(image=t("float32", [h, w, r.dim()]), size=v("int64", [r.randint(1, h), r.randint(1, w)]))


@op("StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal")
def stateless(r, name):
    return dict(shape=_shape(r), seed=_seed(r), dtype=r.choice(("float32", "float64")))


@op("StatelessRandomUniformFullInt")
def stateless_full_int(r, name):
    return dict(shape=_shape(r), seed=t("int64", [2]), dtype=r.choice(INDEX))


@op("StatelessRandomUniformInt")
def stateless_int(r, name):
    dtype = r.choice(INDEX)
    return dict(shape=_shape(r), seed=_seed(r), minval=v(dtype, r.randint(-3, 2)),
                maxval=v(dtype, r.randint(3, 9)))


@op("StatelessMultinomial")
def stateless_multinomial(r, name):
    return dict(logits=t("float32", [r.dim(), r.dim()]), num_samples=v("int32", r.randint(0, 5)),
                seed=_seed(r))


@op("StatelessRandomBinomial")
def stateless_binomial(r, name):
    p = r.shape(0, 2)
    s = r.shape(0, 2) + p
    return dict(shape=v("int32", s, [len(s)]), seed=_seed(r), counts=t("float32", r.choice([p, []]), 1, 5),
                probs=t("float32", p, 0, 1), dtype="int32")


@op("StatelessRandomPoisson")
def stateless_poisson(r, name):
    p = r.shape(0, 2)
    s = r.shape(0, 2) + p
    return dict(shape=v("int32", s, [len(s)]), seed=_seed(r), lam=t("float32", p, 1, 3), dtype="int32")


@op("StatelessParameterizedTruncatedNormal")
def stateless_parameterized(r, name):
    p = r.shape(0, 2)
    s = r.shape(0, 2) + p
    of = lambda low, high: t("float32", r.choice([p, []]), low, high)  # noqa: E731
    return dict(shape=v("int32", s, [len(s)]), seed=_seed(r), means=of(0, 1), stddevs=of(1, 2),
                minvals=of(-3, -2), maxvals=of(2, 3))


@op("StatelessRandomGammaV2")
def stateless_gamma(r, name):
    p = r.shape(0, 2)
    s = r.shape(0, 2) + p
    return dict(shape=v("int32", s, [len(s)]), seed=_seed(r), alpha=t("float32", p, 1, 3))


def _generator(r):
    return dict(key=t("uint64", [1]), counter=t("uint64", [2]), alg=v("int32", r.choice([1, 3])))


@op("StatelessRandomGammaV3")
def stateless_gamma_v3(r, name):
    p = r.shape(0, 2)
    s = r.shape(0, 2) + p
    return dict(_generator(r), shape=v("int32", s, [len(s)]), alpha=t("float32", p, 1, 3))


@op("StatelessRandomUniformV2", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2")
def stateless_v2(r, name):
    return dict(_generator(r), shape=_shape(r), dtype=r.choice(("float32", "float64")))


@op("StatelessRandomUniformFullIntV2")
def stateless_full_int_v2(r, name):
    return dict(_generator(r), shape=_shape(r), dtype=r.choice(INDEX))


@op("StatelessRandomUniformIntV2")
def stateless_int_v2(r, name):
    dtype = r.choice(INDEX)
    return dict(_generator(r), shape=_shape(r), minval=v(dtype, r.randint(-3, 2)),
                maxval=v(dtype, r.randint(3, 9)))


@op("StatelessRandomGetKeyCounter", "StatelessRandomGetKeyCounterAlg")
def key_counter(r, name):
    return dict(seed=_seed(r))


@op("StatelessRandomGetAlg")
def get_alg(r, name):
    return {}


@op("StatelessShuffle")
def stateless_shuffle(r, name):
    return dict(_generator(r), value=t("float32", r.shape()))


@op("NonDeterministicInts")
def non_deterministic(r, name):
    return dict(shape=_shape(r), dtype=r.choice(INDEX))


@op("RandomIndexShuffle")
def index_shuffle(r, name):
    n = r.dim()
    any_of = lambda inner: r.choice([inner, [n] + inner])  # noqa: E731
    return dict(index=t("int32", any_of([]), 0, 5), seed=t("int32", any_of([3]), 0, 9),
                max_index=t("int32", any_of([]), 6, 9))


@op("SobolSample")
def sobol(r, name):
    return dict(dim=v("int32", r.randint(1, 5)), num_results=v("int32", r.randint(1, 6)),
                skip=v("int32", r.randint(0, 3)), dtype=r.choice(("float32", "float64")))


def _rng():
    handle = out("VarHandleOp", dtype="int64", shape=[3], shared_name="rng", container="")
    state = out("AssignVariableOp", resource=handle, value=v("int64", [1, 2, 3]))
    return handle, [state]


@op("StatefulStandardNormalV2", "StatefulUniform", "StatefulTruncatedNormal")
def stateful(r, name):
    handle, do = _rng()
    return dict(resource=handle, algorithm=v("int64", 1), shape=_shape(r), dtype="float32", do=do)


@op("StatefulUniformFullInt")
def stateful_full_int(r, name):
    handle, do = _rng()
    return dict(resource=handle, algorithm=v("int64", 1), shape=_shape(r), dtype="int64", do=do)


@op("StatefulUniformInt")
def stateful_int(r, name):
    handle, do = _rng()
    return dict(resource=handle, algorithm=v("int64", 1), shape=_shape(r), minval=v("int64", 0),
                maxval=v("int64", 5), do=do)


@op("StatefulRandomBinomial")
def stateful_binomial(r, name):
    handle, do = _rng()
    s = r.shape(1, 3)
    return dict(resource=handle, algorithm=v("int64", 1), shape=v("int32", s), counts=t("float32", [], 1, 5),
                probs=t("float32", [], 0, 1), dtype="int32", do=do)


@op("RngSkip")
def rng_skip(r, name):
    handle, do = _rng()
    return dict(resource=handle, algorithm=v("int64", 1), delta=v("int64", 4), do=do)


@op("RngReadAndSkip")
def rng_read(r, name):
    handle, do = _rng()
    return dict(resource=handle, alg=v("int32", 1), delta=v("uint64", 4), do=do)
