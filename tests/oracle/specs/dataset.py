"""Data sets: handles, their arguments, and what is taken out of them."""
from rawspec import op, out, t, v

INT = dict(output_types=["int64"], output_shapes=[[]])


def numbers(n=10):
    return out("RangeDataset", start=v("int64", 0), stop=v("int64", n), step=v("int64", 1), **INT)


@op("RangeDataset")
def ranged(r, name):
    return dict(start=v("int64", 0), stop=v("int64", r.randint(1, 9)), step=v("int64", r.choice([1, 2, -1])), **INT)


@op("TensorDataset", "TensorSliceDataset")
def tensors(r, name):
    n, one, other = r.randint(1, 4), r.shape(0, 2), r.shape(0, 2)
    rows = [n] if name == "TensorSliceDataset" else []
    return dict(components=[t("float32", rows + one), t("int32", rows + other)], output_shapes=[one, other])


@op("SparseTensorSliceDataset")
def sparse(r, name):
    return dict(indices=v("int64", [[0, 0], [1, 1]]), values=t("float32", [2]), dense_shape=v("int64", [2, 2]))


@op("BatchDataset", "BatchDatasetV2")
def batch(r, name):
    args = dict(input_dataset=numbers(), batch_size=v("int64", r.randint(1, 3)), output_types=["int64"],
                output_shapes=[[None]])
    return dict(args, drop_remainder=v("bool", r.flag())) if name.endswith("V2") else args


@op("PaddedBatchDataset", "PaddedBatchDatasetV2")
def padded(r, name):
    args = dict(input_dataset=numbers(), batch_size=v("int64", r.randint(1, 3)), padded_shapes=[v("int64", [], [0])],
                padding_values=[v("int64", 0)], output_shapes=[[None]])
    return dict(args, drop_remainder=v("bool", r.flag())) if name.endswith("V2") else args


@op("TakeDataset", "SkipDataset", "RepeatDataset")
def counted(r, name):
    return dict(input_dataset=numbers(), count=v("int64", r.randint(-1, 3)), **INT)


@op("PrefetchDataset")
def prefetch(r, name):
    return dict(input_dataset=numbers(), buffer_size=v("int64", r.randint(-1, 3)), **INT)


@op("ShuffleDataset", "ShuffleAndRepeatDataset")
def shuffle(r, name):
    args = dict(input_dataset=numbers(), buffer_size=v("int64", r.randint(1, 5)), seed=v("int64", 1),
                seed2=v("int64", 2), **INT)
    return dict(args, count=v("int64", 1)) if "Repeat" in name else args


@op("ShardDataset")
def shard(r, name):
    n = r.randint(1, 3)
    return dict(input_dataset=numbers(), num_shards=v("int64", n), index=v("int64", r.randrange(n)), **INT)


@op("WindowDataset")
def window(r, name):
    return dict(input_dataset=numbers(), size=v("int64", r.randint(1, 3)), shift=v("int64", 1), stride=v("int64", 1),
                drop_remainder=v("bool", True), output_types=["variant"], output_shapes=[[]])


@op("SlidingWindowDataset")
def sliding(r, name):
    return dict(input_dataset=numbers(), window_size=v("int64", r.randint(1, 3)), window_shift=v("int64", 1),
                window_stride=v("int64", 1), output_types=["int64"], output_shapes=[[None]])


@op("ZipDataset")
def zipped(r, name):
    return dict(input_datasets=[numbers(), numbers()], output_types=["int64"] * 2, output_shapes=[[], []])


@op("ConcatenateDataset")
def concatenate(r, name):
    return dict(input_dataset=numbers(), another_dataset=numbers(4), **INT)


@op("CacheDataset")
def cache(r, name):
    return dict(input_dataset=numbers(), filename=v("string", ""), **INT)


@op("MaxIntraOpParallelismDataset")
def intra(r, name):
    return dict(input_dataset=numbers(), max_intra_op_parallelism=v("int64", r.randint(0, 2)), **INT)


@op("PrivateThreadPoolDataset")
def pool(r, name):
    return dict(input_dataset=numbers(), num_threads=v("int64", r.randint(0, 2)), **INT)


@op("RebatchDataset")
def rebatch(r, name):
    batched = out("BatchDataset", input_dataset=numbers(), batch_size=v("int64", 4), output_types=["int64"],
                  output_shapes=[[None]])
    return dict(input_dataset=batched, num_replicas=v("int64", r.randint(1, 2)), output_types=["int64"],
                output_shapes=[[None]])


@op("TextLineDataset", "TFRecordDataset")
def lines(r, name):
    return dict(filenames=v("string", r.choice(["a", ["a", "b"]])), compression_type=v("string", ""),
                buffer_size=v("int64", r.randint(0, 9)))


@op("FixedLengthRecordDataset")
def records(r, name):
    return dict(filenames=v("string", ["a"]), header_bytes=v("int64", 0), record_bytes=v("int64", r.randint(1, 9)),
                footer_bytes=v("int64", 0), buffer_size=v("int64", r.randint(0, 9)))


@op("DatasetToSingleElement")
def single(r, name):
    return dict(dataset=numbers(1), **INT)


@op("DatasetCardinality", "ExperimentalDatasetCardinality")
def cardinality(r, name):
    return dict(input_dataset=numbers())


@op("OptionalFromValue")
def optional(r, name):
    return dict(components=[t("float32", r.shape()), t("int32", r.shape())])


@op("OptionalHasValue")
def has_value(r, name):
    return dict(optional=out("OptionalFromValue", components=[t("float32", r.shape())]))


@op("OptionalGetValue")
def get_value(r, name):
    shape = r.shape()
    return dict(optional=out("OptionalFromValue", components=[t("float32", shape)]), output_types=["float32"],
                output_shapes=[shape])


@op("OptionalNone")
def no_value(r, name):
    return {}


@op("CompressElement")
def compress(r, name):
    return dict(components=[t("float32", r.shape())])


@op("UncompressElement")
def uncompress(r, name):
    shape = r.shape()
    return dict(compressed=out("CompressElement", components=[t("float32", shape)]), output_types=["float32"],
                output_shapes=[shape])
