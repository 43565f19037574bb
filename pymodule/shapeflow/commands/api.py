"""`shapeflow api [NAMESPACE]`: TensorFlow's public names, and which of them are modelled."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, Option, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Sequence, Tuple

    Row = Tuple[str, str, bool]

_VERSIONS = ("0.12", "1.8", "1.15", "2.21")  # those of api/*.txt
_KINDS = {"c": "class", "f": "function", "v": "constant", "o": "other", "x": "other"}

COMMAND = Command(
    "api", "TensorFlow's public names: which are modelled", [
        Option("--tf", "text", "whose names: 0.12, 1.8, 1.15 or 2.21 (default)", choices=_VERSIONS,
               default="2.21"),
        Option("--json", help="every name with its kind, as one JSON document"),
        Option("--unmodelled", help="only names that are not modelled"),
    ], ("NAMESPACE", "?", "list what lies below it, such as tf.nn (default: a count for each)"),
    "shapeflow api [--tf VERSION] [--json] [--unmodelled] [NAMESPACE]")


def rows(tf: str, below: str = "tf") -> List[Row]:
    """(name, kind, is it modelled) of every public name of one TensorFlow that is no namespace and is below
    that one. What no list of ours has may be another name of what one has, a message or a constant: it is
    asked for."""
    from shapeflow import _core
    from shapeflow.api import index, names, namespace, snapshot, unmodelled_names
    from shapeflow.tensorflow.compat import version_detection

    version = 2 if tf.startswith("2") else 1
    version_detection.activate(tf, "graph" if version == 1 else "eager")
    ours = set(index.of(version)) | set(_core.api_names(version))
    raw = set(_core.raw_op_names())
    found = []
    major, _, minor = tf.partition(".")
    for name, entry in snapshot.of((int(major), int(minor))).public_names():
        if name != below and not name.startswith(below + "."):
            continue
        known = name in ours or name.startswith("tf.raw_ops.") and name[11:] in raw or \
            version == 2 and names.is_of_keras(name) or \
            not unmodelled_names.is_unknown(namespace.resolve(name, version))  # Keras is the user's
        found.append((name, _KINDS[entry.kind], known))
    return sorted(found)


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    below = arguments.paths[0].rstrip(".") if arguments.paths else "tf"
    if not below.startswith("tf"):
        below = "tf." + below
    found = rows(arguments.tf, below)
    if not found:
        print(f"shapeflow: TensorFlow {arguments.tf} has no {below}", file=sys.stderr)
        return 2
    shown = [row for row in found if not (arguments.unmodelled and row[2])]
    if arguments.json:
        import json

        print(json.dumps({"version": 1, "tensorflow": arguments.tf, "names": [
            {"name": name, "kind": kind, "modelled": known} for name, kind, known in shown]}, indent=1))
        return 0
    if arguments.paths or arguments.unmodelled:
        for name, kind, known in shown:
            print(f"{name:<60} {kind:<9}{'' if known else 'unmodelled'}".rstrip())
    else:
        _table(found)
    modelled = sum(row[2] for row in found)
    print(f"\n{below} of TensorFlow {arguments.tf}: {len(found)} names, {modelled} modelled "
          f"({100.0 * modelled / len(found):.0f} %). What is not is unknown, with one note each.")
    return 0


def _table(found: Sequence[Row]) -> None:
    spaces: Dict[str, List[int]] = {}
    for name, _, known in found:
        parts = name.split(".")
        counts = spaces.setdefault(".".join(parts[:2]) if len(parts) > 2 else "tf", [0, 0])
        counts[0] += 1
        counts[1] += known
    print(f"{'namespace':<32}{'names':>8}{'modelled':>10}")
    for space, (count, modelled) in sorted(spaces.items()):
        print(f"{space:<32}{count:>8}{modelled:>10}")
