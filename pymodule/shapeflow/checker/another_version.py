"""What a run comes to and only another version of TensorFlow has: then the check is started again as that."""
from __future__ import annotations

import sys

import shapeflow.checker.python2_source as python2_source
import shapeflow.checker.script_failures as failures
from shapeflow.api import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Optional, Set, Tuple

    from shapeflow._core import Finding
    from shapeflow.checker.findings import Report
    from shapeflow.tensorflow.compat.other_orders import OtherOrder
    from shapeflow.tensorflow.compat.version_decision import Decision


class AnotherVersion:
    """The version that has what a run lacked, and why the run was of another. The first call decides whose
    arguments are in the order of another; else the exception that ended the run."""

    def __init__(self) -> None:
        self.decision: Optional[Decision] = None  # which TensorFlow, as far as the program said it
        self.version = self.because = ""
        self.tried = "", 0, 0  # as Report.again_tried
        self._seen: Set[Tuple[str, int]] = set()

    def met(self, finding: Finding) -> None:
        """A finding as it is made: the arguments of its call may be in the order of another version."""
        if self.decision is None or self.version or finding.severity != "error" or not finding.frames:
            return
        import linecache

        from shapeflow.tensorflow.compat import version_fit  # which the decision was made with

        at = finding.frames[0][:2]
        if at not in self._seen and version_fit.may_have_other_order(linecache.getline(*at)):
            self._seen.add(at)
            from shapeflow.tensorflow.compat import other_orders

            frame: Optional[FrameType] = sys._getframe(1)
            while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != at:
                frame = frame.f_back
            self._take(other_orders.of_line(*at, frame, self.decision), finding.message)

    def _take(self, found: Optional[OtherOrder], message: str) -> str:
        if found is None:
            return ""
        self.version, self.tried = found.version, found.tried
        more = f" ({found.because})"
        self.because = message + more
        return "" if found.tried[0] else more

    def failed(self, error: BaseException) -> str:
        """What is to be said after the message of the exception that ended the run."""
        decision = self.decision
        if decision is None:
            return ""
        from shapeflow.tensorflow.compat import other_orders, other_versions

        message = failures.first_line(error)
        in_order = other_orders.of_error(error, decision)
        if in_order is not None and not in_order.tried[0]:
            return self._take(in_order, message)
        version, more = other_versions.that_has(error, decision)
        if not version and names.emulated() >= (2, 0) and python2_source.is_sure(error):
            version, more = other_versions.of_python2(decision)
        if version:
            self.version, self.because, self.tried = version, message + more, ("", 0, 0)
        elif not self.version and isinstance(error, (TypeError, ValueError)):
            self._take(in_order, message)
        return more

    def tell(self, report: Report) -> None:
        report.again, report.again_because, report.again_tried = self.version, self.because, self.tried
