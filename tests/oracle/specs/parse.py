"""Raw ops that take protos apart: tf.Example, tf.SequenceExample, tensors."""
from rawspec import op, t, v

KINDS = ["float32", "int64", "string"]


def field(number, content):
    """A length-delimited field of a proto (short ones alone)."""
    return bytes([number << 3 | 2, len(content)]) + content


def feature(values):
    """A Feature of the kind of its values."""
    if values and isinstance(values[0], int):
        return field(3, field(1, bytes(values)))
    return field(1, b"".join(field(1, x) for x in values))


def features(of):
    return b"".join(field(1, field(1, key.encode()) + field(2, feature(x))) for key, x in of.items())


def example(r):
    """An Example with a sparse feature "s" of integers, or nothing."""
    return r.choice([b"", field(1, features({"s": [1, 2]})), field(1, features({"b": [b"x"]}))])


def batch(r, make=example, rank=1):
    return v("string", make(r)) if rank == 0 else v("string", [make(r) for _ in range(r.randint(0, 3))] or [b""])


def names(r, n, prefix):
    return ["%s%d" % (prefix, i) for i in range(n)]


def dense(r, variable=False):
    """Keys, shapes and defaults of dense features; a default of one with an open axis is one row or nothing."""
    kinds = [r.choice(KINDS) for _ in range(r.randint(0, 2))]
    shapes = [r.shape(0, 2) for _ in kinds]
    defaults = [t(k, s) for k, s in zip(kinds, shapes)]
    if variable and kinds and r.random() < 0.3:
        shapes[0] = [None] + shapes[0][1:] if shapes[0] else [None]
        defaults[0] = t(kinds[0], [1] * len(shapes[0])) if len(shapes[0]) == 1 else t(kinds[0], [])
    return names(r, len(kinds), "d"), kinds, shapes, defaults


def sparse(r, most=2):
    kinds = ["int64"] + [r.choice(KINDS) for _ in range(r.randint(0, most - 1))]
    kinds = kinds[:r.randint(0, most)]
    return ["s", "t"][:len(kinds)], kinds


def strings(values):
    return v("string", values, [len(values)])


@op("ParseExample")
def parse_example(r, name):
    keys, kinds, shapes, defaults = dense(r, True)
    skeys, skinds = sparse(r)
    return dict(serialized=batch(r), names=strings([]), sparse_keys=[v("string", k) for k in skeys],
                dense_keys=[v("string", k) for k in keys], dense_defaults=defaults, sparse_types=skinds,
                dense_shapes=shapes)


@op("ParseExampleV2")
def parse_example_v2(r, name):
    keys, kinds, shapes, defaults = dense(r, True)
    skeys, skinds = sparse(r)
    rkeys = ["s"][:r.randint(0, 1)] if not skeys else []
    return dict(serialized=batch(r, rank=r.randint(0, 1)), names=strings([]), sparse_keys=strings(skeys),
                dense_keys=strings(keys), ragged_keys=strings(rkeys), dense_defaults=defaults,
                num_sparse=len(skeys), sparse_types=skinds, ragged_value_types=["int64"] * len(rkeys),
                ragged_split_types=[r.choice(["int32", "int64"])] * len(rkeys), dense_shapes=shapes)


@op("ParseSingleExample")
def parse_single(r, name):
    keys, kinds, shapes, defaults = dense(r, True)
    skeys, skinds = sparse(r)
    return dict(serialized=batch(r, rank=0), dense_defaults=defaults, num_sparse=len(skeys), sparse_keys=skeys,
                dense_keys=keys, sparse_types=skinds, dense_shapes=shapes)


def sequence(r):
    """A SequenceExample with a context feature, or a list of two steps."""
    steps = field(2, field(1, field(1, b"l") + field(2, field(1, feature([1])) + field(1, feature([2])))))
    return r.choice([b"", field(1, features({"s": [1]})), steps])


@op("ParseSequenceExample")
def parse_sequence(r, name):
    ckeys, ckinds, cshapes, cdefaults = dense(r)
    skeys, skinds = sparse(r)
    n = r.randint(0, 1)
    m = r.randint(0, 1)
    return dict(serialized=batch(r, sequence), debug_name=strings([]), context_dense_defaults=cdefaults,
                feature_list_dense_missing_assumed_empty=["l"][:n], context_sparse_keys=skeys,
                context_dense_keys=ckeys, feature_list_sparse_keys=["m"][:m], feature_list_dense_keys=["l"][:n],
                Ncontext_sparse=len(skeys), Ncontext_dense=len(ckeys), Nfeature_list_sparse=m,
                Nfeature_list_dense=n, context_sparse_types=skinds, feature_list_dense_types=["int64"][:n],
                context_dense_shapes=cshapes, feature_list_sparse_types=["int64"][:m],
                feature_list_dense_shapes=[r.choice([[], [1]])][:n])


@op("ParseSequenceExampleV2")
def parse_sequence_v2(r, name):
    ckeys, ckinds, cshapes, cdefaults = dense(r)
    skeys, skinds = sparse(r)
    n, m, k = r.randint(0, 1), r.randint(0, 1), r.randint(0, 1)
    return dict(serialized=batch(r, sequence, r.randint(0, 1)), debug_name=strings([]),
                context_sparse_keys=strings(skeys), context_dense_keys=strings(ckeys),
                context_ragged_keys=strings(["q"][:k]), feature_list_sparse_keys=strings(["m"][:m]),
                feature_list_dense_keys=strings(["l"][:n]), feature_list_ragged_keys=strings(["p"][:k]),
                feature_list_dense_missing_assumed_empty=v("bool", [True][:n], [n]),
                context_dense_defaults=cdefaults, Ncontext_sparse=len(skeys), context_sparse_types=skinds,
                context_ragged_value_types=["int64"][:k], context_ragged_split_types=["int64"][:k],
                context_dense_shapes=cshapes, Nfeature_list_sparse=m, Nfeature_list_dense=n,
                feature_list_dense_types=["int64"][:n], feature_list_sparse_types=["int64"][:m],
                feature_list_ragged_value_types=["float32"][:k], feature_list_ragged_split_types=["int32"][:k],
                feature_list_dense_shapes=[r.choice([[], [1]])][:n])


@op("ParseSingleSequenceExample")
def parse_single_sequence(r, name):
    ckeys, ckinds, cshapes, cdefaults = dense(r)
    skeys, skinds = sparse(r)
    n, m = r.randint(0, 1), r.randint(0, 1)
    return dict(serialized=batch(r, sequence, 0), feature_list_dense_missing_assumed_empty=strings(["l"][:n]),
                context_sparse_keys=[v("string", k) for k in skeys],
                context_dense_keys=[v("string", k) for k in ckeys],
                feature_list_sparse_keys=[v("string", "m")][:m], feature_list_dense_keys=[v("string", "l")][:n],
                context_dense_defaults=cdefaults, debug_name=v("string", ""), context_sparse_types=skinds,
                feature_list_dense_types=["int64"][:n], context_dense_shapes=cshapes,
                feature_list_sparse_types=["int64"][:m], feature_list_dense_shapes=[r.choice([[], [1]])][:n])


@op("DecodeJSONExample")
def decode_json(r, name):
    shape = r.shape(0, 2)

    def texts(dims):
        return [texts(dims[1:]) for _ in range(dims[0])] if dims else r.choice(["{}", '{"features": {}}'])
    return dict(json_examples=v("string", texts(shape), shape))


@op("DecodeProtoV2")
def decode_proto(r, name):
    fields = r.sample(["value", "type_url"], r.randint(0, 2))
    shape = r.shape(0, 2)
    return dict(bytes=v("string", [], shape) if 0 in shape else t("string", shape),
                message_type="google.protobuf.Any", field_names=fields, output_types=["string"] * len(fields))


@op("EncodeProto")
def encode_proto(r, name):
    messages, n = r.shape(1, 2), r.randint(1, 2)
    return dict(sizes=t("int32", messages + [n], low=1, high=2), values=[t("string", messages + [1]) for _ in range(n)],
                field_names=["type_url", "value"][:n], message_type="google.protobuf.Any")


@op("ParseTensor")
def parse_tensor(r, name):
    # dtype DT_INT32, shape [2], content 1 and 2
    return dict(serialized=v("string", b"\x08\x03\x12\x04\x12\x02\x08\x02\x3a\x02\x01\x02"), out_type="int32")


@op("SerializeTensor")
def serialize_tensor(r, name):
    return dict(tensor=t(r.choice(KINDS), r.shape(0, 3)))
