"""How the conditions in a loop come out in turns that are still to come.

A condition is foreseen when it is made of numbers, arithmetic and comparisons of names, attributes and
lengths of lists, each of which is constant in the loop, grows by the same step each turn, or is part of what
a `for` takes next. Many turns are computed at once, by numpy; where the two sides of one comparison are
straight lines, the turn where they cross is found without a look at those before it.
"""
from __future__ import annotations

import ast
import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

    from shapeflow.checker.loops.state import Change, View

    # A part of what a `for` takes in a turn, or in each of an array of turns.
    Part = Callable[[Tuple[int, ...], Any], Any]

CHUNK = 1 << 16  # turns computed at once
SCANNED = 1 << 23  # turns looked at one by one, at the most
FAR = 1 << 62
_PLAIN = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.operator, ast.unaryop, ast.cmpop, ast.Load)
_NUMBERS = (int, float, bool, str, type(None))


class Unforeseen(Exception):
    """The condition depends on something else."""


class Input:
    """A name, attribute or length of a condition: now, and its step each turn. `part` instead says where in
    the elements of the loop it comes from."""

    __slots__ = ("value", "step", "part")

    def __init__(self, value: Any, step: int = 0, part: Optional[Tuple[int, ...]] = None) -> None:
        self.value = value
        self.step = step
        self.part = part


class Condition:
    """One condition with its inputs."""

    def __init__(self, number: int, node: ast.expr, inputs: List[Input],
                 function: Callable[..., Any]) -> None:
        self.number = number
        self.node = node
        self.inputs = inputs
        self._function = function

    @property
    def varies(self) -> bool:
        return any(item.step or item.part is not None for item in self.inputs)

    def at(self, turn: int, part: Optional[Part] = None) -> bool:
        """So many turns after the next one. May raise what the script's condition would."""
        return bool(self._function(*self._given(turn, part)))

    def during(self, turns: object, part: Optional[Part] = None) -> object:
        """The same of an array of turns: an array of truths."""
        return self._function(*self._given(turns, part))

    def _given(self, turns: Any, part: Optional[Part]) -> List[object]:
        given = []
        for item in self.inputs:
            if item.part is not None:
                if part is None:
                    raise Unforeseen
                given.append(part(item.part, turns))
            else:
                given.append(item.value + item.step * turns if item.step else item.value)
        return given

    def crossing(self, part: Optional[Part] = None) -> Optional[int]:
        """The first turn that comes out as turn 0 does not, where both sides of a comparison are straight
        lines; FAR: there is none; None: they are not."""
        products = sum(bool(item.step) or item.part is not None for item in self.inputs) < 2
        if not isinstance(self.node, ast.Compare) or len(self.node.ops) != 1 or \
                not isinstance(self.node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) or \
                not _is_straight(self.node.left, products) or \
                not _is_straight(self.node.comparators[0], products):
            return None
        first = self.at(0, part)
        low, high = 0, 1
        while self.at(high, part) == first:
            low, high = high, high * 2
            if high > FAR:
                return FAR
        while high - low > 1:
            middle = (low + high) // 2
            if self.at(middle, part) == first:
                low = middle
            else:
                high = middle
        return high


def _is_straight(node: ast.expr, products: bool) -> bool:
    """Is it a straight line when its inputs are? `products`: at most one of them is not constant."""
    if isinstance(node, ast.BinOp):
        is_both = _is_straight(node.left, products) and _is_straight(node.right, products)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return is_both
        return isinstance(node.op, ast.Mult) and is_both and (
            products or isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant))
    return isinstance(node, (ast.Name, ast.Attribute, ast.Constant)) or _is_length(node)


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and \
        len(node.args) == 1 and not node.keywords and isinstance(node.args[0], (ast.Name, ast.Attribute))


class Scene:
    """Where conditions are read: a frame at the head of a turn, what stands in it, what turns change, and the
    names that a `for` sets."""

    def __init__(self, frame: FrameType, now: View, change: Change, target: Optional[ast.expr],
                 fresh: Set[str]) -> None:
        self._names = frame.f_locals
        self._globals = frame.f_globals
        self._now = now
        self._change = change
        self._target = dict(_parts(target, ())) if target is not None else {}
        self._fresh = fresh

    def condition(self, number: int, node: ast.expr) -> Condition:
        """Raises Unforeseen."""
        inputs: Dict[str, Input] = {}
        body = self._replaced(node, inputs)
        names = ast.arguments([], [ast.arg(name) for name in inputs], None, [], [], None, [])
        whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(names, body)))
        function = eval(compile(whole, "<condition>", "eval"), {"len": len})
        return Condition(number, node, list(inputs.values()), function)

    def _replaced(self, node: ast.AST, inputs: Dict[str, Input]) -> Any:
        """The expression with an argument of a function for each input."""
        if isinstance(node, (ast.Name, ast.Attribute)) or _is_length(node):
            name = "input%d" % len(inputs)
            inputs[name] = self._input(node)
            return ast.Name(name, ast.Load())
        if isinstance(node, ast.Constant) and not isinstance(node.value, _NUMBERS) or \
                not isinstance(node, _PLAIN):
            raise Unforeseen
        fields = {}
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value = [self._replaced(item, inputs) for item in value]
            elif isinstance(value, ast.AST):
                value = self._replaced(value, inputs)
            fields[field] = value
        return type(node)(**fields)

    def _input(self, node: Any) -> Input:
        if isinstance(node, ast.Call):
            holder, key, value = self._find(node.args[0])
            try:
                return Input(len(value), self._step(holder, key))
            except TypeError:
                raise Unforeseen
        if isinstance(node, ast.Name) and node.id in self._target:
            return Input(None, 0, self._target[node.id])
        holder, key, value = self._find(node)
        if isinstance(value, _NUMBERS):
            return Input(value, self._step(holder, key))
        raise Unforeseen

    def _step(self, holder: Any, key: Any) -> int:
        if holder is self._names:
            path = "local", key
            return self._change.steps.get(path, self._change.grown.get(path, 0))
        return self._change.step_of(holder, key)

    def _find(self, node: ast.expr) -> Tuple[Any, Any, Any]:
        """(what holds it, under which key, the value)."""
        if isinstance(node, ast.Name):
            if node.id in self._fresh:
                raise Unforeseen  # it is made anew each turn
            for names in (self._names, self._globals, vars(builtins)):
                if node.id in names:
                    return names, node.id, names[node.id]
            raise Unforeseen
        if not isinstance(node, ast.Attribute):
            raise Unforeseen
        of = self._find(node.value)[2]
        own = getattr(of, "__dict__", None)
        if isinstance(own, dict) and node.attr in own:
            return own, node.attr, own[node.attr]
        try:
            return of, node.attr, getattr(of, node.attr)
        except Exception:
            raise Unforeseen


def _parts(target: ast.expr, place: Tuple[int, ...]) -> Iterator[Tuple[str, Tuple[int, ...]]]:
    """Each name of a target, with the indices that lead to it."""
    if isinstance(target, ast.Name):
        yield target.id, place
    elif isinstance(target, (ast.Tuple, ast.List)):
        if not any(isinstance(part, ast.Starred) for part in target.elts):
            for number, part in enumerate(target.elts):
                yield from _parts(part, (*place, number))


def turns_left(scene: Scene, test: ast.expr) -> Optional[int]:
    """How many turns more a `while` makes; None: nobody can say. Raises nothing."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        ends = [end for end in (turns_left(scene, part) for part in test.values) if end is not None]
        return min(ends) if ends else None
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    try:
        condition = scene.condition(-1, test)
        if not condition.varies:
            return None
        crossing = condition.crossing()
        if crossing is not None:
            return None if crossing >= FAR else crossing
        first = condition.at(0)
        for start in range(0, SCANNED, CHUNK):
            import numpy

            turns = numpy.arange(start, start + CHUNK, dtype=numpy.int64)
            other = numpy.flatnonzero(numpy.asarray(condition.during(turns)).astype(bool) != first)
            if other.size:
                return start + int(other[0])
    except Exception:  # what the script's own condition may raise as well
        pass
    return None


# --- which turns are run --------------------------------------------------------------------------
class Combinations:
    """How the conditions came out together in the turns that were run or are to be run. A condition may be
    met before or after the turn has changed what it reads, so each is computed both ways."""

    def __init__(self, conditions: List[Condition]) -> None:
        self.conditions = conditions[:30]
        self._known: Set[int] = set()

    def is_new(self, turn: int, part: Optional[Part]) -> bool:
        """Of one turn; what cannot be computed is new each time."""
        try:
            bits = self._bits(turn, part) << 30 | self._bits(turn + 1, part)
        except Exception:
            return True
        return self._add(bits)

    def _bits(self, turn: int, part: Optional[Part]) -> int:
        return sum(condition.at(turn, part) << place for place, condition in enumerate(self.conditions))

    def _add(self, bits: int) -> bool:
        if bits in self._known:
            return False
        self._known.add(bits)
        return True

    def new_turns(self, count: int, part: Optional[Part]) -> List[int]:
        """Of the next `count` turns those with a combination that none before them had. `part` gives parts
        of elements. Raises Unforeseen."""
        if not self.conditions:
            return []
        if count > SCANNED:
            jumps = [condition.crossing(part) for condition in self.conditions]
            if all(jump is not None for jump in jumps):
                return self._around([jump for jump in jumps if jump is not None], count)
        found: List[int] = []
        scanned = min(count, SCANNED)
        start = 0
        while start < scanned:
            size = min(CHUNK if start else 256, scanned - start)
            found += self._scan(start, size, part)
            start += size
        if scanned < count:  # beyond: only where straight lines cross
            far = [condition.crossing(part) for condition in self.conditions]
            found += self._around([jump for jump in far if jump is not None and jump >= scanned], count)
        return sorted(set(found))

    def _scan(self, start: int, size: int, part: Optional[Part]) -> List[int]:
        import numpy

        turns = numpy.arange(start, start + size + 1, dtype=numpy.int64)
        bits = numpy.zeros(size + 1, numpy.int64)
        try:
            for place, condition in enumerate(self.conditions):
                truths = numpy.asarray(condition.during(turns, part)).astype(bool)
                bits |= truths.astype(numpy.int64) << place
        except Exception:
            raise Unforeseen
        both = bits[:-1] << 30 | bits[1:]
        seen, where = numpy.unique(both, return_index=True)
        return [start + at for value, at in zip(seen.tolist(), where.tolist()) if self._add(value)]

    @staticmethod
    def _around(jumps: List[int], count: int) -> List[int]:
        return [turn for jump in jumps for turn in (jump - 1, jump) if 0 <= turn < count]
