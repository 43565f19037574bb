"""Raw ops that reduce axes, pick the best, count; and reductions over segments."""
from rawspec import op, t, v


def _axes(r, rank):
    axes = [a - rank if r.random() < 0.3 else a for a in r.sample(range(rank), r.randint(0, rank))]
    index = r.choice(("int32", "int64"))
    return v(index, axes[0]) if len(axes) == 1 and r.flag() else v(index, axes, [len(axes)])


@op("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm")
def reduction(r, name):
    s = r.shape()
    return dict(input=t(r.choice(("float32", "float64", "int32")), s), axis=_axes(r, len(s)),
                keep_dims=r.flag())


@op("Any", "All")
def boolean(r, name):
    s = r.shape()
    return dict(input=t("bool", s), axis=_axes(r, len(s)), keep_dims=r.flag())


@op("ArgMax", "ArgMin")
def arg(r, name):
    s = r.shape(1, 4)
    return dict(input=t(r.choice(("float32", "int32")), s),
                dimension=v(r.choice(("int32", "int64")), r.axis(len(s))),
                output_type=r.choice(("int32", "int64")))


@op("TopK")
def top_k(r, name):
    s = r.shape(1, 4)
    return dict(input=t("float32", s), k=r.randint(0, s[-1]), sorted=r.flag())


@op("TopKV2")
def top_k_v2(r, name):
    s = r.shape(1, 4)
    return dict(input=t("float32", s), k=v(r.choice(("int32", "int64", "int16")), r.randint(0, s[-1])),
                index_type=r.choice(("int32", "int64")))


@op("ApproxTopK")
def approx_top_k(r, name):
    s = r.shape(1, 4)
    return dict(input=t("float32", s), k=r.randint(0, s[-1]), is_max_k=r.flag())


@op("NthElement")
def nth(r, name):
    s = r.shape(1, 4)
    return dict(input=t("float32", s), n=v("int32", r.randint(0, s[-1] - 1)), reverse=r.flag())


@op("InTopK", "InTopKV2")
def in_top_k(r, name):
    b, n, index = r.dim(), r.dim(), r.choice(("int32", "int64"))
    k = r.randint(1, 4)
    return dict(predictions=t("float32", [b, n]), targets=t(index, [b], 0, n),
                k=k if name == "InTopK" else v(index, k))


@op("Bincount")
def bincount(r, name):
    n = r.dim()
    weights = r.choice([[n], [0]])
    return dict(arr=t("int32", [n], 0, 4), size=v("int32", r.randint(0, 6)), weights=t("float32", weights))


@op("DenseBincount")
def dense_bincount(r, name):
    s = r.shape(1, 2)
    weights = r.choice([s, [0]])
    index = r.choice(("int32", "int64"))
    binary = r.flag()
    return dict(input=t(index, s, 0, 4), size=v(index, r.randint(0, 6)),
                weights=t("float32", [0] if binary else weights), binary_output=binary)


@op("HistogramFixedWidth")
def histogram(r, name):
    return dict(values=t("float32", r.shape()), value_range=v("float32", [0.0, r.choice([1.0, 5.0])]),
                nbins=v("int32", r.randint(1, 6)), dtype=r.choice(("int32", "int64")))


# --- segments ---------------------------------------------------------------------------------------
def _sorted(r, n, most):
    return sorted(r.randint(0, most) for _ in range(n))


@op("SegmentSum", "SegmentMean", "SegmentProd", "SegmentMax", "SegmentMin")
def segment(r, name):
    s = r.shape(1, 4)
    return dict(data=t("float32", s), segment_ids=v(r.choice(("int32", "int64")), _sorted(r, s[0], 3)))


@op("SegmentSumV2", "SegmentProdV2", "SegmentMaxV2", "SegmentMinV2")
def segment_v2(r, name):
    s = r.shape(1, 4)
    return dict(data=t("float32", s), segment_ids=v("int32", _sorted(r, s[0], 3)),
                num_segments=v(r.choice(("int32", "int64")), r.randint(4, 6)))


@op("UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMax", "UnsortedSegmentMin")
def unsorted(r, name):
    s = r.shape(1, 4)
    k = r.randint(0, len(s))
    n = r.randint(1, 5)
    if r.flag():
        ids = v("int32", [r.randint(-1, n - 1) for _ in range(s[0])])
    else:
        ids = t(r.choice(("int32", "int64")), s[:k], 0, n)
    return dict(data=t("float32", s), segment_ids=ids, num_segments=v("int32", n))


@op("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN", "SparseSegmentSumWithNumSegments",
    "SparseSegmentMeanWithNumSegments", "SparseSegmentSqrtNWithNumSegments")
def sparse_segment(r, name):
    s, n = r.shape(1, 4), r.dim()
    case = dict(data=t("float32", s), indices=v("int32", [r.randint(0, s[0] - 1) for _ in range(n)]),
                segment_ids=v("int32", _sorted(r, n, 3)))
    return dict(case, num_segments=v("int32", r.randint(4, 6))) if "With" in name else case


@op("SparseSegmentSumGrad", "SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad", "SparseSegmentSumGradV2",
    "SparseSegmentMeanGradV2", "SparseSegmentSqrtNGradV2")
def sparse_segment_grad(r, name):
    s, n, rows = r.shape(1, 4), r.dim(), r.randint(1, 6)
    return {"grad": t("float32", s), "indices": v("int32", [r.randint(0, rows - 1) for _ in range(n)]),
            "segment_ids": v("int32", _sorted(r, n, s[0] - 1)),
            "dense_output_dim0" if "V2" in name else "output_dim0": v("int32", rows)}
