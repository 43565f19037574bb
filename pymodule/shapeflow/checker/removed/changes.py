"""What the files of this folder say things with: where something is today, and how arguments have changed."""
from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    Change = Callable[[List[Any], Dict[str, Any]], Optional[str]]


def of(module: str, name: str) -> Callable[[], Any]:
    """Gives what another module has."""
    return lambda: getattr(import_module(module), name)


def renamed(old: str, new: Optional[str], changed: Callable[[Any], Any] = lambda value: value) -> Change:
    """A change of arguments for `retry`: a keyword has another name, or none."""
    def change(args: object, kwargs: Dict[str, Any]) -> Optional[str]:
        if old not in kwargs:
            return None
        value = kwargs.pop(old)
        if new is not None:
            kwargs[new] = changed(value)
        return f"argument {old}="

    return change


def all_of(*changes: Change) -> Change:
    """Several changes of arguments as one."""
    def change(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
        gone = [word for word in (one(args, kwargs) for one in changes) if word is not None]
        return ", ".join(gone) or None

    return change


def positional(*names: str) -> Change:
    """A change of arguments: those behind the first are keywords now."""
    def change(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
        first = 2  # self, and what stays positional
        extra = args[first:]
        if not extra or len(extra) > len(names):
            return None
        del args[first:]
        kwargs.update(zip(names, extra))
        return f"positional {names[0]}"

    return change
