"""Raw ops that make, join, cut, index and rearrange tensors."""
from rawspec import op, out, t, v

TYPES = ("float32", "float64", "int32", "int64")


def count(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def ints(r, *dtypes):
    return r.choice(dtypes or ("int32", "int64"))


def variable(shape, dtype="float32"):
    return out("VariableV2", dtype=dtype, shape=shape)


def wrong_axis(r, rank, axis):
    """Now and then an axis that is not there."""
    return r.choice([rank, -rank - 1]) if r.random() < 0.08 else axis


# --- identities ------------------------------------------------------------------------------------

@op("Identity", "Snapshot", "StopGradient", "Copy", "CopyHost", "DebugGradientIdentity", "CheckPinned")
def identity(r, name):
    key = "tensor" if name == "CheckPinned" else "input"
    return {key: r.choice([t(r.choice(TYPES), r.shape()), v("int32", [1, 2, 3])])}


@op("DebugIdentity", "DebugIdentityV3", "DebugNanCount", "DebugNumericSummary")
def debug(r, name):
    return dict(input=t("float32", r.shape()), tensor_name="x:0")


@op("DebugIdentityV2")
def debug_identity_v2(r, name):
    return dict(input=t("float32", r.shape()))


@op("DebugNumericSummaryV2")
def numeric_summary(r, name):
    return dict(input=t("float32", r.shape()), tensor_debug_mode=r.choice([2, 3, 4, 5, 8]), tensor_id=3)


@op("SyncDevice")
def sync_device(r, name):
    return {}


@op("PreventGradient")
def prevent_gradient(r, name):
    return dict(input=t("float32", r.shape()), message="no")


@op("IdentityN")
def identity_n(r, name):
    return dict(input=[t(r.choice(TYPES), r.shape()) for _ in range(r.randint(1, 3))])


@op("EnsureShape")
def ensure_shape(r, name):
    s = r.shape()
    return dict(input=t("float32", s), shape=r.choice([None, s, [None if r.flag() else d for d in s]]))


# --- shapes ------------------------------------------------------------------------------------------

@op("Shape", "Size")
def shape_of(r, name):
    return dict(input=t(r.choice(TYPES), r.shape()), out_type=ints(r))


@op("ShapeN")
def shape_n(r, name):
    return dict(input=[t("float32", r.shape()) for _ in range(r.randint(1, 3))], out_type=ints(r))


@op("Rank")
def rank_of(r, name):
    return dict(input=t("float32", r.shape()))


def factors(r, n):
    to = []
    for _ in range(r.randint(0, 3)):
        d = r.choice([d for d in range(1, 7) if n % d == 0])
        to.append(d)
        n //= d
    to.append(n)
    return to


@op("Reshape")
def reshape(r, name):
    s = r.shape()
    if r.random() < 0.1:
        s = s + [0]
    to = factors(r, count(s)) if count(s) else [0, r.dim()]
    if r.flag() and count(s):
        to[r.randrange(len(to))] = -1
    return dict(tensor=t("float32", s), shape=v(ints(r), to))


@op("QuantizedReshape")
def quantized_reshape(r, name):
    s = r.shape()
    return dict(tensor=t("quint8", s), shape=v("int32", factors(r, count(s))),
                input_min=t("float32", []), input_max=t("float32", []))


@op("ExpandDims")
def expand_dims(r, name):
    s = r.shape()
    at = wrong_axis(r, len(s) + 1, r.axis(len(s) + 1))
    return dict(input=t("float32", s), axis=v(ints(r), r.choice([at, [at]])))


@op("Squeeze")
def squeeze(r, name):
    s = [1 if r.flag() else d for d in r.shape()]
    ones = [i for i, d in enumerate(s) if d == 1]
    axes = r.choice([[], [], r.sample(ones, r.randint(0, len(ones)))])
    return dict(input=t("float32", s), axis=[a - len(s) if r.flag() else a for a in axes])


@op("Transpose", "ConjugateTranspose")
def transpose(r, name):
    s = r.shape()
    perm = r.sample(range(len(s)), len(s))
    return dict(x=t("float32", s), perm=v(ints(r), perm, [len(s)]))


@op("InvertPermutation")
def invert_permutation(r, name):
    n = r.randint(1, 5)
    perm = r.sample(range(n), n)
    if r.random() < 0.1:
        perm[0] = perm[-1] if r.flag() else n
    return dict(x=v(ints(r), perm))


@op("Fill")
def fill(r, name):
    s = r.shape()
    value = r.choice([v("float32", 2.5), v("int32", 7), t("float32", [])])
    return dict(dims=v(ints(r), s, [len(s)]), value=value)


@op("BroadcastTo")
def broadcast_to(r, name):
    to = r.shape()
    s = [d if r.flag() else 1 for d in to[r.randint(0, len(to)):]]
    return dict(input=r.choice([t("float32", s), t("int32", s)]), shape=v(ints(r), to, [len(to)]))


@op("BroadcastArgs", "BroadcastGradientArgs")
def broadcast_args(r, name):
    to = r.shape()
    a = [d if r.flag() else 1 for d in to[r.randint(0, len(to)):]]
    b = [d if r.flag() else 1 for d in to[r.randint(0, len(to)):]]
    dtype = ints(r)
    return dict(s0=v(dtype, a, [len(a)]), s1=v(dtype, b, [len(b)]))


# --- indexing ----------------------------------------------------------------------------------------

def content(r, s):
    """Known or random content."""
    if r.flag() or count(s) > 24:
        return t("float32", s)

    def nest(dims):
        return [nest(dims[1:]) for _ in range(dims[0])] if dims else r.randint(0, 9)
    return v("int32", nest(s), s)


@op("Slice")
def slice_(r, name):
    s = r.shape()
    begin = [r.randint(0, d) for d in s]
    size = [r.choice([-1, r.randint(0, d - b)]) for d, b in zip(s, begin)]
    dtype = ints(r)
    return dict(input=content(r, s), begin=v(dtype, begin, [len(s)]), size=v(dtype, size, [len(s)]))


def strided_spec(r, s):
    """begin, end, strides, masks that fit; and the shape that is cut out."""
    begin, end, strides = [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    axis, shape, ellipsis = 0, [], False
    while axis < len(s) and r.random() < 0.85:
        bit = 1 << len(begin)
        kind = r.random()
        if kind < 0.12:
            masks["new_axis_mask"] |= bit
            begin.append(0), end.append(0), strides.append(1)
            shape.append(1)
            continue
        if kind < 0.22 and not ellipsis:
            ellipsis = True
            masks["ellipsis_mask"] |= bit
            begin.append(0), end.append(0), strides.append(1)
            skip = r.randint(0, len(s) - axis)
            rest = len(s) - axis - skip
            shape += s[axis:axis + skip]
            axis += skip
            for _ in range(rest):  # what follows an ellipsis has to reach the last axis
                b = r.randint(-s[axis], s[axis] - 1)
                masks["shrink_axis_mask"] |= 1 << len(begin)
                begin.append(b), end.append(b + 1), strides.append(1)
                axis += 1
            break
        d = s[axis]
        if kind < 0.4:
            b = r.randint(-d, d - 1)
            masks["shrink_axis_mask"] |= bit
            begin.append(b), end.append(b + 1), strides.append(1)
        else:
            b, e = r.randint(-d - 1, d + 1), r.randint(-d - 1, d + 1)
            step = r.choice([1, 1, 2, 3, -1, -2])
            cut = slice(b, e, step)
            if r.random() < 0.3:
                masks["begin_mask"] |= bit
                cut = slice(None, cut.stop, step)
            if r.random() < 0.3:
                masks["end_mask"] |= bit
                cut = slice(cut.start, None, step)
            begin.append(b), end.append(e), strides.append(step)
            shape.append(len(range(*cut.indices(d))))
        axis += 1
    return begin, end, strides, masks, shape + s[axis:]


def spec_inputs(r, begin, end, strides):
    dtype = ints(r)
    n = [len(begin)]
    return dict(begin=v(dtype, begin, n), end=v(dtype, end, n), strides=v(dtype, strides, n))


@op("StridedSlice")
def strided_slice(r, name):
    s = r.shape()
    begin, end, strides, masks, _ = strided_spec(r, s)
    return dict(input=content(r, s), **spec_inputs(r, begin, end, strides), **masks)


@op("StridedSliceGrad")
def strided_slice_grad(r, name):
    s = r.shape()
    begin, end, strides, masks, cut = strided_spec(r, s)
    args = spec_inputs(r, begin, end, strides)
    return dict(shape=v(args["begin"]["v"], s, [len(s)]), dy=t("float32", cut), **args, **masks)


@op("TensorStridedSliceUpdate")
def tensor_strided_update(r, name):
    s = r.shape(1)
    begin, end, strides, masks, cut = strided_spec(r, s)
    return dict(input=t("float32", s), value=t("float32", cut), **spec_inputs(r, begin, end, strides), **masks)


@op("Gather")
def gather(r, name):
    s = r.shape(1)
    return dict(params=t("float32", s), indices=t(ints(r), r.shape(0, 2), 0, s[0]))


@op("GatherV2")
def gather_v2(r, name):
    s = r.shape(1)
    axis = r.randrange(len(s))
    batch = r.randint(0, min(axis, 2))
    indices = s[:batch] + r.shape(0, 2)
    known = r.flag() and not batch
    where = v("int32", [r.randrange(s[axis]) for _ in range(3)]) if known else t(ints(r), indices, 0, s[axis])
    return dict(params=content(r, s), indices=where, axis=v(ints(r), axis - len(s) if r.flag() else axis),
                batch_dims=batch if known or r.flag() or not indices else batch - len(indices))


@op("GatherNd")
def gather_nd(r, name):
    s = r.shape(1)
    depth = r.randint(0, len(s))
    outer = r.shape(0, 2)
    if r.flag():
        rows = [[r.randrange(d) for d in s[:depth]] for _ in range(2)]
        return dict(params=content(r, s), indices=v(ints(r), rows, [2, depth]))
    high = min(s[:depth]) if depth else 1
    return dict(params=t("float32", s), indices=t(ints(r), outer + [depth], 0, high))


# --- joining -----------------------------------------------------------------------------------------

@op("Concat", "ConcatV2", "QuantizedConcat")
def concat(r, name):
    s = r.shape(1)
    axis = r.axis(len(s)) if name != "QuantizedConcat" else r.randrange(len(s))
    parts = []
    for _ in range(r.randint(2, 3)):
        part = list(s)
        part[axis] = r.randint(0, 4)
        parts.append(part)
    if name == "ConcatV2":
        return dict(values=[t("float32", p) for p in parts], axis=v(ints(r), axis))
    if name == "Concat":
        return dict(values=[t("float32", p) for p in parts], concat_dim=v("int32", axis))
    return dict(values=[t("quint8", p) for p in parts], concat_dim=v("int32", axis),
                input_mins=[v("float32", 0.0) for _ in parts], input_maxes=[v("float32", 1.0) for _ in parts])


@op("ConcatOffset")
def concat_offset(r, name):
    s = r.shape(1)
    axis = r.axis(len(s))
    shapes = []
    for _ in range(r.randint(2, 3)):
        part = list(s)
        part[axis] = r.dim()
        shapes.append(v("int32", part))
    return dict(concat_dim=v("int32", axis), shape=shapes)


@op("ParallelConcat")
def parallel_concat(r, name):
    s = r.shape(0, 3)
    n = r.randint(1, 3)
    return dict(values=[t("float32", [1] + s) for _ in range(n)], shape=[n] + s)


@op("Pack")
def pack(r, name):
    s = r.shape(0, 3)
    values = [content(r, []) for _ in range(2)] if not s and r.flag() else []
    if not values or values[0].get("v") != values[1].get("v"):
        values = [t("float32", s) for _ in range(r.randint(1, 3))]
    return dict(values=values, axis=wrong_axis(r, len(s) + 1, r.axis(len(s) + 1)))


@op("Unpack")
def unpack(r, name):
    s = r.shape(1)
    axis = r.axis(len(s))
    return dict(value=content(r, s), num=s[axis], axis=axis)


@op("Split")
def split(r, name):
    s = r.shape(1)
    axis = r.axis(len(s))
    n = r.randint(1, 3)
    s[axis] *= n
    return dict(axis=v("int32", axis), value=content(r, s), num_split=n)


@op("SplitV")
def split_v(r, name):
    s = r.shape(1)
    axis = r.axis(len(s))
    sizes = [r.randint(0, 3) for _ in range(r.randint(1, 3))]
    s[axis] = sum(sizes)
    if r.flag():
        sizes[r.randrange(len(sizes))] = -1
    return dict(value=content(r, s), size_splits=v(ints(r), sizes), axis=v("int32", axis), num_split=len(sizes))


# --- layout ------------------------------------------------------------------------------------------

@op("Tile")
def tile(r, name):
    s = r.shape()
    return dict(input=content(r, s), multiples=v(ints(r), [r.randint(0, 3) for _ in s], [len(s)]))


@op("Pad", "PadV2")
def pad(r, name):
    s = r.shape()
    x = content(r, s)
    pads = v(ints(r), [[r.randint(0, 2), r.randint(0, 2)] for _ in s], [len(s), 2])
    more = dict(constant_values=v(x.get("v") or x["t"], 3)) if name == "PadV2" else {}
    return dict(input=x, paddings=pads, **more)


@op("MirrorPad")
def mirror_pad(r, name):
    s = r.shape(1, 3)
    mode = r.choice(["REFLECT", "SYMMETRIC"])
    most = [d - (mode == "REFLECT") for d in s]
    pads = [[r.randint(0, m), r.randint(0, m)] for m in most]
    return dict(input=t("float32", s), paddings=v(ints(r), pads), mode=mode)


@op("MirrorPadGrad")
def mirror_pad_grad(r, name):
    s = r.shape(1, 3)
    mode = r.choice(["REFLECT", "SYMMETRIC"])
    most = [d - (mode == "REFLECT") for d in s]
    pads = [[r.randint(0, m), r.randint(0, m)] for m in most]
    padded = [d + sum(p) for d, p in zip(s, pads)]
    return dict(input=t("float32", padded), paddings=v(ints(r), pads), mode=mode)


@op("Reverse")
def reverse(r, name):
    s = r.shape()
    return dict(tensor=content(r, s), dims=v("bool", [r.flag() for _ in s], [len(s)]))


@op("ReverseV2")
def reverse_v2(r, name):
    s = r.shape()
    axes = r.sample(range(len(s)), r.randint(0, len(s)))
    axes = [a - len(s) if r.flag() else a for a in axes]
    return dict(tensor=content(r, s), axis=v(ints(r), axes, [len(axes)]))


@op("ReverseSequence")
def reverse_sequence(r, name):
    s = r.shape(2)
    batch, seq = r.sample(range(len(s)), 2)
    return dict(input=t("float32", s), seq_lengths=t(ints(r), [s[batch]], 0, s[seq]), seq_dim=seq, batch_dim=batch)


@op("Roll")
def roll(r, name):
    s = r.shape(1)
    n = r.randint(1, 2)
    axes = [r.axis(len(s)) for _ in range(n)]
    shift = [r.randint(-3, 3) for _ in range(n)]
    if n == 1 and r.flag():
        axes, shift = axes[0], shift[0]
    return dict(input=content(r, s), shift=v(ints(r), shift), axis=v(ints(r), axes))


@op("SpaceToDepth", "DepthToSpace")
def blocks(r, name):
    b = r.choice([2, 3])
    n, h, w, c = r.dim(), r.dim(), r.dim(), r.dim()
    if name == "SpaceToDepth":
        h, w = h * b, w * b
    else:
        c *= b * b
    layout = r.choice(["NHWC", "NHWC", "NCHW"])
    return dict(input=t("float32", [n, h, w, c] if layout == "NHWC" else [n, c, h, w]), block_size=b,
                data_format=layout)


@op("SpaceToBatch", "BatchToSpace", "SpaceToBatchND", "BatchToSpaceND")
def batch_blocks(r, name):
    plain = not name.endswith("ND")
    m = 2 if plain else r.randint(1, 3)
    b = [r.choice([2, 3])] * m if plain else [r.choice([1, 2, 3]) for _ in range(m)]
    rest = r.shape(0, 1) if not plain else [r.dim()]
    margins = [[r.randint(0, 1), r.randint(0, 1)] for _ in range(m)]
    if name.startswith("Space"):
        spatial = []
        for i in range(m):  # padded sizes are multiples
            padded = b[i] * r.randint(1, 3)
            while padded < sum(margins[i]):
                padded += b[i]
            spatial.append(padded - sum(margins[i]))
        s = [r.dim()] + spatial + rest
    else:
        spatial = [max(r.dim(), sum(margins[i])) for i in range(m)]
        s = [r.dim() * count(b)] + spatial + rest
    key = "paddings" if name.startswith("Space") else "crops"
    more = dict(block_size=b[0]) if plain else dict(block_shape=v(ints(r), b))
    return {"input": t("float32", s), key: v(ints(r), margins), **more}


@op("ExtractImagePatches")
def image_patches(r, name):
    sizes, strides, rates = ([r.randint(1, 3), r.randint(1, 3)] for _ in range(3))
    rates = [min(x, 2) for x in rates]
    spatial = [(k - 1) * q + 1 + r.randint(0, 4) for k, q in zip(sizes, rates)]
    return dict(images=t("float32", [r.dim()] + spatial + [r.dim()]), ksizes=[1] + sizes + [1],
                strides=[1] + strides + [1], rates=[1] + rates + [1], padding=r.choice(["SAME", "VALID"]))


@op("ExtractVolumePatches")
def volume_patches(r, name):
    sizes, strides = ([r.randint(1, 2) for _ in range(3)] for _ in range(2))
    spatial = [k + r.randint(0, 3) for k in sizes]
    return dict(input=t("float32", [r.dim()] + spatial + [r.dim()]), ksizes=[1] + sizes + [1],
                strides=[1] + strides + [1], padding=r.choice(["SAME", "VALID"]))


# --- sets and sequences ------------------------------------------------------------------------------

@op("Unique", "UniqueWithCounts")
def unique(r, name):
    x = r.choice([t("int32", [r.dim()], 0, 4), v("int32", [r.randint(0, 4) for _ in range(5)])])
    return dict(x=x, out_idx=ints(r))


@op("UniqueV2", "UniqueWithCountsV2")
def unique_v2(r, name):
    s = r.shape(1, 3)
    axis = [] if len(s) == 1 and r.flag() else [r.axis(len(s))]
    return dict(x=t("int32", s, 0, 3), axis=v(ints(r), axis, [len(axis)]), out_idx=ints(r))


@op("ListDiff")
def list_diff(r, name):
    if r.flag():
        return dict(x=t("int32", [r.dim()], 0, 9), y=t("int32", [r.dim()], 0, 9), out_idx=ints(r))
    return dict(x=v("int32", [1, 2, 3, 4, 5]), y=v("int32", [r.randint(0, 9) for _ in range(3)]))


@op("Where")
def where(r, name):
    s = r.shape(1, 3)
    if r.flag():
        return dict(condition=t(r.choice(["bool", "float32", "int32"]), s))
    return dict(condition=v("bool", [[r.flag() for _ in range(3)] for _ in range(2)]))


@op("OneHot")
def one_hot(r, name):
    s = r.shape(0, 3)
    known = not s and r.flag()
    x = v("int32", [r.randint(0, 3) for _ in range(3)]) if known else t(r.choice(["int32", "int64", "uint8"]), s, 0, 5)
    rank = 1 if known else len(s)
    axis = r.randint(-1, rank) if r.random() < 0.95 else rank + 1
    return dict(indices=x, depth=v("int32", r.randint(0, 5)), on_value=v("float32", 1.0), off_value=v("float32", 0.0),
                axis=axis)


@op("Range")
def range_(r, name):
    if r.random() < 0.3:
        return dict(start=v("float32", 0.5), limit=v("float32", r.randint(1, 9) / 2), delta=v("float32", 0.75))
    step = r.choice([1, 2, 3, -1, -2])
    a, b = sorted((r.randint(-5, 9), r.randint(-5, 9)), reverse=step < 0)
    dtype = ints(r)
    return dict(start=v(dtype, a), limit=v(dtype, b), delta=v(dtype, step))


@op("LinSpace")
def lin_space(r, name):
    return dict(start=v("float32", 0.0), stop=v("float32", 2.0), num=v(ints(r), r.dim()))


@op("EditDistance")
def edit_distance(r, name):
    n, m = r.dim(), r.dim()
    a = [[0, r.randrange(3), i] for i in range(n)]
    b = [[0, r.randrange(3), i] for i in range(m)]
    return dict(hypothesis_indices=v("int64", sorted(a)), hypothesis_values=t("int64", [n], 0, 5),
                hypothesis_shape=v("int64", [1, 3, 8]), truth_indices=v("int64", sorted(b)),
                truth_values=t("int64", [m], 0, 5), truth_shape=v("int64", [1, 3, 7]), normalize=r.flag())


@op("UpperBound", "LowerBound")
def bound(r, name):
    rows = r.dim()
    return dict(sorted_inputs=t("float32", [rows, r.dim()]), values=t("float32", [rows, r.dim()]), out_type=ints(r))


@op("Bucketize")
def bucketize(r, name):
    return dict(input=t(r.choice(TYPES), r.shape()), boundaries=[1.0, 2.0, 3.0])


# --- scattering --------------------------------------------------------------------------------------

def scatter_parts(r):
    """A shape, and indices and the shape of updates that write into it."""
    s = r.shape(1, 3)
    depth = r.randint(1, len(s))
    outer = r.shape(1, 2)
    if r.flag():
        rows = [[r.randrange(d) for d in s[:depth]] for _ in range(2)]
        return s, v("int32", rows), [2] + s[depth:]
    return s, t(ints(r), outer + [depth], 0, min(s[:depth])), outer + s[depth:]


@op("ScatterNd")
def scatter_nd(r, name):
    s, indices, updates = scatter_parts(r)
    return dict(indices=indices, updates=t("float32", updates), shape=v(indices.get("v") or indices["t"], s))


@op("ScatterNdNonAliasingAdd")
def scatter_non_aliasing(r, name):
    s, indices, updates = scatter_parts(r)
    return dict(input=t("float32", s), indices=indices, updates=t("float32", updates))


@op("TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub", "TensorScatterMin", "TensorScatterMax")
def tensor_scatter(r, name):
    s, indices, updates = scatter_parts(r)
    return dict(tensor=t("float32", s), indices=indices, updates=t("float32", updates))


@op("DynamicPartition")
def dynamic_partition(r, name):
    s = r.shape(0, 2)
    n = r.randint(1, 3)
    if r.flag():
        parts = [r.randrange(n) for _ in range(4)]
        return dict(data=t("float32", [4] + s), partitions=v("int32", parts), num_partitions=n)
    outer = r.shape(0, 2)
    return dict(data=t("float32", outer + s), partitions=t("int32", outer, 0, n), num_partitions=n)


@op("DynamicStitch", "ParallelDynamicStitch")
def dynamic_stitch(r, name):
    rest = r.shape(0, 2)
    n = r.randint(1, 3)
    if r.flag():
        numbers = list(range(2 * n))
        r.shuffle(numbers)
        indices = [v("int32", numbers[2 * i:2 * i + 2]) for i in range(n)]
        return dict(indices=indices, data=[t("float32", [2] + rest) for _ in range(n)])
    outers = [r.shape(0, 2) for _ in range(n)]
    return dict(indices=[t("int32", o, 0, 5) for o in outers], data=[t("float32", o + rest) for o in outers])


# --- numbers of axes and places ----------------------------------------------------------------------

FORMATS = [("NHWC", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "HWNC"), ("NDHWC", "NCDHW")]


@op("DataFormatDimMap")
def dim_map(r, name):
    a, b = r.choice(FORMATS)
    x = r.choice([t("int32", r.shape(), 0, 4), v("int32", [0, -1, 2])])
    return dict(x=x, src_format=a, dst_format=b)


@op("DataFormatVecPermute")
def vec_permute(r, name):
    a, b = r.choice(FORMATS)
    n = len(a) - r.choice([0, 2])
    x = r.choice([t("int32", [n]), t("int32", [n, 2]), v("int32", list(range(1, n + 1)))])
    return dict(x=x, src_format=a, dst_format=b)


@op("UnravelIndex")
def unravel_index(r, name):
    dims = r.shape(1, 3)
    most = count(dims)
    x = r.choice([t("int32", r.shape(0, 1), 0, most), v("int32", [r.randrange(most) for _ in range(3)])])
    return dict(indices=x, dims=v("int32", dims))


@op("TileGrad")
def tile_grad(r, name):
    s = r.shape(1)
    return dict(input=t("float32", s), multiples=v("int32", [1 for _ in s]))
