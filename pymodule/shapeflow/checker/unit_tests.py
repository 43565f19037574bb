"""A program of unit tests that ends because some of them fail.

A test compares numbers, which a check does not compute: that one fails says nothing, and is a note. A test
that ends by another exception than an AssertionError could not be run to its end, as any program.
"""
from __future__ import annotations

from shapeflow.checker.findings import Record, Span, assumed, listed
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, List, Optional, Sequence, Tuple

    from shapeflow.checker.patches import Patcher

_MAIN = "/unittest/main.py"
_NAMED_MOST = 3


def result_of(stop: SystemExit) -> object:
    """The unittest.TestResult that ended the program; None: something else did."""
    trace = stop.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(_MAIN):
            result = getattr(trace.tb_frame.f_locals.get("self"), "result", None)
            if hasattr(result, "failures") and hasattr(result, "errors"):
                return result
        trace = trace.tb_next
    return None


def keep_errors(by: Patcher, kept: List[Tuple[object, BaseException]]) -> None:
    """unittest keeps texts only: each test and its exception are added to `kept`."""
    def change(module: ModuleType, by: Patcher) -> None:
        cls = module.TestResult
        add = cls.addError

        def addError(self: object, test: Any, err: Any) -> None:
            if by.on and err[1] is not None:
                kept.append((test, err[1]))
            add(self, test, err)

        by.set(cls, "addError", addError)

    act_on(by, {"unittest.result": change})


def failure_text(result: Any, errors: Sequence[Tuple[Any, BaseException]], first: str) -> str:
    """Why tests could not be run to their end; `first` tells of the first of `errors`."""
    name = _name(errors[0][0])
    return f"{len(errors)} of {result.testsRun} tests end by an exception, the first, {name}, by {first}"


def notes(result: Any) -> List[Record]:
    """What is said of tests that fail."""
    failed: List[Tuple[object, str]] = list(result.failures)
    if not failed:
        return []
    return [assumed("{int} of {int} tests fail here, where no numbers are computed: {text}", len(failed),
                    result.testsRun, listed([_name(test) for test, _ in failed], _NAMED_MOST),
                    primary=_place(failed[0][0]))]


def _name(test: Any) -> str:
    test = getattr(test, "test_case", test)  # of a subtest
    return str(getattr(test, "_testMethodName", test))


def _place(test: object) -> Optional[Span]:
    test = getattr(test, "test_case", test)
    code = getattr(getattr(test, _name(test), None), "__code__", None)
    return None if code is None else Span(code.co_filename, code.co_firstlineno)
