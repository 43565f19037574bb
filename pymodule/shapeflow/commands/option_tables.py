"""Command lines from tables of options: a small parser of our own for what is well formed, argparse for
help and for errors.

argparse with what it imports costs more than the whole check of a small script; it is loaded when
somebody needs its help.
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, Dict, List, Optional, Sequence, Tuple, Union


class Option:
    """One option. kind: "flag", "text", "number", "count" (a whole number >= 0), "list" (may be repeated,
    or separated by commas), "texts" (may be repeated, each as it is). `hidden` ones are for our own
    processes."""

    __slots__ = ("names", "dest", "kind", "metavar", "help", "default", "choices", "hidden")

    def __init__(self, names: str, kind: str = "flag", help: str = "", metavar: Optional[str] = None,
                 default: Optional[Union[str, float, int]] = None, choices: Optional[Sequence[str]] = None,
                 hidden: bool = False) -> None:
        self.names = names.split()
        self.dest = self.names[-1].lstrip("-").replace("-", "_")
        self.kind = kind
        self.metavar = metavar
        self.help = help
        self.default = False if kind == "flag" else default
        self.choices = choices
        self.hidden = hidden


class Command:
    """The help of one subcommand. positional: (name, "?", "*" or "+", help) or None."""

    __slots__ = ("name", "help", "usage", "description", "options", "positional", "epilog")

    def __init__(self, name: str, help: str, options: Sequence[Option],
                 positional: Optional[Tuple[str, str, str]] = None, usage: Optional[str] = None,
                 description: Optional[str] = None, epilog: Optional[str] = None) -> None:
        self.name = name
        self.help = help
        self.options = list(options)
        self.positional = positional
        self.usage = usage
        self.description = description or help
        self.epilog = epilog


class Arguments:
    """What was given: an attribute for each option, and `paths` for the positional ones."""

    def __init__(self, values: Dict[str, Any], paths: List[str]) -> None:
        self.__dict__.update(values)
        self.paths = paths

    def __getattr__(self, name: str) -> Any:  # for readers: attributes are made by __init__
        raise AttributeError(name)


def _value(option: Option, text: str) -> Any:
    """Raises ValueError for what the option does not take."""
    if option.choices is not None and text not in option.choices:
        raise ValueError(text)
    if option.kind == "number":
        return float(text)
    if option.kind == "count":
        if not text.isdigit():
            raise ValueError(text)
        return int(text)
    if option.kind == "texts":
        return [text]
    if option.kind == "list":
        return [part for part in text.replace(",", " ").split() if part]
    return text


def _fast(command: Command, argv: Sequence[str]) -> Optional[Arguments]:
    """The arguments when there is nothing to say about them; else None."""
    known = {name: option for option in command.options for name in option.names}
    values: Dict[str, Any] = {option.dest: option.default for option in command.options}
    paths: List[str] = []
    i = 0
    while i < len(argv):
        item = argv[i]
        i += 1
        if not item.startswith("-") or item == "-":
            paths.append(item)
            continue
        name, equals, text = item.partition("=")
        option = known.get(name)
        if option is None or option.kind == "flag" and equals:
            return None
        if option.kind == "flag":
            values[option.dest] = True
            continue
        if not equals:
            if i == len(argv) or argv[i].startswith("-") and not option.hidden:
                return None
            text = argv[i]
            i += 1
        try:
            value = _value(option, text)
        except ValueError:
            return None
        if option.kind in ("list", "texts"):
            value = [*(values[option.dest] or ()), *value]
        values[option.dest] = value
    wanted = command.positional[1] if command.positional else ""
    if wanted == "+" and not paths or wanted == "?" and len(paths) > 1 or not wanted and paths:
        return None
    return Arguments(values, paths)


def _slow(prog: str, command: Command) -> argparse.ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(prog=f"{prog} {command.name}", usage=command.usage,
                                     description=command.description, epilog=command.epilog,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False)
    for option in command.options:
        help = argparse.SUPPRESS if option.hidden else option.help
        if option.kind == "flag":
            parser.add_argument(*option.names, action="store_true", help=help)
            continue

        def convert(text: str, option: Option = option) -> object:
            try:
                return _value(option, text)
            except ValueError:
                wanted = {"number": "a number", "count": "a whole number"}.get(
                    option.kind, "one of " + ", ".join(option.choices or ()))
                raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")

        if option.kind in ("list", "texts"):
            parser.add_argument(*option.names, action="extend", type=convert, help=help,
                                metavar=option.metavar, default=option.default)
        else:
            shown = option.metavar or ("{%s}" % ",".join(option.choices) if option.choices else None)
            parser.add_argument(*option.names, type=convert, default=option.default, help=help,
                                metavar=shown, dest=option.dest)
    if command.positional:
        name, count, about = command.positional
        parser.add_argument("paths", nargs=count, metavar=name, help=about)
    return parser


def parse(prog: str, command: Command, argv: Sequence[str]) -> Arguments:
    """The arguments of one subcommand; prints help (exit status 0) or what is wrong (2) and leaves."""
    fast = _fast(command, argv)
    if fast is not None:
        return fast
    values = vars(_slow(prog, command).parse_intermixed_args(list(argv)))
    given = values.pop("paths", None)
    paths = given if isinstance(given, list) else [given] if given is not None else []
    return Arguments(values, paths)


def fail(prog: str, message: str, usage: Optional[str] = None) -> int:
    """A mistake in the command line, as argparse says it; the exit status. `usage` of a command."""
    print(f"usage: {usage or prog + ' COMMAND [options] ...'}\n{prog}: error: {message}", file=sys.stderr)
    return 2


def run_options() -> List[Option]:
    """How a script is run, for the commands that look at what it leaves."""
    return [
        Option("--time-limit", "number", "stop the script after this long (default 60; 0: never)",
               "SECONDS"),
        Option("--every-batch", help="run every turn of every loop: leave none when nothing new comes"),
        Option("--tf-version", "text", "TensorFlow to emulate (default: read from the script)", "X.Y.Z"),
        Option("--mode", "text", "how TensorFlow starts (default: read from the script)",
               choices=("graph", "eager")),
        *sandbox_options(),
    ]


def sandbox_options() -> List[Option]:
    """What a script may do, for every command that runs one: see configuration.sandbox_policy."""
    return [
        Option("--allow-write", "list", "let the script write below FOLDER, for real", "FOLDER"),
        Option("--allow-net", help="let the script reach the network"),
        Option("--max-memory", "text", "end a script that uses more (default: half of what is free; 0: "
               "no limit)", "SIZE"),
        Option("--no-sandbox", help="run the script with all that you may do yourself"),
    ]
