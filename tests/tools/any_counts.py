#!/usr/bin/env python3
"""How often annotations of the package name `Any`, by folder: each is a place that mypy does not check.

    python3 tests/tools/any_counts.py            the table as the tree is now, and the sum
    python3 tests/tools/any_counts.py --write    kept in tests/py/any_counts.txt, where no number may grow
"""
import ast
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pymodule" / "shapeflow"
TABLE = ROOT / "tests" / "py" / "any_counts.txt"


def folder(path):
    """Rooms of the package; of its TensorFlow, which is most of it, the folders of that."""
    parts = path.relative_to(PACKAGE).parts[:-1]
    depth = 1 if parts[:1] != ("tensorflow",) else 3 if parts[:2] == ("tensorflow", "python") else 2
    return "/".join(parts[:depth]) or "."


def uses(text):
    """Names that annotations and casts have; the import is none."""
    if "Any" not in text:
        return 0
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(ast.parse(text)))


def counted(files):
    found = Counter()
    for path in files:
        found[folder(path)] += uses(path.read_text(encoding="utf-8"))
    return found


def measured():
    return counted(sorted(path for end in ("*.py", "*.pyi") for path in PACKAGE.rglob(end)))


def kept():
    rows = (line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if line)
    return Counter({name: int(number) for name, number in rows})


def differences(now, allowed):
    """What is to be said of each folder whose number is not the one that is kept."""
    for name in sorted({*now, *allowed}):
        if now[name] > allowed[name]:
            yield f"{name}: {now[name]} uses of Any, {allowed[name]} are allowed: name the type, or object"
        elif now[name] < allowed[name]:
            yield (f"{name}: {now[name]} uses of Any, fewer than the {allowed[name]} that are kept: lower it "
                   "with `python3 tests/tools/any_counts.py --write`")


def main(argv):
    now = measured()
    if "--write" not in argv:
        print("".join(f"{name} {number}\n" for name, number in sorted(now.items())), end="")
        print("sum", sum(now.values()))
        return 0
    worse = [one for one in differences(now, kept()) if "allowed" in one] if TABLE.exists() else []
    if worse:
        print("\n".join(worse))
        return 1
    TABLE.write_text("".join(f"{name} {number}\n" for name, number in sorted(now.items()) if number),
                     encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
