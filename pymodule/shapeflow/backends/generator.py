"""Models that are valid by construction (after Muffin): each layer is asked of the shape engine before it
is taken.

A model is a chain with skips, or a chain of cells (branches of one tensor that are merged). Layers, and
values of parameters, that were seldom used come first. Where a layer wants another rank, or two tensors of
one shape, layers that reshape are put between, solved for the sizes. The engine is `infer`: configs and
shapes in, shapes or a refusal out; it is Keras on our TensorFlow, in a worker.
"""
from __future__ import annotations

import random

from shapeflow.backends import configs, layer_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    Plain = Dict[str, Any]
    Infer = Callable[[List[Plain]], List[Plain]]

TRIES = 4  # sets of parameters that are asked at once
_MOST_ELEMENTS = 2048  # of a sample


class Tensor:
    def __init__(self, layer: str, shape: Sequence[Optional[int]], dtype: str) -> None:
        self.layer, self.shape, self.dtype = layer, list(shape), dtype

    @property
    def count(self) -> int:
        made = 1
        for size in self.shape[1:]:
            made *= size or 1
        return made

    def reference(self) -> Plain:
        return configs.tensor(self.layer, self.shape, self.dtype)


class Coverage:
    """How often each layer, and each (layer, parameter, value), was used; and in which phases it ran."""

    def __init__(self) -> None:
        self.layers: Dict[str, int] = {}
        self.values: Dict[Tuple[str, str, str], int] = {}
        self.phases: Dict[Tuple[str, str], int] = {}

    def add(self, name: str, config: Plain) -> None:
        self.layers[name] = self.layers.get(name, 0) + 1
        for parameter, value in config.items():
            key = name, parameter, repr(value)
            self.values[key] = self.values.get(key, 0) + 1

    def ran(self, name: str, phase: str) -> None:
        self.phases[name, phase] = self.phases.get((name, phase), 0) + 1

    def seldom(self, chance: random.Random, names: Sequence[Any], counts: Callable[[Any], int]) -> Any:
        """One of them, by 1 / (1 + how often it was used)^2."""
        weights = [1.0 / (1 + counts(name)) ** 2 for name in names]
        return chance.choices(list(names), weights)[0]


class Generator:
    """`infer`: see above; of lists, so that several are asked at once."""

    def __init__(self, known: Mapping[str, layer_tables.Layer], infer: Infer, coverage: Coverage) -> None:
        self.known, self.infer, self.coverage = known, infer, coverage
        self.asked = self.refused = 0

    def model(self, seed: int, length: int = 8) -> Plain:
        """The config of a Functional model. Raises Stuck."""
        return _Building(self, random.Random(seed), length).made()


class Stuck(Exception):
    """No layer fits: another seed may."""


class _Building:
    def __init__(self, by: Generator, chance: random.Random, length: int) -> None:
        self.by, self.chance, self.length = by, chance, length
        self.rows: List[Plain] = []
        self.tensors: List[Tensor] = []
        self.added: List[Tuple[str, Plain]] = []

    def made(self) -> Plain:
        rank = self.chance.choice((2, 3, 4, 4, 5))
        sizes = {2: [6], 3: [6, 4], 4: [6, 5, 4], 5: [4, 4, 3, 2]}[rank]
        self.tensors = [Tensor("x", [None, *sizes], "float32")]
        self.rows = [configs.input_row("x", [None, *sizes], "float32")]
        if self.chance.random() < 0.5:
            self._chain(self.length)
        else:
            for _ in range(max(1, self.length // 4)):
                self._cell()
        if len(self._floats()) == 1:
            raise Stuck
        for name, config in self.added:
            self.by.coverage.add(name, config)
        return self._finished()

    def _finished(self) -> Plain:
        """Without what the output does not need."""
        end = self._floats()[-1].layer
        by_name = {row["name"]: row for row in self.rows}
        needed, todo = {"x"}, [end]
        while todo:
            name = todo.pop()
            if name not in needed:
                needed.add(name)
                todo += configs.sources_of(by_name[name])
        rows = [row for row in self.rows if row["name"] in needed]
        return configs.functional("generated", rows, ["x"], end)

    # --- structure ---------------------------------------------------------------------------------
    def _chain(self, length: int) -> None:
        for _ in range(length):
            floats = self._floats()
            source = floats[-1]
            if len(floats) > 2 and self.chance.random() < 0.25:  # a skip
                source = self.chance.choice(floats[:-1])
            self._any(source)

    def _floats(self) -> List[Tensor]:
        """The tensors that most layers take."""
        return [tensor for tensor in self.tensors if tensor.dtype == "float32"]

    def _cell(self) -> None:
        source = self._floats()[-1]
        branches = []
        for _ in range(2):
            end = source
            for _ in range(self.chance.choice((1, 1, 2))):
                after = self._any(end)
                end = after if after.dtype == "float32" else end
            branches.append(end)
        merge = self.by.coverage.seldom(self.chance, self._those(layer_tables.MERGES), self._count)
        self._merge(branches[0], branches[1], merge)

    def _those(self, names: Sequence[str]) -> List[str]:
        return [name for name in names if name in self.by.known] or ["Add"]

    def _count(self, name: str) -> int:
        return self.by.coverage.layers.get(name, 0) + sum(added == name for added, _ in self.added)

    def _any(self, source: Tensor) -> Tensor:
        """One more layer, seldom used ones first."""
        names = list(self.by.known)
        while names:
            name = self.by.coverage.seldom(self.chance, names, self._count)
            try:
                if name in (*layer_tables.MERGES, *layer_tables.ATTENTIONS):
                    return self._merge(source, self.chance.choice(self._floats()), name)
                return self._single(source, name)
            except Stuck:
                names.remove(name)  # nothing of it fits this tensor
        raise Stuck

    # --- layers --------------------------------------------------------------------------------------
    def _single(self, source: Tensor, name: str) -> Tensor:
        wanted = layer_tables.ranks(name)
        if source.dtype != "float32":
            raise Stuck
        if len(source.shape) not in wanted:
            source = self._reshaped(source, self.chance.choice(wanted))
        return self._taken(name, [source], [self._config(name, source) for _ in range(TRIES)])

    def _merge(self, one: Tensor, other: Tensor, name: str) -> Tensor:
        wanted = layer_tables.ranks(name)
        if one.dtype != "float32" or other.dtype != "float32":
            raise Stuck
        if len(one.shape) not in wanted:
            one = self._reshaped(one, self.chance.choice(wanted))
        return self._taken(
            name, [one, self._like(other, one)], [self._config(name, one) for _ in range(TRIES)]
        )

    def _config(self, name: str, source: Tensor) -> Plain:
        made: Plain = {}
        layer = self.by.known[name]
        for parameter, values in layer.values.items():
            # Most parameters keep their default, so that a finding has few of them.
            if parameter in layer.required or self.chance.random() < 0.4:
                made[parameter] = self._value(name, parameter, values)
        return solved(name, made, source.shape, self.chance)

    def _value(self, name: str, parameter: str, values: Sequence[Any]) -> Any:
        used = self.by.coverage.values
        return self.by.coverage.seldom(self.chance, values,
                                       lambda value: used.get((name, parameter, repr(value)), 0))

    def _taken(self, name: str, sources: Sequence[Tensor], choices: List[Plain]) -> Tensor:
        """The first of these that the engine takes."""
        inputs = [[source.shape, source.dtype] for source in sources]
        answers = self.by.infer(
            [{"config": configs.layer_config(name, config), "inputs": inputs} for config in choices]
        )
        self.by.asked += len(answers)
        for config, answer in zip(choices, answers):
            outputs = answer.get("outputs")
            if not outputs or len(outputs) != 1 or None in outputs[0][0][1:]:
                self.by.refused += 1
                continue
            if not outputs[0][1].startswith(("float32", "int", "bool")):
                continue
            tensor = Tensor(f"{name.lower()}_{len(self.rows)}", *outputs[0])
            if not 0 < tensor.count <= _MOST_ELEMENTS:
                continue
            self._add(name, config, sources, tensor)
            return tensor
        raise Stuck

    def _add(self, name: str, config: Plain, sources: Sequence[Tensor], tensor: Tensor) -> None:
        layer = configs.layer_config(name, {"name": tensor.layer, **config})
        self.rows.append(configs.called(layer, [source.reference() for source in sources]))
        self.tensors.append(tensor)
        self.added.append((name, config))

    # --- between -----------------------------------------------------------------------------------------
    def _reshaped(self, source: Tensor, rank: int) -> Tensor:
        sizes = layer_tables.factors(source.count, rank - 1, self.chance.choice)
        return self._to(source, sizes)

    def _to(self, source: Tensor, sizes: Sequence[Optional[int]]) -> Tensor:
        return self._taken("Reshape", [source], [{"target_shape": list(sizes)}])

    def _like(self, source: Tensor, wanted: Tensor) -> Tensor:
        """As it is, reshaped, or through a Dense that gives as many elements."""
        if source.shape == wanted.shape:
            return source
        if source.count != wanted.count:
            if len(source.shape) > 2:
                source = self._to(source, [source.count])
            source = self._taken("Dense", [source], [{"units": wanted.count}])
        return source if source.shape == wanted.shape else self._to(source, wanted.shape[1:])


def solved(name: str, config: Plain, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    """With the parameters that the shape decides."""
    rank = len(shape)
    if name == "Reshape":
        count = 1
        for size in shape[1:]:
            count *= size or 1
        return {"target_shape": layer_tables.factors(count, chance.choice((1, 2, 3)), chance.choice)}
    if name == "Permute":
        return {"dims": chance.sample(range(1, rank), rank - 1)}
    if name == "TimeDistributed":
        return {"layer": configs.layer_config("Dense", {"units": 3, "name": "inner"})}
    if name == "SpectralNormalization":
        return {"layer": configs.layer_config("Dense", {"units": 3, "name": "inner"})}
    if name == "Bidirectional":
        inner = chance.choice(layer_tables.RECURRENT)
        return {
            "layer": configs.layer_config(
                inner, {"units": 2, "return_sequences": chance.random() < 0.5, "name": "inner"}
            ),
            "merge_mode": chance.choice(("concat", "sum", "mul", "ave")),
        }
    return config
