"""What a line of a program does with something unknown that it asks just now: read off the instruction that
its frame is at."""
from __future__ import annotations

import opcode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import FrozenSet, Optional, Set, Tuple


def _ops(*names: str) -> FrozenSet[int]:
    return frozenset(opcode.opmap[name] for name in names if name in opcode.opmap)


_MOST_PLACES = 10_000
_UNPACK = _ops("UNPACK_SEQUENCE")
_UNPACK_EX = _ops("UNPACK_EX")
_SUBSCRIPTS = _ops("BINARY_SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR")
_SLICES = _ops("BUILD_SLICE")
_READ = opcode.opmap["BINARY_SUBSCR"]
_CALLS = _ops("CALL", "CALL_FUNCTION")
_MERGES = _ops("DICT_MERGE", "DICT_UPDATE", "CALL_FUNCTION_EX")


def _instruction(frame: FrameType) -> Tuple[int, int]:
    """The instruction that a frame is at, and its argument."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return (code[at], code[at + 1]) if 0 <= at < len(code) - 1 else (-1, 0)


def unpacked(frame: FrameType) -> Optional[int]:
    """How many names `a, b = ...` wants, of `a, *b = ...` those before the star; None: none is unpacked."""
    op, argument = _instruction(frame)
    if op in _UNPACK:
        return argument
    return argument & 0xFF if op in _UNPACK_EX else None


def has_star(frame: FrameType) -> bool:
    """Is it `a, *b = ...`?"""
    return _instruction(frame)[0] in _UNPACK_EX


def is_subscript(frame: FrameType) -> bool:
    """Is it `a[...]`?"""
    return _instruction(frame)[0] in _SUBSCRIPTS


def may_end_range(frame: FrameType) -> bool:
    """Is it a call as `range(1, n)`, in code that names that function?"""
    op, argument = _instruction(frame)
    return op in _CALLS and argument in (2, 3) and "range" in frame.f_code.co_names


def is_slice(frame: FrameType) -> bool:
    """Is it `a[b:c]`, before Python 3.12, where that became another instruction than `a[...]`?"""
    code, at = frame.f_code.co_code, frame.f_lasti
    return at >= 2 and code[at - 2] in _SLICES


def is_item_read(frame: FrameType) -> bool:
    """Is it `a[...]` that is read?"""
    return _instruction(frame)[0] == _READ


_indexed: Set[Tuple[CodeType, int]] = set()  # where something real was indexed by something unknown


def note_index(frame: FrameType) -> None:
    if len(_indexed) < _MOST_PLACES:
        _indexed.add((frame.f_code, frame.f_lasti))


def was_indexed(code: CodeType, at: int) -> bool:
    """Was an item by an unknown index asked for at this instruction, so that its shape is made up?"""
    return (code, at) in _indexed


def is_merge(frame: FrameType) -> bool:
    """Is it `{**a}` or `f(**a)`?"""
    return _instruction(frame)[0] in _MERGES
