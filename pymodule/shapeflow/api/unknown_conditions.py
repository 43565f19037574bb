"""Which way a program goes where something that nobody knows decides, and neither way only raises."""
from __future__ import annotations

from shapeflow.api.made_up_numbers import assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Dict, Tuple

    Place = Tuple[CodeType, int]

_ENDLESS = 16  # times that a condition holds at one place before it fails once, so that loops end
# Turns of a `for` that an unknown condition would break. The loop would also run on without luck; as many
# episodes of 16 steps fill the memory of 1,000 steps after which programs begin to train.
_TURNS_OF_FOR = 100
_asked: Dict[Place, int] = {}  # how often each place was asked
_breaks: Dict[Place, int] = {}


def times_asked(place: Place) -> int:
    """How often this place has asked, with this time."""
    count = _asked[place] = _asked.get(place, 0) + 1
    return count


def was_asked() -> bool:
    """Has anything that nobody knows decided where a program goes?"""
    return bool(_asked)


def is_held(frame: FrameType) -> bool:
    """Does a condition of something unknown hold where the frame is? Now and then it does not: loops end. One
    that breaks its loop holds now and then only, so that there are turns; one that ends a turn holds in every
    second, so that what is left out and what is not are both there."""
    place = frame.f_code, frame.f_lasti
    if place not in _breaks:
        _breaks[place] = _turns_before_break(frame)
    assumed.numbers += 1  # how many turns a loop has
    count, turns = times_asked(place), _breaks[place]
    return count % turns == 0 if turns else count % (_ENDLESS - assumed.variant) != 0


def _turns_before_break(frame: FrameType) -> int:
    """Of the loop that the condition breaks, with the one in which it holds; 0: it breaks none."""
    from shapeflow.api import unknown_uses

    broken = unknown_uses.of(frame.f_code.co_filename).broken_loop(frame.f_lineno)
    if broken is None:
        return 0
    import ast

    loop, is_of_one_turn = broken
    if is_of_one_turn:
        return 2
    return (_ENDLESS if isinstance(loop, ast.While) else _TURNS_OF_FOR) - assumed.variant
