"""The versions that a program may be taken for, and what was decided of one."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Tuple

    from shapeflow.tensorflow.compat.judgement import Judgement

DEFAULT_V2 = "2.21.0"
DEFAULT_V1 = "1.15.0"
DEFAULT_V0 = "0.12.1"
# What a program may have been written for, the newest first.
CANDIDATES = (DEFAULT_V2, DEFAULT_V1, "1.8.0", "1.4.0", "1.0.0", DEFAULT_V0)
# Versions that have what two neighbours have: asked where no candidate fits.
BETWEEN = ("2.15.0", "1.12.0")
NOTHING = "nothing in it says otherwise"


class Decision:
    """A version and a mode ("graph", "eager"), and why."""

    __slots__ = ("version", "mode", "looked", "judgement", "trees", "is_stated", "_because")

    def __init__(self, version: str, mode: str, because: Callable[[], str]) -> None:
        self.version, self.mode, self._because = version, mode, because
        self.looked: List[str] = []  # files that it depends on, also such as are not there
        self.judgement: Optional[Judgement] = None  # what was weighed, where a program was read
        self.is_stated = False  # by its project's requirements, among what was weighed
        # Of the files that were parsed without a warning the text and its syntax tree, by path.
        self.trees: Dict[str, Tuple[object, object]] = {}

    @property
    def because(self) -> str:
        """Made when it is asked for: most are not."""
        return self._because()
