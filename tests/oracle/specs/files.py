"""Raw ops of files and checkpoints (io.c), in the room of the TensorFlow process."""
from rawspec import op, out, t, v


def tensors(r):
    return [t(r.choice(["float32", "int32"]), r.shape(0, 3)) for _ in range(r.randint(1, 3))]


def names(n):
    return v("string", ["t%d" % i for i in range(n)])


@op("Save")
def save(r, name):
    data = tensors(r)
    return dict(filename=v("string", "saved"), tensor_names=names(len(data)), data=data)


def whole(x):
    """What says that all of a tensor is saved: nothing, or its shape and open slices."""
    return " ".join(map(str, x["shape"])) + " " + ":".join("-" * len(x["shape"])) if x["shape"] else ""


@op("SaveSlices")
def save_slices(r, name):
    data = tensors(r)
    return dict(filename=v("string", "slices"), tensor_names=names(len(data)),
                shapes_and_slices=v("string", [r.choice(["", whole(x)]) for x in data]), data=data)


@op("SaveV2")
def save_v2(r, name):
    data = tensors(r)
    return dict(prefix=v("string", "v2"), tensor_names=names(len(data)),
                shape_and_slices=v("string", [r.choice(["", whole(x)]) for x in data]), tensors=data)


@op("Restore")
def restore(r, name):
    x = tensors(r)[:1]
    put = out("Save", filename=v("string", "restored"), tensor_names=names(1), data=x)
    return dict(file_pattern=v("string", "restored"), tensor_name=v("string", "t0"), dt=x[0]["t"], do=[put])


@op("RestoreSlice")
def restore_slice(r, name):
    x = t("float32", [r.randint(2, 4), r.randint(2, 4)])
    put = out("Save", filename=v("string", "restored"), tensor_names=names(1), data=[x])
    part = r.choice(["", "%d %d -:-" % tuple(x["shape"]), "%d %d 0,2:-" % tuple(x["shape"])])
    return dict(file_pattern=v("string", "restored"), tensor_name=v("string", "t0"),
                shape_and_slice=v("string", part), dt="float32", do=[put])


@op("RestoreV2")
def restore_v2(r, name):
    data = [t("float32", [r.randint(2, 4), r.randint(2, 4)]) for _ in range(r.randint(1, 2))]
    put = out("SaveV2", prefix=v("string", "restored2"), tensor_names=names(len(data)),
              shape_and_slices=v("string", [""] * len(data)), tensors=data)
    parts = [r.choice(["", "%d %d -:-" % tuple(x["shape"]), "%d %d 1,1:-" % tuple(x["shape"])]) for x in data]
    return dict(prefix=v("string", "restored2"), tensor_names=names(len(data)),
                shape_and_slices=v("string", parts), dtypes=["float32"] * len(data), do=[put])


@op("MergeV2Checkpoints")
def merge(r, name):
    put = out("SaveV2", prefix=v("string", "part"), tensor_names=names(1), shape_and_slices=v("string", [""]),
              tensors=[t("float32", [2])])
    return dict(checkpoint_prefixes=v("string", ["part"]), destination_prefix=v("string", "all"),
                delete_old_dirs=False, do=[put])


@op("ShardedFilename")
def sharded(r, name):
    return dict(basename=v("string", "a"), shard=v("int32", r.randint(0, 2)), num_shards=v("int32", 3))


@op("ShardedFilespec")
def filespec(r, name):
    return dict(basename=v("string", "a"), num_shards=v("int32", 3))


def written(content="some words\nmore\n"):
    return out("WriteFile", filename=v("string", "text"), contents=v("string", content))


@op("ReadFile")
def read(r, name):
    return dict(filename=v("string", "text"), do=[written()])


@op("WriteFile")
def write(r, name):
    return dict(filename=v("string", "other"), contents=v("string", "x"))


@op("MatchingFiles")
def matching(r, name):
    return dict(pattern=v("string", r.choice(["text", ["text", "oth*"], "none*"])))


@op("GenerateVocabRemapping")
def vocab(r, name):
    return dict(new_vocab_file=v("string", "text"), old_vocab_file=v("string", "text"), new_vocab_offset=r.randint(0, 1),
                num_new_vocab=1, old_vocab_size=r.choice([-1, 1, 2]), do=[written()])


@op("LoadAndRemapMatrix")
def remap(r, name):
    rows, columns, wide = r.randint(1, 3), r.randint(1, 3), r.flag()
    put = out("SaveV2", prefix=v("string", "matrix"), tensor_names=names(1), shape_and_slices=v("string", [""]),
              tensors=[t("float32", [4, 4 if wide else columns])])
    return dict(ckpt_path=v("string", "matrix"), old_tensor_name=v("string", "t0"),
                row_remapping=v("int64", list(range(rows))),
                col_remapping=v("int64", list(range(columns))) if wide else v("int64", [], [0]),
                initializing_values=t("float32", [0]), num_rows=rows, num_cols=columns, do=[put])


@op("FileSystemSetConfiguration")
def configure(r, name):
    return dict(scheme=v("string", ""), key=v("string", "a"), value=v("string", "b"))
