"""Raw ops between devices, of TPUs and of their SparseCore: no kernels here, graph construction only."""
from rawspec import op, t, v


def _group(r):
    return dict(group_size=v("int32", 2), group_key=v("int32", 1), instance_key=v("int32", 1))


def _attrs(r):
    return dict(group_size=r.dim(), group_key=1, instance_key=r.dim())


@op("CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv", "CollectiveGather")
def by_attrs(r, name):
    more = {}
    if name == "CollectiveReduce":
        more = dict(merge_op=r.choice(("Add", "Max")), final_op="Id", subdiv_offsets=[0])
    if name != "CollectiveReduce":
        more["shape"] = r.shape(1, 3)
    if name == "CollectiveBcastRecv":
        return dict(T="float32", **_attrs(r), **more)
    return dict(input=t("float32", r.shape(1, 3)), **_attrs(r), **more)


@op("CollectiveReduceV2", "CollectiveReduceScatterV2", "CollectiveGatherV2", "CollectiveAllToAllV2",
    "CollectiveBcastSendV2", "CollectiveBcastRecvV2")
def by_inputs(r, name):
    if name == "CollectiveBcastRecvV2":
        return dict(T="float32", shape=v(r.choice(("int32", "int64")), r.shape(1, 3)), **_group(r))
    more = {} if "Bcast" in name else dict(ordering_token=[])
    if "Reduce" in name:
        more.update(merge_op="Add", final_op=r.choice(("Id", "Div")))
    return dict(input=t("float32", r.shape(1, 3)), **_group(r), **more)


@op("CollectiveAssignGroupV2")
def assign_group(r, name):
    return dict(group_assignment=v("int32", [[0, 1], [2, 3]]), device_index=v("int32", r.randint(0, 3)),
                base_key=v("int32", 1))


@op("CollectiveInitializeCommunicator")
def communicator(r, name):
    return dict(group_key=v("int32", r.dim()), rank=v("int32", 0), group_size=v("int32", 1))


@op("AllToAll")
def all_to_all(r, name):
    n = r.randint(1, 3)
    s = r.shape(1, 4)
    split = r.randrange(len(s))
    s[split] *= n
    return dict(input=t("float32", s), group_assignment=t("int32", [r.dim(), n]), split_count=n,
                split_dimension=split, concat_dimension=r.randrange(len(s)))


@op("CollectivePermute", "CrossReplicaSum", "NcclAllReduce", "NcclBroadcast", "NcclReduce")
def same(r, name):
    s = r.shape(0, 4)
    x = t("float32", s)
    return dict(CollectivePermute=dict(input=x, source_target_pairs=t("int32", [2, 2])),
                CrossReplicaSum=dict(input=x, group_assignment=t("int32", [1, 2])),
                NcclAllReduce=dict(input=x, reduction="sum", num_devices=2, shared_name="a"),
                NcclBroadcast=dict(input=x, shape=s),
                NcclReduce=dict(input=[x] * r.randint(1, 3), reduction="sum"))[name]


# --- TPU ----------------------------------------------------------------------------------------
_SLOTS = dict(ADAM="momenta velocities", Adadelta="accumulators updates", Adagrad="accumulators",
              AdagradMomentum="accumulators momenta", CenteredRMSProp="ms mom mg", FTRL="accumulators linears",
              FrequencyEstimator="last_hit_step", MDLAdagradLight="accumulators weights benefits",
              Momentum="momenta", ProximalAdagrad="accumulators", ProximalYogi="v m", RMSProp="ms mom",
              StochasticGradientDescent="")


def _table(r):
    return dict(num_shards=r.dim(), shard_id=0, **r.choice((dict(table_id=r.dim()), dict(table_name="a"))))


@op(*["LoadTPUEmbedding%sParameters" % k for k in _SLOTS])
def load_table(r, name):
    s = [r.dim(), r.dim()]
    slots = _SLOTS[name[16:-10]].split()
    return dict(parameters=t("float32", s), **{k: t("float32", s) for k in slots}, **_table(r))


@op(*["RetrieveTPUEmbedding%sParameters" % k for k in _SLOTS])
def retrieve_table(r, name):
    return _table(r)


@op("InfeedDequeue", "OutfeedDequeue", "OutfeedDequeueV2", "TPUDummyInput")
def fed(r, name):
    more = dict(device_ordinal=v("int32", 0)) if name == "OutfeedDequeueV2" else {}
    return dict(dtype="float32", shape=r.shape(0, 3), **more)


@op("InfeedDequeueTuple", "OutfeedDequeueTuple", "OutfeedDequeueTupleV2")
def fed_tuple(r, name):
    n = r.randint(1, 3)
    more = dict(device_ordinal=v("int32", 0)) if name == "OutfeedDequeueTupleV2" else {}
    return dict(dtypes=["float32", "int32", "bool"][:n], shapes=[r.shape(0, 3) for _ in range(n)], **more)


@op("SendTPUEmbeddingGradients")
def send_gradients(r, name):
    return dict(config="", inputs=[t("float32", r.shape(2, 2)) for _ in range(r.randint(1, 2))],
                learning_rates=[t("float32", []) for _ in range(r.randint(0, 2))])


@op("EnqueueTPUEmbeddingSparseBatch")
def enqueue_sparse(r, name):
    n, k = r.randint(1, 2), r.dim()
    return dict(sample_indices=[t("int32", [k])] * n, embedding_indices=[t("int32", [k])] * n,
                aggregation_weights=[t("float32", [k])] * n, mode_override=v("string", "unspecified"),
                combiners=["sum"] * r.choice((0, n)))


@op("TPUAnnotateTensorsWithDynamicShape", "TPUCopyWithDynamicShape")
def each(r, name):
    tensors = [t(d, r.shape(0, 3)) for d in ("float32", "int32", "bool")[:r.randint(1, 3)]]
    more = dict(unpadded_sizes=[t("int32", [])] * r.randint(0, 2)) if "Copy" in name else {}
    return dict(tensors=tensors, **more)


@op("TPUEmbeddingActivations")
def activations(r, name):
    return dict(embedding_variable=t("float32", r.shape(1, 2)), sliced_activations=t("float32", r.shape(1, 3)),
                table_id=1, lookup_id=2)


@op("TPUReplicatedInput", "TPUReplicatedOutput")
def replicated(r, name):
    s, n = r.shape(0, 3), r.randint(1, 3)
    return dict(inputs=[t("float32", s) for _ in range(n)]) if name.endswith("Input") else \
        dict(input=t("float32", s), num_replicas=n)


@op("TPUPartitionedInput", "TPUPartitionedOutput")
def partitioned(r, name):
    s, n = r.shape(1, 3), r.randint(1, 3)
    dim = r.randint(-1, len(s) - 1)
    if name.endswith("Input"):
        return dict(inputs=[t("float32", s) for _ in range(n)], partition_dim=dim)
    s[dim] *= n
    return dict(inputs=t("float32", s), num_splits=n, partition_dim=dim)


@op("TPUPartitionedInputV2", "TPUPartitionedOutputV2")
def partitioned_v2(r, name):
    s = r.shape(1, 3)
    dims = [r.randint(1, 2) for _ in s] + [1] * r.randint(0, 1)
    n = 1
    for d in dims:
        n *= d
    if name.endswith("OutputV2"):
        return dict(inputs=t("float32", [a * b for a, b in zip(s, dims)]), num_splits=n, partition_dims=dims)
    packed = r.flag()
    return dict(inputs=[t("float32", s) for _ in range(1 if packed else n)], partition_dims=dims, is_packed=packed)


# --- SparseCore ---------------------------------------------------------------------------------
def _coo(r):
    n = r.dim()
    return t("int32", [n]), t("int32", [n]), t("float32", [n])


def _core(r):
    return dict(num_replica=r.dim(), table_vocab_size=9, feature_width=r.dim(), num_sc_per_chip=r.dim(), table_name="a")


@op("XlaSparseDenseMatmul")
def matmul(r, name):
    n = r.dim()
    return dict(row_ids=t("int32", [n]), col_ids=t("uint32", [n]), values=t("float32", [n]), offsets=t("uint32", []),
                embedding_table=t("float32", [r.dim(), r.dim()]), max_ids_per_partition=r.dim(),
                max_unique_ids_per_partition=r.dim(), input_size=r.dim())


@op("XlaSparseDenseMatmulWithCsrInput", "XlaSparseDenseMatmulWithStaticBufferSize")
def matmul_csr(r, name):
    a, b, g = _coo(r)
    more = dict(max_ids_per_sparse_core=2, max_unique_ids_per_sparse_core=2) if "Static" in name else {}
    return dict(row_pointers=t("int32", [r.dim()]), sorted_sample_ids=a, sorted_token_ids=b, sorted_gains=g,
                embedding_table=t("float32", [r.dim(), r.dim()]),
                num_minibatches_per_physical_sparse_core=t("int32", []), input_size=r.dim(),
                quantization_config_low=0.0, quantization_config_high=1.0, quantization_config_num_buckets=0,
                table_name="a", **more)


@op("GetMinibatchesInCsrWithPhysicalReplica")
def minibatches(r, name):
    a, b, g = _coo(r)
    return dict(program_key=t("string", [1]), row_ids=a, col_ids=b, gains=g, splits=t("int64", [1]),
                id_counts=t("int32", [r.dim()]), sample_count=r.dim(), max_minibatches_per_sc=r.dim(),
                max_ids_per_chip_per_sample=r.dim(), mini_batch_in_csr="a", **_core(r))


@op("SortListOfSparseCoreCooTensors", "GetStatsFromListOfSparseCoreCooTensors")
def sort_coo(r, name):
    n = r.randint(1, 3)
    a, b, g = _coo(r)
    more = dict(max_ids_per_sparse_core=2, max_unique_ids_per_sparse_core=2) if name.startswith("Sort") else {}
    return dict(sample_count_list=[2] * n, col_offset_list=[1] * n, row_ids_list=[a] * n, col_ids_list=[b] * n,
                gains_list=[g] * n, **_core(r), **more)
