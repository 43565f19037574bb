"""Arguments that a program wants and was not given: argparse's, absl's and TensorFlow's flags, sys.argv.

A first run notes them. When it could not be run to its end, it is run again with arguments that are made up:
those without which a parser refuses to go on, then options that are None or "" by default and take a text,
because many programs look at those themselves; first of these what the program's last words name, then what
seems to be a path. A text is the option's own name: a path that does not exist, so what is read from there is
unknown (checker/data_files); a number is one that nobody knows.
"""
from __future__ import annotations

import sys

from shapeflow.checker.findings import Record, assumed, listed
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.api.unknown_text import UnknownText
    from shapeflow.checker.patches import Patcher

_NAMED_MOST = 6
_OWN_FLAGS = ("absl.", "shapeflow.")
_PATHS = ("dir", "directory", "path", "file", "folder", "pattern", "data", "dataset", "root", "ckpt",
          "checkpoint", "model", "config")


class Arguments:
    """What one check knows of them. `names`: of those that are made up."""

    def __init__(self, names: Sequence[str], by: Patcher) -> None:
        self._names, self._by = frozenset(names), by
        self._required: Dict[str, None] = {}  # not given, and not made up
        self._empty: Dict[str, None] = {}
        self._made_up: Dict[str, None] = {}

    def watch(self) -> None:
        act_on(self._by, {"argparse": self._of_argparse, "absl.flags._flagvalues": self._of_absl,
                          "shapeflow.tensorflow.python.platform.flags": self._of_tensorflow})

    def _makes_up(self, name: str, others: Dict[str, None]) -> bool:
        """Is it one that this run makes up? Else it is noted among the others."""
        (self._made_up if name in self._names else others)[name] = None
        return name in self._names

    def wanted(self, last_words: str) -> List[str]:
        """What to make up next; `last_words`: of a program that gave up, with the lines that it came to."""
        if not self._required and not self._empty:
            return []
        import re

        words = frozenset(re.findall(r"\w+", last_words))
        empty = list(self._empty)
        return list(self._required) or [name for name in empty if name.lstrip("-") in words] or \
            [name for name in empty if name.rstrip("s").endswith(_PATHS)] or empty

    def records(self) -> List[Record]:
        """A note, where something was made up."""
        if not self._made_up:
            return []
        return [assumed("arguments that the program was not given are made up: {text} (pass them after --, "
                        "or as args in [tool.shapeflow])", listed(list(self._made_up), _NAMED_MOST))]

    # --- sys.argv ---------------------------------------------------------------------------------
    def argv(self, given: List[str], source: str) -> List[str]:
        """sys.argv of a program with this text."""
        made_up = [_text(f"argument{number}") for number in range(len(given), _argv_length(source))
                   if self._makes_up(f"sys.argv[{number}]", self._required)]
        return given + made_up

    # --- argparse ---------------------------------------------------------------------------------
    def _of_argparse(self, module: ModuleType, by: Patcher) -> None:
        cls = module.ArgumentParser
        parse = cls.parse_known_args

        def parse_known_args(parser: object, args: Optional[Sequence[str]] = None, namespace: object = None,
                             **kwargs: object) -> object:
            if not by.on or _is_of_unittest(sys._getframe(1)):
                return parse(parser, args, namespace, **kwargs)
            given = list(sys.argv[1:] if args is None else args)
            result = parse(parser, given + self._demanded(parser, given), namespace, **kwargs)
            self._fill(parser, result[0])
            return result

        by.set(cls, "parse_known_args", parse_known_args)

    def _demanded(self, parser: Any, given: Sequence[str]) -> List[str]:
        """Words for what the parser insists on; positional ones where none was given."""
        has_words = any(not word.startswith("-") for word in given)
        options: List[str] = []
        positional: List[str] = []
        for action in parser._actions:
            names = action.option_strings
            is_command = not names and isinstance(action.choices, dict)
            if not (action.required or is_command) or (has_words if not names else any(
                    word == name or word.startswith(name + "=") for word in given for name in names)):
                continue
            if self._makes_up(names[-1] if names else str(action.dest), self._required):
                count = action.nargs if isinstance(action.nargs, int) else 1
                words = [_word(action)] * count
                if names:
                    options += [names[-1], *words]
                else:
                    positional += words
        return options + positional

    def _fill(self, parser: Any, namespace: object) -> None:
        for action in parser._actions:
            is_text = action.type in (None, str) and action.nargs is None and action.const is None and \
                not action.choices and action.option_strings and action.dest in vars(namespace)
            if is_text and getattr(namespace, action.dest) in (None, "") and \
                    self._makes_up(action.option_strings[-1], self._empty):
                setattr(namespace, action.dest, _text(action.dest))

    # --- flags ------------------------------------------------------------------------------------
    def _of_tensorflow(self, module: ModuleType, by: Patcher) -> None:
        by.set(module, "complete", self._complete)

    def _complete(self, flags: Sequence[Any]) -> None:
        """Of our stand-in for absl.flags, once the flags were parsed."""
        for flag in flags:
            if flag.is_text and flag.value in (None, "") and self._makes_up("--" + flag.name, self._empty):
                flag.value = _text(flag.name)

    def _of_absl(self, module: ModuleType, by: Patcher) -> None:
        cls = module.FlagValues
        call = cls.__call__

        def complete(values: Any, *args: object, **kwargs: object) -> object:
            if by.on:
                for name in list(values):
                    flag = values[name]
                    owner = str(values.find_module_defining_flag(name, ""))
                    if flag.value in (None, "") and flag.flag_type() == "string" and \
                            not owner.startswith(_OWN_FLAGS) and self._makes_up("--" + name, self._empty):
                        flag.value = _text(name)
            return call(values, *args, **kwargs)

        by.set(cls, "__call__", complete)


def _is_of_unittest(frame: Optional[FrameType]) -> bool:
    """Are these its own options: the names of tests?"""
    while frame is not None and frame.f_globals.get("__name__") == "argparse":
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "unittest.main"


def _argv_length(source: str) -> int:
    """How long a program expects sys.argv to be, as far as its text shows."""
    if "argv" not in source:
        return 0
    import re

    lengths = [int(n) + 1 for n in re.findall(r"\bargv\[(\d{1,2})\]", source)]
    for sign, number in re.findall(r"\blen\((?:sys\.)?argv\)\s*(!=|<=?)\s*(\d{1,2})\b", source):
        lengths.append(int(number) + (sign == "<="))
    return max(lengths, default=0)


def _text(name: str) -> UnknownText:
    from shapeflow.api import unknown_text

    return unknown_text.UnknownText(name)


def _word(action: Any) -> str:
    """What a parser reads as the value of an action."""
    from shapeflow.api.unknown_package import assumed

    if action.choices is not None:
        return str(next(iter(action.choices), ""))
    kind = getattr(action.type, "__name__", "")
    if "int" in kind:
        return str(assumed.number())
    if "float" in kind:
        return str(assumed.number() / 4)
    return str(action.dest)
