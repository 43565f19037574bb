"""Raw ops of sparse tensors: triples, crosses, sets, maps of them, counts."""
from rawspec import op, out, t, v

NUMBERS = ["float32", "float64", "int32", "int64", "complex64"]
REALS = ["float32", "float64", "int32", "int64"]


def entries(r, shape, most=5):
    """Some places of a tensor of this shape, in order, none twice."""
    places = {tuple(r.randrange(d) for d in shape) for _ in range(r.randint(0, most))} if all(shape) else set()
    return [list(p) for p in sorted(places)]


def indices(r, shape, most=5):
    found = entries(r, shape, most)
    return v("int64", found, [len(found), len(shape)]), len(found)


def triple(r, prefix, shape, dtype="float32", names=("indices", "values", "shape"), low=None, high=None):
    found, n = indices(r, shape)
    p = prefix + "_" if prefix else ""
    return {p + names[0]: found, p + names[1]: t(dtype, [n], low=low, high=high),
            p + names[2]: v("int64", list(shape), [len(shape)])}


def dims(r, lo=1, hi=3):
    return [r.randint(1, 4) for _ in range(r.randint(lo, hi))]


@op("SparseToDense")
def to_dense(r, name):
    shape = dims(r)
    found, n = indices(r, shape)
    if len(shape) == 1 and r.flag():
        found = v("int64", [row[0] for row in found["value"]], [n])
    values = t("float32", [] if r.flag() else [n])
    return dict(sparse_indices=found, output_shape=v("int64", shape), sparse_values=values,
                default_value=t("float32", []), validate_indices=r.flag())


@op("SparseTensorDenseAdd")
def dense_add(r, name):
    shape = dims(r)
    return dict(**triple(r, "a", shape), b=t("float32", shape))


@op("SparseDenseCwiseAdd", "SparseDenseCwiseDiv", "SparseDenseCwiseMul")
def cwise(r, name):
    shape = dims(r)
    dense = [1 if r.random() < 0.2 else d for d in shape][r.randint(0, len(shape) - 1):]
    return dict(**triple(r, "sp", shape), dense=t("float32", dense, low=1))


@op("SparseReduceSum", "SparseReduceMax", "SparseReduceSumSparse", "SparseReduceMaxSparse")
def reduce(r, name):
    shape = dims(r)
    rank = len(shape)
    axes = r.randrange(-rank, rank) if r.random() < 0.2 else \
        [r.randrange(-rank, rank) for _ in range(r.randint(0, 2))]
    return dict(**triple(r, "input", shape, r.choice(REALS)),
                reduction_axes=v("int32", axes, None if isinstance(axes, int) else [len(axes)]),
                keep_dims=r.flag())


@op("SparseAdd")
def add(r, name):
    shape = dims(r)
    return dict(**triple(r, "a", shape), **triple(r, "b", shape), thresh=v("float32", 0.0))


@op("SparseAddGrad")
def add_grad(r, name):
    shape = dims(r)
    both, n = indices(r, shape)
    return dict(backprop_val_grad=t("float32", [n]), a_indices=both, b_indices=indices(r, shape, 0)[0],
                sum_indices=both)


@op("SparseConcat")
def concat(r, name):
    shape = dims(r)
    axis = r.randrange(-len(shape), len(shape))
    parts = []
    for _ in range(r.randint(2, 3)):
        one = list(shape)
        one[axis] = r.randint(1, 4)
        parts.append(triple(r, "", one))
    return dict(indices=[p["indices"] for p in parts], values=[p["values"] for p in parts],
                shapes=[p["shape"] for p in parts], concat_dim=axis)


@op("SparseFillEmptyRows")
def fill_rows(r, name):
    return dict(**triple(r, "", dims(r), names=("indices", "values", "dense_shape")),
                default_value=t("float32", []))


@op("SparseFillEmptyRowsGrad", "RaggedFillEmptyRowsGrad")
def fill_rows_grad(r, name):
    n = r.randint(1, 5)
    return dict(reverse_index_map=v("int64", [r.randrange(n) for _ in range(r.randint(1, 4))]),
                grad_values=t("float32", [n]))


@op("SparseReorder")
def reorder(r, name):
    return triple(r, "input", dims(r))


@op("SparseReshape")
def reshape(r, name):
    shape = dims(r, 2, 3)
    new = [shape[0] * shape[1]] + shape[2:] if r.flag() else shape[::-1]
    if r.flag():
        new[r.randrange(len(new))] = -1
    return dict(input_indices=indices(r, shape)[0], input_shape=v("int64", shape), new_shape=v("int64", new))


@op("SparseSlice")
def slice_(r, name):
    shape = dims(r)
    start = [r.randrange(d) for d in shape]
    size = [r.randint(0, d) for d in shape]
    return dict(**triple(r, "", shape), start=v("int64", start), size=v("int64", size))


@op("SparseSliceGrad")
def slice_grad(r, name):
    shape = dims(r)
    every, n = indices(r, shape)
    return dict(backprop_val_grad=t("float32", [n]), input_indices=every,
                input_start=v("int64", [0] * len(shape)), output_indices=every)


@op("SparseSplit")
def split(r, name):
    shape = dims(r)
    axis = r.randrange(-len(shape), len(shape))
    return dict(split_dim=v("int64", axis), **triple(r, "", shape), num_split=r.randint(1, shape[axis]))


@op("SparseSoftmax")
def softmax(r, name):
    return triple(r, "sp", dims(r, 2, 3), r.choice(["float32", "float64", "float16"]))


@op("SparseSparseMaximum", "SparseSparseMinimum")
def extremum(r, name):
    shape, dtype = dims(r), r.choice(REALS)
    return dict(**triple(r, "a", shape, dtype), **triple(r, "b", shape, dtype))


@op("SerializeSparse", "SerializeManySparse")
def serialize(r, name):
    return dict(**triple(r, "sparse", dims(r, 2, 3)), out_type=r.choice(["string", "variant"]))


@op("DeserializeSparse")
def deserialize(r, name):
    kind = r.choice(["string", "variant"])
    many = r.choice(["SerializeSparse", "SerializeManySparse"])
    packed = out(many, **triple(r, "sparse", dims(r, 2, 3)), out_type=kind)
    return dict(serialized_sparse=packed, dtype="float32")


@op("DeserializeManySparse")
def deserialize_many(r, name):
    return dict(serialized_sparse=out("SerializeManySparse", **triple(r, "sparse", dims(r, 2, 3))), dtype="float32")


@op("AddSparseToTensorsMap", "AddManySparseToTensorsMap")
def put_away(r, name):
    return dict(**triple(r, "sparse", dims(r, 2, 3)), container="", shared_name="a_map")


@op("TakeManySparseFromTensorsMap")
def take_many(r, name):
    handles = out("AddManySparseToTensorsMap", **triple(r, "sparse", dims(r, 2, 3)), shared_name="a_map")
    return dict(sparse_handles=handles, dtype="float32", container="", shared_name="a_map")


# --- crosses ------------------------------------------------------------------------------------
def features(r, kinds=("int64", "string")):
    batch = r.randint(1, 3)
    sparse = [triple(r, "", [batch, r.randint(1, 3)], r.choice(kinds)) for _ in range(r.randint(0, 2))]
    least = 0 if sparse else 1
    dense = [t(r.choice(kinds), [batch, r.randint(1, 3)]) for _ in range(r.randint(least, 2))]
    return dict(indices=[s["indices"] for s in sparse], values=[s["values"] for s in sparse],
                shapes=[s["shape"] for s in sparse], dense_inputs=dense)


@op("SparseCross")
def cross(r, name):
    hashed = r.flag()
    return dict(**features(r, ["int64", "string"] if hashed else ["string"]), hashed_output=hashed, num_buckets=r.randint(0, 5), hash_key=r.randint(1, 99),
                out_type="int64" if hashed else "string", internal_type="int64" if hashed else "string")


@op("SparseCrossV2")
def cross_v2(r, name):
    return dict(**features(r), sep=v("string", "_X_"))


@op("SparseCrossHashed")
def cross_hashed(r, name):
    return dict(**features(r), num_buckets=v("int64", r.randint(1, 9)), strong_hash=v("bool", r.flag()),
                salt=v("int64", [1, 2]))


# --- sets ---------------------------------------------------------------------------------------
SET_OPS = ["a-b", "b-a", "intersection", "union"]


@op("DenseToDenseSetOperation")
def sets_dense(r, name):
    groups = dims(r, 1, 2)
    return dict(set1=t("int32", groups + [r.randint(1, 4)]), set2=t("int32", groups + [r.randint(1, 4)]),
                set_operation=r.choice(SET_OPS), validate_indices=r.flag())


@op("DenseToSparseSetOperation")
def sets_mixed(r, name):
    groups = dims(r, 1, 2)
    return dict(set1=t("int32", groups + [r.randint(1, 4)]), **triple(r, "set2", groups + [r.randint(1, 4)], "int32"),
                set_operation=r.choice(SET_OPS), validate_indices=r.flag())


@op("SparseToSparseSetOperation")
def sets_sparse(r, name):
    groups = dims(r, 1, 2)
    return dict(**triple(r, "set1", groups + [r.randint(1, 4)], "int32"),
                **triple(r, "set2", groups + [r.randint(1, 4)], "int32"),
                set_operation=r.choice(SET_OPS), validate_indices=r.flag())


@op("SetSize")
def set_size(r, name):
    return dict(**triple(r, "set", dims(r, 2, 3), "int32"), validate_indices=r.flag())


# --- counts -------------------------------------------------------------------------------------
def counted(r):
    return dict(minlength=-1 if r.flag() else r.randint(0, 5), maxlength=-1 if r.flag() else r.randint(5, 9),
                binary_output=False)


def weights(r, shape):
    return t("float32", shape if r.flag() else [0])


@op("DenseCountSparseOutput")
def dense_count(r, name):
    shape = dims(r, 1, 2)
    return dict(values=t("int64", shape, low=0, high=5), weights=weights(r, shape), **counted(r))


@op("SparseCountSparseOutput")
def sparse_count(r, name):
    one = triple(r, "", dims(r, 1, 2), "int64", ("indices", "values", "dense_shape"), 0, 5)
    return dict(**one, weights=weights(r, one["values"]["shape"]), **counted(r))


@op("RaggedCountSparseOutput")
def ragged_count(r, name):
    n = r.randint(0, 5)
    splits = [0] + sorted(r.randint(0, n) for _ in range(r.randint(0, 3))) + [n]
    return dict(splits=v("int64", splits), values=t("int64", [n], low=0, high=5), weights=weights(r, [n]), **counted(r))


@op("SparseBincount")
def sparse_bincount(r, name):
    one = triple(r, "", dims(r, 1, 2), "int64", ("indices", "values", "dense_shape"), 0, 5)
    return dict(**one, size=v("int64", r.randint(0, 6)), weights=weights(r, one["values"]["shape"]),
                binary_output=r.flag())


@op("RaggedBincount")
def ragged_bincount(r, name):
    n = r.randint(0, 5)
    splits = [0] + sorted(r.randint(0, n) for _ in range(r.randint(0, 3))) + [n]
    return dict(splits=v("int64", splits), values=t("int64", [n], low=0, high=5), size=v("int64", r.randint(0, 6)),
                weights=weights(r, [n]), binary_output=r.flag())
