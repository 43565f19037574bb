"""GraphDefs written by hand: the wire format in forty lines, so that tests need no protobuf."""
import struct

DTYPES = {"float": 1, "double": 2, "int32": 3, "uint8": 4, "string": 7, "int64": 9, "bool": 10,
          "half": 19, "resource": 20}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """An int is a varint, a float a fixed32; bytes, text and lists of fields are of bytes."""
    if isinstance(value, bool) or isinstance(value, int):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def shape(dims):
    if dims is None:
        return field(3, True)
    return b"".join(field(2, field(1, -1 if d is None else d)) for d in dims)


def tensor(dtype, dims, *contents):
    """`contents`: more fields of TensorProto, encoded."""
    return field(1, DTYPES[dtype]) + field(2, shape(dims)) + b"".join(contents)


class T(str):
    """A dtype as the value of an attr."""


def attr(value):
    if isinstance(value, T):
        return field(6, DTYPES[value])
    if isinstance(value, bytes):
        return value  # an AttrValue already
    if isinstance(value, bool):
        return field(5, value)
    if isinstance(value, str):
        return field(2, value)
    if isinstance(value, int):
        return field(3, value)
    if isinstance(value, float):
        return field(4, value)
    if isinstance(value, tuple) or value is None:
        return field(7, shape(value))
    kinds = {T: 6, str: 2, int: 3, tuple: 7, type(None): 7}
    parts = b""
    for item in value:
        kind = kinds[type(item)]
        parts += field(kind, DTYPES[item] if kind == 6 else shape(item) if kind == 7 else item)
    return field(1, parts)


def attrs(**values):
    return b"".join(field(5, field(1, name) + field(2, attr(v))) for name, v in values.items())


def node(name, op, *inputs, device="", **values):
    text = field(1, name) + field(2, op) + b"".join(field(3, i) for i in inputs)
    return text + (field(4, device) if device else b"") + attrs(**values)


def placeholder(name, dims, dtype="float"):
    return node(name, "Placeholder", dtype=T(dtype), shape=dims)


def const(name, dtype, dims, *contents):
    return node(name, "Const", dtype=T(dtype), value=field(8, tensor(dtype, dims, *contents)))


def ints(name, *values):
    """A vector of int32."""
    packed = b"".join(varint(v) for v in values)
    return const(name, "int32", [len(values)], field(7, packed))


def graph(*nodes, functions=(), producer=2474):
    library = field(2, b"".join(field(1, f) for f in functions)) if functions else b""
    return b"".join(field(1, n) for n in nodes) + library + field(4, field(1, producer))


def arg(name, dtype):
    return field(1, name) + field(3, DTYPES[dtype])


def function(name, inputs, outputs, nodes, rets):
    """inputs, outputs: {name: dtype}; rets: {output: "node:out:0"}."""
    signature = field(1, name)
    signature += b"".join(field(2, arg(*i)) for i in inputs.items())
    signature += b"".join(field(3, arg(*o)) for o in outputs.items())
    body = b"".join(field(3, n) for n in nodes)
    return field(1, signature) + body + b"".join(
        field(4, field(1, k) + field(2, v)) for k, v in rets.items())


def func(name):
    """A function as the value of an attr."""
    return field(10, field(1, name))


def meta_graph(graph_def, version="1.15.0", tags=("serve",)):
    info = b"".join(field(4, t) for t in tags) + field(5, version)
    return field(1, info) + field(2, graph_def)


def saved_model(*metas):
    return field(1, 1) + b"".join(field(2, m) for m in metas)
