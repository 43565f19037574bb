"""Backends against each other, beside what the papers report: a fixed campaign of `shapeflow backends
generate`.

    python benchmarks/backends.py --models 50 [--backends tensorflow,jax] [--python jax=PATH ...] [--results
    FOLDER]

prints valid models of all generated (Muffin counts some that frameworks refuse), models a minute, layers,
values of parameters and phases reached, and how many parameters are named for a difference (Audee: 1.15 to
3.2). The numbers that were seen stand in docs/backends.md.
"""
import argparse
import json
import subprocess
import sys
import tempfile


def campaign(models, results, options):
    command = [sys.executable, "-m", "shapeflow", "backends", "generate", "--json", "--models", str(models),
               "--results", results, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return json.loads(done.stdout)


def table(summary):
    counts = summary["models"]
    generated = sum(number for status, number in counts.items() if status != "stuck")
    new = [finding for finding in summary["findings"] if "known" not in finding]
    named = [len(finding.get("blame", ())) for finding in new]
    yield "models generated", generated
    yield "of them valid on Keras", f"{counts.get('ok', 0) / max(1, generated):.1%}"
    yield "models a minute", f"{60 * sum(counts.values()) / max(1e-9, summary['seconds']):.1f}"
    yield "layers reached", "{} of {}".format(*summary["layers"])
    yield "values of parameters", summary["parameters"]
    yield "(layer, value, phase) reached", "{} of {}".format(*summary["cells"])
    yield "distinct differences", len(new)
    yield "known ones", len(summary["findings"]) - len(new)
    yield "parameters named for a difference", f"{sum(named) / len(named):.2f}" if named else "-"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--results")
    arguments, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        summary = campaign(arguments.models, arguments.results or folder, options)
    for name, value in table(summary):
        print(f"{name:<36}{value}")


if __name__ == "__main__":
    main()
