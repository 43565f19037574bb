"""The option --device of commands that say whether a script fits a GPU."""
from __future__ import annotations

from shapeflow.commands.option_tables import Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    Plain = Dict[str, Any]

OPTION = Option("--device", "texts",
                "say whether it fits this GPU: a10, t4,v100-16gb; auto: those that are here", "NAME")


def named(names: Sequence[str]) -> List[Plain]:
    """Each model that is named, once. Raises ValueError with the nearest names."""
    import shapeflow.checker.machine as machine

    found: Dict[str, Plain] = {}
    for name in names:
        try:
            gpus, others = machine.gpus(machine.resolved(name))
        except ValueError as error:
            raise ValueError(f"--device: {error}") from None
        if not gpus or others:
            what = "a GPU of no model" if others else "no GPU"
            raise ValueError(f"--device: {name!r} names {what}: nothing is known of its memory")
        found.update((str(gpu["title"]), gpu) for gpu in gpus)
    return list(found.values())
