"""How sharp the localisation of `shapeflow backends` is. Two processes of one framework run generated models;
in one of them a bug is planted (planted_bugs.py), in a layer that each of the models has.

    python benchmarks/planted_backends.py --models 5 [--backend torch] [--python PATH] [--bugs padding,slope]
        [--length 4]

prints for each bug in how many models its layer and phase are named, which other layers are, and which
(layer, parameter) pairs (Audee names 1.15 to 3.2); and, for numbers of the forward phase, how many layers
the rate of change marks in the same models, and how many of those are wrong (CRADLE: 10.9 to 23.8 %). The
numbers that were seen stand in docs/backends.md.
"""
import argparse
import os
import random
import sys
import tempfile

import numpy as np

from shapeflow.backends import comparing, configs, job, layer_tables, models, process
from shapeflow.backends.coverage import Coverage
from shapeflow.backends.engine import Engine
from shapeflow.backends.generator import Generator, Stuck

# Bug: its layer, the kind and phase of the finding, values that the layer must have, and the parameter that
# is to blame, where there is one.
ANY = {}
BUGS = {
    "padding": ("AveragePooling2D", "inconsistent", "forward", {"padding": "same"}, "padding"),
    "epsilon": ("BatchNormalization", "inconsistent", "forward", ANY, None),
    "transposed": ("SimpleRNN", "inconsistent", "forward", {"units": 3}, None),
    "strides": ("Conv2D", "inconsistent", "forward", {"strides": 2}, "strides"),
    "bilinear": ("UpSampling2D", "inconsistent", "forward", {"interpolation": "bilinear"}, "interpolation"),
    "axis": ("Softmax", "inconsistent", "forward", {"axis": 1}, "axis"),
    "backwards": ("GRU", "inconsistent", "forward", {"go_backwards": True}, "go_backwards"),
    "activation": ("Dense", "inconsistent", "forward", {"activation": "tanh"}, "activation"),
    "order": ("Subtract", "inconsistent", "forward", ANY, None),
    "nan": ("GlobalMaxPooling2D", "nan", "forward", ANY, None),
    "mask": ("Embedding", "raises", "forward", {"mask_zero": True}, "mask_zero"),
    "crash": ("Permute", "crash", "forward", ANY, None),
    "shape": ("RepeatVector", "shape", "forward", ANY, None),
    "delta": ("loss", "inconsistent", "loss", ANY, None),
    "slope": ("LeakyReLU", "inconsistent", "backward", ANY, None),
    "no gradient": ("ZeroPadding1D", "inconsistent", "backward", ANY, None),
}
LOSS = "Huber"  # the one that has a bug
OTHERS = 7  # kinds of layers that a model may have beside the one with the bug
HOLDERS = {"RNN", *layer_tables.WRAPPERS}  # another layer with the bug may be in them


def model_with(known, infer, bug, seed, length):
    """(config, names of the layers that have the bug)."""
    kind, _, _, wanted, _ = BUGS[bug]
    while True:
        chance = random.Random(seed)
        names = chance.sample(sorted(set(known) - HOLDERS - {kind}), OTHERS)
        some = {name: known[name] for name in names}
        if kind in known:
            values = {**known[kind].values, **{name: [value] for name, value in wanted.items()}}
            values.pop("dtype")  # half precision may hide the bug
            some[kind] = layer_tables.Layer(values, [*known[kind].required, *wanted])
        try:
            config = Generator(some, infer, Coverage()).model(seed, length)
        except Stuck:
            config = None
        if config is not None:
            having = [row["name"] for row in configs.layers_of(config) if row["class_name"] == kind
                      and all(row["config"].get(name) == value for name, value in wanted.items())]
            if having or kind == "loss":
                return config, having or [LOSS]
        seed += 1000


def unfit(bug, having, case, right, document):
    """Why the bug cannot show in this model; "" where it can."""
    if right in document["refused"]:  # without the bug
        return document["refused"][right]
    if bug == "order":
        with np.load(os.path.join(case.folder, comparing.file_of(right))) as data:
            if not any(np.any(data[f"f/{name}/0"]) for name in having):
                return "equal tensors are subtracted: 0 either way"
    return ""


def findings_of(runner, engine, config, number, bug, having):
    """(the document of the comparison, its findings, reduced, and why the model is unfit for the bug)."""
    with tempfile.TemporaryDirectory(prefix="shapeflow-model-") as folder:
        case = models.Case(folder, config, f"model {number}")
        case.loss = LOSS
        case.inputs = models.draw_inputs(config, number)
        case.write()
        shapes = engine.shapes(folder)
        case.weights = models.draw_weights(shapes["weights"], number)
        case.labels = models.draw_labels(shapes["ends"], len(case.inputs[0]), number)
        case.write_numbers()
        document = runner.compare(case)
        words = unfit(bug, having, case, runner.fleet.there[0].label, document)
        return document, [runner.kept(case, finding, document)["finding"]
                          for finding in document["findings"]], words


class Score:
    """Sums over models."""

    def __init__(self):
        self.models = self.found = self.silent = self.others = 0  # layers that are named and have no bug
        self.pairs = self.right_pairs = self.wanted_pairs = 0
        self.marked_in = self.marked = self.wrong = self.missed = 0  # by the rate of change

    def add(self, bug, having, document, findings):
        _, kind, phase, _, parameter = BUGS[bug]
        right = [row for row in findings if row["layer"] in having
                 and (row["kind"], row["phase"]) == (kind, phase)]
        self.models += 1
        self.found += bool(right)
        self.silent += not findings
        self.others += len({row["layer"] for row in findings} - {*having})
        named = [pair.partition("=")[0] for row in right for pair in row["blame"]]
        self.pairs += len(named)
        self.right_pairs += named.count(parameter)
        self.wanted_pairs += len(right) if parameter else 0
        if right and (kind, phase) == ("inconsistent", "forward"):
            high = {key.partition("#")[0] for chart in document["maps"].values()
                    for key, row in chart.items() if row["high"]}
            self.marked_in += 1
            self.marked += len(high)
            self.wrong += len(high - {*having})
            self.missed += not high & {*having}

    def __iadd__(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def words(self):
        told = (f"{self.found} of {self.models} found, {self.silent} silent, {self.others} other layers "
                f"named; {self.pairs} pairs, {self.right_pairs} right of {self.wanted_pairs}")
        if self.marked_in:
            told += (f"; rate of change in {self.marked_in}: {self.marked} marked, {self.wrong} wrong, "
                     f"{self.missed} without the layer")
        return told


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=5, help="for each bug")
    parser.add_argument("--backend", default="torch", choices=process.WITH_GRADIENTS)
    parser.add_argument("--python", default=sys.executable, help="the Python of the backend")
    parser.add_argument("--bugs", default=",".join(BUGS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--length", type=int, default=8, help="of a model, as the generator takes it")
    arguments = parser.parse_args()
    total = Score()
    with tempfile.TemporaryDirectory(prefix="shapeflow-planted-") as folder:
        os.environ["PLANTED_BUG"] = switch = os.path.join(folder, "bug")
        with open(switch, "w", encoding="utf-8") as stream:
            stream.write("none")
        # JAX compiles each operation of a new shape: its second process reads what the first one made.
        os.environ.update(JAX_COMPILATION_CACHE_DIR=os.path.join(folder, "compiled"),
                          JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
                          JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1")
        labels = [arguments.backend, arguments.backend + ":planted"]
        bugs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "planted_bugs.py")
        engine = Engine()
        signatures = engine.signatures()
        known, _ = layer_tables.of_signatures(signatures)
        defaults = {name: {row[0]: row[1] for row in rows} for name, rows in signatures.items()}
        with process.Fleet(labels, {arguments.backend: arguments.python}, firsts={labels[1]: bugs}) as fleet:
            if len(fleet.start()) < 2:
                raise SystemExit("; ".join(fleet.notes))
            runner = job.Runner(fleet, comparing.Settings(patience=2), defaults, False)
            for bug in arguments.bugs.split(","):
                score = Score()
                with open(switch, "w", encoding="utf-8") as stream:
                    stream.write(bug)
                for number in range(arguments.seed, arguments.seed + arguments.models):
                    seed = number
                    while True:
                        config, having = model_with(known, engine.infer, bug, seed, arguments.length)
                        document, findings, words = findings_of(runner, engine, config, number, bug, having)
                        if not words:
                            break
                        print(f"  model {number} is not taken but another: {words}")
                        seed += 500
                    score.add(bug, having, document, findings)
                    for row in findings:
                        if row["layer"] not in having:
                            print(f"  model {number}: {row['message']}")
                print(f"{bug:<12}{BUGS[bug][0]:<20}{score.words()}", flush=True)
                total += score
        engine.close()
    print(f"{'all':<32}{total.words()}")


if __name__ == "__main__":
    main()
