"""Raw ops of iterators over data sets."""
from rawspec import op, out, t

KINDS = ["float32", "int32", "string"]


def element(r):
    shapes = [r.shape(0, 2) for _ in range(r.randint(1, 2))]
    return [r.choice(KINDS) for _ in shapes], shapes


def declared(kinds, shapes):
    return dict(output_types=kinds, output_shapes=shapes)


@op("Iterator", "IteratorV2")
def make(r, name):
    return dict(shared_name="", container="", **declared(*element(r)))


@op("AnonymousIterator", "AnonymousIteratorV2", "AnonymousIteratorV3")
def anonymous(r, name):
    return declared(*element(r))


def started(r):
    """An iterator over one element, what starts it, and what it gives."""
    kinds, shapes = element(r)
    data = out("TensorDataset", components=[t(k, s) for k, s in zip(kinds, shapes)], output_shapes=shapes)
    handle = out("AnonymousIteratorV3", **declared(kinds, shapes))
    given = [[None if r.random() < 0.2 else d for d in s] if r.random() < 0.8 else None for s in shapes]
    return data, handle, out("MakeIterator", dataset=data, iterator=handle), declared(kinds, given)


@op("IteratorGetNext", "IteratorGetNextSync")
def get_next(r, name):
    _, handle, start, given = started(r)
    return dict(iterator=handle, do=[start], **given)


@op("IteratorGetNextAsOptional")
def as_optional(r, name):
    _, handle, start, given = started(r)
    return dict(iterator=handle, do=[start], **given)


@op("MakeIterator")
def make_iterator(r, name):
    data, handle, _, _ = started(r)
    return dict(dataset=data, iterator=handle)


@op("DeleteIterator")
def delete(r, name):
    made = out("AnonymousIteratorV2", **declared(*element(r)))
    return dict(handle=made, deleter=made.output(1))


@op("IteratorToStringHandle")
def to_string(r, name):
    return dict(resource_handle=out("AnonymousIteratorV3", **declared(*element(r))))


@op("IteratorFromStringHandle", "IteratorFromStringHandleV2")
def from_string(r, name):
    made = declared(*element(r))
    text = out("IteratorToStringHandle", resource_handle=out("IteratorV2", shared_name="", container="", **made))
    return dict(string_handle=text, **(made if r.flag() else {}))


@op("SerializeIterator")
def serialize(r, name):
    _, handle, start, _ = started(r)
    return dict(resource_handle=handle, do=[start])


@op("DeserializeIterator")
def deserialize(r, name):
    _, handle, start, _ = started(r)
    return dict(resource_handle=handle, serialized=out("SerializeIterator", resource_handle=handle), do=[start])
