"""Raw ops of clustering, isotonic regression, fingerprints; candidate samplers."""
from rawspec import op, t, v


@op("KMC2ChainInitialization")
def kmc2(r, name):
    return dict(distances=t("float32", [r.dim()]), seed=t("int64", []))


@op("KmeansPlusPlusInitialization")
def kmeans(r, name):
    n = r.dim()
    return dict(points=t("float32", [n, r.dim()]), num_to_sample=v("int64", r.randint(1, n)),
                seed=t("int64", []), num_retries_per_sample=t("int64", []))


@op("NearestNeighbors")
def neighbors(r, name):
    d = r.dim()
    return dict(points=t("float32", [r.dim(), d]), centers=t("float32", [r.dim(), d]),
                k=v("int64", r.randint(0, 7)))


@op("IsotonicRegression")
def isotonic(r, name):
    return dict(input=t(r.choice(("float32", "int32")), r.shape(2, 2)))


@op("Fingerprint")
def fingerprint(r, name):
    return dict(data=t(r.choice(("string", "float32")), r.shape(1, 3)), method=v("string", "farmhash64"))


@op("SdcaFprint")
def fprint(r, name):
    return dict(input=t("string", [r.dim()]))


@op("Fact")
def fact(r, name):
    return {}


@op("UniformCandidateSampler", "LogUniformCandidateSampler", "LearnedUnigramCandidateSampler",
    "ThreadUnsafeUnigramCandidateSampler", "FixedUnigramCandidateSampler", "AllCandidateSampler")
def sampler(r, name):
    true = r.randint(1, 3)
    sampled = r.randint(1, 5)
    case = dict(true_classes=t("int64", [r.dim(), true], 0, 8), num_true=true, num_sampled=sampled,
                unique=r.flag())
    if name == "AllCandidateSampler":
        return dict(case, num_sampled=8)
    if name == "FixedUnigramCandidateSampler":
        case["unigrams"] = [1.0] * 8
    return dict(case, range_max=8)


@op("ComputeAccidentalHits")
def hits(r, name):
    true = r.randint(1, 3)
    return dict(true_classes=t("int64", [r.dim(), true], 0, 8), num_true=true,
                sampled_candidates=t("int64", [r.dim()], 0, 8))
