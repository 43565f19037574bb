"""What a campaign has reached: layers, values of their parameters, and the phases in which those ran."""
from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow.backends.layer_tables import Layer

    Plain = Dict[str, Any]

PHASES = ("forward", "loss", "backward")


class Coverage:
    """How often each layer, and each (layer, parameter, value), was used in models; and how often each, as
    (layer, parameter, value, phase), ran. Parameter and value are "" for the layer itself."""

    def __init__(self) -> None:
        self.layers: Dict[str, int] = {}
        self.values: Dict[Tuple[str, str, str], int] = {}
        self.cells: Dict[Tuple[str, str, str, str], int] = {}

    def add(self, name: str, config: Plain) -> None:
        """A layer of a model; those inside of it count, too."""
        self.layers[name] = self.layers.get(name, 0) + 1
        for parameter, value in config.items():
            key = name, parameter, repr(value)
            self.values[key] = self.values.get(key, 0) + 1
        for inner, its in _inside(config):
            self.add(inner, its)

    def ran(self, name: str, config: Plain, phase: str) -> None:
        for key in [("", ""), *((parameter, repr(value)) for parameter, value in config.items())]:
            cell = (name, *key, phase)
            self.cells[cell] = self.cells.get(cell, 0) + 1
        for inner, its in _inside(config):
            self.ran(inner, its, phase)

    def phases_left(self, name: str, parameter: str = "", value: object = "") -> int:
        """In how many phases it has not run."""
        shown = repr(value) if parameter else ""
        return sum((name, parameter, shown, phase) not in self.cells for phase in PHASES)

    def seldom(self, chance: random.Random, names: Sequence[Any], counts: Callable[[Any], int],
               phases_left: Callable[[Any], int] = lambda name: 0) -> Any:
        """One of them, by 1 / (1 + how often it was used)^2; what lacks phases weighs more."""
        weights = [(1.0 + phases_left(name)) / (1 + counts(name)) ** 2 for name in names]
        return chance.choices(list(names), weights)[0]

    def reached(self, known: Mapping[str, Layer], phases: Sequence[str]) -> List[int]:
        """[cells that ran, all there are] of the layers, the values that their tables have, and these
        phases."""
        wanted = {(name, parameter, value, phase) for name, layer in known.items() for phase in phases
                  for parameter, value in _values_of(layer)}
        return [len(wanted & set(self.cells)), len(wanted)]

    def phases_of(self, known: Sequence[str]) -> Dict[str, int]:
        """{phase: how many of the layers ran in it}."""
        return {phase: sum((name, "", "", phase) in self.cells for name in known) for phase in PHASES}


def _values_of(layer: Layer) -> List[Tuple[str, str]]:
    return [("", ""), *((parameter, repr(value))
                        for parameter, values in layer.values.items() for value in values)]


def _inside(config: Plain) -> List[Tuple[str, Plain]]:
    """The layers that a config holds."""
    found = []
    for value in config.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict) and one.get("module") == "keras.layers":
                found.append((one["class_name"], _without_name(one.get("config"))))
    return found


def _without_name(config: Optional[Plain]) -> Plain:
    return {key: value for key, value in (config or {}).items() if key != "name"}
