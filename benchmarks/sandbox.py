#!/usr/bin/env python3
"""What the sandbox costs a check: the same script with it and without, in turn.

    python benchmarks/sandbox.py [--runs N] [--layer namespaces|landlock|audit]

Of the whole command: seconds (the least and the median of N runs each), processor time of all its processes
(the least: other work on the machine changes it little), and memory of all its processes together while the
script is running (PSS: pages that they share count once), after two seconds. Memory of files, mostly the
interpreter's, is shown by itself: their share falls when other Pythons run on the machine. `python -m
shapeflow` is run with PYTHONHASHSEED: without it the interpreter is started a second time, which is shown
by itself. So is the command `shapeflow`, a shell script that sets it, where it is installed beside this
Python. Modules are read as an installed package's are, compiled. Only in a sandbox are loops left early; so
that both do the same, all run every turn, but for a last row.
"""
from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = """import tensorflow as tf
x = tf.ones([32, 784])
w = tf.Variable(tf.zeros([784, 10]))
for _ in range(100):
    y = tf.nn.softmax(tf.matmul(x, w))
"""
ASLEEP = SCRIPT + "import time\ntime.sleep(3)\n"


def environment(layer: str | None, seed: bool, compiled: str) -> dict[str, str]:
    unwanted = ("PYTHONHASHSEED", "SHAPEFLOW_SANDBOX", "PYTHONDONTWRITEBYTECODE")
    found = {k: v for k, v in os.environ.items() if k not in unwanted}
    found["PYTHONPYCACHEPREFIX"] = compiled
    if layer:
        found["SHAPEFLOW_SANDBOX"] = layer
    if seed:
        found["PYTHONHASHSEED"] = "0"
    return found


MODULE = [sys.executable, "-m", "shapeflow"]


def command(start: list[str], script: Path, *options: str) -> list[str]:
    return [*start, "check", "-q", "--no-cache", *options, str(script)]


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(script: Path, start: list[str], options: tuple[str, ...],
            variables: dict[str, str]) -> tuple[float, float]:
    """(passed, of processors)"""
    used, began = processor_time(), time.perf_counter()
    done = subprocess.run(command(start, script, *options), env=variables, capture_output=True, text=True)
    took = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{options}: exit status {done.returncode}\n{done.stderr}")
    return took, processor_time() - used


def family(pid: int) -> list[int]:
    found = [pid]
    for known in found:
        for task in Path(f"/proc/{known}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def memory(script: Path, start: list[str], options: tuple[str, ...],
           variables: dict[str, str]) -> tuple[float, float]:
    """MiB of all processes while the script sleeps: their own, and of files."""
    child = subprocess.Popen(command(start, script, *options), env=variables, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(2.0)
    total = {"Pss:": 0.0, "Pss_File:": 0.0}
    for pid in family(child.pid):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            name, *rest = line.split()
            if name in total:
                total[name] += int(rest[0]) / 1024
    child.wait()
    return total["Pss:"] - total["Pss_File:"], total["Pss_File:"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--layer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script, asleep = Path(folder, "script.py"), Path(folder, "asleep.py")
        script.write_text(SCRIPT)
        asleep.write_text(ASLEEP)
        unseeded = environment(given.layer, False, folder)
        seeded, whole = environment(given.layer, True, folder), ("--every-batch",)
        ways = {"without": (MODULE, ("--no-sandbox",), environment(None, True, folder)),
                "with": (MODULE, whole, seeded),
                "with, no PYTHONHASHSEED": (MODULE, whole, unseeded)}
        installed = Path(sys.executable).with_name("shapeflow")
        if installed.exists():
            ways["with, as `shapeflow`"] = ([str(installed)], whole, unseeded)
        ways["with, loops watched"] = (MODULE, (), seeded)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for way in ways.values():
            seconds(script, *way)
        for _ in range(given.runs):
            for name, way in ways.items():
                times[name].append(seconds(script, *way))
        base = times["without"]
        sizes = {name: memory(asleep, *way) for name, way in ways.items()}
        plain = sizes["without"]
        for name in ways:
            passed = [took for took, _ in times[name]]
            extra = statistics.median(a - b for (a, _), (b, _) in zip(times[name], base))
            used, least = min(used for _, used in times[name]), min(used for _, used in base)
            own, files = sizes[name]
            middle = statistics.median(passed)
            print(f"{name:<24} least {min(passed) * 1e3:5.1f} ms  median {middle * 1e3:5.1f}"
                  f"  in pairs {extra * 1e3:+5.1f}"
                  f"  processors {used * 1e3:5.1f} ({(used - least) * 1e3:+5.1f})"
                  f"  memory {own:4.1f} MiB ({own - plain[0]:+.1f}) and {files:.1f} of files")


if __name__ == "__main__":
    main()
