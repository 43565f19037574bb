"""A search for what makes backends differ on one model (after Audee): parameters, inputs and weights change.

A population of variants of the model is mutated (numbers by Cauchy's distribution, whose tails reach far;
parameters to other values of their tables), crossed and selected. Fitness is the distance of the outputs
between backends, or, for NaN, how far apart the largest and the smallest number of the outputs are.
"""
from __future__ import annotations

import copy
import os
import random

import numpy as np

from shapeflow.backends import configs, distances, layer_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from shapeflow.backends.models import Case

    Plain = Dict[str, Any]

KINDS = ("network", "input", "weight", "both")
GOALS = ("differ", "nan")
_SHARE = 0.1  # of the elements that a mutation changes
_LARGEST = 1e30  # numbers stay finite, so that NaN is of a layer


class Member:
    """A variant, and how fit it is."""

    def __init__(self, config: Plain, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        self.config, self.inputs, self.weights = config, list(inputs), list(weights)
        self.fitness = 0.0


def mutated_array(array: Any, chance: np.random.RandomState) -> Any:
    """Some elements, by as much as they are spread and now and then by far more."""
    if array.dtype.kind != "f" or not array.size:
        return array
    scale = float(np.std(array)) or 1.0
    chosen = chance.uniform(size=array.shape) < _SHARE
    if not chosen.any():
        chosen.reshape(-1)[chance.randint(chosen.size)] = True
    made = array.astype("float64") + chosen * scale * chance.standard_cauchy(array.shape)
    largest = min(_LARGEST, float(np.finfo(array.dtype).max) / 2)
    return np.clip(made, -largest, largest).astype(array.dtype)


def crossed_arrays(one: Sequence[Any], other: Sequence[Any], chance: np.random.RandomState) -> List[Any]:
    """Each element of one of them; where shapes differ, the first one's."""
    return [np.where(chance.uniform(size=a.shape) < 0.5, a, b).astype(a.dtype) if a.shape == b.shape else a
            for a, b in zip(one, other)]


def changed_parameter(config: Plain, chance: random.Random) -> Optional[Plain]:
    """The config with one parameter of one layer at another value; None: there is none to change."""
    places = []
    for number, row in enumerate(configs.layers_of(config)):
        own = layer_tables.LAYERS.get(row["class_name"], {})
        for name, value in row["config"].items():
            choices = own[name] if name in own else layer_tables.PARAMETERS.get(name)
            others = [choice for choice in choices or () if choice != value]
            if others and not isinstance(value, dict):
                places.append((number, name, others))
    if not places:
        return None
    number, name, others = chance.choice(places)
    made = copy.deepcopy(config)
    # A saved model says of each layer for which shapes it was built: another one is refused then, though the
    # change only makes it another model.
    for row in configs.walk(made):
        row.pop("build_config", None)
    configs.layers_of(made)[number]["config"][name] = chance.choice(others)
    return made


def selected(members: Sequence[Member], chance: random.Random) -> Member:
    """The fitter one of two."""
    return max(chance.choice(members), chance.choice(members), key=lambda member: member.fitness)


class Search:
    """`judge` runs a case: (fitness, findings, document). `resize` makes weights and labels fit a config
    that was changed; False: it is no model."""

    def __init__(
        self,
        case: Case,
        kinds: Sequence[str],
        judge: Callable[[Case], Tuple[float, List[Plain], Plain]],
        resize: Callable[[Case], bool],
        seed: int,
        size: int = 6,
    ) -> None:
        self.case, self.kinds, self.judge, self.resize, self.size = case, kinds, judge, resize, size
        self.chance, self.numbers = random.Random(seed), np.random.RandomState(seed)
        self.members: List[Member] = []
        self.tried = 0
        self.best = 0.0

    def run(self, rounds: int, found: Callable[[Case, Plain, Plain], None]) -> None:
        """`found` gets each finding, with its case and document."""
        first = Member(self.case.config, self.case.inputs, self.case.weights)
        self.members = [first]
        self._judge(first, found)
        for _ in range(rounds):
            children = [self._child() for _ in range(self.size)]
            for child in children:
                if child is not None and self._judge(child, found):
                    self.members.append(child)
            # The fittest stay.
            self.members = sorted(self.members, key=lambda member: -member.fitness)[:self.size]

    def _child(self) -> Optional[Member]:
        one, other = selected(self.members, self.chance), selected(self.members, self.chance)
        child = Member(one.config, crossed_arrays(one.inputs, other.inputs, self.numbers),
                       crossed_arrays(one.weights, other.weights, self.numbers))
        kind = self.chance.choice(list(self.kinds))
        if kind == "network":
            config = changed_parameter(one.config, self.chance)
            if config is None:
                return None
            child.config = config
        if kind in ("input", "both"):
            child.inputs = [mutated_array(array, self.numbers) for array in child.inputs]
        if kind in ("weight", "both"):
            child.weights = [mutated_array(array, self.numbers) for array in child.weights]
        return child

    def _case(self, member: Member) -> Case:
        made = copy.copy(self.case)
        made.folder = os.path.join(self.case.folder, "variant")
        made.config, made.inputs, made.weights = member.config, member.inputs, member.weights
        made.write()
        return made

    def _judge(self, member: Member, found: Callable[[Case, Plain, Plain], None]) -> bool:
        case = self._case(member)
        if member.config is not self.case.config:
            if not self.resize(case):
                return False
            member.weights = case.weights
            case.write()
        member.fitness, findings, document = self.judge(case)
        self.tried += 1
        self.best = max(self.best, member.fitness)
        for finding in findings:
            found(case, finding, document)
        return True


def fitness(document: Plain, goal: str) -> float:
    """Of a comparison."""
    if goal == "nan":
        return float(np.log10(1 + min(document.get("spread", 0.0), distances.LARGEST_FINITE)))
    return min(float(document.get("distance", 0.0)), distances.LARGEST_FINITE)
