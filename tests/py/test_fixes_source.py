"""Edits of source text: exact places, whatever the formatting."""
import ast

import pytest

from shapeflow.checker.findings import Span
from shapeflow.fixes.context import parse_shape
from shapeflow.fixes.source import Edit, Source, apply_edits, distance, moved, tokens


def source(text):
    return Source("x.py", text)


def call(it):
    return next(it.calls())


@pytest.mark.parametrize("text, after", [
    ("f()", "f(k=1)"),
    ("f(a)", "f(a, k=1)"),
    ("f(a, )", "f(a, k=1)"),
    ("f(a,\n  b)", "f(a,\n  b, k=1)"),
    ("f(a,\n  b,\n)", "f(a,\n  b, k=1\n)"),
    ("f((a))", "f((a), k=1)"),
    ("f(a, x=(1, 2))", "f(a, x=(1, 2), k=1)"),
    ("f(\n  a  # why, and so on\n)", "f(\n  a, k=1  # why, and so on\n)"),
    ("f(g(a, b))", "f(g(a, b), k=1)"),
])
def test_a_keyword_is_added(text, after):
    it = source(text)
    made = apply_edits(text, [it.add_keyword(call(it), "k=1")])
    ast.parse(made)
    assert made == after


def test_places_are_bytes_of_utf8_and_offsets_characters():
    text = "a = 'é' + f(x)\r\nb = f(y)\r\n"
    it = source(text)
    first, second = sorted(it.calls(), key=lambda node: node.lineno)
    assert it.segment(first) == "f(x)" and it.segment(second) == "f(y)"
    assert first.col_offset == 11 and it.range(first) == (10, 14)
    assert it.place(10) == (1, 11) and it.place(it.range(second)[0]) == (2, 4)
    assert it.newline() == "\r\n"
    assert it.expression(Span("x.py", 2, 4, 2, 8)) is second
    assert it.expression(Span("x.py", 2)) is second and it.expression(Span("x.py", 3)) is None


def test_edits_do_not_overlap_and_places_move():
    text = "x = f(a, b)\ny = g(x)\n"
    swap = [Edit("x.py", 6, 7, "bb"), Edit("x.py", 9, 10, "a")]
    assert apply_edits(text, swap) == "x = f(bb, a)\ny = g(x)\n"
    assert moved((4, 11), swap) == (4, 12) and moved((16, 20), swap) == (17, 21)
    with pytest.raises(ValueError):
        apply_edits(text, [Edit("x.py", 4, 11, "h"), Edit("x.py", 6, 7, "c")])


def test_lines_are_put_beside_statements():
    text = "def f(x):\n    y = g(x)\n    return y"
    it = source(text)
    one, two = it.tree.body[0].body
    assert apply_edits(text, [it.line_before(two, "y = h(y)")]).splitlines()[2] == "    y = h(y)"
    assert apply_edits(text, [it.line_after(two, "pass")]) == text + "\n    pass"
    assert [node.lineno for node in it.definitions("y", two)] == [2]
    assert it.definitions("x", one) == []


def test_tokens_are_what_one_reads():
    assert tokens("tf.nn.relu(x)[0]") == ["tf.nn.relu", "(", "x", ")", "[", "0", "]"]
    assert distance("x", "tf.transpose(x)") == 3 and distance("[5, 3]", "[4, 3]") == 1
    assert distance("f(a", "f(b") == 1  # broken source counts as well


def test_shapes_are_read():
    assert parse_shape("[batch, 784]") == ["batch", 784] and parse_shape("(?, 10)") == [None, 10]
    assert parse_shape("[]") == [] and parse_shape("?") is None and parse_shape("(5,)") == [5]
