"""Whether TensorFlow leaves its own frames out of tracebacks: kept for who asks, and nothing more.

Source: tensorflow/python/util/traceback_utils.py.
"""
from __future__ import annotations

import threading

from shapeflow.api.registry import export

_of_thread = threading.local()


@export("tf.debugging.is_traceback_filtering_enabled", v2=True)
def is_traceback_filtering_enabled() -> bool:
    return bool(getattr(_of_thread, "enabled", True))


@export("tf.debugging.enable_traceback_filtering", v2=True)
def enable_traceback_filtering() -> None:
    _of_thread.enabled = True


@export("tf.debugging.disable_traceback_filtering", v2=True)
def disable_traceback_filtering() -> None:
    _of_thread.enabled = False
