"""On which devices eager code runs: what tf.device and strategies say, for its tensors and for its memory.

Nothing is noted of a program that never asks for a device but the first one. For memory a set of devices is a
number: bit i stands for device i of `devices`, 0 for the one that TensorFlow takes by itself.
Source: tensorflow/python/eager/context.py (device), core/common_runtime/eager/placement_utils.cc,
distribute/mirrored_run.py.
"""
from __future__ import annotations

import contextlib
from _thread import _local  # what threading.local is

from shapeflow import _core
from shapeflow.tensorflow.python.framework.device_spec import DeviceSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        Any,
        ContextManager,
        Dict,
        Iterable,
        Iterator,
        List,
        NoReturn,
        Optional,
        Tuple,
        TypeVar,
        Union,
    )

    _T = TypeVar("_T")

TASK = "/job:localhost/replica:0/task:0"
_entered: List[int] = []
_mirroring: List[object] = []
_of_thread = _local()
_numbers: Dict[Union[str, Tuple[str]], int] = {}
_missing: Dict[int, str] = {}  # devices that are not there, by the number of their name
_logical: List[Tuple[str, str]] = []  # what set_logical_device_configuration made, once it was asked for
# Of a GPU among those: the number of the machine's device that it is a part of, and how many MiB it may use.
_part_of: Dict[str, Tuple[int, Optional[float]]] = {}
# Without it an op whose device is not there is refused; with a cluster nobody knows what is there.
may_be_elsewhere = [True]
in_cluster = [False]


def set_logical(devices: List[Tuple[str, str]],
                part_of: Optional[Dict[str, Tuple[int, Optional[float]]]] = None) -> None:
    """(name, kind) of each device, as the program has configured them."""
    global _part_of
    _logical[:] = devices
    _part_of = part_of or {}
    _core.set_first_device(_first() if devices else None)


def devices() -> List[Tuple[str, str]]:
    """(full name, kind) of each device that is there, CPUs first."""
    return _logical or [(name, kind) for name, kind, _ in _core.machine() or ()] or [
        (TASK + "/device:CPU:0", "CPU")]


def part_of(name: str) -> Optional[Tuple[int, Optional[float]]]:
    """The number of the machine's device of which the program made that GPU, and how many MiB it gives it."""
    return _part_of.get(name)


def are_configured() -> bool:
    """Has the program said which devices there are?"""
    return bool(_logical)


def default_number() -> int:
    """The number of the device on which is what nobody places."""
    first = _first()
    return next(i for i, (name, _) in enumerate(devices()) if name == first)


def _first() -> str:
    """Where TensorFlow puts what nobody places: on the first GPU, else on the first CPU."""
    there = devices()
    return next((name for name, kind in there if kind == "GPU"), there[0][0])


def forget() -> None:
    """What the program has configured."""
    set_logical([])
    may_be_elsewhere[0], in_cluster[0] = True, False


# --- for memory -----------------------------------------------------------------------------------
def now() -> int:
    """The devices of what is made here."""
    return _entered[-1] if _entered else 0


def of_names(names: Iterable[str]) -> int:
    """Names that say no device that is there count as nothing."""
    found = 0
    for name in names:
        wanted = DeviceSpec.from_string(name)
        for number, (full_name, kind) in enumerate(devices()):
            there = DeviceSpec.from_string(full_name)
            if wanted.device_type == kind and (wanted.device_index or 0) == there.device_index:
                found |= 1 << number
    return found


@contextlib.contextmanager
def entered(names: List[str]) -> Iterator[None]:
    """A context in which eager code runs on these devices; what is made once for all of them is placed as if
    nobody had said anything."""
    with contextlib.ExitStack() as stack:
        if _core.memory_moment() >= 0:
            stack.enter_context(_on(of_names(names)))
        if len(names) == 1 and _core.executing_eagerly():
            stack.enter_context(Scope(names[0], False))
        yield


def mirroring() -> Any:
    """The strategy that has a copy on each of its devices of a variable that is made here, or None."""
    return _mirroring[-1] if _mirroring else None


@contextlib.contextmanager
def mirrored(strategy: object) -> Iterator[None]:
    """Variables that are made within are that strategy's; None: nobody's."""
    _mirroring.append(strategy)
    try:
        yield
    finally:
        _mirroring.pop()


@contextlib.contextmanager
def _on(devices_of: int) -> Iterator[None]:
    first = _core.memory_moment()
    _entered.append(devices_of)
    try:
        yield
    finally:
        _entered.pop()
        _core.memory_place(first, devices_of)


# --- for tensors ----------------------------------------------------------------------------------
class Scope:
    """tf.device(name) where ops run at once: of names within each other the inner one's fields win. None:
    as if there were no scope. In the body of a function only what it says itself is told."""

    def __init__(self, name: Optional[str], for_memory: bool = True) -> None:
        self._name = name
        self._for_memory = for_memory
        self._memory: Optional[ContextManager[None]] = None

    def __enter__(self) -> None:
        scopes = _scopes()
        in_body = _core.inside_function()
        spec = DeviceSpec() if self._name is None else DeviceSpec.from_string(self._name)
        if scopes and scopes[-1][1] is in_body and self._name is not None:
            spec = scopes[-1][0].make_merged_spec(spec)
        scopes.append((spec, in_body))
        self._before = _core.set_eager_device(_number((spec.to_string(),)) if in_body else _found(spec))
        if self._for_memory and _core.memory_moment() >= 0:
            self._memory = _on(of_names([spec.to_string()] if spec.device_type else []))
            self._memory.__enter__()

    def __exit__(self, *exc: object) -> None:
        if self._memory is not None:
            self._memory.__exit__(None, None, None)
            self._memory = None
        _scopes().pop()
        _core.set_eager_device(self._before)


def on(tensor: _T, name: str) -> _T:
    """The tensor on that device: itself, or one like it."""
    number = _found(DeviceSpec.from_string(name))
    before = _core.set_eager_device(max(number, 0))
    try:
        return _core.eager_here(tensor)
    finally:
        _core.set_eager_device(before)


def _scopes() -> List[Tuple[DeviceSpec, bool]]:
    found: List[Tuple[DeviceSpec, bool]] = _of_thread.__dict__.setdefault("scopes", [])
    return found


def _number(name: Union[str, Tuple[str]]) -> int:
    if name == ("",) or name == _first():
        return 0
    if name not in _numbers:
        _numbers[name] = _core.add_eager_device(name)
    return _numbers[name]


def _found(spec: DeviceSpec) -> int:
    """The number of the device that it means; of one that is not there and has to be, with a minus."""
    if spec.job not in (None, "localhost") or spec.task not in (None, 0) or spec.replica not in (None, 0):
        return 0 if in_cluster[0] or not _is_known() else _is_missing(spec)
    if spec.device_type is None and spec.device_index is None:
        return 0
    there = devices()
    wanted = "%s/device:%s:%s" % (TASK, spec.device_type or "CPU", spec.device_index or 0)
    if (wanted, spec.device_type or "CPU") in there:
        return _number(wanted)
    if not may_be_elsewhere[0] and (_core.machine() or _logical and spec.device_type == "CPU"):
        return _is_missing(spec)
    return _number(there[0][0])


def _is_known() -> bool:
    """Are the devices known? Not of a program that says nothing, where no machine was said."""
    return bool(_core.machine() or _logical)


def _is_missing(spec: DeviceSpec) -> int:
    name = "/job:%s/replica:%s/task:%s/device:%s:%s" % (
        spec.job or "localhost", spec.replica or 0, spec.task or 0, spec.device_type or "CPU",
        spec.device_index or 0)
    number = _number(name)
    _missing[number] = name
    return -number


def _refuse(number: int) -> NoReturn:
    from shapeflow.tensorflow.python.framework.error_report import fail
    from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError

    there = devices()
    kinds = ["GPU", "CPU"] if any(kind == "GPU" for _, kind in there) else ["CPU"]
    raise fail("SF309", "Could not satisfy device specification '{text}'. enable_soft_placement={int}. "
               "Supported device types [{text}]. All available devices [{text}].", _missing[number],
               int(may_be_elsewhere[0]), ", ".join(kinds), ", ".join(name for name, _ in there),
               error=lambda message: InvalidArgumentError(None, None, message))


_core.set_device_hook(_refuse)
