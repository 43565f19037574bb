#!/usr/bin/env python3
"""What the sandbox costs a check: the same script with it and without, in turn.

    python benchmarks/sandbox.py [--runs N] [--layer namespaces|landlock|audit]

Seconds of the whole command (the least and the median of N runs each), and the memory of all its processes
together (PSS: pages that they share count once) while the script is running. PYTHONHASHSEED is set for both:
without it the sandboxed command starts the interpreter a second time, which is shown by itself.
"""
from __future__ import annotations

import argparse
import os
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


def environment(layer: str | None, seed: bool) -> dict[str, str]:
    found = {k: v for k, v in os.environ.items() if k not in ("PYTHONHASHSEED", "SHAPEFLOW_SANDBOX")}
    if layer:
        found["SHAPEFLOW_SANDBOX"] = layer
    if seed:
        found["PYTHONHASHSEED"] = "0"
    return found


def command(script: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "shapeflow", "check", "-q", "--no-cache", *options, str(script)]


def seconds(script: Path, options: tuple[str, ...], variables: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(command(script, *options), env=variables, capture_output=True, text=True)
    took = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{options}: exit status {done.returncode}\n{done.stderr}")
    return took


def family(pid: int) -> list[int]:
    found = [pid]
    for known in found:
        for task in Path(f"/proc/{known}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def memory(script: Path, options: tuple[str, ...], variables: dict[str, str]) -> int:
    """Bytes of all processes while the script sleeps."""
    child = subprocess.Popen(command(script, *options), env=variables, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(2.0)
    total = 0
    for pid in family(child.pid):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) << 10
    child.wait()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--layer")
    given = parser.parse_args()
    ways = {"without": (("--no-sandbox",), environment(None, True)),
            "with": ((), environment(given.layer, True)),
            "with, no PYTHONHASHSEED": ((), environment(given.layer, False))}
    with tempfile.TemporaryDirectory() as folder:
        script, asleep = Path(folder, "script.py"), Path(folder, "asleep.py")
        script.write_text(SCRIPT)
        asleep.write_text(ASLEEP)
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(given.runs):
            for name, way in ways.items():
                times[name].append(seconds(script, *way))
        base = times["without"]
        for name, way in ways.items():
            took, used = times[name], memory(asleep, *way)
            if name == "without":
                plain = used
            extra = statistics.median(a - b for a, b in zip(took, base))
            middle = statistics.median(took)
            print(f"{name:<26} least {min(took) * 1e3:6.1f} ms  median {middle * 1e3:6.1f} ms  in pairs "
                  f"{extra * 1e3:+5.1f} ms  memory {used / 2**20:5.1f} MiB ({(used - plain) / 2**20:+.1f})")


if __name__ == "__main__":
    main()
