"""Soundness of intervals: random graphs on real TensorFlow, none of whose elements may lie outside.

python tests/oracle/numeric_run.py --oracle PYTHON --graphs 25000 --runs 4 --seed 1
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numeric_graphs

_BATCH = 100


class Server:
    """Real TensorFlow, in a process of its own."""

    def __init__(self, python):
        environment = {k: x for k, x in os.environ.items() if k != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [python, str(Path(__file__).resolve().with_name("numeric_server.py"))], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.version = json.loads(self._process.stdout.readline())["version"]

    def send(self, graphs, runs):
        print(json.dumps({"graphs": graphs, "runs": runs}), file=self._process.stdin, flush=True)

    def receive(self):
        line = self._process.stdout.readline()
        assert line, "the TensorFlow process ended with status %s" % self._process.wait()
        return json.loads(line)

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)


def is_trivial(claim, dtype):
    lo, hi, flags = claim
    return flags & 7 == 7 and lo <= -dtype and hi >= dtype


def search(python, graphs, runs, seed, steps=10, progress=None):
    """{violations, operations, refused, known: op -> [claims, of which say something]}."""
    server = Server(python)
    total = {"violations": [], "operations": 0, "refused": {}, "known": {}}
    waiting = 0

    def take():
        answer = server.receive()
        total["violations"] += answer["violations"]
        total["operations"] += answer["operations"]
        total["refused"].update(answer["refused"])

    try:
        for start in range(seed, seed + graphs, _BATCH):
            drawn = [numeric_graphs.draw(k, steps) for k in range(start, min(start + _BATCH, seed + graphs))]
            for graph in drawn:
                for item in graph["items"]:
                    if "op" in item:
                        count = total["known"].setdefault(item["op"], [0, 0])
                        count[0] += 1
                        count[1] += not is_trivial(item["claims"][0], 60000.0)
            server.send(drawn, runs)
            waiting += 1
            if waiting > 1:
                take()
                waiting -= 1
            if progress is not None:
                progress(start + len(drawn) - seed, total)
        for _ in range(waiting):
            take()
    finally:
        server.close()
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", default=os.environ.get("SHAPEFLOW_ORACLE"),
                        help="a Python with TensorFlow")
    parser.add_argument("--graphs", type=int, default=25000)
    parser.add_argument("--runs", type=int, default=4, help="of each graph, on other content")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--one", type=int, help="the graph of this seed alone, printed")
    given = parser.parse_args()
    if given.one is not None:
        for k, item in enumerate(numeric_graphs.draw(given.one, given.steps)["items"]):
            print(k, item)
        given.seed, given.graphs = given.one, 1

    def progress(done, total):
        print(f"\r{done} graphs, {len(total['violations'])} outside", end="", file=sys.stderr)

    total = search(given.oracle, given.graphs, given.runs, given.seed, given.steps, progress)
    print(file=sys.stderr)
    seen = {}
    for v in total["violations"]:
        seen.setdefault((v["op"], v["dtype"]), []).append(v)
    for (op, dtype), those in sorted(seen.items()):
        print(f"{op} {dtype}: {len(those)}")
        for v in those[:3]:
            print(f"  seed {v['seed']} run {v['run']}: {v['value']} is not in {v['claim']}; {v['inputs']}")
    known = total["known"]
    said = sum(1 for count in known.values() if count[1])
    print(f"{given.graphs * given.runs} runs, {total['operations']} operations of {len(known)} kinds "
          f"({said} with bounds): {len(total['violations'])} graphs with an element outside")
    print("never bounded:", *sorted(op for op, count in known.items() if not count[1]))
    print("refused:", json.dumps(total["refused"]))
    return int(bool(total["violations"]))


if __name__ == "__main__":
    sys.exit(main())
