"""tf.logging: TensorFlow's logger. Messages go to Python's logging, below the level they vanish.

Source: tensorflow/python/platform/tf_logging.py.
"""
from __future__ import annotations

import logging as py_logging

from shapeflow.api.registry import export, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50
for _name, _value in (("DEBUG", DEBUG), ("INFO", INFO), ("WARN", WARN), ("ERROR", ERROR),
                      ("FATAL", FATAL)):
    put(_value, "tf.logging." + _name)

_logger = py_logging.getLogger("tensorflow")
_logger.setLevel(py_logging.WARNING)


@export("tf.get_logger", "tf.logging.get_logger", v2=True)
def get_logger() -> py_logging.Logger:
    return _logger


def _log(name: str, level: int) -> Any:
    def log(msg: Any, *args: Any, **kwargs: Any) -> None:
        _logger.log(level, msg, *args, **kwargs)

    log.__name__ = name
    put(log, "tf.logging." + name)
    return log


for _name, _level in (("debug", DEBUG), ("info", INFO), ("warn", WARN), ("warning", WARN),
                      ("error", ERROR), ("fatal", FATAL)):
    globals()[_name] = _log(_name, _level)


@export("tf.logging.log")
def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    _logger.log(level, msg, *args, **kwargs)


@export("tf.logging.vlog", "tf.logging.log_if", "tf.logging.log_every_n", "tf.logging.log_first_n")
def vlog(*args: object, **kwargs: object) -> None:
    """Conditional messages are not shown."""


@export("tf.logging.set_verbosity")
def set_verbosity(v: Any) -> None:
    _logger.setLevel(v)  # a number or a name, as Python takes it


@export("tf.logging.get_verbosity")
def get_verbosity() -> int:
    return _logger.getEffectiveLevel()


@export("tf.logging.TaskLevelStatusMessage", "tf.logging.flush")
def nothing(*args: object, **kwargs: object) -> None:
    """Kept for programs that call it."""
