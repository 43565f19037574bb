"""What a check hangs into the core, and takes out again when it ends."""
from __future__ import annotations

from shapeflow import _core


def clear() -> None:
    _core.set_machine(None)
    _core.set_memory_hook(None)
    _core.stop_memory_log()
    _core.set_go_on_hook(None)
    _core.set_finding_hook(None)
    _core.set_result_hook(None)
    _core.set_shape_hook(None)
    _core.set_seen_hook(None)
    _core.set_graph_loop_hook(None)
