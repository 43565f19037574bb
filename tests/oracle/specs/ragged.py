"""Raw ops of ragged tensors."""
from rawspec import op, out, t, v


def splits(r, rows, values):
    """Row splits of `rows` rows over `values` values."""
    return [0] + sorted(r.randint(0, values) for _ in range(rows - 1)) + [values] if rows else [0]


def nested(r, depth, values=None):
    """Splits from the outermost in, and the number of flat values."""
    rows = r.randint(1, 3)
    found = []
    for _ in range(depth):
        n = r.randint(0, 5)
        found.append(splits(r, rows, n))
        rows = n
    return found, rows


def split_type(r):
    return r.choice(["int64", "int32"])


@op("RaggedTensorToTensor")
def to_tensor(r, name):
    depth, kind = r.randint(1, 2), split_type(r)
    inner = [r.randint(1, 3) for _ in range(r.randint(0, 2))]
    if r.flag():
        found, n = nested(r, depth)
        parts, kinds = [v(kind, s) for s in found], ["ROW_SPLITS"] * depth
    else:
        depth, rows, n = 1, r.randint(1, 4), r.randint(1, 5)
        parts = [v(kind, rows), v(kind, sorted(r.randrange(rows) for _ in range(n)))]
        kinds = ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]
    shape = [-1 if r.random() < 0.7 else r.randint(1, 4) for _ in range(depth + 1)] + \
        [-1 if r.flag() else d for d in inner]
    default = [1 if r.random() < 0.3 else d for d in inner][r.randint(0, len(inner)):]
    return dict(shape=v("int64", -1 if r.random() < 0.2 else shape), values=t("float32", [n] + inner),
                default_value=t("float32", default), row_partition_tensors=parts, row_partition_types=kinds)


@op("RaggedTensorToSparse")
def to_sparse(r, name):
    found, n = nested(r, r.randint(1, 3))
    kind = split_type(r)
    inner = [r.randint(1, 3) for _ in range(r.randint(0, 2))]
    return dict(rt_nested_splits=[v(kind, s) for s in found], rt_dense_values=t("float32", [n] + inner))


def encoded(r, batched=None, depth=None):
    found, n = nested(r, r.randint(1, 2) if depth is None else depth)
    return dict(rt_nested_splits=[v("int64", s) for s in found], rt_dense_values=t("float32", [n, r.randint(1, 3)]),
                batched_input=r.flag() if batched is None else batched)


@op("RaggedTensorToVariant")
def to_variant(r, name):
    return encoded(r)


@op("RaggedTensorFromVariant")
def from_variant(r, name):
    depth, batched = r.randint(1, 2), r.flag()
    variant = out("RaggedTensorToVariant", **encoded(r, batched, depth))
    return dict(encoded_ragged=variant, input_ragged_rank=depth - batched, output_ragged_rank=depth,
                Tvalues="float32", Tsplits="int64")


@op("RaggedTensorToVariantGradient")
def to_variant_grad(r, name):
    n, d = r.randint(1, 4), r.randint(1, 3)
    rows = splits(r, r.randint(1, 3), n)
    values = dict(rt_nested_splits=[v("int64", rows)], rt_dense_values=t("float32", [n, d]), batched_input=True)
    return dict(encoded_ragged_grad=out("RaggedTensorToVariant", **values), row_splits=v("int64", rows),
                dense_values_shape=v("int32", [n, d]), Tvalues="float32")


@op("RaggedGather")
def gather(r, name):
    depth, extra = r.randint(1, 2), r.randint(0, 2)
    found, n = nested(r, depth)
    rows = len(found[0]) - 1

    def indices(rank):
        return r.randrange(rows) if rank == 0 else [indices(rank - 1) for _ in range(2)]
    return dict(params_nested_splits=[v("int64", s) for s in found],
                params_dense_values=t("float32", [n] + [r.randint(1, 3) for _ in range(r.randint(0, 1))]),
                indices=v("int32", indices(extra)), OUTPUT_RAGGED_RANK=depth + extra - 1)


@op("RaggedCross")
def cross(r, name):
    batch = r.randint(1, 3)
    values, rows, sparse, dense, order = [], [], [], [], ""
    for _ in range(r.randint(0, 2)):
        n = r.randint(0, 4)
        values.append(t(r.choice(["int64", "string"]), [n]))
        rows.append(v("int64", splits(r, batch, n)))
        order += "R"
    for _ in range(r.randint(0, 1)):
        places = sorted({(r.randrange(batch), r.randrange(2)) for _ in range(3)})
        sparse.append((v("int64", places), t("string", [len(places)]), v("int64", [batch, 2])))
        order += "S"
    for _ in range(r.randint(0 if order else 1, 2)):
        dense.append(t("string", [batch, r.randint(1, 2)]))
        order += "D"
    return dict(ragged_values=values, ragged_row_splits=rows, sparse_indices=[s[0] for s in sparse],
                sparse_values=[s[1] for s in sparse], sparse_shape=[s[2] for s in sparse], dense_inputs=dense,
                input_order=order, hashed_output=False, num_buckets=0, hash_key=1, out_values_type="string",
                out_row_splits_type="int64")


@op("RaggedRange")
def range_(r, name):
    kind, rows = r.choice(["int32", "int64", "float32"]), r.randint(1, 3)

    def number(low, high):
        one = [r.randint(low, high) for _ in range(rows)]
        return v(kind, one if r.flag() else one[0])
    return dict(starts=number(-2, 3), limits=number(-3, 6), deltas=number(1, 3), Tsplits=split_type(r))


@op("RaggedFillEmptyRows")
def fill_rows(r, name):
    rows = r.randint(1, 4)
    ids = sorted(r.randrange(rows) for _ in range(r.randint(0, 4)))
    return dict(value_rowids=v("int64", ids, [len(ids)]), values=t("float32", [len(ids)]), nrows=v("int64", rows),
                default_value=t("float32", []))
