"""What a source file does with names, where the objects behind them cannot tell: which are caught or raised,
which calls decorate, which classes name a metaclass, which names a star import must have brought.

Asked only about files that use a package that is not installed; each file is parsed once.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from dis import Instruction
    from types import CodeType, FrameType
    from typing import Callable, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple, Union

_LONGEST = 40  # instructions of a branch that only raises
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_known: Dict[str, Uses] = {}


def is_library_by_folder(path: str) -> bool:
    """Is it ours, Python's, or installed? Before anything is unknown to a check."""
    return path.startswith((_PACKAGE, _STANDARD, "<frozen ")) or "site-packages" + os.sep in path


# A check puts its own in this place: whose code a file is.
is_library: Callable[[str], bool] = is_library_by_folder


def user_frame(depth: int = 1) -> Optional[FrameType]:
    """The frame that called, when it is the user's; None when a library asks."""
    frame = sys._getframe(depth + 1)
    return None if is_library(frame.f_code.co_filename) else frame


def innermost_user_frame() -> Optional[FrameType]:
    """The innermost frame that is the user's; None: there is none."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and (frame.f_code.co_filename.startswith(_PACKAGE) or
                                 is_library(frame.f_code.co_filename)):
        frame = frame.f_back
    return frame


def _parts(node: ast.expr) -> List[str]:
    """Of a dotted name; of anything else none."""
    import ast

    if isinstance(node, ast.Name):
        return [node.id]
    before = _parts(node.value) if isinstance(node, ast.Attribute) else []
    return [*before, node.attr] if before and isinstance(node, ast.Attribute) else []


def _last_names(node: Optional[ast.expr]) -> Set[str]:
    """The last parts of the names in an expression of exception classes."""
    import ast

    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call):
        return _last_names(node.func)
    if isinstance(node, ast.Tuple):
        return set().union(*map(_last_names, node.elts)) if node.elts else set()
    return set()


# --- comparisons ----------------------------------------------------------------------------------
_answers: Dict[Tuple[CodeType, int, str], int] = {}
_constants: Dict[CodeType, FrozenSet[str]] = {}
_SENTENCE = 4  # lines till a blank one


def may_be(words: str, variant: int) -> bool:
    """Is an unknown text, which the program compares with `words`, that? Where the program itself says them,
    every second time that the place asks; blank lines are rarer, and ".DS_Store" is what nobody looks for."""
    frame = innermost_user_frame()
    if frame is None or words.startswith((".", "__")) or words not in _constants_of(frame.f_code):
        return False
    place = frame.f_code, frame.f_lasti, words
    asked = _answers[place] = _answers.get(place, 0) + 1
    if not words.strip():
        return asked % (_SENTENCE + variant) == 0
    return asked % 2 == 1


def every_second(frame: FrameType, question: str) -> bool:
    """What a place is told that asks something of unknown texts: now that it holds, then that it does not."""
    place = frame.f_code, frame.f_lasti, question
    asked = _answers[place] = _answers.get(place, 0) + 1
    return asked % 2 == 1  # and so for ever: `while "  " in text` ends


def may_be_blank(frame: FrameType, variant: int) -> bool:
    """Is a line of which a place asks whether there is anything in it a blank one? Some are."""
    place = frame.f_code, frame.f_lasti, ""
    asked = _answers[place] = _answers.get(place, 0) + 1
    return asked % (_SENTENCE + variant) == 0


def _constants_of(code: CodeType) -> FrozenSet[str]:
    if code not in _constants:
        found = [item for one in code.co_consts for item in (one if isinstance(one, tuple) else (one,))]
        _constants[code] = frozenset(item for item in found if isinstance(item, str))
    return _constants[code]


# --- conditions -----------------------------------------------------------------------------------
_wanted: Dict[Tuple[CodeType, int], Optional[bool]] = {}


def wanted_condition(frame: FrameType) -> Optional[bool]:
    """Of a condition at which the frame is: the answer with which the program goes on, where the other one
    raises an exception at once (`assert x`, `if x: raise ...`). None: either goes on."""
    place = frame.f_code, frame.f_lasti
    if place not in _wanted:
        _wanted[place] = None if is_library(frame.f_code.co_filename) else _condition(*place)
    return _wanted[place]


def _condition(code: CodeType, at: int) -> Optional[bool]:
    import dis

    steps = list(dis.get_instructions(code))
    index = next((i for i, step in enumerate(steps) if step.offset == at), -1)
    if index >= 0 and steps[index].opname == "PRECALL":  # of 3.11, where a call that is often made is
        index += 1
    if index >= 0 and steps[index].opname.startswith(("CALL", "CONTAINS_OP")):  # any(x), what watches loops
        index += 1
    if 0 <= index < len(steps) and steps[index].opname == "TO_BOOL":
        index += 1
    if not 0 <= index < len(steps) or "JUMP" not in steps[index].opname or "_IF_" not in steps[index].opname:
        return None
    jump = steps[index]
    target = next((i for i, step in enumerate(steps) if step.offset == jump.argval), -1)
    stays, jumps = _raises(steps, index + 1), _raises(steps, target)
    if stays == jumps:
        return None
    is_true = "TRUE" in jump.opname  # it jumps when the condition holds
    return is_true if stays else not is_true


def wanted_containment(frame: FrameType) -> Optional[bool]:
    """The same of `x in y`, at which the frame is: what is `y` to say?"""
    wanted = wanted_condition(frame)
    if wanted is None:
        return None
    place = frame.f_code, frame.f_lasti
    if place not in _negated:
        _negated[place] = _is_not_in(*place)
    return wanted != _negated[place]


_negated: Dict[Tuple[CodeType, int], bool] = {}


def _is_not_in(code: CodeType, at: int) -> bool:
    import dis

    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PUSH_NULL")]
    index = next((i for i, step in enumerate(steps) if step.offset == at), -1)
    if index < 0:
        return False
    if steps[index].opname == "CONTAINS_OP":
        return steps[index].arg == 1
    index += steps[index].opname == "PRECALL"
    return _test_number(steps, index) == _NOT_IN


def is_over_a_limit(frame: FrameType) -> bool:
    """Does the line compare the number that it asks for with a lower limit: `if int(count) >= 20`? What is
    counted in data is taken to be above, so that some of it is left."""
    place = frame.f_code, frame.f_lasti
    if place not in _limits:
        _limits[place] = _compares_with_limit(*place)
    return _limits[place]


_limits: Dict[Tuple[CodeType, int], bool] = {}


def _compares_with_limit(code: CodeType, at: int) -> bool:
    steps, first = _after_call(code, at)
    index = first
    while index < min(first + _LONGEST, len(steps)) and steps[index].opname.startswith("LOAD"):
        index += 1
    compares = index < len(steps) and steps[index].opname == "COMPARE_OP"
    return compares and _sign(steps[index]) in (("<", "<=") if index == first else (">", ">="))


def _after_call(code: CodeType, at: int) -> Tuple[List[Instruction], int]:
    """The instructions, and the index of the one after the call that a frame is at."""
    import dis

    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PUSH_NULL")]
    index = next((i for i, step in enumerate(steps) if step.offset == at), len(steps))
    while index < len(steps) and "CALL" in steps[index].opname:  # in 3.11 a call is two instructions
        index += 1
    return steps, index


def _sign(comparison: Instruction) -> str:
    return comparison.argrepr.replace("bool(", "").rstrip(")")


def wanted_length(frame: FrameType, length: int) -> int:
    """What `len` says to a program of parts of a text that nobody knows, which are `length` by themselves.
    They are as many as a line wants that compares their number with a small constant: `if len(fields) != 2:
    continue`, `if len(words) > 1`. A line that asks for ever, as `while len(text) > 1: text = text[1:]`, gets
    the truth."""
    if is_library(frame.f_code.co_filename):
        return length
    place = frame.f_code, frame.f_lasti
    if place not in _lengths:
        _lengths[place] = _compared_length(*place)
    sign, constant = _lengths[place]
    if not sign or (length > constant if sign in (">", ">=") else length == constant):
        return length
    asked = _lengths_asked[place] = _lengths_asked.get(place, 0) + 1
    return length if asked > _MOST_LENGTHS else constant + (sign == ">")


_lengths: Dict[Tuple[CodeType, int], Tuple[str, int]] = {}
_lengths_asked: Dict[Tuple[CodeType, int], int] = {}
_MOST_LENGTHS = 10_000  # times that a place is told what it wants
_MOST_FIELDS, _MOST_LEAST = 64, 3


def compares_with_none(frame: FrameType) -> bool:
    """Does a line ask whether a length is 0?"""
    if is_library(frame.f_code.co_filename):
        return False
    return _compared(frame) in ((">", 0), ("==", 0), ("!=", 0), ("<=", 0), ("<", 1), (">=", 1))


def wanted_number(frame: FrameType) -> Optional[int]:
    """What a number is that the line compares with a constant, `if int(label) == 1`: that one every second
    time; where one answer raises an exception at once, what gives the other. None: nothing is compared."""
    sign, constant = _compared(frame)
    if sign not in ("==", "!=") or is_library(frame.f_code.co_filename):
        return None
    place = frame.f_code, frame.f_lasti
    if place not in _after_comparisons:
        steps, index = _after_call(*place)
        jump = steps[index + 2].offset if index + 2 < len(steps) else -1
        _after_comparisons[place] = _condition(frame.f_code, jump)
    wanted = _after_comparisons[place]
    is_equal = every_second(frame, "number") if wanted is None else wanted == (sign == "==")
    return constant + (not is_equal)


def _compared(frame: FrameType) -> Tuple[str, int]:
    """The comparison with a constant that comes next; "": another one, or none."""
    place = frame.f_code, frame.f_lasti
    if place not in _comparisons:
        steps, index = _after_call(*place)
        is_one = index + 1 < len(steps) and type(steps[index].argval) is int and \
            steps[index].opname.startswith("LOAD")
        _comparisons[place] = (_sign_at(steps, index + 1), steps[index].argval) if is_one else ("", 0)
    return _comparisons[place]


_comparisons: Dict[Tuple[CodeType, int], Tuple[str, int]] = {}
_after_comparisons: Dict[Tuple[CodeType, int], Optional[bool]] = {}


def _compared_length(code: CodeType, at: int) -> Tuple[str, int]:
    """The comparison with a constant that comes next, as in `wanted_length`; "": another one, or none."""
    steps, index = _after_call(code, at)
    if index + 1 >= len(steps) or type(steps[index].argval) is not int or \
            not steps[index].opname.startswith("LOAD"):
        return "", 0
    sign, constant = _sign_at(steps, index + 1), steps[index].argval
    most = _MOST_FIELDS if sign in ("==", "!=") else _MOST_LEAST if sign in (">", ">=") else 0
    return (sign, constant) if 0 < constant <= most else ("", 0)


def _sign_at(steps: Sequence[Instruction], index: int) -> str:
    """Of the comparison there, which in a condition is a call (checker/loops/instrument); "": it is none."""
    from shapeflow.checker.loops.places import SIGNS

    if steps[index].opname == "COMPARE_OP":
        return _sign(steps[index])
    number = _test_number(steps, index)
    return SIGNS[number] if number is not None and number < len(SIGNS) else ""


def _test_number(steps: Sequence[Instruction], index: int) -> Optional[int]:
    """Of a call there that stands for a comparison in a condition: which one it is."""
    from shapeflow.checker.loops.places import TEST

    begins = next((i for i in range(index, -1, -1) if steps[i].argval == TEST), -1)
    if begins < 0 or "CALL" not in steps[index].opname or steps[index].arg != _TEST_ARGUMENTS:
        return None
    number = steps[begins + 2].argval  # after that of the condition
    return number if type(number) is int else None


_TEST_ARGUMENTS, _NOT_IN = 4, 7


def _raises(steps: Sequence[Instruction], start: int) -> bool:
    """Does what begins there raise an exception before anything else is decided?"""
    for step in steps[start:start + _LONGEST] if start >= 0 else ():
        if step.opname in ("RAISE_VARARGS", "LOAD_ASSERTION_ERROR") or \
                step.opname == "LOAD_COMMON_CONSTANT" and step.argrepr == "AssertionError":
            return True
        if "JUMP" in step.opname or step.opname.startswith(("RETURN", "FOR_ITER", "STORE", "YIELD")):
            return False
    return False


class Uses:
    """Facts of one file. Of one that is not there, or does not parse, none."""

    def __init__(self, path: str) -> None:
        import ast
        import linecache

        self._path = path
        self._text = "".join(linecache.getlines(path))
        self.exceptions: Set[str] = set()  # names that are caught or raised
        self.attributes: Dict[str, Set[str]] = {}  # that are asked of each plain name
        self.asked_attributes: Set[str] = set()  # of anything but modules, where they are not called
        self.asked_keys: Set[str] = set()  # texts that index something, or that `get` is given
        self._containers: List[ast.expr] = []  # of `x[i]`, where the index is no constant
        self._mappings: List[Union[ast.Call, ast.For, ast.DictComp]] = []  # that take what a mapping has
        self._decorators: List[Tuple[int, int, bool]] = []  # first and last line; is it a call?
        self._metaclasses: List[Tuple[int, int]] = []  # heads of classes that name one
        self.has_metaclass = False  # of its own
        self._free: Optional[FrozenSet[str]] = None
        self._cuts: Optional[Set[int]] = None
        self._range_starts: Optional[List[Tuple[int, int, ast.expr]]] = None
        self._broken: Optional[Dict[int, Tuple[ast.stmt, bool]]] = None
        try:
            tree = ast.parse(self._text)
        except (SyntaxError, ValueError, RecursionError):
            self._text = ""
            return
        self._note_asked(tree)
        bases: Dict[str, Set[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                self.exceptions |= _last_names(node.type)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                self.attributes.setdefault(node.value.id, set()).add(node.attr)
            elif isinstance(node, ast.Raise):
                self.exceptions |= _last_names(node.exc)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for item in node.decorator_list:
                    self._decorators.append((item.lineno, item.end_lineno or item.lineno,
                                             isinstance(item, ast.Call)))
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = set().union(*map(_last_names, node.bases)) if node.bases else set()
                    self.has_metaclass |= not bases[node.name].isdisjoint(("type", "ABCMeta"))
                    if any(keyword.arg == "metaclass" for keyword in node.keywords):
                        first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
                        self._metaclasses.append((first, node.body[0].lineno))
        todo = [name for name in self.exceptions if name in bases]
        while todo:  # what an exception of the file's own is derived from is one as well
            for base in bases.pop(todo.pop(), ()):
                self.exceptions.add(base)
                if base in bases:
                    todo.append(base)

    def _note_asked(self, tree: ast.Module) -> None:
        import ast

        imported = {(alias.asname or alias.name).partition(".")[0] for node in ast.walk(tree)
                    if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                root: ast.expr = node
                while isinstance(root, ast.Attribute):
                    root = root.value
                if isinstance(node.ctx, ast.Load) and id(node) not in called and \
                        not node.attr.startswith("__") and \
                        not (isinstance(root, ast.Name) and root.id in imported):
                    self.asked_attributes.add(node.attr)
            elif isinstance(node, ast.Subscript):
                if isinstance(node.ctx, ast.Load):
                    self.asked_keys |= _texts([node.slice])
                if not isinstance(node.slice, ast.Constant):
                    self._containers.append(node.value)
            elif isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
                    self.asked_keys |= _texts(node.args[:1])
                if any(keyword.arg is None for keyword in node.keywords) or \
                        isinstance(node.func, ast.Attribute) and node.func.attr == "update":
                    self._mappings.append(node)
            elif isinstance(node, ast.DictComp) and _keeps_keys(node) or \
                    isinstance(node, ast.For) and attributes_set_of(node) is not None:
                self._mappings.append(node)

    def mappings_at(self, line: int) -> List[Union[ast.Call, ast.For, ast.DictComp]]:
        """The calls with `**` or of `update` there, the loops whose head is there and that set attributes by
        what they go over, and the comprehensions that keep keys; the innermost first."""
        import ast

        def last(node: ast.expr) -> int:
            return node.end_lineno or node.lineno

        return [node for node in reversed(self._mappings)
                if node.lineno <= line <= last(node.iter if isinstance(node, ast.For) else node)]

    def containers_at(self, line: int) -> List[ast.expr]:
        """What is indexed there."""
        return [node for node in self._containers if node.lineno <= line <= (node.end_lineno or node.lineno)]

    def decorates(self, line: int) -> Optional[bool]:
        """Is there a decorator in this line? Then: is it a call (True) or a plain name (False)."""
        for first, last, call in self._decorators:
            if first <= line <= last:
                return call
        return None

    def names_metaclass(self, line: int) -> bool:
        """Is this the head of a class with `metaclass=`?"""
        return any(first <= line <= last for first, last in self._metaclasses)

    @property
    def free(self) -> FrozenSet[str]:
        """Names that the module reads and nothing in it, nor the builtins, gives."""
        if self._free is None:
            self._free = _free_names(self._text, self._path)
        return self._free

    def broken_loop(self, line: int) -> Optional[Tuple[ast.stmt, bool]]:
        """The loop that a condition in this line breaks, and whether only a turn of it; None: none."""
        if self._broken is None:
            import ast

            from shapeflow.api.loop_breaks import loops_broken

            self._broken = loops_broken(ast.parse(self._text))
        return self._broken.get(line)

    def calls_around(self, line: int) -> List[List[str]]:
        """The functions, as parts of dotted names, that are called with what a call at this line gives."""
        if not self._text:
            return []
        import ast

        calls = [node for node in ast.walk(ast.parse(self._text)) if isinstance(node, ast.Call) and
                 node.lineno <= line <= (node.end_lineno or node.lineno)]
        return [_parts(call.func) for call in calls if any(
            isinstance(one, ast.Call) for given in (*call.args, *call.keywords) for one in ast.walk(given))]

    def range_starts(self, line: int) -> List[ast.expr]:
        """Of each `range(a, b)` at this line the a."""
        import ast

        if self._range_starts is None:
            self._range_starts = [
                (node.lineno, node.end_lineno or node.lineno, node.args[0])
                for node in ast.walk(ast.parse(self._text))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and
                node.func.id == "range" and len(node.args) > 1]
        return [start for first, last, start in self._range_starts if first <= line <= last]

    def longest_cut(self, most: int) -> int:
        """The largest number up to `most` that bounds a slice, by itself or by its name: `files[:-500]`."""
        if self._cuts is None:
            self._cuts = _cuts(self._text)
        return max((cut for cut in self._cuts if cut <= most), default=0)


def _cuts(text: str) -> Set[int]:
    """The numbers that bound slices, by themselves or by their names."""
    import ast

    tree = ast.parse(text)
    values = {target.id: node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)
              for target in node.targets if isinstance(target, ast.Name)}
    found: Set[int] = set()
    for node in ast.walk(tree):
        for bound in (node.lower, node.upper) if isinstance(node, ast.Slice) else ():
            plain = bound.operand if isinstance(bound, ast.UnaryOp) else bound
            plain = values.get(plain.id) if isinstance(plain, ast.Name) else plain
            if isinstance(plain, ast.Constant) and type(plain.value) is int:
                found.add(plain.value)
    return found


def _texts(nodes: Sequence[ast.expr]) -> Set[str]:
    import ast

    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _keeps_keys(made: ast.DictComp) -> bool:
    """Is it `{k: ... for k, v in ...}`?"""
    import ast

    target = made.generators[0].target
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return isinstance(first, ast.Name) and isinstance(made.key, ast.Name) and made.key.id == first.id


def attributes_set_of(loop: ast.For) -> Optional[ast.expr]:
    """The object of `for k, v in ...: setattr(self, k, v)`, or of `self.__dict__[k] = v` in it; None: it is
    another loop."""
    import ast

    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
    if not isinstance(target, ast.Name):
        return None

    def is_key(node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == target.id

    for node in (node for statement in loop.body for node in ast.walk(statement)):
        if isinstance(node, ast.Call) and any(is_key(arg) for arg in node.args[:2]):
            names = _last_names(node.func)
            if "__setattr__" in names and isinstance(node.func, ast.Attribute) and is_key(node.args[0]):
                return node.func.value
            if names & {"setattr", "__setattr__"}:
                return node.args[0]
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and is_key(node.slice) and \
                isinstance(node.value, ast.Attribute) and node.value.attr == "__dict__":
            return node.value.value
    return None


def _free_names(text: str, path: str) -> FrozenSet[str]:
    import builtins
    import symtable

    try:
        top = symtable.symtable(text, path, "exec")
    except (SyntaxError, ValueError):
        return frozenset()
    read: Set[str] = set()
    bound = set(vars(builtins))
    todo = [(top, True)]
    while todo:
        table, outermost = todo.pop()
        for symbol in table.get_symbols():
            if outermost or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    bound.add(symbol.get_name())
                elif symbol.is_referenced():
                    read.add(symbol.get_name())
        todo += [(child, False) for child in table.get_children()]
    return frozenset(name for name in read - bound if not name.startswith("__"))


def of(path: str) -> Uses:
    """Of the file as linecache has it."""
    found = _known.get(path)
    if found is None:
        found = _known[path] = Uses(path)
    return found
