"""What a call of a tf.function did, kept so that a like call need not run the body again.

TensorFlow runs the Python body once for each signature, and then only the graph. Here the body runs on
shapes; a later call of the same signature gives what the first one gave. What a body does to variables is
done again: integers are followed (a counter of steps), for which the body is run a second time and compared,
or with what is known of another signature; other contents that it changed are unknown. Where two runs tell
nothing or give other shapes, or the body took what another call would not find (of an iterator more than the
next element, whose kind belongs to the signature), the body runs again. It does too where an integer variable
was changed elsewhere, unless a body did that and the body in question does not use the variable, follows it
too, or gave the same after another change of it.
Source: tensorflow/python/eager/polymorphic_function/{polymorphic_function,tracing_compilation}.py.
"""
from __future__ import annotations

import contextlib
from _weakref import ref  # weakref, around it, costs half a millisecond

from shapeflow import _core
from shapeflow.tensorflow.python.framework import op_builders
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        Any,
        Callable,
        Dict,
        Iterable,
        Iterator,
        List,
        Mapping,
        Optional,
        Sequence,
        Set,
        Tuple,
    )

    from shapeflow.tensorflow.python.eager.python_effects import FirstRun

_SMALL = 128  # elements of a tensor whose content may decide shapes
_MOST = 64  # signatures that are remembered of one function
_COUNTED = 64  # calls of a signature that memory counts one by one
_running: List[Trace] = []
_changes = 0  # integer contents of variables that changed, ever: they may decide shapes
# By id, the last change last: that variable, and which change it was.
_changed: Dict[int, Tuple[ref[object], int]] = {}
_CHANGED = 1000  # variables that are kept there
_unfollowed = 0  # the last change that is not there, or that no body made
_repeats = 0  # repetitions under way
_anew = 0  # how often it was asked for that nothing be repeated
_given: Dict[int, ref[_core.Tensor]] = {}  # by id, tensors that a body gave, and that its repetitions give
_waiting: List[Callable[[], None]] = []  # what the ops of bodies that run have printed


class Trace:
    """One run of a body."""

    def __init__(self) -> None:
        # id: (variable, its content before, and after the last write); the content as constant_value has it
        self.written: Dict[int, Tuple[Any, Any, Any]] = {}
        self.before: Dict[int, Tuple[Any, Any]] = {}  # the variables, with what they held first
        self.shown: List[Callable[[], None]] = []  # what ops printed
        self.taken: List[int] = []  # iterators, by id, for each element that it took

    def undo(self) -> None:
        """What its ops did is as if they had not run."""
        shown = list(self.shown)
        for effects in (_waiting, *(trace.shown for trace in _running)):
            effects[:] = [effect for effect in effects if effect not in shown]
        for variable, before in self.before.values():
            now, variable._tensor = variable._tensor, before
            wrote(variable, now, before)


class Elements:
    """An iterator of which a call may take the next element without the body."""

    def _sf_pass(self) -> Optional[List[object]]:
        """The leaves of the next element, which is gone then; None: there is none."""
        raise NotImplementedError

    def _sf_ahead(self) -> Optional[List[object]]:
        """The same, where they are tensors, and the element is still to come."""
        raise NotImplementedError


class recorded:
    """While it holds, what happens is written down in the trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        _running.append(self._trace)

    def __exit__(self, *exc: object) -> None:
        _running.remove(self._trace)


class anew:
    """While it holds, bodies run, also those of which it is known what they give."""

    def __enter__(self) -> None:
        global _anew
        _anew += 1

    def __exit__(self, *exc: object) -> None:
        global _anew
        _anew -= 1


def wrote(variable: Any, before: Any, after: Any) -> None:
    """An eager variable has another value from here on."""
    global _changes, _unfollowed
    _core.memory_state(after)
    was, now = _content(before), _content(after)
    if was is None and now is None and before.shape == after.shape:
        if not _running:
            return
    elif not variable.dtype.is_floating and not _same(was, now):
        _changes += 1
        _changed.pop(id(variable), None)
        if len(_changed) >= _CHANGED or not _running and not _repeats:
            _changed.clear()
            _unfollowed = _changes
        else:
            _changed[id(variable)] = ref(variable), _changes
    for trace in _running:
        trace.before.setdefault(id(variable), (variable, before))
        first = trace.written.get(id(variable))
        trace.written[id(variable)] = variable, was if first is None else first[1], now


def _changed_since(change: int) -> Optional[Dict[int, object]]:
    """The variables of integers that bodies changed after that change; None: others changed too."""
    if change < _unfollowed:
        return None
    found: Dict[int, object] = {}
    for key, (variable, last) in reversed(_changed.items()):
        if last <= change:
            break
        if variable() is not None:
            found[key] = variable()
    return found


def gives(tensor: _core.Tensor) -> bool:
    """May another call have given this very object?"""
    found = _given.get(id(tensor))
    return found is not None and found() is tensor


def shows(effect: Callable[[], None]) -> None:
    """What an op prints is printed when the graph runs, after the trace, and by each run."""
    for trace in _running:
        trace.shown.append(effect)
    _waiting.append(effect)
    _show()


def _show() -> None:
    while _waiting and not _running:
        _waiting.pop(0)()


def takes(iterator: object) -> None:
    """The bodies that run take an element."""
    for trace in _running:
        trace.taken.append(id(iterator))


def _is_small(tensor: _core.Tensor) -> bool:
    """May its content be known?"""
    size = tensor.shape.num_elements() if tensor.shape.ndims is not None else None
    return size is not None and size <= _SMALL


def _content(tensor: Any) -> Any:
    return _core.constant_value(tensor) if _is_small(tensor) else None


def is_known(tensor: _core.Tensor) -> bool:
    """Is its content?"""
    return _content(tensor) is not None


def _leaves(result: object) -> List[object]:
    """Of what a body gives, what is in an Optional too."""
    found: List[object] = []
    for leaf in nest.flatten(result):
        held = getattr(leaf, "_sf_held") if hasattr(type(leaf), "_sf_held") else None  # noqa: B009
        found += [leaf] if held is None else [leaf, *nest.flatten(held)]
    return found


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return bool(a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes())


class _Step:
    """How a body changes the known content of one variable: by adding `delta`, or to `delta` itself."""

    def __init__(self, variable: Any, delta: Any, adds: bool) -> None:
        self._variable, self._delta, self._adds = variable, delta, adds

    @staticmethod
    def of(variable: Any, first: Tuple[Any, Any], second: Tuple[Any, Any]) -> Optional[_Step]:
        """What explains two runs: (content before, after) each; None: nothing simple does."""
        if _same(first[1], second[1]):
            return _Step(variable, second[1], False)
        if any(content is None or content.dtype.kind not in "iu" for content in (*first, *second)):
            return None
        delta = second[1] - second[0]
        return _Step(variable, delta, True) if _same(first[1] - first[0], delta) else None

    def repeat(self) -> None:
        value = self._variable._tensor
        now = value + self._delta if self._adds else _core.convert_to_tensor(self._delta, value.dtype)
        self._variable._tensor = now = _core.eager_like(now, value)
        wrote(self._variable, value, now)


class _Forget:
    """A body leaves one variable with a content that is not followed."""

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def repeat(self) -> None:
        value = self._variable._tensor
        if _content(value) is None:
            for trace in _running:
                trace.written.setdefault(id(self._variable), (self._variable, None, None))
        else:
            now = op_builders.unknown(value.dtype, value.shape, trusted=True)
            self._variable._tensor = _core.eager_like(now, value, False)
            wrote(self._variable, value, self._variable._tensor)


class Signature:
    """What is known of the calls of one signature."""

    def __init__(self, held: object) -> None:
        self._held = held  # so that no id in the key is taken again
        self._first: Optional[Trace] = None
        self._steps: List[Any] = []
        self._shown: List[Callable[[], None]] = []
        self._ready = False
        self._never = False
        self._result: object = None
        self._since = 0  # contents of variables that had changed when it ran or was repeated
        self._kinds: Optional[List[object]] = None  # dtypes and shapes of what the last run gave
        self._harmless: Dict[int, object] = {}  # variables whose changes have not changed what it gives
        self._used: Set[int] = set()  # variables that it read or wrote, by id
        self._training_steps = 0
        self._reads: List[ref[_core.VariableBase]] = []  # variables that it read
        self._counted = 0

    def call(self, body: Callable[[], object], others: Iterable[Signature] = (),
             iterator: Optional[Elements] = None) -> object:
        """What the body gives. `others`: signatures of the same function; `iterator`: of which it takes the
        next element, of a known kind."""
        changed = {} if self._since == _changes else _changed_since(self._since)
        first = _core.memory_moment()
        # Each call makes tensors of its own, which nobody but the program holds.
        counts, self._counted = first >= 0 and self._counted < _COUNTED, self._counted + (first >= 0)
        if self._ready and not _anew and changed is not None and all(
                key in self._harmless or key not in self._used for key in changed):
            if iterator is not None:
                iterator._sf_pass()
            return self._repeat()
        if self._never:
            return body()
        trace = Trace()
        _running.append(trace)
        reads: Dict[int, _core.VariableBase] = {}
        outer = _core.note_reads(reads)
        before = _core.counters()
        try:
            result = body()
        finally:
            _running.remove(trace)
            _core.note_reads(outer)
            if outer is not None:
                outer.update(reads)
            _core.memory_span(first, False)
            _show()
        after = _core.counters()
        self._training_steps = after["steps"] - before["steps"]
        self._used.update(reads, trace.written)
        is_same = self._compare(changed, result)
        self._never = trace.taken != ([] if iterator is None else [id(iterator)])
        self._learn(trace, result, is_same, others)
        self._reads = [ref(variable) for variable in reads.values()] if self._ready else []
        self._since = _changes
        if counts:
            self._ready, self._result = False, None
            for item in () if _running else nest.flatten(result):
                _core.memory_given(item)
        return result

    def _compare(self, changed: Optional[Mapping[int, object]], result: object) -> bool:
        """Which changes since the last run have not changed what the body gives. Has it given the same?"""
        last, self._kinds = self._kinds, [
            (item.dtype, _shape_key(item.shape)) if isinstance(item, _core.Tensor) else type(item)
            for item in _leaves(result)]
        if last != self._kinds:
            self._harmless.clear()
        elif changed is not None:
            self._harmless.update(changed)
        return last == self._kinds

    def _repeat(self) -> object:
        global _repeats
        _repeats += 1
        try:
            for step in self._steps:
                step.repeat()
        finally:
            _repeats -= 1
        for show in self._shown:
            shows(show)
        if self._reads:
            self._read()
        for _ in range(self._training_steps):
            _core.count_step()
        self._since = _changes
        return nest.copied(self._result)

    def _read(self) -> None:
        tape = _core.note_reads(None)
        _core.note_reads(tape)
        for read in self._reads if tape is not None else ():
            variable = read()
            if variable is not None and tape is not None:
                tape[id(variable)] = variable

    def _learn(self, trace: Trace, result: object, is_same: bool, others: Iterable[Signature]) -> None:
        self._ready = False
        if self._never:
            return
        first, self._first = self._first, trace
        if first is None:  # a signature that gives the same stands for an earlier run
            like = next((one for one in others if one._ready and one._kinds == self._kinds), None)
            first, is_same = (like._first, True) if like is not None else (None, False)
        steps: List[Any] = []
        for key, (variable, was, now) in trace.written.items():
            if now is None or variable.dtype.is_floating and not _same(was, now):
                if _is_small(variable._tensor):
                    steps.append(_Forget(variable))
                continue
            if _same(was, now):
                continue
            if first is None or key not in first.written:
                return  # the second run will tell
            step = _Step.of(variable, first.written[key][1:], (was, now))
            if step is None or not is_same:
                return
            steps.append(step)
            self._harmless[key] = variable
        self._steps, self._shown, self._result, self._ready = steps, trace.shown, nest.copied(result), True
        for item in nest.flatten(result):
            if isinstance(item, _core.Tensor):
                _given[id(item)] = ref(item)


class Signatures:
    """Those of one function."""

    def __init__(self, is_one: bool = False) -> None:
        # That of all calls, where the function has an input_signature.
        self._kind: Optional[Tuple[object, ...]] = () if is_one else None
        self._known: Dict[object, Signature] = {}
        # By kind, what Python found in the run that TensorFlow makes of it, and arguments, so that no id is
        # taken again.
        self._first: Dict[object, Tuple[FirstRun, Tuple[object, ...]]] = {}
        self._traces = 0
        self.looks: Dict[Tuple[str, int, object], int] = {}  # of loop_shapes.py
        self._specs: List[Tuple[object, ...]] = []  # kinds that were asked for by specs
        self._takes_one: Optional[bool] = None  # of its iterator; None: it was not called with one
        self._next: Tuple[object, List[object]] = None, []  # an element, and what tells its kind

    def first_calls(self) -> List[Any]:
        """(args, kwargs) of one call of each kind, or their specs."""
        return [given[2] if len(given) > 2 else given for _, given in self._first.values()]

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """While it holds, bodies are traced to be told of alone."""
        before = self._traces, dict(self._first), list(self._specs)
        try:
            yield
        finally:
            self._traces, self._first, self._specs = before

    def traces(self) -> int:
        """How many TensorFlow makes of them: one for all tensors of the same kind."""
        return self._traces

    def call(self, body: Callable[..., Any], args: Any, kwargs: Any, first: Optional[FirstRun] = None) -> Any:
        """The function, called with these; `first` is the run that TensorFlow made for all such calls."""
        args, kwargs = _as_tensors(args), _as_tensors(kwargs)
        key: List[object] = []
        known = _add(args, key) and (not kwargs or _add(kwargs, key))
        if not known:
            return self._call_with_iterator(body, args, kwargs, first)
        found = self._signature(tuple(key), (args, kwargs))
        if found is None:
            return self._run(body, args, kwargs, first)
        return found.call(lambda: self._run(body, args, kwargs, first), self._known.values())

    def _signature(self, name: object, held: object) -> Optional[Signature]:
        found = self._known.get(name)
        if found is None and len(self._known) < _MOST:
            found = self._known[name] = Signature(held)
        return found

    def _call_with_iterator(self, body: Callable[..., object], args: Tuple[object, ...],
                            kwargs: Dict[str, object], first: Optional[FirstRun]) -> object:
        """Of one of which the body takes one element it matters of what kind that is."""
        iterators = [] if self._takes_one is False or _anew or _core.memory_moment() >= 0 else [
            given for given in (*args, *kwargs.values()) if isinstance(given, Elements)]
        if len(iterators) != 1:
            return self._run(body, args, kwargs, first)
        iterator = iterators[0]
        if self._takes_one is None:
            trace = Trace()
            with recorded(trace):
                made = self._run(body, args, kwargs, first)
            _show()
            self._takes_one = trace.taken == [id(iterator)]
            return made
        element = iterator._sf_ahead()
        if element is None:
            return self._run(body, args, kwargs, first)
        if element is not self._next[0]:
            of_element: List[object] = []
            self._next = (element, of_element) if _add(element, of_element) else (None, [])
        key = list(self._next[1])
        others = tuple(None if given is iterator else given for given in args), {
            name: None if given is iterator else given for name, given in kwargs.items()}
        is_known = bool(key) and all(_add(some, key) for some in others)
        found = self._signature(tuple(key), others) if is_known else None
        if found is None:
            return self._run(body, args, kwargs, first)
        return found.call(lambda: self._run(body, args, kwargs, first), self._known.values(), iterator)

    def _run(self, function: Callable[..., Any], args: Any, kwargs: Any, first: Optional[FirstRun]) -> Any:
        """What the graph of it gives. Python sees no more of it than TensorFlow's trace of such calls."""
        return as_results(self._run_body(function, args, kwargs, first))

    def _run_body(self, function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object],
                  first: Optional[FirstRun]) -> object:
        if first is not None:
            return first.again(lambda: function(*args, **kwargs), (args, kwargs))
        from shapeflow.tensorflow.python.eager import python_effects, trace_kinds

        kind = self._kind if self._kind is not None else trace_kinds.kind_of(function, args, kwargs)
        before = self._first.get(kind) if kind is not None else None
        if before is None and kind is not None:
            before = next((self._first[spec] for spec in self._specs if trace_kinds.is_of(kind, spec)), None)
        if before is not None:
            return before[0].again(lambda: function(*args, **kwargs), (args, kwargs))
        run = python_effects.FirstRun(function)
        made = self.trace(function, args, kwargs)
        run.ended()
        if kind is not None and len(self._first) < _MOST:
            self._first[kind] = run, (args, kwargs)
        return made

    def trace_of_specs(self, function: Callable[..., Any], args: Any, kwargs: Any,
                       specs: Tuple[Any, Any]) -> Tuple[object, FirstRun]:
        """What the body makes of the arguments, and the run; calls that fit the specs are that trace."""
        from shapeflow.tensorflow.python.eager import python_effects, trace_kinds

        run = python_effects.FirstRun(function)
        made = self.trace(function, args, kwargs)
        run.ended()
        kind = self._kind if self._kind is not None else trace_kinds.kind_of(function, *specs)
        if kind is not None and len(self._first) < _MOST:
            self._first[kind] = run, (args, kwargs, specs)
            self._specs.append(kind)
        return made, run

    def trace(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """A run that TensorFlow makes. Where the first one makes variables, there is a second without."""
        from shapeflow.tensorflow.python.eager.function_body import making_variables

        is_first, self._traces = not self._traces, self._traces + 1
        counted, run = making_variables(is_first), Trace()
        with counted:
            _running.append(run)
            try:
                made = function(*args, **kwargs)
                if counted.made:
                    run.undo()  # TensorFlow makes two graphs, and runs one of them
            finally:
                _running.remove(run)
                _show()
        return self.trace(function, args, kwargs) if counted.made else made


def _as_tensors(given: Any) -> Any:
    """Arrays are tensors in a body, of which the signature has the shape, not the content."""
    kind = type(given)
    if kind is tuple or kind is list:
        made = [_as_tensors(item) for item in given]
        return kind(made) if any(a is not b for a, b in zip(made, given)) else given
    if kind is dict:
        named = {name: _as_tensors(item) for name, item in given.items()}
        return named if any(named[name] is not item for name, item in given.items()) else given
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray" and given.dtype.kind in "biufc":
        return _core.convert_to_tensor(given)
    return given


_PLAIN = frozenset((int, float, bool, str, bytes, complex, type(None)))


def as_results(made: object) -> object:
    """A graph gives tensors: so are numbers, texts, arrays and variables that a body returns."""
    leaves = nest.flatten(made)
    if all(isinstance(leaf, _core.Tensor) or leaf is None for leaf in leaves):
        return made
    return nest.map_structure(as_result, made)


def as_result(leaf: object) -> object:
    kind = type(leaf)
    is_data = kind in _PLAIN and leaf is not None or kind.__module__ == "numpy" and hasattr(leaf, "dtype")
    if is_data or isinstance(leaf, _core.VariableBase) and not _core.is_unmodelled(leaf):
        return _core.convert_to_tensor(leaf)
    return leaf


def _add(given: Any, key: List[object]) -> bool:
    """Adds to the key what tells an argument from others; False: it cannot be told, or must not be shared."""
    kind = type(given)
    if isinstance(given, _core.Tensor):
        if not hasattr(given, "numpy"):
            return False
        key.append(given.dtype)
        key.append(_shape_key(given.shape))
        value = _content(given)
        key.append(None if value is None else value.tobytes() if value.dtype != object else str(value))
        return True
    if kind in _PLAIN:
        key.append(kind)
        key.append(given)
        return True
    if kind is tuple or kind is list:
        key.append(kind)
        key.append(len(given))
        return all(_add(item, key) for item in given)
    if kind is dict:
        key.append(dict)
        key.append(tuple(given))
        return all(_add(item, key) for item in given.values())
    if hasattr(kind, "_sf_of_replicas"):
        key.append(kind)
        return all(_add(item, key) for item in given.values)
    if hasattr(kind, "__next__") or nest.is_nested(given):
        return False
    if hasattr(kind, "__array__") and not isinstance(given, _core.VariableBase):
        return False
    key.append(id(given))
    return True


def _shape_key(shape: Any) -> Any:
    return None if shape.ndims is None else tuple(shape.as_list())
