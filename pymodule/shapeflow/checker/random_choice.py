"""A draw by probabilities that a program computed. Where they are not known, what numpy sees of them sums to
nothing: the draw is then among all alike.
"""
from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

    from shapeflow.checker.patches import Patcher

# What numpy and Python's library say of probabilities and weights, never of their number.
_OF_VALUES = ("probabilities do not sum to 1", "contain nan", "are not non-negative",
              "fewer non-zero entries in p", "total of weights must be")


def _alike(draw: Callable[..., Any], places: int, *names: str) -> Callable[..., Any]:
    """`draw`, of which the argument at `places` and those with these names are the probabilities."""

    @functools.wraps(draw)
    def drawn(*args: Any, **kwargs: Any) -> Any:
        try:
            return draw(*args, **kwargs)
        except ValueError as error:
            if not any(words in str(error).lower() for words in _OF_VALUES):
                raise
            rest = (*args[:places], None, *args[places + 1:]) if len(args) > places else args
            return draw(*rest, **{name: None if name in names else value for name, value in kwargs.items()})

    return drawn


def of_numpy(random: ModuleType, by: Patcher) -> None:
    """The module numpy.random."""
    theirs: Any = vars(random)
    by.set(random, "choice", _alike(theirs["choice"], 3, "p"))
    default_rng = theirs["default_rng"]

    class Generator(theirs["Generator"]):  # type: ignore[misc]
        choice = _alike(theirs["Generator"].choice, 4, "p")

    Generator.__module__ = theirs["Generator"].__module__

    @functools.wraps(default_rng)
    def generator(*args: object, **kwargs: object) -> object:
        made = default_rng(*args, **kwargs)
        return Generator(made.bit_generator) if type(made) is theirs["Generator"] else made

    by.set(random, "default_rng", generator)


def of_library(random: ModuleType, by: Patcher) -> None:
    """The module random."""
    choices: Any = vars(random)["choices"]
    by.set(random, "choices", _alike(choices, 1, "weights", "cum_weights"))
