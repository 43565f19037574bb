"""Models that are valid by construction (after Muffin): each layer is asked of the shape engine before it
is taken.

A model is a chain with skips, or a chain of cells (branches of one tensor that are merged), of one or
several inputs, with one or several outputs. Layers, and values of parameters, that were seldom used come
first. Where a layer wants another rank, or two tensors of one shape, layers that reshape are put between,
solved for the sizes. The engine is `infer`: configs and shapes in, shapes or a refusal out; it is Keras on
our TensorFlow, in a worker. A layer that gives another shape when it runs than Keras says of it is an output
of the model: what takes it might not run.
"""
from __future__ import annotations

import random

from shapeflow.backends import configs, layer_tables
from shapeflow.backends.coverage import Coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

    Plain = Dict[str, Any]
    Infer = Callable[[List[Plain]], List[Plain]]

TRIES = 4  # sets of parameters that are asked at once
_MOST_ELEMENTS = 2048  # of a sample
_MOST_INPUTS = 4
# Of an input, by rank, without the batch.
_SIZES = {2: [6], 3: [6, 4], 4: [6, 5, 4], 5: [4, 4, 3, 2], 6: [2, 4, 3, 3, 2]}
# How often, of all times: a parameter is given; a layer has a policy of its own; a tensor is a new input.
_GIVEN, _OWN_DTYPE, _NEW_INPUT, _NEW_OPERAND = 0.4, 0.1, 0.08, 0.3
_SKIP, _MORE_OUTPUTS = 0.25, 0.5


class Tensor:
    """Output `index` of a layer. `apart`: which other shape the layer gives when it runs."""

    def __init__(self, layer: str, shape: Sequence[Optional[int]], dtype: str, index: int = 0,
                 apart: str = "") -> None:
        self.layer, self.shape, self.dtype, self.index, self.apart = layer, list(shape), dtype, index, apart

    @property
    def count(self) -> int:
        made = 1
        for size in self.shape[1:]:
            made *= size or 1
        return made

    @property
    def is_float(self) -> bool:
        return "float" in self.dtype

    def reference(self) -> Plain:
        return configs.tensor(self.layer, self.shape, self.dtype, self.index)


class Generator:
    """`infer`: see above; of lists, so that several are asked at once."""

    def __init__(self, known: Mapping[str, layer_tables.Layer], infer: Infer, coverage: Coverage) -> None:
        self.known, self.infer, self.coverage = known, infer, coverage
        self.asked = self.refused = 0
        self.apart: Dict[str, str] = {}  # {layer of the last model: which other shape it gives}

    def model(self, seed: int, length: int = 8) -> Plain:
        """The config of a Functional model. Raises Stuck."""
        building = _Building(self, random.Random(seed), length)
        made = building.made()
        self.apart = {tensor.layer: tensor.apart for tensor in building.apart}
        return made


class Stuck(Exception):
    """No layer fits: another seed may."""


class _Building:
    def __init__(self, by: Generator, chance: random.Random, length: int) -> None:
        self.by, self.chance, self.length = by, chance, length
        self.rows: List[Plain] = []
        self.inputs: List[Tensor] = []
        self.tensors: List[Tensor] = []  # that layers may take
        self.apart: List[Tensor] = []  # that none may
        self.added: Dict[str, int] = {}  # how often this model has a layer class

    def made(self) -> Plain:
        self._input(_SIZES[self.chance.choice((2, 3, 4, 4, 5))])
        if self.chance.random() < 0.5:
            self._chain(self.length)
        else:
            for _ in range(max(1, self.length // 4)):
                self._cell()
        if not self.added:
            raise Stuck
        return self._finished()

    def _input(self, sizes: Sequence[int], dtype: str = "float32") -> Tensor:
        name = f"x_{len(self.inputs)}" if self.inputs else "x"
        made = Tensor(name, [None, *sizes], dtype)
        self.inputs.append(made)
        # Before what is there: a chain goes on from the last.
        self.tensors.insert(0, made)
        self.rows.append(configs.input_row(name, made.shape, dtype))
        return made

    def _finished(self) -> Plain:
        """Without what no output needs. Outputs are the last tensor, what is apart, and some of the others
        that nothing takes."""
        taken = {(source, index) for row in self.rows for source, index in configs.tensors_of(row)}
        loose = [tensor for tensor in self._floats()
                 if (tensor.layer, tensor.index) not in taken and tensor not in self.inputs]
        end = self._floats()[-1]
        others = [tensor for tensor in loose if tensor is not end]
        ends = [end, *(other for other in others[-2:] if self.chance.random() < _MORE_OUTPUTS)]
        # Where nothing else was added the last tensor is the input.
        ends = [one for one in ends if one not in self.inputs] + self.apart
        by_name = {row["name"]: row for row in self.rows}
        needed, todo = set(), [tensor.layer for tensor in ends]
        while todo:
            name = todo.pop()
            if name not in needed:
                needed.add(name)
                todo += configs.sources_of(by_name[name])
        rows = [row for row in self.rows if row["name"] in needed]
        for row in rows:
            if row["class_name"] != "InputLayer":
                config = {key: value for key, value in row["config"].items() if key != "name"}
                self.by.coverage.add(row["class_name"], config)
        return configs.functional(
            "generated", rows, [tensor.layer for tensor in self.inputs if tensor.layer in needed],
            [(tensor.layer, tensor.index) for tensor in ends])

    # --- structure ---------------------------------------------------------------------------------
    def _chain(self, length: int) -> None:
        for _ in range(length):
            floats = self._floats()
            source = floats[-1]
            if len(floats) > 2 and self.chance.random() < _SKIP:
                source = self.chance.choice(floats[:-1])
            self._any(source)

    def _floats(self) -> List[Tensor]:
        """The tensors that most layers take: what a policy computes in, they are cast to."""
        return [tensor for tensor in self.tensors if tensor.is_float]

    def _cell(self) -> None:
        source = self._floats()[-1]
        branches = []
        for _ in range(2):
            end = source
            for _ in range(self.chance.choice((1, 1, 2))):
                end = self._any(end)
            branches.append(end)
        names = [name for name in layer_tables.MERGES if name in self.by.known]
        while names:
            name = self._seldom(names)
            try:
                self._merge(branches[0], branches[1], name)
                return
            except Stuck:
                names.remove(name)  # the branches stay, when no other does

    def _seldom(self, names: Sequence[str]) -> str:
        coverage = self.by.coverage
        name: str = coverage.seldom(
            self.chance, names, lambda name: coverage.layers.get(name, 0) + self.added.get(name, 0),
            coverage.phases_left)
        return name

    def _any(self, source: Tensor) -> Tensor:
        """One more layer, seldom used ones first; what it gives, as numbers that are not whole, or what it
        took, where nothing may take that."""
        names = list(self.by.known)
        while names:
            name = self._seldom(names)
            try:
                made = self._layer(source, name)
            except Stuck:
                names.remove(name)  # nothing of it fits this tensor
                continue
            if made.apart:
                return source
            if made.is_float:
                return made
            return self._between("Rescaling", made, scale=0.5, offset=0.0)
        raise Stuck

    # --- layers --------------------------------------------------------------------------------------
    def _layer(self, source: Tensor, name: str) -> Tensor:
        if name in layer_tables.INDICES:
            return self._of_indices(name)
        if layer_tables.takes(name) == 2:
            return self._merge(source, None, name)
        wanted = layer_tables.ranks(name)
        if layer_tables.IMAGES.match(name):
            source = self._image(source)
        elif len(self.inputs) < _MOST_INPUTS and self.chance.random() < _NEW_INPUT:
            source = self._input(_SIZES[self.chance.choice(wanted)])
        elif len(source.shape) not in wanted:
            source = self._reshaped(source, self.chance.choice(wanted))
        return self._taken(name, [source], [self._config(name, source) for _ in range(TRIES)])

    def _image(self, source: Tensor) -> Tensor:
        """Of three colours."""
        if source.shape[-1] == 3 and len(source.shape) == 4:
            return source
        if source.count % 3 == 0:
            return self._to(source, [*layer_tables.factors(source.count // 3, 2, self.chance.choice), 3])
        if len(self.inputs) >= _MOST_INPUTS:
            raise Stuck
        return self._input([6, 5, 3])

    def _of_indices(self, name: str) -> Tensor:
        """Of an input of whole numbers: one that is there, or a new one."""
        sizes = [1] if name == "HashedCrossing" else {2: [5], 3: [3, 2]}[
            self.chance.choice(layer_tables.ranks(name))]
        there = [tensor for tensor in self.inputs if not tensor.is_float and tensor.shape[1:] == sizes]
        if not there and len(self.inputs) >= _MOST_INPUTS:
            raise Stuck
        source = there[0] if there else self._input(sizes, self.chance.choice(("int32", "int32", "int64")))
        return self._taken(name, [source] * layer_tables.takes(name),
                           [self._config(name, source) for _ in range(TRIES)])

    def _merge(self, one: Tensor, other: Optional[Tensor], name: str) -> Tensor:
        wanted = layer_tables.ranks(name)
        if len(one.shape) not in wanted:
            one = self._reshaped(one, self.chance.choice(wanted))
        if other is None and len(self.inputs) < _MOST_INPUTS and self.chance.random() < _NEW_OPERAND:
            other = self._input([size or 1 for size in one.shape[1:]])
        other = self._like(other or self.chance.choice(self._floats()), one)
        return self._taken(name, [one, other], [self._config(name, one) for _ in range(TRIES)])

    def _config(self, name: str, source: Tensor) -> Plain:
        made: Plain = {}
        layer = self.by.known[name]
        for parameter, values in layer.values.items():
            # Most parameters keep their default, so that a finding has few of them.
            share = _OWN_DTYPE if parameter == "dtype" else _GIVEN
            if parameter in layer.required or self.chance.random() < share:
                made[parameter] = self._value(name, parameter, values)
        return solved(name, made, source.shape, self.chance)

    def _value(self, name: str, parameter: str, values: Sequence[object]) -> Any:
        coverage = self.by.coverage
        return coverage.seldom(self.chance, values,
                               lambda value: coverage.values.get((name, parameter, repr(value)), 0),
                               lambda value: coverage.phases_left(name, parameter, value))

    def _taken(self, name: str, sources: Sequence[Tensor], choices: List[Plain]) -> Tensor:
        """The first output of the first of these that the engine takes. Nothing may take it where it is
        apart."""
        inputs = [[source.shape, source.dtype] for source in sources]
        answers = self.by.infer(
            [{"config": configs.layer_config(name, config), "inputs": inputs,
              "separate": name in configs.SEPARATE_ARGUMENTS} for config in choices]
        )
        self.by.asked += len(answers)
        for config, answer in zip(choices, answers):
            outputs = answer.get("outputs")
            if not outputs or any(None in shape[1:] for shape, _ in outputs):
                self.by.refused += 1
                continue
            if not all(dtype.startswith(("float", "bfloat", "int", "uint", "bool")) for _, dtype in outputs):
                continue
            layer = f"{name.lower()}_{len(self.rows)}"
            apart = answer.get("apart", "")
            tensors = [Tensor(layer, shape, dtype, i, apart) for i, (shape, dtype) in enumerate(outputs)]
            if not all(0 < tensor.count <= _MOST_ELEMENTS for tensor in tensors):
                continue
            row = configs.layer_config(name, {"name": layer, **config})
            self.rows.append(configs.called(row, [source.reference() for source in sources]))
            if apart:
                self.apart.append(tensors[0])
            else:
                self.tensors += reversed(tensors)
            self.added[name] = self.added.get(name, 0) + 1
            return tensors[0]
        raise Stuck

    # --- between -----------------------------------------------------------------------------------------
    def _between(self, name: str, source: Tensor, **config: object) -> Tensor:
        made = self._taken(name, [source], [config])
        if made.apart:
            raise Stuck
        return made

    def _reshaped(self, source: Tensor, rank: int) -> Tensor:
        sizes = layer_tables.factors(source.count, rank - 1, self.chance.choice)
        return self._to(source, sizes)

    def _to(self, source: Tensor, sizes: Sequence[Optional[int]]) -> Tensor:
        return self._between("Reshape", source, target_shape=list(sizes))

    def _like(self, source: Tensor, wanted: Tensor) -> Tensor:
        """As it is, reshaped, or through a Dense that gives as many elements."""
        if source.shape == wanted.shape:
            return source
        if source.count != wanted.count:
            if len(source.shape) > 2:
                source = self._to(source, [source.count])
            source = self._between("Dense", source, units=wanted.count)
        return source if source.shape == wanted.shape else self._to(source, wanted.shape[1:])


def solved(name: str, config: Plain, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    """With the parameters that the shape decides."""
    on = [flag for flag in layer_tables.EXCLUDING.get(name, ()) if config.get(flag)]
    if len(on) > 1:
        config = {**config, chance.choice(on): False}
    rank = len(shape)
    made = _OF_SHAPE[name](rank, shape, chance) if name in _OF_SHAPE else {}
    return {**config, **made}


def _reshape(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    count = 1
    for size in shape[1:]:
        count *= size or 1
    return {"target_shape": layer_tables.factors(count, chance.choice((1, 2, 3)), chance.choice)}


def _permute(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    return {"dims": chance.sample(range(1, rank), rank - 1)}


def _einsum(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    """One axis is contracted, or, beside it, the last; the new one is anywhere after the batch."""
    letters = "abcde"[:rank]
    contracted = {chance.choice(letters[1:]), chance.choice((letters[-1], ""))}
    axes = [letter for letter in letters[1:] if letter in contracted]
    left = [letter for letter in letters[1:] if letter not in contracted]
    left.insert(chance.randrange(len(left) + 1), "z")
    sizes = {**dict(zip(letters, shape)), "z": chance.choice((1, 3, 4))}
    made: Plain = {"equation": f"{letters},{''.join(axes)}z->{letters[0]}{''.join(left)}",
                   "output_shape": [sizes[letter] for letter in left]}
    if chance.random() < 0.7:
        made["bias_axes"] = "".join(letter for letter in left if letter == "z" or chance.random() < 0.3)
    return made


def _inner(name: str, **config: object) -> Plain:
    return configs.layer_config(name, {"name": f"inner_{name.lower()}", **config})


def _time_distributed(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    those = [_inner("Dense", units=3), _inner("LayerNormalization")]
    if rank == 4:
        those += [_inner("Conv1D", filters=2, kernel_size=2, padding="same"), _inner("SimpleRNN", units=2),
                  _inner("MaxPooling1D", pool_size=2, padding="same")]
    return {"layer": chance.choice(those)}


def _spectral(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    kind = {3: "Conv1D", 4: "Conv2D"}[rank]
    return {"layer": chance.choice([_inner("Dense", units=3), _inner(kind, filters=2, kernel_size=1)])}


def _bidirectional(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    inner = _inner(chance.choice(layer_tables.RECURRENT), units=2, return_sequences=chance.random() < 0.5)
    return {"layer": inner, "merge_mode": chance.choice(("concat", "sum", "mul", "ave", None))}


def _rnn(rank: int, shape: Sequence[Optional[int]], chance: random.Random) -> Plain:
    cells = [_inner(name, units=chance.choice((1, 3))) for name in chance.sample(layer_tables.CELLS, 2)]
    stacked = configs.layer_config("StackedRNNCells", {"cells": cells})
    return {"cell": chance.choice([cells[0], cells[1], stacked])}


_OF_SHAPE = {"Reshape": _reshape, "Permute": _permute, "EinsumDense": _einsum, "RNN": _rnn,
             "TimeDistributed": _time_distributed, "SpectralNormalization": _spectral,
             "Bidirectional": _bidirectional}
