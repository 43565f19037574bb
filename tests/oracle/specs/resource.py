"""Variables behind handles and behind references."""
from rawspec import op, out, t, v

RESOURCE_SCATTERS = ["ResourceScatter" + n for n in ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max")]
RESOURCE_SCATTERS_ND = ["ResourceScatterNd" + n for n in ("Update", "Add", "Sub", "Max", "Min")]
SCATTERS = ["Scatter" + n for n in ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max")]
SCATTERS_ND = ["ScatterNd" + n for n in ("Update", "Add", "Sub", "Max", "Min")]


def handle(r, shape, dtype="float32", low=1, high=5):
    """A variable of content, and the call that gives it."""
    made = out("VarHandleOp", shape=shape, dtype=dtype, shared_name="r%d" % r.randrange(10 ** 9))
    return made, out("AssignVariableOp", resource=made, value=t(dtype, shape, low, high))


def reference(r, shape, dtype="float32"):
    ref = out("VariableV2", shape=shape, dtype=dtype)
    return ref, out("Assign", ref=ref, value=t(dtype, shape, 1, 5))


def positive(r, low=1, high=3):
    return [max(1, r.dim()) for _ in range(r.randint(low, high))]


@op("VarHandleOp")
def var_handle(r, name):
    return dict(dtype=r.choice(["float32", "int32", "string"]), shape=r.choice([None, r.shape()]))


@op("VariableV2", "Variable", "TemporaryVariable")
def variable(r, name):
    return dict(dtype="float32", shape=r.shape())


@op("DestroyTemporaryVariable")
def destroy_temporary(r, name):
    ref = out("TemporaryVariable", dtype="float32", shape=r.shape(), var_name="t%d" % r.randrange(10 ** 9))
    return dict(ref=ref, var_name=ref.kwargs["var_name"])


@op("ReadVariableOp")
def read(r, name):
    dtype = r.choice(["float32", "int32"])
    h, first = handle(r, r.shape(), dtype)
    return dict(resource=h, dtype=dtype, do=[first])


@op("VarIsInitializedOp", "DestroyResourceOp", "DisableCopyOnRead")
def of_handle(r, name):
    h, first = handle(r, r.shape())
    return dict(resource=h, do=[first])


@op("VariableShape")
def variable_shape(r, name):
    h, first = handle(r, r.shape())
    return dict(input=h, out_type=r.choice(["int32", "int64"]), do=[first])


@op("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")
def assign_variable(r, name):
    shape, dtype = r.shape(), r.choice(["float32", "int32"])
    h, first = handle(r, shape, dtype)
    args = dict(resource=h, value=t(dtype, shape, 1, 5), do=[first])
    return dict(args, validate_shape=r.flag()) if name == "AssignVariableOp" else args


@op("ResourceGather")
def gather(r, name):
    shape = positive(r)
    h, first = handle(r, shape)
    batch = r.randint(0, len(shape) - 1)
    indices = shape[:batch] + r.shape(0, 2)
    return dict(resource=h, indices=t("int32", indices, 0, shape[batch]), dtype="float32", batch_dims=batch,
                do=[first])


@op("ResourceGatherNd")
def gather_nd(r, name):
    shape = positive(r)
    h, first = handle(r, shape)
    depth = r.randint(0, len(shape))
    rows = r.randint(0, 3)
    indices = [[r.randrange(shape[k]) for k in range(depth)] for _ in range(rows)]
    return dict(resource=h, indices=v("int32", indices, [rows, depth]), dtype="float32", do=[first])


def updates(r, shape):
    n = r.randint(0, 3)
    scalar = r.random() < 0.2
    return dict(indices=v("int32", [r.randrange(shape[0]) for _ in range(n)], [n]),
                updates=t("float32", [] if scalar else [n] + shape[1:], 1, 3))


@op(*RESOURCE_SCATTERS)
def resource_scatter(r, name):
    shape = positive(r)
    h, first = handle(r, shape)
    return dict(updates(r, shape), resource=h, do=[first])


@op(*SCATTERS)
def scatter(r, name):
    shape = positive(r)
    ref, first = reference(r, shape)
    return dict(updates(r, shape), ref=ref, do=[first], use_locking=r.flag())


def updates_nd(r, shape):
    depth = r.randint(1, len(shape))
    n = r.randint(1, 3)
    indices = [[r.randrange(shape[k]) for k in range(depth)] for _ in range(n)]
    return dict(indices=v("int32", indices, [n, depth]), updates=t("float32", [n] + shape[depth:], 1, 3))


@op(*RESOURCE_SCATTERS_ND)
def resource_scatter_nd(r, name):
    shape = positive(r)
    h, first = handle(r, shape)
    return dict(updates_nd(r, shape), ref=h, do=[first], use_locking=r.flag())


@op(*SCATTERS_ND)
def scatter_nd(r, name):
    shape = positive(r)
    ref, first = reference(r, shape)
    return dict(updates_nd(r, shape), ref=ref, do=[first], use_locking=r.flag())


@op("ResourceStridedSliceAssign")
def strided(r, name):
    shape = positive(r)
    h, first = handle(r, shape)
    begin = [r.randrange(d) for d in shape]
    end = [r.randint(b, d) for b, d in zip(begin, shape)]
    return dict(ref=h, begin=v("int32", begin), end=v("int32", end), strides=v("int32", [1] * len(shape)),
                value=t("float32", [e - b for b, e in zip(begin, end)]), do=[first])


@op("ResourceCountUpTo")
def resource_count(r, name):
    h, first = handle(r, [], "int32", 1, 5)
    return dict(resource=h, limit=r.randint(6, 9), T="int32", do=[first])


@op("CountUpTo")
def count(r, name):
    ref, first = reference(r, [], "int32")
    return dict(ref=ref, limit=r.randint(6, 9), do=[first])


@op("IsVariableInitialized")
def is_initialized(r, name):
    ref, first = reference(r, r.shape())
    return dict(ref=ref, do=[first])


@op("Assign", "AssignAdd", "AssignSub")
def assign(r, name):
    shape, dtype = r.shape(), r.choice(["float32", "int32"])
    ref, first = reference(r, shape, dtype)
    args = dict(ref=ref, value=t(dtype, shape, 1, 5), use_locking=r.flag(), do=[first])
    return dict(args, validate_shape=r.flag()) if name == "Assign" else args


@op("ReadVariableXlaSplitND")
def read_split(r, name):
    h, first = handle(r, [4, 6])
    return dict(resource=h, T="float32", N=4, num_splits=[2, 2], do=[first])


@op("XlaSplitND")
def split(r, name):
    return dict(input=t("float32", [4, 6]), N=6, num_splits=[2, 3])


@op("XlaConcatND")
def concat(r, name):
    return dict(inputs=[t("float32", [2, 3])] * 4, num_concats=[2, 2], paddings=r.choice([[], [1, 0]]))


@op("AssignVariableXlaConcatND")
def assign_concat(r, name):
    h, first = handle(r, [4, 6])
    return dict(resource=h, inputs=[t("float32", [2, 3])] * 4, num_concats=[2, 2], do=[first])


@op("VarHandlesOp")
def handles(r, name):
    return dict(containers=["", ""], shared_names=["a%d" % r.randrange(10 ** 9), "b%d" % r.randrange(10 ** 9)],
                dtypes=["float32", "int32"], shapes=[r.shape(), r.shape()])


@op("MutexV2", "EmptyTensorMap")
def nothing(r, name):
    return {}
