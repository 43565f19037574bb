"""The command line: `shapeflow COMMAND ...`, also as `python -m shapeflow`.

Only what the asked command needs is imported: `shapeflow check small.py` is often over in the time that
argparse alone would take.
"""
from __future__ import annotations

import sys

import shapeflow.process as process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, NoReturn, Optional, Sequence, Tuple

PROG = "shapeflow"

COMMANDS = {
    "check": "check scripts, folders of scripts and models",
    "explain": "what a code such as SF101 means, with an example",
    "graph": "the graph of a script, with shapes, as JSON or dot",
    "memory": "peak memory of a script's sessions, and whether it fits a GPU",
    "numeric": "operations of a script whose numbers may become NaN or infinite",
    "backends": "a Keras model on several backends, and where their results differ",
    "summary": "the variables of a script by scope, with shapes and sizes",
    "ops": "the op registry: which raw ops are modelled",
    "api": "TensorFlow's public names: which are modelled",
    "doctor": "what is installed here, and which configuration is used",
    "lsp": "serve an editor (language server over stdio)",
    "completion": "print what completes the command line in bash, zsh or fish",
}


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = ["usage: shapeflow COMMAND [options] ...",
             "       shapeflow FILE      (as shapeflow check FILE)", "",
             "Runs TensorFlow scripts with shapes only and reports their shape errors.", "", "commands:"]
    lines += [f"  {name:<{width}}  {words}" for name, words in COMMANDS.items()]
    lines += ["", "options:", "  -h, --help  this text; `shapeflow COMMAND --help` for one command",
              "  --version   the version of shapeflow", "",
              "exit status: 0 clean, 1 findings, 2 usage or configuration, 3 a script failed for a "
              "reason of its own, 130 Ctrl-C"]
    return "\n".join(lines)


def _split(argv: Sequence[str]) -> Tuple[List[str], List[str]]:
    """Our arguments, and the script's after the first `--`."""
    items = list(argv)
    if "--" in items:
        cut = items.index("--")
        return items[:cut], items[cut + 1:]
    return items, []


def _is_checked(word: str) -> bool:
    """Is the first word, which is no command, what `shapeflow check` takes: a file, or an option of it?"""
    import os

    if not word.startswith("-") or word == "-":
        return word == "-" or os.path.exists(word) or word.endswith((".py", ".ipynb"))
    from shapeflow.commands.check import OPTIONS

    return any(word.partition("=")[0] in option.names for option in OPTIONS if not option.hidden)


def _main(argv: Sequence[str]) -> int:
    ours, rest = _split(argv)
    command = ours[0] if ours else ""
    if command == "--version":
        from shapeflow._version import __version__

        print(f"shapeflow {__version__}")
        return 0
    if command in ("-h", "--help", "help"):
        print(_help())
        return 0
    if command not in COMMANDS and _is_checked(command):
        command, ours = "check", ["check", *ours]
    if command not in COMMANDS:
        from shapeflow.commands.option_tables import fail

        if not command:
            return fail(PROG, "a command is missing: " + ", ".join(COMMANDS))
        from shapeflow.checker.configuration import nearest

        return fail(PROG, f"no command {command!r}{nearest(command, list(COMMANDS))}")
    import importlib

    if command != "check":
        import shapeflow

        shapeflow._wake()
    module = importlib.import_module("shapeflow.commands." + command)
    status: int = module.run(ours[1:], rest)
    return status


def _have_streams() -> None:
    """A stream that the caller has closed takes what we say all the same: `shapeflow check x.py >&-`."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        import os

        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode))


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Entry point of the `shapeflow` command; returns the exit status."""
    if argv is None:
        # Python 3.9 does not keep them.
        process.command_line = list(getattr(sys, "orig_argv", ["", "-m", "shapeflow", *sys.argv[1:]])[1:])
    _have_streams()
    try:
        return _main(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:
        # Of a list, to `head`: what judges has a status of its own. Python would complain when it flushes.
        import shapeflow.formats.output as output

        output.be_unheard(sys.stdout)
        return 0
    except KeyboardInterrupt:
        print("shapeflow: interrupted", file=sys.stderr)
        return process.EXIT_INTERRUPTED


def run() -> NoReturn:
    """The whole life of the command's process. Where the script has run in another, nobody needs the
    interpreter to be taken down module by module."""
    status = main()
    if process.nothing_ran:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            sys.exit(status)  # Python says what is to be said of it
        import atexit
        import os

        atexit._run_exitfuncs()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    run()
