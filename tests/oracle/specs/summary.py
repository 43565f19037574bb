"""Raw ops of summaries, and of their writers."""
from rawspec import op, out, t, v

REAL = ["float32", "float64", "int32", "int64", "uint8", "half"]


def tags(shape):
    return [tags(shape[1:]) for _ in range(shape[0])] if shape else "tag"


@op("ScalarSummary")
def scalar(r, name):
    shape = r.shape(0, 2)
    return dict(tags=v("string", tags(shape), shape), values=t(r.choice(REAL), shape))


@op("HistogramSummary")
def histogram(r, name):
    return dict(tag=v("string", "a"), values=t(r.choice(REAL), r.shape(0, 3)))


def picture(r):
    return [r.randint(1, 3), r.randint(1, 4), r.randint(1, 4), r.choice([1, 3, 4])]


@op("ImageSummary")
def image(r, name):
    args = dict(tag=v("string", "a"), tensor=t(r.choice(["uint8", "float32", "half", "float64"]), picture(r)),
                max_images=r.randint(1, 3))
    return dict(args, bad_color=v("uint8", [1, 2, 3, 4])) if r.flag() else args


def sound(r):
    return t("float32", [r.randint(1, 3), r.randint(1, 5)] + ([r.randint(1, 2)] if r.flag() else []))


@op("AudioSummary")
def audio(r, name):
    return dict(tag=v("string", "a"), tensor=sound(r), sample_rate=8.0, max_outputs=r.randint(1, 3))


@op("AudioSummaryV2")
def audio_v2(r, name):
    return dict(tag=v("string", "a"), tensor=sound(r), sample_rate=v("float32", 8.0), max_outputs=r.randint(1, 3))


@op("TensorSummary")
def tensor(r, name):
    return dict(tensor=t(r.choice(REAL), r.shape(0, 3)), description="d", labels=["a"], display_name="n")


@op("TensorSummaryV2")
def tensor_v2(r, name):
    return dict(tag=v("string", "a"), tensor=t(r.choice(REAL), r.shape(0, 3)),
                serialized_summary_metadata=v("string", ""))


@op("MergeSummary")
def merge(r, name):
    return dict(inputs=[v("string", [""] * r.randint(1, 3)) if r.flag() else v("string", "")
                        for _ in range(r.randint(1, 3))])


# --- writers ------------------------------------------------------------------------------------
def writer():
    """A writer, and what makes its file."""
    handle = out("SummaryWriter")
    return handle, out("CreateSummaryFileWriter", writer=handle, logdir=v("string", "logs"),
                       max_queue=v("int32", 2), flush_millis=v("int32", 1), filename_suffix=v("string", "x"))


@op("SummaryWriter")
def make(r, name):
    return dict(shared_name="", container="")


@op("CreateSummaryFileWriter")
def create(r, name):
    return dict(writer=out("SummaryWriter"), logdir=v("string", "logs"), max_queue=v("int32", r.randint(1, 5)),
                flush_millis=v("int32", r.randint(1, 5)), filename_suffix=v("string", ".x"))


@op("CreateSummaryDbWriter")
def create_db(r, name):
    return dict(writer=out("SummaryWriter"), db_uri=v("string", "a"), experiment_name=v("string", "b"),
                run_name=v("string", "c"), user_name=v("string", "d"))


@op("FlushSummaryWriter", "CloseSummaryWriter")
def flush(r, name):
    handle, made = writer()
    return dict(writer=handle, do=[made])


def step():
    return v("int64", 3)


@op("WriteSummary")
def write(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tensor=t(r.choice(REAL), r.shape(0, 3)), tag=v("string", "a"),
                summary_metadata=v("string", ""), do=[made])


@op("WriteRawProtoSummary")
def write_raw(r, name):
    handle, made = writer()
    shape = r.shape(0, 1)
    return dict(writer=handle, step=step(), tensor=v("string", [""] * shape[0] if shape else "", shape), do=[made])


@op("WriteScalarSummary")
def write_scalar(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tag=v("string", "a"), value=t(r.choice(REAL), []), do=[made])


@op("WriteHistogramSummary")
def write_histogram(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tag=v("string", "a"), values=t(r.choice(REAL + ["bool"]), r.shape(0, 3)),
                do=[made])


@op("WriteImageSummary")
def write_image(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tag=v("string", "a"), tensor=t(r.choice(["uint8", "float32"]), picture(r)),
                bad_color=v("uint8", [1, 2, 3, 4]), max_images=r.randint(1, 3), do=[made])


@op("WriteAudioSummary")
def write_audio(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tag=v("string", "a"), tensor=sound(r), sample_rate=v("float32", 8.0),
                max_outputs=r.randint(1, 3), do=[made])


@op("WriteGraphSummary")
def write_graph(r, name):
    handle, made = writer()
    return dict(writer=handle, step=step(), tensor=v("string", ""), do=[made])


@op("ImportEvent")
def import_event(r, name):
    handle, made = writer()
    return dict(writer=handle, event=v("string", ""), do=[made])
