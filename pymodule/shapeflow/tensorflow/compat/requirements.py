"""What TensorFlow installs with itself and scripts use, where it is missing: absl (app, flags, logging);
protobuf.py has google.protobuf.

An installed package is used as it is. These are small substitutes, found in a check alone; what they lack is
unknown, with a notice.
"""
from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec

from shapeflow.checker.import_hook import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional


def _unknown(module: ModuleType) -> Callable[[str], Any]:
    """The `__getattr__` of a substitute: the rest of the package."""

    def get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError("module '%s' has no attribute '%s'" % (module.__name__, name))
        from shapeflow.api.unmodelled import unmodelled_function
        from shapeflow.api.unmodelled_names import unmodelled_class

        kind = unmodelled_class if name[:1].isupper() else unmodelled_function
        return kind(module.__name__ + "." + name)

    return get


def fill(ours: ModuleType, names: Dict[str, object]) -> None:
    vars(ours).update(names, __getattr__=_unknown(ours))


def _fill_absl(module: ModuleType) -> None:
    """The package has no names but its modules."""


def _fill_flags(module: ModuleType) -> None:
    from shapeflow.tensorflow.python.platform import flags

    fill(module, flags._MEMBERS)


def _fill_app(module: ModuleType) -> None:
    from shapeflow.tensorflow.python.platform import flags

    class UsageError(Exception):
        """Arguments that a program cannot use."""

        def __init__(self, message: str, exitcode: int = 1) -> None:
            super().__init__(message)
            self.exitcode = exitcode

    def run(main: Callable[..., Any], argv: Optional[Any] = None, flags_parser: Optional[Any] = None) -> None:
        if flags_parser is not None:
            sys.exit(main(flags_parser(list(sys.argv if argv is None else argv))))
        flags.run(main, argv)

    fill(module, {"run": run, "UsageError": UsageError, "call_after_init": lambda callback: callback()})


# absl's levels and Python's.
_LEVELS = {-3: 50, -2: 40, -1: 30, 0: 20, 1: 10}


def _fill_logging(module: ModuleType) -> None:
    import logging

    logger = logging.getLogger("absl")
    names = {"fatal": -3, "error": -2, "warning": -1, "warn": -1, "info": 0, "debug": 1}

    def level_of(level: Any) -> int:
        if isinstance(level, str):
            level = names[level.lower()]
        return _LEVELS.get(int(level), 10)

    def log(level: Any, msg: Any, *args: Any, **kwargs: Any) -> None:
        logger.log(level_of(level), msg, *args, **kwargs)

    def at(level: int) -> Callable[..., None]:
        return lambda msg, *args, **kwargs: log(level, msg, *args, **kwargs)

    def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
        logger.critical(msg, *args, **kwargs)
        sys.exit(1)  # absl ends the program, by a signal

    def some(level: object, msg: object, n: object, *args: object) -> None:
        """Of many messages some: none is shown."""

    kept = {"verbosity": -1}

    def set_verbosity(level: Any) -> None:
        kept["verbosity"] = names[level.lower()] if isinstance(level, str) else int(level)
        logger.setLevel(level_of(kept["verbosity"]))

    def nothing(*args: object, **kwargs: object) -> None:
        """Where messages go is not the check's business."""

    fill(module, {name: at(level) for name, level in names.items()})
    fill(module, {
        "FATAL": -3, "ERROR": -2, "WARNING": -1, "WARN": -1, "INFO": 0, "DEBUG": 1, "log": log,
        "fatal": fatal, "exception": logger.exception, "vlog": at(1), "log_first_n": some,
        "log_every_n": some, "log_every_n_seconds": some, "log_if": some, "set_verbosity": set_verbosity,
        "get_verbosity": lambda: kept["verbosity"], "get_absl_logger": lambda: logger,
        "level_debug": lambda: kept["verbosity"] >= 1, "level_info": lambda: kept["verbosity"] >= 0,
        "set_stderrthreshold": nothing, "use_absl_handler": nothing, "flush": nothing,
        "use_python_logging": nothing, "get_log_file_name": lambda level=0: ""})


def maker(fill_module: Callable[[ModuleType], None], is_package: bool = False
           ) -> Callable[[str], Optional[ModuleSpec]]:
    def make(name: str) -> ModuleSpec:
        spec = ModuleSpec(name, Loader(fill=fill_module), is_package=is_package)
        if is_package:
            spec.submodule_search_locations = []
        return spec

    return make


MAKERS: Dict[str, Callable[[str], Optional[ModuleSpec]]] = {
    "absl": maker(_fill_absl, is_package=True), "absl.app": maker(_fill_app),
    "absl.flags": maker(_fill_flags), "absl.logging": maker(_fill_logging)}
