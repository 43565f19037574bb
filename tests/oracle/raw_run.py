"""Raw ops against real TensorFlow, for developers:

    python tests/oracle/raw_run.py --oracle PYTHON [--ops MatMul,Conv2D | --family conv] [--cases 10]
            [--seed 1] [--jobs 2] [--words] [--most 5] [--only missed,wrong] [--one OP/NUMBER]

Prints the failures by op and verdict, each with what repeats it, then a table. See README.md.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import raw_differences  # noqa: E402
import raw_ours  # noqa: E402
from raw_cases import draw  # noqa: E402
from raw_judge import FAILS, VERDICTS, judge_eager, judge_graph, text_of  # noqa: E402
from rawspec import load  # noqa: E402

BATCH = 60  # variants in one request


class Server:
    """A TensorFlow process; see raw_server.py."""

    def __init__(self, python):
        environment = {k: x for k, x in os.environ.items() if k != "PYTHONPATH"}
        self._room = tempfile.TemporaryDirectory()  # some ops write files
        self._process = subprocess.Popen(
            [python, str(Path(__file__).resolve().with_name("raw_server.py"))], env=environment,
            cwd=self._room.name,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.version = self._read()["version"]

    def ask(self, **request):
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return self._read()

    def _read(self):
        line = self._process.stdout.readline()
        assert line, "the TensorFlow process ended with status %s" % self._process.wait()
        return json.loads(line)

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._room.cleanup()


def ask_all(python, variants, jobs, first=None):
    """TensorFlow's answers to all variants, from `jobs` processes."""
    answers = [None] * len(variants)
    chunks = [list(range(at, min(at + BATCH, len(variants)))) for at in range(0, len(variants), BATCH)]
    chunks.reverse()
    failed = []

    def work(server):
        try:
            server = server or Server(python)
            while chunks:
                try:
                    numbers = chunks.pop()
                except IndexError:
                    break
                got = server.ask(cases=[[variants[n]["case"], variants[n]["concrete"]] for n in numbers])
                for n, answer in zip(numbers, got):
                    answers[n] = answer
            server.close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(first if i == 0 else None,)) for i in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return answers


def run(python, ops=None, count=3, seed=1, jobs=2, numbers=None):
    """Every verdict: a list of {"op", "number", "variant", "mode", "verdict", "why", ...}."""
    server = Server(python)
    opdefs = server.ask(opdefs=True)
    specs = load()
    variants, undrawn = [], []
    for op in sorted(ops if ops is not None else opdefs):
        if op not in opdefs:
            continue
        for number in numbers if numbers is not None else range(count):
            drawn = draw(op, opdefs, seed, number)
            if drawn is None:
                undrawn.append(op)
                break
            start = len(variants)
            for i, variant in enumerate(drawn):
                variants.append({"op": op, "id": "%s/%d" % (op, number), "variant": i,
                                 "case": variant["case"], "base": start + variant["base"],
                                 "concrete": variant["base"] == i, "spec": op in specs})
    theirs = ask_all(python, variants, jobs, server)
    ours = [[None, None] for _ in variants]
    with raw_ours.mode("graph"):
        for i, variant in enumerate(variants):
            ours[i][0] = raw_ours.in_graph(variant["case"])
    with raw_ours.mode("eager"):
        for i, variant in enumerate(variants):
            if variant["concrete"]:
                ours[i][1] = raw_ours.eager(variant["case"])
    results = []
    for i, variant in enumerate(variants):
        truth = theirs[variant["base"]]["eager"]
        judged = [("graph", ours[i][0], theirs[i]["graph"],
                   judge_graph(ours[i][0], theirs[i]["graph"], truth, variant["concrete"],
                               bool(variant["case"]["do"])))]
        if variant["concrete"]:
            judged.append(("eager", ours[i][1], theirs[i]["eager"],
                           judge_eager(ours[i][1], theirs[i]["eager"], theirs[i]["graph"])))
        for which, mine, tfs, (verdict, why) in judged:
            result = {"op": variant["op"], "id": variant["id"], "variant": variant["variant"], "mode": which,
                      "case": variant["case"], "verdict": verdict, "why": why, "spec": variant["spec"],
                      "ours": mine, "theirs": tfs, "truth": truth if which == "graph" else None,
                      "concrete": variant["concrete"], "reason": None}
            if verdict in FAILS or verdict == "words":
                result["text"] = "%s | %s | %s" % (text_of(mine), text_of(tfs), text_of(truth))
                result["reason"] = raw_differences.explained(result)
            results.append(result)
    return results, undrawn


def counts(results):
    """{verdict: how many}; what raw_differences explains is "explained", no verdict is "none"."""
    found = collections.Counter()
    for result in results:
        verdict = result["verdict"]
        found["none" if verdict is None else "explained" if result["reason"] else verdict] += 1
    return found


def _arg(x):
    if isinstance(x, list):
        return "[%s]" % ", ".join(map(_arg, x))
    if not isinstance(x, dict):
        return repr(x)
    seen = ""
    if "as" in x:
        a = x["as"]
        seen = " seen as " + (a if a == "?" else str(a["elements"] if isinstance(a, dict) else a))
        seen = seen.replace("None", "?")
    if "node" in x:
        return "node%d[%d]" % (x["node"], x["index"])
    if "t" in x:
        return "%s%s%s" % (x["t"], x["shape"], seen)
    return "%s(%s)%s" % (x["v"], x["value"], seen)


def case_text(case):
    lines = ["node%d = %s(%s)" % (i, op, ", ".join("%s=%s" % (k, _arg(x)) for k, x in args.items()))
             for i, (op, args) in enumerate(case["nodes"])]
    if case["do"]:
        lines.append("run first: " + ", ".join("node%d" % n for n in case["do"]))
    lines.append("%s(%s)" % (case["op"], ", ".join("%s=%s" % (k, _arg(x)) for k, x in case["args"].items())))
    return lines


def show(result, seed, out=sys.stdout):
    print("  [%s, %s] %s  --seed %s --one %s  variant %d" % (
        result["verdict"], result["mode"], result["why"], seed, result["id"], result["variant"]), file=out)
    for line in case_text(result["case"]):
        print("      " + line, file=out)
    print("    ours   " + text_of(result["ours"]), file=out)
    print("    theirs " + text_of(result["theirs"]), file=out)
    if result["truth"] is not None and not (result["concrete"] and result["truth"] == result["theirs"]):
        print("    runs   " + text_of(result["truth"]), file=out)


def report(results, seed, words=False, most=5, only=None, out=sys.stdout):
    """Failures by op and verdict, then the table."""
    groups = collections.OrderedDict()
    for result in results:
        verdict = result["verdict"]
        if result["reason"] or not (verdict in FAILS or (words and verdict == "words")):
            continue
        if only and verdict not in only:
            continue
        groups.setdefault((result["op"], verdict), []).append(result)
    for (op, verdict), failures in groups.items():
        print("%s: %s, %d cases" % (op, verdict, len(failures)), file=out)
        for result in failures[:most]:
            show(result, seed, out)
    rows = [("op", "cases") + VERDICTS + ("explained", "no verdict")]
    by_op = collections.OrderedDict()
    for result in results:
        by_op.setdefault(result["op"], []).append(result)

    def row(name, some):
        found = counts(some)
        return (name, len(some)) + tuple(found[v] for v in VERDICTS) + (found["explained"], found["none"])

    for op, some in by_op.items():
        found = counts(some)
        if any(found[v] for v in FAILS) or len(by_op) <= 40:
            rows.append(row(op + ("" if some[0]["spec"] else " *"), some))
    rows.append(row("all", results))
    widths = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print("  ".join(str(x).ljust(w) if i == 0 else str(x).rjust(w)
                        for i, (x, w) in enumerate(zip(r, widths))), file=out)
    print("* without a spec: %d of %d ops" % (sum(not x[0]["spec"] for x in by_op.values()), len(by_op)),
          file=out)
    refused = collections.Counter(
        x["op"] for x in results if x["spec"] and x["variant"] == 0 and x["theirs"] and (
            "error" in x["theirs"] if x["mode"] == "graph" else
            "an argument fails" in x["theirs"].get("skip", "") and
            "eager execution" not in x["theirs"]["skip"]))
    if refused:
        print("specs whose valid case TensorFlow refuses: " + ", ".join(
            "%s (%d)" % item for item in refused.items()), file=out)
    judged = [op for op, some in by_op.items() if any(x["verdict"] for x in some)]
    print("no verdict at all: %s" % (", ".join(sorted(set(by_op) - set(judged))) or "none"), file=out)
    for name, key in (("we have no op", "no op"), ("TensorFlow died", "TensorFlow died")):
        found = sorted({x["op"] for x in results for answer in (x["ours"], x["theirs"])
                        if answer and answer.get("skip", "").startswith(key)})
        if found:
            print("%s: %d: %s" % (name, len(found), ", ".join(found)), file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--oracle", default=os.environ.get("SHAPEFLOW_ORACLE"),
                        help="a Python with TensorFlow 2.21")
    parser.add_argument("--ops", help="names, with commas")
    parser.add_argument("--family", help="names of spec files, with commas")
    parser.add_argument("--cases", type=int, default=10, help="for each op (each has about five variants)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--words", action="store_true", help="show differing messages too")
    parser.add_argument("--most", type=int, default=3, help="failures shown for an op and verdict")
    parser.add_argument("--only", help="verdicts shown, with commas")
    parser.add_argument("--one", help="OP/NUMBER: all variants of one case, whatever the verdict")
    parser.add_argument("--json", help="write all results to this file")
    options = parser.parse_args()
    if not options.oracle:
        parser.error("--oracle or $SHAPEFLOW_ORACLE is needed")
    ops, numbers = None, None
    if options.family:
        wanted = options.family.split(",")
        ops = [op for op, (_, family) in load().items() if family in wanted]
    if options.ops:
        ops = (ops or []) + options.ops.split(",")
    if options.one:
        op, _, number = options.one.partition("/")
        ops, numbers = [op], [int(number)]
    results, undrawn = run(options.oracle, ops, options.cases, options.seed, options.jobs, numbers)
    if options.one:
        for result in results:
            show(result, options.seed)
        return 0
    report(results, options.seed, options.words, options.most, options.only and options.only.split(","))
    if undrawn:
        print("not drawn (functions): %d: %s" % (len(undrawn), ", ".join(undrawn)))
    used = {result["reason"] for result in results if result["reason"]}
    if ops is None and options.cases >= 20:
        for key in sorted(set(raw_differences.DIFFERENCES) - used):
            print("raw_differences.py: never needed: %r" % (key,))
    if options.json:
        with open(options.json, "w") as f:
            json.dump(results, f)
    return 1 if any(r["verdict"] in FAILS and not r["reason"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
