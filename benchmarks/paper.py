#!/usr/bin/env python3
"""The paper's programs, checked: expected, found, blamed line, seconds, against real TensorFlow.

    benchmarks/paper.py --programs DIR [--tensorflow PYTHON] [--only TEXT] [--celeba N]
                        [--every-batch --time-limit SECONDS]
    benchmarks/paper.py --programs DIR --fixes SECONDS    the buggy ones: line, origin, tried fix

DIR holds checkouts of the two public collections (ForeverZyh/TensorFlow-Program-Bugs and
vsahil/Static-Analyser_ML), in any sub-folders; nothing of them is kept here. Each program is copied
to a scratch folder with the data sets that the collections lack (synthetic, of the real sizes) and
run by `shapeflow check`; with --tensorflow also under that interpreter's TensorFlow, as it is when
that is TensorFlow 1, through tf.compat.v1 otherwise, where it can run there. What is expected of
each program is in paper_programs.json: facts, seen under TensorFlow 1.8.0 on Python 3.6.
"""
from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent


# --- data sets that the collections lack -------------------------------------------------------
def write_mnist(folder: Path, compress: bool = True) -> None:
    """The four idx files of MNIST, of the real sizes, black images and labels 0..9 in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    for prefix, count in (("train", 60000), ("t10k", 10000)):
        images = struct.pack(">IIII", 2051, count, 28, 28) + bytes(count * 784)
        labels = struct.pack(">II", 2049, count) + bytes(i % 10 for i in range(count))
        for name, body in ((f"{prefix}-images-idx3-ubyte", images),
                           (f"{prefix}-labels-idx1-ubyte", labels)):
            if compress:
                (folder / (name + ".gz")).write_bytes(gzip.compress(body, 1))
            else:
                (folder / name).write_bytes(body)


def png(width: int, height: int) -> bytes:
    """A black RGB image, small on disk."""
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = zlib.compress((b"\0" + bytes(3 * width)) * height, 9)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def write_images(folder: Path, count: int) -> None:
    """`count` images of CelebA's size (178 x 218), under its names."""
    folder.mkdir(parents=True, exist_ok=True)
    body = png(178, 218)
    for i in range(1, count + 1):
        (folder / f"{i:06d}.jpg").write_bytes(body)


def prepare(folder: Path, data: Dict[str, Any], celeba: int) -> None:
    """Puts the data sets that one program wants below its working folder."""
    for kind, place in data.items():
        target = folder / place
        if kind == "mnist_gz":
            write_mnist(target)
        elif kind == "mnist_raw":
            write_mnist(target, compress=False)
        elif kind == "celeba":
            write_images(target, celeba)
        else:
            raise ValueError(f"unknown data set {kind!r}")


# --- one program ------------------------------------------------------------------------------
def find_program(root: Path, suffix: str) -> Optional[Path]:
    """The file whose path below `root` ends with `suffix`."""
    for path in root.rglob(Path(suffix).name):
        if path.as_posix().endswith("/" + suffix):
            return path
    return None


def run_shapeflow(python: str, folder: Path, entry: Dict[str, Any], limit: float,
                  *options: str) -> Dict[str, Any]:
    command = [python, "-m", "shapeflow", "check", "--format", "json", "--time-limit", str(limit),
               "--no-suggestions", "--no-cache", *options]
    if entry.get("version"):
        command += ["--tf-version", entry["version"]]
    command += [entry["script"]]
    if entry.get("args"):
        command += ["--", *entry["args"]]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    try:
        report = json.loads(done.stdout)
        report.update(report.pop("scripts")[0])
    except json.JSONDecodeError:
        report = {"findings": [], "ended": "no report: " + done.stderr[-400:]}
    report.update(seconds=seconds, status=done.returncode, stderr=done.stderr)
    return report


_REAL = """
import sys, types, runpy
try:
    import tensorflow as real
    if not real.__version__.startswith("1."):
        v1 = real.compat.v1
        v1.disable_v2_behavior()
        v1.__version__ = {version!r}
        sys.modules["tensorflow"] = v1
except ImportError:
    raise SystemExit(99)
sys.argv = [{script!r}] + {args!r}
sys.path.insert(0, "")
runpy.run_path({script!r}, run_name="__main__")
"""


def run_real(python: str, folder: Path, entry: Dict[str, Any], limit: float) -> Dict[str, Any]:
    """The same program under real TensorFlow; its own failure to import something is said so."""
    program = _REAL.format(script=entry["script"], args=entry.get("args", []),
                           version=entry.get("version") or "1.8.0")
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    started = time.perf_counter()
    try:
        done = subprocess.run([python, "-c", program], cwd=folder, capture_output=True, text=True,
                              timeout=limit, env=environment, check=False)
        last = (done.stderr.strip().splitlines() or [""])[-1]
        outcome = "ran" if done.returncode == 0 else last[:70]
    except subprocess.TimeoutExpired:
        outcome = f"> {limit:g} s"
    return {"seconds": time.perf_counter() - started, "outcome": outcome}


def judge(entry: Dict[str, Any], report: Dict[str, Any]) -> Dict[str, str]:
    """What was found, whether that is right, and whether the blamed line is."""
    errors = [f for f in report["findings"] if f["severity"] == "error"]
    warnings = [f for f in report["findings"] if f["severity"] == "warning"]
    expected = entry["expect"]
    if expected == "clean":  # warnings that are true of a correct program are listed as facts
        warnings = [f for f in warnings if f["code"] not in entry.get("warnings", ())]
    found = "error" if errors else "warning" if warnings else "clean"
    if report["status"] == 3 and not errors:
        found = "not run"
    shown = errors or warnings
    blamed = ""
    if shown:
        span = shown[0]["primary"]
        blamed = f"{os.path.basename(span['path'])}:{span['line']}" if span else "?"
    line_ok = "-"
    if expected in ("error", "warning"):
        line_ok = "yes" if blamed == entry["line"] else "NO"
    verdict = "ok" if found == expected else "FALSE ALARM" if expected == "clean" and errors else (
        "MISSED" if expected in ("error", "warning") and found in ("clean", "warning") else "WRONG")
    return {"found": found, "verdict": verdict, "blamed": blamed, "line": line_ok,
            "code": shown[0]["code"] if shown else ""}


def lay_out(group: Path, path: Path, entry: Dict[str, Any], celeba: int) -> Path:
    """A copy of a program with the data sets that it wants; the folder that it is run in."""
    root = path.parents[len(Path(entry["script"]).parts) - 1]
    folder = group / root.name
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns("*.gif", "web", "assets"))
    for beside in entry.get("beside", ()):
        shutil.copy(root.parent / beside, group)
    prepare(folder, entry.get("data", {}), celeba)
    return folder


def fixes_table(options: argparse.Namespace, table: List[Dict[str, Any]]) -> int:
    """Per buggy program: is the line right, the origin, and how good is the best tried fix?"""
    import paper_fixes

    right = {"line": 0, "origin": 0, "fix": 0}
    count = 0
    print(f"{'program':28} {'code':6} {'line':4} {'origin':6} {'fix':11} {'#':>1} {'s':>6}  tried")
    for entry, other in zip(table, [*table[1:], {}]):
        if options.only not in entry["name"] or entry["expect"] == "clean":
            continue
        path = find_program(options.programs, entry["path"])
        theirs = find_program(options.programs, other["path"]) if other else None
        if path is None or theirs is None:
            print(f"{entry['name']:28} not in {options.programs}")
            continue
        count += 1
        with tempfile.TemporaryDirectory(prefix="sf-paper-") as scratch:
            folder = lay_out(Path(scratch) / "ours" / "group", path, entry, options.celeba)
            published = lay_out(Path(scratch) / "theirs" / "group", theirs, other, options.celeba)
            report = paper_fixes.find(options.python, folder, entry, options.time_limit, options.fixes)
            shown = [f for f in report["findings"] if f["severity"] == "error"] or [
                f for f in report["findings"] if f["severity"] == "warning"]
            finding = next((f for f in shown if f["primary"] and entry["line"] == (
                f"{os.path.basename(f['primary']['path'])}:{f['primary']['line']}")), None)
            if not shown:
                print(f"{entry['name']:28} nothing found: {report['ended']}")
                continue
            line = "yes" if finding is not None else "NO"
            finding = finding or shown[0]
            origin = paper_fixes.origin(entry, finding)
            fix, number, words = paper_fixes.compare(options.python, folder, published, entry, other, finding)
        right["line"] += line == "yes"
        right["origin"] += origin == "yes"
        right["fix"] += fix not in ("none", "other")
        print(f"{entry['name']:28} {finding['code']:6} {line:4} {origin:6} {fix:11} {number or '':>1} "
              f"{report.get('seconds', 0):6.1f}  {words}", flush=True)
    print(f"of {count}: line {right['line']}, origin {right['origin']}, "
          f"fix equal to or as good as the published one {right['fix']}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--tensorflow", metavar="PYTHON", help="interpreter with real TensorFlow")
    parser.add_argument("--python", default=sys.executable, help="interpreter with shapeflow")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--celeba", type=int, default=2000, help="images generated for CelebA")
    parser.add_argument("--time-limit", type=float, default=600.0)
    parser.add_argument("--every-batch", action="store_true", help="leave no loop")
    parser.add_argument("--real-limit", type=float, default=120.0)
    parser.add_argument("--fixes", type=float, metavar="SECONDS",
                        help="look for fixes, this long for a program, and compare with the published ones")
    options = parser.parse_args()
    table: List[Dict[str, Any]] = json.loads((HERE / "paper_programs.json").read_text())
    if options.fixes:
        return fixes_table(options, table)
    totals: Dict[str, int] = {}
    lines_right = lines_asked = 0
    ours = theirs = 0.0
    header = f"{'program':34} {'expected':8} {'found':8} {'code':6} {'blamed':22} {'line':4} {'s':>7}"
    print(header + ("  tensorflow" if options.tensorflow else ""))
    for entry in table:
        if options.only not in entry["name"]:
            continue
        path = find_program(options.programs, entry["path"])
        if path is None:
            print(f"{entry['name']:34} not in {options.programs}")
            totals["absent"] = totals.get("absent", 0) + 1
            continue
        with tempfile.TemporaryDirectory(prefix="sf-paper-") as scratch:
            folder = lay_out(Path(scratch) / "group", path, entry, options.celeba)
            report = run_shapeflow(options.python, folder, entry, options.time_limit,
                                   *["--every-batch"] * options.every_batch)
            result = judge(entry, report)
            row = (f"{entry['name']:34} {entry['expect']:8} {result['found']:8} {result['code']:6} "
                   f"{result['blamed']:22} {result['line']:4} {report['seconds']:7.2f}")
            if options.tensorflow:
                real = run_real(options.tensorflow, folder, entry, options.real_limit)
                ratio = real["seconds"] / report["seconds"]
                row += f"  {real['seconds']:7.1f} s ({ratio:.1f} x) {real['outcome']}"
                ours += report["seconds"]
                theirs += real["seconds"]
        if result["verdict"] != "ok":
            row += f"  {result['verdict']}: {report.get('failure') or report['ended']}"
        print(row, flush=True)
        totals[result["verdict"]] = totals.get(result["verdict"], 0) + 1
        if result["line"] != "-":
            lines_asked += 1
            lines_right += result["line"] == "yes"
    print(", ".join(f"{count} {name}" for name, count in sorted(totals.items())))
    print(f"blamed line right: {lines_right} of {lines_asked}")
    if theirs:
        print(f"seconds: shapeflow {ours:.1f}, tensorflow {theirs:.1f}, ratio {theirs / ours:.1f}")
    return 0 if set(totals) <= {"ok"} and lines_right == lines_asked else 1


if __name__ == "__main__":
    sys.exit(main())
