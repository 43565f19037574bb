"""What keeps a check from doing harm: the script runs in a process of its own, inside limits.

A parent outside starts the script's process (child.py), gets its findings as they are made, and alone prints,
writes caches and sets the exit status (supervise.py). Inside, the kernel's means hold the script where they
are to be had, Python's elsewhere (inside.py, redirect.py, and the extension shapeflow._sandbox).
docs/safety.md says what each layer holds.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

# The best first. What does not work here is passed over, with a note.
LAYERS = ("namespaces", "landlock", "audit")
MAX_PROCESSES = 256
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # what holds our files
_LEAST_MEMORY = 256 << 20
_MOST_SCRATCH = 4 << 30


class Policy:
    """What a checked script may do beyond reading files and computing. `max_memory` in bytes: None: half
    of what is free now, 0: no limit. `layers` are tried in order; none: no sandbox."""

    __slots__ = ("allow_write", "allow_net", "deny_read", "max_memory", "layers")

    def __init__(self, allow_write: Sequence[str] = (), allow_net: bool = False,
                 deny_read: Sequence[str] = (), max_memory: Optional[int] = None,
                 layers: Sequence[str] = LAYERS) -> None:
        self.allow_write = list(allow_write)
        self.allow_net = allow_net
        self.deny_read = list(deny_read)
        self.max_memory = max_memory
        self.layers = list(layers)

    @classmethod
    def default(cls) -> Policy:
        """As the environment has it: SHAPEFLOW_SANDBOX names the one layer to use, or `none`."""
        return cls(layers=layers_wanted())

    def to_plain(self) -> Dict[str, object]:
        """For a process of ours, as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_plain(cls, data: Dict[str, Any]) -> Policy:
        return cls(**data)

    def native(self, keep: Sequence[int], scratch: str, folders: Sequence[str]) -> Dict[str, Any]:
        """For _sandbox.spawn. `keep`: descriptors that the script's process needs. `folders`: where files
        must be writable beside the folder's mounts: the working directory and the like."""
        if not self.layers:  # a process of its own, and nothing else
            return {"layers": ["none"], "allow_write": [], "deny_read": [], "allow_net": True,
                    "max_memory": 0, "max_processes": 0, "scratch": scratch, "keep_fds": list(keep),
                    "scratch_size": 0, "own_level": []}
        memory = free_memory() // 2 if self.max_memory is None else self.max_memory
        if self.max_memory is None and memory:
            memory = max(memory, _LEAST_MEMORY)
        return {
            "layers": self.layers, "allow_write": _real(self.allow_write),
            "deny_read": _real(self.deny_read), "allow_net": self.allow_net, "max_memory": memory,
            "max_processes": MAX_PROCESSES, "scratch": scratch, "keep_fds": list(keep),
            "scratch_size": min(memory, _MOST_SCRATCH) if memory else _MOST_SCRATCH,
            "own_level": _real(folders),
        }


def _real(paths: Sequence[str]) -> List[str]:
    return list(dict.fromkeys(os.path.realpath(path) for path in paths))


def layers_wanted() -> List[str]:
    wanted = os.environ.get("SHAPEFLOW_SANDBOX", "")
    if wanted == "none":
        return []
    return [wanted] if wanted in LAYERS else list(LAYERS)


def free_memory() -> int:
    """Bytes that can be had without swapping; 0 where that is not known."""
    try:
        with open("/proc/meminfo", "rb") as stream:
            for line in stream:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    return 0


def size_of(text: str) -> int:
    """Bytes of `512M`, `2G`, `1.5GiB` or a plain number. Raises ValueError."""
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
    number = text.strip().upper()
    for ending in ("IB", "B"):
        if number.endswith(ending):
            number = number[:-len(ending)]
            break
    unit = number[-1:] if number[-1:] in ("K", "M", "G", "T") else ""
    size = float(number[:len(number) - len(unit)]) * units[unit]
    if not 0 <= size < 1 << 62:
        raise ValueError(text)
    return int(size)


def shown_size(size: int) -> str:
    """`2.0 GiB`."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return ""
