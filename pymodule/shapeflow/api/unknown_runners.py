"""Packages that are not installed and that run a function of the program: command lines (fire, typer, sacred)
and searches (optuna, hyperopt, wandb). Each such function is called once, with unknown arguments: else all
that it does would go unchecked.
"""
from __future__ import annotations

import functools
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Sequence

# By package: what runs the function that it is given.
_RUNS = {
    "fire": ("Fire",), "typer": ("run",), "plac": ("call",), "defopt": ("run",), "tyro": ("cli",),
    "argh": ("dispatch_command",), "clize": ("run",), "optuna": ("optimize",), "hyperopt": ("fmin",),
    "wandb": ("agent",), "skopt": ("gp_minimize", "forest_minimize", "gbrt_minimize", "dummy_minimize"),
    "ray": ("run", "Tuner"), "bayes_opt": ("BayesianOptimization",), "horovod": ("run",),
}
_KEYWORDS = ("function", "fn", "f", "func", "objective", "trainable", "run_or_experiment")
# Decorators of commands, by their last name, and what runs them: the object itself, or one of its methods.
_COMMANDS = (".command()", ".main")
_STARTS = ("", ".run", ".run_commandline")
_AT_ONCE = (".automain", "begin.start")  # decorators that run the function of a main program
_commands: Dict[str, List[Callable[[], object]]] = {}  # by the name of what has them


def run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any],
        filled: Callable[[FunctionType, str], Any]) -> None:
    """Of a call of something unknown: the function that it would run is run. `filled` gives the parameters of
    a function unknown values."""
    package, _, rest = name.partition(".")
    if rest.rpartition(".")[2] in _RUNS.get(package, ()):
        given = [*args, *(kwargs[word] for word in _KEYWORDS if word in kwargs)]
        function = next((one for one in given if isinstance(one, FunctionType)), None)
        if function is not None:
            filled(function, name)()
    for start in _STARTS:
        if name.endswith(start):
            _run_commands(name[:len(name) - len(start)])


def _run_commands(owner: str) -> None:
    for command in _commands.pop(owner, ()):
        command()


def decorated(function: FunctionType, decorator: str) -> object:
    """Of a function that something unknown decorates: it is run now, or with the others of its program. Gives
    the function, of a group of commands one that runs them too."""
    if decorator.endswith(".group()"):
        @functools.wraps(function)
        def group(*args: object, **kwargs: object) -> Any:
            function(*args, **kwargs)
            _run_commands(function.__name__)

        return group
    if decorator.endswith(_AT_ONCE):
        if function.__module__ == "__main__":
            function()
    else:
        end = next((end for end in _COMMANDS if decorator.endswith(end)), None)
        if end is not None:
            _commands.setdefault(decorator[:-len(end)], []).append(function)
    return function
