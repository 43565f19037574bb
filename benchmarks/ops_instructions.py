"""Instructions of what a script does most, Python's loop included, by valgrind's callgrind: an op of a
graph, an eager op, a session.run once more, and the import.

    python benchmarks/ops_instructions.py                    compares with ops_instructions.json
    python benchmarks/ops_instructions.py --update           writes it anew
    python benchmarks/ops_instructions.py --profile "..."    where one of them spends its instructions

One process does each of them a few times, then more times; the difference is what one costs, so that
start-up and warm-up cancel. os.getppid() stands between the parts: callgrind writes a count whenever the
C library's getppid is entered. The same Python and compiler give the same counts. Others give others:
these are printed beside numpy's a + b of the same run, and not compared, which is said. Exit status 1:
something costs more than its margin allows.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTS = Path(__file__).with_name("ops_instructions.json")
FEW, MANY = 200, 1200
MARGIN = 0.03  # relative

# What is measured, as a script writes it.
CASES = {
    "numpy add": "np.add(x, y)",
    "graph add": "tf.add(a, a)",
    "graph relu": "tf.nn.relu(a)",
    "graph matmul": "tf.matmul(a, w)",
    "graph reshape to a tensor": "tf.reshape(a, shape)",
    "graph reshape to a list": "tf.reshape(a, [-1, 8, 8])",
    "graph a + b": "a + a",
    "graph constant": "tf.constant(1.0)",
    "eager add": "tf2.add(e, e)",
    "eager relu": "tf2.nn.relu(e)",
    "eager matmul": "tf2.matmul(e, v)",
    "eager reshape to a tensor": "tf2.reshape(e, shape)",
    "eager reshape to a list": "tf2.reshape(e, [-1, 8, 8])",
    "eager a + b": "e + e",
    "session.run, repeated": "session.run(fetches, feeds)",
    "python's loop": "pass",
}
GRAPH_OPS = ["graph add", "graph relu", "graph matmul", "graph reshape to a tensor"]
EAGER_OPS = [name.replace("graph", "eager") for name in GRAPH_OPS]

_PROGRAM = """
import os
import numpy as np
os.getppid()
import shapeflow as tf2
os.getppid()
tf = tf2.compat.v1
x, y = np.zeros([4, 64], np.float32), np.ones([4, 64], np.float32)
e, v = tf2.ones([4, 64]), tf2.ones([64, 64])

def placeholders():
    return tf.placeholder(tf.float32, [None, 64]), tf.placeholder(tf.float32, [64, 64])

with tf.Graph().as_default() as graph:
    a, w = placeholders()
    fetches, feeds = [tf.nn.relu(tf.matmul(a, w))], {{a: x, w: np.zeros([64, 64], np.float32)}}
session = tf.Session(graph=graph)

def measure(case):
    case(64)
    os.getppid()
    case({few})
    os.getppid()
    case({many})
    os.getppid()

{cases}
"""
_CASE = """
def case(n):
    for _ in range(n):
        {code}
"""
_EAGER = """
shape = tf2.constant([-1, 8, 8])
measure(case)
"""
_GRAPH = """
with tf.Graph().as_default():
    (a, w), shape = placeholders(), tf.constant([-1, 8, 8])
    measure(case)
"""


def program(cases):
    parts = [_CASE.format(code=code) + (_GRAPH if name.startswith("graph") else _EAGER)
             for name, code in cases.items()]
    return _PROGRAM.format(few=FEW, many=MANY, cases="".join(parts))


def dumps(cases, folder):
    """The files that callgrind wrote, in order."""
    environment = dict(os.environ, PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1")
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-before=getppid",
                    "--callgrind-out-file=%s/out" % folder, sys.executable, "-c", program(cases)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    numbered = [(int(path.suffix[1:]), path) for path in Path(folder).glob("out.*")]
    return [path for _, path in sorted(numbered)]


def measure():
    """{name: instructions}."""
    subprocess.run([sys.executable, "-c", "import shapeflow, numpy"], check=True)  # writes .pyc files
    with tempfile.TemporaryDirectory() as folder:
        totals = [int(re.search(r"^totals: (\d+)", path.read_text(), re.M)[1])
                  for path in dumps(CASES, folder)]
    # Start of the process, import, then for each case: what leads to it, few, many.
    counts = {"import shapeflow": totals[1]}
    for i, name in enumerate(CASES):
        few, many = totals[3 + 3 * i:5 + 3 * i]
        counts[name] = round((many - few) / (MANY - FEW))
    return counts


def own_costs(path):
    """{function: instructions, those of what it calls left out}, of a dump."""
    names, costs, function, inclusive = {}, {}, None, False
    for line in path.read_text().splitlines():
        named = re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line)
        if named:
            if named[2]:
                names[named[1]] = named[2]
            if line[0] == "f":
                function = named[1]
        elif line.startswith("calls="):
            inclusive = True  # the next line is about the callee
        elif re.match(r"[-+*\d]\S* \d+$", line):
            if not inclusive:
                costs[function] = costs.get(function, 0) + int(line.split()[1])
            inclusive = False
    return {names[key]: cost for key, cost in costs.items()}


def profile(name):
    with tempfile.TemporaryDirectory() as folder:
        costs = own_costs(dumps({name: CASES[name]}, folder)[4])
    for function, cost in sorted(costs.items(), key=lambda row: -row[1]):
        if cost >= MANY:
            print("%9.1f  %s" % (cost / MANY, function))


def made_with():
    """What the counts depend on."""
    import numpy

    from shapeflow import _core

    return {"python": sys.version, "compiler": _core.compiler(), "numpy": numpy.__version__}


def compare(counts, committed):
    """What is wrong, as lines."""
    wrong = ["%s: not measured" % name for name in committed if name not in counts]
    for name, count in counts.items():
        before = committed.get(name)
        if before is None:
            wrong.append("%s: %d instructions, not in %s" % (name, count, COUNTS.name))
        elif count > before * (1 + MARGIN):
            wrong.append("%s: %d instructions, was %d" % (name, count, before))
        elif count < before * (1 - MARGIN):
            print("%s: %d instructions, was %d: write the file anew (--update)" % (name, count, before))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--update", action="store_true", help="write %s anew" % COUNTS.name)
    parser.add_argument("--profile", metavar="NAME", choices=list(CASES), help="functions of one case")
    args = parser.parse_args()
    if args.profile:
        profile(args.profile)
        return
    counts = measure()
    for name, count in counts.items():
        print("%-28s %9d  %7.2f numpy adds" % (name, count, count / counts["numpy add"]))
    for title, names in (("graph op, mean", GRAPH_OPS), ("eager op, mean", EAGER_OPS)):
        mean = sum(counts[name] for name in names) / len(names)
        print("%-28s %9.0f  %7.2f numpy adds" % (title, mean, mean / counts["numpy add"]))
    here = made_with()
    if args.update:
        COUNTS.write_text(json.dumps({"made with": here, "counts": counts}, indent=1) + "\n")
        return
    committed = json.loads(COUNTS.read_text())
    other = [key for key in here if here[key] != committed["made with"].get(key)]
    if other:
        print("Not compared: the committed counts are of another %s (%s; here %s)." % (
            " and ".join(other), ", ".join(str(committed["made with"].get(key)) for key in other),
            ", ".join(here[key] for key in other)))
        return
    wrong = compare(counts, committed["counts"])
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
