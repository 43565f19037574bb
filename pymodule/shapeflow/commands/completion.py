"""`shapeflow completion SHELL`: what completes the command line in bash, zsh or fish, made from the tables of
options, so that a new option is completed without another word about it.
"""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, fail, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence

    from shapeflow.commands.option_tables import Option

_HOW = """How to use it, from now on (or once, in the shell that is open, the command in brackets):
  bash: shapeflow completion bash > ~/.local/share/bash-completion/completions/shapeflow
        (eval "$(shapeflow completion bash)")
  zsh:  shapeflow completion zsh > FOLDER/_shapeflow, where FOLDER is one of $fpath
        (eval "$(shapeflow completion zsh)", after compinit)
  fish: shapeflow completion fish > ~/.config/fish/completions/shapeflow.fish
        (shapeflow completion fish | source)"""

COMMAND = Command("completion", "print what completes the command line in bash, zsh or fish", [],
                  ("SHELL", "?", "bash, zsh or fish"), "shapeflow completion bash|zsh|fish", epilog=_HOW)

_GLOBAL = {"--help": "what there is to say", "--version": "the version of shapeflow"}
_FILES = ("FILE", "FOLDER", "PATH", "SCRIPT")


def _commands() -> List[Command]:
    """Every command, in the order of the help."""
    import importlib

    from shapeflow.cli import COMMANDS

    return [importlib.import_module("shapeflow.commands." + name).COMMAND for name in COMMANDS]


def _options(command: Command) -> List[Option]:
    return [option for option in command.options if not option.hidden]


def _words(command: Command) -> List[str]:
    """What the positional arguments may be, where that is a list of words."""
    if command.positional is None:
        return []
    if command.positional[0] == "SHELL":
        return list(SHELLS)
    if command.positional[0] == "CODE":
        import shapeflow.checker.explanations as explanations

        return [each.code for each in explanations.codes()]
    return []


def _takes_files(command: Command) -> bool:
    return command.positional is not None and command.positional[0] in _FILES


def _quoted(text: str) -> str:
    """As one word of bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _bash() -> str:
    lines = [
        "# bash completion of shapeflow, made by `shapeflow completion bash`",
        "_shapeflow() {",
        '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words i',
        '  [ "$word" != = ] || word=',  # bash takes --format=json apart at the `=`
        '  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}',
        "  COMPREPLY=()",
        "  for ((i = 2; i < COMP_CWORD; i++)); do",
        '    [ "${COMP_WORDS[i]}" != -- ] || return 0  # what follows is for the script: files',
        "  done",
        '  case "$COMP_CWORD ${COMP_WORDS[1]} $before" in',
        f'    "1 "*) words={_quoted(" ".join([each.name for each in _commands()] + list(_GLOBAL)))} ;;',
    ]
    rest = []
    for command in _commands():
        for option in _options(command):
            if option.kind == "flag":
                continue
            patterns = "|".join(f'*" {command.name} {name}"' for name in option.names)
            lines.append(f"    {patterns}) words={_quoted(' '.join(option.choices or ()))} ;;")
        names = [name for option in _options(command) for name in option.names]
        rest += [f'    *" {command.name} "*)',
                 f"      words={_quoted(' '.join(_words(command)))}",
                 f'      [[ $word != -* ]] || words={_quoted(" ".join([*names, "--help"]))} ;;']
    lines += [*rest, "  esac", '  COMPREPLY=($(compgen -W "$words" -- "$word"))', "  return 0", "}",
              "complete -o default -F _shapeflow shapeflow"]
    return "\n".join(lines)


def _zsh_action(option: Option) -> str:
    if option.choices:
        return f"({' '.join(option.choices)})"
    return {"FILE": "_files", "FOLDER": "_files -/"}.get(option.metavar or "", " ")


def _zsh() -> str:
    described = [_quoted(f"{each.name}:{each.help}") for each in _commands()]
    lines = ["#compdef shapeflow", "# zsh completion of shapeflow, made by `shapeflow completion zsh`",
             "_shapeflow() {", "  if (( CURRENT == 2 )); then", "    local -a commands",
             "    commands=(", *("      " + words for words in described), "    )",
             "    _describe command commands", "    _files", "    return", "  fi",
             "  local command=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
    for command in _commands():
        lines += [f"    {command.name})", "      _arguments \\"]
        for option in _options(command):
            help = option.help.replace("[", "\\[").replace("]", "\\]")
            action = f":{option.metavar or 'value'}:{_zsh_action(option)}" if option.kind != "flag" else ""
            more = "*" if option.kind == "list" else ""
            for name in option.names:
                equals = "=" if action and name.startswith("--") else ""
                lines.append(f"        {_quoted(f'{more}{name}{equals}[{help}]{action}')} \\")
        words = _words(command)
        given = f"({' '.join(words)})" if words else "_files" if _takes_files(command) else " "
        name = command.positional[0] if command.positional else ""
        lines.append("        " + (_quoted(f"*:{name}:{given}") if name else "'--help[]'") + " ;;")
    lines += ["    *) _files ;;", "  esac", "}",
              'if [ "$funcstack[1]" = _shapeflow ]; then _shapeflow "$@"',
              "else compdef _shapeflow shapeflow; fi"]
    return "\n".join(lines)


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish() -> str:
    lines = ["# fish completion of shapeflow, made by `shapeflow completion fish`"]
    for name, help in _GLOBAL.items():
        lines.append(f"complete -c shapeflow -n __fish_use_subcommand -l {name[2:]} "
                     f"-d {_fish_quoted(help)}")
    for command in _commands():
        lines.append(f"complete -c shapeflow -n __fish_use_subcommand -a {command.name} "
                     f"-d {_fish_quoted(command.help)}")
        here = f"complete -c shapeflow -n '__fish_seen_subcommand_from {command.name}'"
        words = _words(command)
        if not _takes_files(command):
            lines.append(f"{here} -f" + (f" -a {_fish_quoted(' '.join(words))}" if words else ""))
        for option in _options(command):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                             for name in option.names)
            value = ""
            if option.choices:
                value = f" -x -a {_fish_quoted(' '.join(option.choices))}"
            elif option.kind != "flag":
                value = " -r" if option.metavar in _FILES else " -x"
            lines.append(f"{here} {names}{value} -d {_fish_quoted(option.help)}")
    return "\n".join(lines)


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    shell = arguments.paths[0] if arguments.paths else ""
    if shell not in SHELLS:
        wrong = f"no shell {shell!r}" if shell else "a shell is missing"
        fail("shapeflow completion", f"{wrong}: bash, zsh or fish")
        return 2
    sys.stdout.write(SHELLS[shell]() + "\n")
    return 0
