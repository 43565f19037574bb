#!/usr/bin/env python3
"""Writes the seeds of tests/fuzz/corpus: small inputs of our own making, from which libFuzzer starts.

    make_corpus.py     rewrites seed-*; inputs that once found a bug (found-*) are left alone
"""
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "py"))

from graphdef_bytes import (  # noqa: E402
    T,
    attr,
    const,
    field,
    func,
    function,
    graph,
    ints,
    meta_graph,
    node,
    placeholder,
    saved_model,
)

F = T("float")


def graphs():
    relu = function("f", {"a": "float"}, {"o": "float"}, [node("r", "Relu", "a", T=F)],
                    {"o": "r:activations:0"})
    call = {"Tin": [F], "Tout": [F], "f": func("f")}
    yield graph(placeholder("x", (None, 3)), placeholder("w", (3, 4)), node("y", "MatMul", "x", "w", T=F))
    yield graph(ints("s", 2, 3), node("r", "Reshape", "x", "s", T=F, Tshape=T("int32")),
                placeholder("x", (6,)))
    yield graph(placeholder("x", (4,)), node("c", "PartitionedCall", "x", **call),
                node("d", "StatefulPartitionedCall", "c", "^x", **call), functions=[relu])
    yield graph(placeholder("p", (), "bool"), placeholder("x", (4,)),
                node("i", "If", "p", "x", Tcond=T("bool"), Tin=[F], Tout=[F], then_branch=func("f"),
                     else_branch=func("f")), functions=[relu])
    yield graph(placeholder("x", (4,)),
                node("w", "While", "x", T=[F], cond=func("f"), body=func("f")), functions=[relu])
    yield graph(const("a", "float", (2, 2), field(5, 1.0)), node("e", "Enter", "a", T=F, frame_name="q"),
                node("m", "Merge", "e", "n", T=F, N=2), node("n", "NextIteration", "m", T=F),
                node("u", "Custom", "m:1", "z:2"), node("z", "Custom", "a", k=[(1, None)]))
    yield graph(node("v", "VarHandleOp", dtype=F, shape=(3, 4), shared_name="v"),
                node("r", "ReadVariableOp", "v", dtype=F, _output_shapes=[(3, None)]))
    yield graph(const("s", "string", (2,), field(8, "ab"), field(8, "c")),
                const("h", "half", (1,), field(13, b"\x80\x78")), const("b", "bool", (2,), field(11, True)))
    loops = [placeholder("x", (None, 3))]  # loops in loops
    for i in range(24):
        entered = "e%d" % (i - 1) if i else "x"
        loops += [node("e%d" % i, "Enter", entered, T=F, frame_name="f%d" % i)]
    yield graph(*loops)
    loops = [placeholder("x", (None, 3)), placeholder("p", (), "bool")]
    for i in range(8):
        x, p = ("s%d:1" % (i - 1), "q%d" % (i - 1)) if i else ("x", "p")
        loops += [node("e%d" % i, "Enter", x, T=F, frame_name="f%d" % i),
                  node("q%d" % i, "Enter", p, T=T("bool"), frame_name="f%d" % i),
                  node("m%d" % i, "Merge", "e%d" % i, "n%d" % i, T=F, N=2),
                  node("c%d" % i, "LoopCond", "q%d" % i),
                  node("s%d" % i, "Switch", "m%d" % i, "c%d" % i, T=F),
                  node("n%d" % i, "NextIteration", "o%d" % (i + 1) if i < 7 else "s7:1", T=F),
                  node("o%d" % i, "Exit", "s%d" % i, T=F)]
    yield graph(*loops)
    for tail in (b"\0", b"\0" + b"x" * 3000):  # keys with NULs
        yield graph(placeholder("x", (4,)) + field(5, field(1, b"dtype" + tail) + field(2, attr(F))),
                    node("r", "Relu", "x", T=F) + field(5, field(1, b"T" + tail) + field(2, attr(F))))


def signatures():
    for inputs, outputs, attrs in (
            ("a: T, b: T", "c: T", "T: {half, float} = float, N: int >= 1"),
            ("values: N * T, ref: Ref(T)", "o: Tlist", "Tlist: list(type) >= 0, s: shape = {}"),
            ("", "x: int32", "padding: {'SAME', 'VALID'}, l: list(int) = [1, 2], f: func, b: bool = true")):
        yield b"\0" + "\0".join((inputs, outputs, attrs)).encode()
    for text in ("[2,?,2*n+1]", "?", "!", "[]", "[n-1,n,3-n]"):
        yield b"\1" + text.encode()
    values = [3, 2.5, True, "text", T("int32"), (2, None), None, [1, 2, -3], [F, F], [(1,), None], ["a"],
              field(8, field(1, 3) + field(2, field(2, field(1, 2))) + field(7, b"\1\2")), func("f")]
    for value in values:
        yield b"\3\1" + attr(value)
    for kind, text in enumerate((
            'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\n'
            "node < name: 'a' 'b\\n\\x41' input: [\"x\", '^y'] > versions { producer: 24 } # end",
            'meta_info_def { tags: "serve" any_info { [a.b/c] { k: -1.5e3f } } } graph_def {}',
            "saved_model_schema_version: 1; meta_graphs: { unknown: [{a: 1}, {}] }")):
        yield b"\2" + bytes([kind]) + text.encode()


def main():
    corpus = HERE / "corpus"
    for old in corpus.glob("*/seed-*"):
        old.unlink()
    seeds = {"graphdef": [], "sig": list(signatures()), "ops": []}
    for data in graphs():
        seeds["graphdef"] += [b"\1" + data, b"\0" + data, b"\x21" + data]
    seeds["graphdef"] += [b"\x09" + meta_graph(data), b"\x11" + saved_model(meta_graph(data))]
    draw = random.Random(1)
    for size in (8, 16, 32, 64):
        seeds["ops"] += [bytes(draw.randrange(256) for _ in range(size)) for _ in range(4)]
    for target, items in seeds.items():
        (corpus / target).mkdir(parents=True, exist_ok=True)
        for i, data in enumerate(items):
            (corpus / target / f"seed-{i:02}").write_bytes(data)


if __name__ == "__main__":
    main()
