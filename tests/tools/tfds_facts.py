"""Writes what the examples of tensorflow_datasets' data sets consist of, as its own metadata say.

python tests/tools/tfds_facts.py PYTHON [FILE]

PYTHON has tensorflow_datasets and TensorFlow. FILE is pymodule/shapeflow/api/known_data_sets.txt if none is
given; how to read it is told there. Nothing is fetched. Data sets with parts that are data sets, or ragged,
are left out, as are those whose metadata need a download or a further package, and what is longer than
LONGEST. Of a data set of more than 60 configurations the first one is told.
"""
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).parents[2] / "pymodule" / "shapeflow" / "api" / "known_data_sets.txt"
LONGEST = 1200  # of a row: beyond that are tables of hundreds of columns, and robots
HEAD = """\
# What the examples of tensorflow_datasets {version} consist of, made by tests/tools/tfds_facts.py. A line:
# the name ("*": its configurations that have no line are like it), the features of a supervised pair, and all
# features: dtype, dims in brackets ("?": any), the classes of a label behind "/".
"""
# Runs in PYTHON: a line of the table for each data set on standard output.
PROGRAM = r"""
import json, socket, sys
def refuse(*args, **kwargs): raise OSError("nothing is fetched")
socket.socket.connect = refuse
import tensorflow as tf
import tensorflow_datasets as tfds
MOST = 60

def leaf(spec, feature):
    if type(spec) is not tf.TensorSpec:
        raise TypeError(spec)
    dims = "" if spec.shape.rank == 0 else "[%s]" % ",".join("?" if d is None else str(d) for d in spec.shape)
    if spec.shape.rank is None:
        raise TypeError(spec)
    classes = getattr(feature, "num_classes", None) if spec.shape.rank == 0 else None
    return spec.dtype.name + dims + ("/%d" % classes if classes else "")

def said(specs, feature):
    if isinstance(specs, dict):
        of = dict(feature.items()) if hasattr(feature, "items") else {}
        return {name: said(spec, of.get(name)) for name, spec in sorted(specs.items())}
    return leaf(specs, feature)

def row(name, config):
    builder = tfds.builder(name if config is None else name + "/" + config, data_dir="/nonexistent")
    features = builder.info.features
    pair = builder.info.supervised_keys
    if pair is not None and not all(isinstance(one, str) for one in pair):
        pair = None
    return ",".join(pair or ()), json.dumps(said(features.get_tensor_spec(), features), separators=(",", ":"))

print(tfds.__version__)
for name in tfds.list_builders(with_community_datasets=False):
    try:
        configs = [one.name for one in tfds.builder_cls(name).BUILDER_CONFIGS] or [None]
        first = row(name, configs[0])
        others = {}
        alike = len(configs) <= MOST
        for config in configs[1:] if alike else ():
            try:
                others[config] = row(name, config)
            except Exception:
                alike = False
    except Exception as error:
        sys.stderr.write("%s: %s\n" % (name, str(error)[:100].replace("\n", " ")))
        continue
    if sum(one != first for one in others.values()) > 16:
        alike, others = False, {}
    star = "*" if alike and len(configs) > 1 else ""
    print("\t".join((name + star, *first)))
    if configs[0] is not None and not star:
        print("\t".join((name + "/" + str(configs[0]), *first)))
    for config, one in others.items():
        if one != first or not alike:
            print("\t".join((name + "/" + config, *one)))
"""


def main(python: str, file: str = "") -> int:
    made = subprocess.run([python, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, check=True)
    version, *rows = made.stdout.splitlines()
    path = Path(file) if file else TABLE
    rows = sorted(row for row in rows if len(row) <= LONGEST)
    path.write_text(HEAD.format(version=version) + "".join(row + "\n" for row in rows))
    print("%s: %d data sets" % (path, len(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
