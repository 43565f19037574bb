"""Raw ops that hold data between calls: queues, tables, accumulators, barriers, staging areas, stacks."""
from rawspec import op, out, t, v

QUEUES = ["FIFOQueueV2", "PaddingFIFOQueueV2", "RandomShuffleQueueV2"]


def component(r):
    return r.choice(["float32", "int32"]), r.shape(0, 2)


def queue(r, parts):
    kind = r.choice(QUEUES)
    return out(kind, component_types=[p[0] for p in parts], shapes=[p[1] for p in parts], capacity=20)


def parts_of(r):
    return [component(r) for _ in range(r.randint(1, 2))]


@op("FIFOQueueV2", "PaddingFIFOQueueV2", "RandomShuffleQueueV2")
def make_queue(r, name):
    parts = parts_of(r)
    return dict(component_types=[p[0] for p in parts], shapes=[p[1] for p in parts], capacity=r.randint(1, 9),
                container="", shared_name="")


@op("PriorityQueueV2")
def make_priority(r, name):
    parts = parts_of(r)
    return dict(component_types=[p[0] for p in parts], shapes=[p[1] for p in parts], capacity=5, container="",
                shared_name="")


def one_of(r, parts):
    return [t(*p) for p in parts]


@op("QueueEnqueueV2")
def enqueue(r, name):
    parts = parts_of(r)
    return dict(handle=queue(r, parts), components=one_of(r, parts))


@op("QueueEnqueueManyV2")
def enqueue_many(r, name):
    parts, n = parts_of(r), r.randint(1, 3)
    return dict(handle=queue(r, parts), components=[t(k, [n] + s) for k, s in parts])


def filled(r, parts, n=4):
    q = queue(r, parts)
    put = out("QueueEnqueueManyV2", handle=q, components=[t(k, [n] + s) for k, s in parts])
    return q, put


@op("QueueDequeueV2")
def dequeue(r, name):
    parts = parts_of(r)
    q, put = filled(r, parts)
    return dict(handle=q, component_types=[p[0] for p in parts], do=[put])


@op("QueueDequeueManyV2", "QueueDequeueUpToV2")
def dequeue_many(r, name):
    parts = parts_of(r)
    q, put = filled(r, parts)
    return dict(handle=q, n=v("int32", r.randint(0, 3)), component_types=[p[0] for p in parts], do=[put])


@op("QueueSizeV2", "QueueIsClosedV2")
def queue_size(r, name):
    return dict(handle=queue(r, parts_of(r)))


@op("QueueCloseV2")
def queue_close(r, name):
    return dict(handle=queue(r, parts_of(r)), cancel_pending_enqueues=r.flag())


# --- tables -------------------------------------------------------------------------------------
def table(r):
    kind = r.choice(["MutableHashTableV2", "MutableHashTableOfTensorsV2", "MutableDenseHashTableV2"])
    inner = [] if kind == "MutableHashTableV2" else r.shape(1, 1)
    attrs = dict(key_dtype="int64", value_dtype="float32")
    if inner:
        attrs["value_shape"] = inner
    if kind == "MutableDenseHashTableV2":
        attrs.update(empty_key=v("int64", -1), deleted_key=v("int64", -2))
    return out(kind, **attrs), inner


@op("HashTableV2", "MutableHashTableV2", "AnonymousHashTable", "AnonymousMutableHashTable")
def make_table(r, name):
    return dict(key_dtype="string", value_dtype="int64")


@op("MutableHashTableOfTensorsV2", "AnonymousMutableHashTableOfTensors")
def make_tensor_table(r, name):
    return dict(key_dtype="string", value_dtype="int64", value_shape=r.shape(1, 1))


@op("MutableDenseHashTableV2", "AnonymousMutableDenseHashTable")
def make_dense_table(r, name):
    return dict(empty_key=v("int64", -1), deleted_key=v("int64", -2), key_dtype="int64", value_dtype="float32",
                value_shape=r.shape(0, 2))


def keys(r, shape):
    return t("int64", shape, low=0, high=9)


@op("LookupTableFindV2")
def find(r, name):
    handle, inner = table(r)
    return dict(table_handle=handle, keys=keys(r, r.shape(1, 2)), default_value=t("float32", inner))


@op("LookupTableInsertV2", "LookupTableImportV2")
def insert(r, name):
    handle, inner = table(r)
    shape = r.shape(1, 1)
    return dict(table_handle=handle, keys=keys(r, shape), values=t("float32", shape + inner))


@op("LookupTableRemoveV2")
def remove(r, name):
    return dict(table_handle=table(r)[0], keys=keys(r, r.shape(1, 2)))


@op("LookupTableSizeV2")
def table_size(r, name):
    return dict(table_handle=table(r)[0])


@op("LookupTableExportV2")
def export(r, name):
    return dict(table_handle=table(r)[0], Tkeys="int64", Tvalues="float32")


@op("InitializeTableV2")
def initialize(r, name):
    n = r.randint(1, 5)
    handle = out("HashTableV2", key_dtype="int64", value_dtype="float32")
    return dict(table_handle=handle, keys=v("int64", list(range(n))), values=t("float32", [n]))


# --- accumulators -------------------------------------------------------------------------------
def accumulator(shape):
    return out("ResourceConditionalAccumulator", dtype="float32", shape=shape)


@op("ResourceConditionalAccumulator", "ConditionalAccumulator", "SparseConditionalAccumulator")
def make_accumulator(r, name):
    return dict(dtype="float32", shape=r.shape(0, 3), reduction_type=r.choice(["MEAN", "SUM"]))


@op("ResourceAccumulatorApplyGradient")
def apply_gradient(r, name):
    shape = r.shape(0, 3)
    return dict(handle=accumulator(shape), local_step=v("int64", 1), gradient=t("float32", shape))


@op("ResourceAccumulatorTakeGradient")
def take_gradient(r, name):
    shape = r.shape(0, 3)
    handle = accumulator(shape)
    put = out("ResourceAccumulatorApplyGradient", handle=handle, local_step=v("int64", 1), gradient=t("float32", shape))
    return dict(handle=handle, num_required=v("int32", 1), dtype="float32", do=[put])


@op("ResourceAccumulatorNumAccumulated")
def accumulated(r, name):
    return dict(handle=accumulator([2]))


@op("ResourceAccumulatorSetGlobalStep")
def set_step(r, name):
    return dict(handle=accumulator([2]), new_global_step=v("int64", 3))


@op("Barrier")
def barrier(r, name):
    parts = parts_of(r)
    return dict(component_types=[p[0] for p in parts], shapes=[p[1] for p in parts], capacity=-1)


# --- staging ------------------------------------------------------------------------------------
@op("Stage")
def stage(r, name):
    return dict(values=one_of(r, parts_of(r)), capacity=0, memory_limit=0, shared_name="stage")


@op("StageSize", "StageClear", "MapSize", "MapIncompleteSize", "MapClear", "OrderedMapSize", "OrderedMapIncompleteSize",
    "OrderedMapClear")
def area(r, name):
    return dict(dtypes=["float32"], shared_name=name)


@op("MapStage", "OrderedMapStage")
def map_stage(r, name):
    parts = parts_of(r)
    return dict(key=v("int64", r.randint(0, 10 ** 9)), indices=v("int32", list(range(len(parts)))),
                values=one_of(r, parts), dtypes=[p[0] for p in parts], shared_name="%s %s" % (name, parts))


@op("StackV2")
def stack(r, name):
    return dict(max_size=v("int32", r.randint(1, 5)), elem_type="float32", stack_name="")


@op("StackPushV2")
def push(r, name):
    handle = out("StackV2", max_size=v("int32", 5), elem_type="float32")
    return dict(handle=handle, elem=t("float32", r.shape(0, 3)), swap_memory=r.flag())


@op("StackPopV2")
def pop(r, name):
    handle = out("StackV2", max_size=v("int32", 5), elem_type="float32")
    put = out("StackPushV2", handle=handle, elem=t("float32", r.shape(0, 3)))
    return dict(handle=handle, elem_type="float32", do=[put])


@op("StackCloseV2")
def close(r, name):
    return dict(handle=out("StackV2", max_size=v("int32", 5), elem_type="float32"))


@op("RecordInput")
def record_input(r, name):
    return dict(file_pattern="/nonexistent", batch_size=r.randint(1, 5))


@op("GetSessionHandle", "GetSessionHandleV2")
def session_handle(r, name):
    return dict(value=t("float32", r.shape(0, 2)))
