"""Flags of tf.flags among those of an installed absl, as in TensorFlow since 1.5: absl.app.run parses them,
and absl.flags.FLAGS has them.

Source: absl/flags/_flag.py.
"""
from __future__ import annotations

import sys

from absl import flags as absl_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from shapeflow.tensorflow.python.platform.flags import Flag

    _ParserBase = absl_flags.ArgumentParser[Any]
    _FlagBase = absl_flags.Flag[Any]
else:
    _ParserBase, _FlagBase = absl_flags.ArgumentParser, absl_flags.Flag


class _Parser(_ParserBase):
    """That of one flag of ours."""

    def __init__(self, flag: Flag) -> None:
        self._flag = flag

    def parse(self, argument: Any) -> Any:
        return self._flag.parse(argument)

    def flag_type(self) -> str:
        return "string" if self._flag.is_text else "bool" if self._flag.boolean else "value"


class _Shared(_FlagBase):
    """A flag of ours as absl has it: both have one value."""

    def __init__(self, flag: Flag) -> None:
        self._flag = flag
        super().__init__(_Parser(flag=flag), absl_flags.ArgumentSerializer(), flag.name, None,
                         flag.help or "", boolean=flag.boolean)

    value = property(lambda self: self._flag.value, lambda self, value: self._flag.set(value))

    def _set_default(self, value: object) -> None:
        if value is not None:
            self._flag.default = self._flag.parse(value)
            self._flag.set(self._flag.default)
        self.default = self.default_unparsed = self._flag.default
        self.default_as_str = self._get_parsed_value_as_string(self.default)

    def parse(self, argument: Any) -> None:
        self._flag.take(argument)
        self.present = self._flag.present


def define(flag: Flag) -> None:
    """Adds a flag of ours to absl's, as one of the module that defines it, which is not disclaimed."""
    disclaimed = sys.modules["absl.flags._helpers"].disclaim_module_ids
    disclaimed.update(id(sys.modules[name]) for name in (__name__, __package__ + ".flags"))
    if flag.name in absl_flags.FLAGS and isinstance(absl_flags.FLAGS[flag.name], _Shared):
        delattr(absl_flags.FLAGS, flag.name)
    absl_flags.DEFINE_flag(_Shared(flag))
