"""Raw ops of readers: they take file names from a queue."""
from rawspec import op, out, v

MADE = ["TFRecordReaderV2", "TextLineReaderV2", "WholeFileReaderV2", "IdentityReaderV2"]


@op("TFRecordReader", "TextLineReader", "WholeFileReader", "IdentityReader", "TFRecordReaderV2", "TextLineReaderV2",
    "WholeFileReaderV2", "IdentityReaderV2")
def make(r, name):
    args = dict(container="", shared_name="")
    return dict(args, skip_header_lines=r.randint(0, 2)) if name.startswith("TextLine") else args


@op("FixedLengthRecordReader", "FixedLengthRecordReaderV2")
def make_fixed(r, name):
    return dict(record_bytes=r.randint(1, 4), header_bytes=r.randint(0, 2), footer_bytes=r.randint(0, 2), hop_bytes=0)


@op("LMDBReader")
def make_lmdb(r, name):
    return {}


def old(name):
    return not name.endswith("V2")


def reader(r, name):
    if old(name):
        return out(r.choice([x[:-2] for x in MADE]))
    return out(r.choice(MADE))


def names(r, name):
    """A queue with two words in it, and what puts them there."""
    kinds = dict(component_types=["string"], shapes=[[]])
    words = [v("string", ["a", "b"])]
    if old(name):
        q = out("FIFOQueue", **kinds)
        return q, out("QueueEnqueueMany", handle=q, components=words)
    q = out("FIFOQueueV2", **kinds)
    return q, out("QueueEnqueueManyV2", handle=q, components=words)


@op("ReaderRead", "ReaderReadV2")
def read(r, name):
    q, put = names(r, name)
    return dict(reader_handle=out("IdentityReader" if old(name) else "IdentityReaderV2"), queue_handle=q, do=[put])


@op("ReaderReadUpTo", "ReaderReadUpToV2")
def read_up_to(r, name):
    q, put = names(r, name)
    return dict(reader_handle=out("IdentityReader" if old(name) else "IdentityReaderV2"), queue_handle=q,
                num_records=v("int64", r.randint(1, 2)), do=[put])


@op("ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted", "ReaderSerializeState", "ReaderReset",
    "ReaderNumRecordsProducedV2", "ReaderNumWorkUnitsCompletedV2", "ReaderSerializeStateV2", "ReaderResetV2")
def ask(r, name):
    identity = "Serialize" in name
    made = ("IdentityReader" if old(name) else "IdentityReaderV2") if identity else None
    return dict(reader_handle=out(made) if made else reader(r, name))


@op("ReaderRestoreState", "ReaderRestoreStateV2")
def restore(r, name):
    handle = out("IdentityReader" if old(name) else "IdentityReaderV2")
    state = out("ReaderSerializeState" + ("" if old(name) else "V2"), reader_handle=handle)
    return dict(reader_handle=handle, state=state if r.flag() else v("string", "x"))
