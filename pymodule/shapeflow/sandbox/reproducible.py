"""Two checks of one script see the same numbers: seeds of random and numpy where the script sets none.

Hash seeds are the interpreter's: the command starts itself again with PYTHONHASHSEED=0 (cli.py). What a
script seeds itself is as it says.
"""
from __future__ import annotations

from shapeflow.checker.import_hook import act_on
from shapeflow.checker.patches import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict

    from shapeflow.checker.import_hook import Act
    from shapeflow.checker.patches import Patcher

SEED = 0


def _seed_random(module: ModuleType, by: Patcher) -> None:
    """The module's own generator, and each `random.Random()` without a seed, which would ask the system."""
    names = module.__dict__
    given, count = names["Random"].seed, [SEED]

    def seed(self: Any, a: Any = None, version: int = 2) -> None:
        if a is None:
            count[0] += 1
            a = count[0]
        given(self, a, version)

    by.set(names["Random"], "seed", seed)
    by.set(module, "seed", names["_inst"].seed)
    names["seed"](SEED)


def _seed_numpy(module: ModuleType, by: Patcher) -> None:
    module.seed(SEED)


def _fix_entropy(module: ModuleType, by: Patcher) -> None:
    """numpy.random.default_rng() without a seed asks `secrets` for one, through this name."""
    if hasattr(module, "randbits"):
        count = [SEED]

        def randbits(bits: int) -> int:
            count[0] += 1
            return count[0] * 0x9E3779B97F4A7C15 % (1 << bits)

        by.set(module, "randbits", randbits)


_WANTED: Dict[str, Act] = {
    "random": _seed_random, "numpy.random": _seed_numpy, "numpy.random.bit_generator": _fix_entropy,
}


def start() -> None:
    """From now on. Modules that are already there are seeded at once."""
    act_on(PROCESS.by("sandbox.reproducible", "two checks see the same numbers"), _WANTED)
