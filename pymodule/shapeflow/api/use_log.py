"""What a program made that a check asks about when it has ended: sessions, and variables that an optimizer
got no gradient for. Nothing is noted without a check, which owns the lists (checker/unused_objects.py)."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Tuple

_SESSIONS_MAX = 32
_UNTRAINED_MAX = 1000

sessions: List[Any] = []
untrained: List[Tuple[Any, Any]] = []
_watching = False


def start() -> None:
    """From now on graphs that are run are kept to the end."""
    global _watching
    _watching = True
    sessions.clear()
    untrained.clear()


def watch(session: object) -> None:
    """A session was made."""
    if _watching and len(sessions) < _SESSIONS_MAX:
        sessions.append(session)


def without_gradient(loss: object, variable: object) -> None:
    """An optimizer got None for `variable`."""
    if _watching and len(untrained) < _UNTRAINED_MAX:
        untrained.append((loss, variable))
