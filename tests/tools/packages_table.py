"""docs/packages.md: which packages above TensorFlow run, unmodified, on ShapeFlow.

    python tests/tools/packages_table.py [--write]

Each package that is installed is imported, and its example of tests/packages run, under `shapeflow check`. A
row says what came of both, and what the check said is unknown. --write rewrites docs/packages.md.
"""
import argparse
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "packages"
HEAD = """# Packages above TensorFlow

They are run as they are installed: nothing of them is imitated,
and nothing of their files is changed. This table
is made by `python tests/tools/packages_table.py --write`,
with what is installed then; the examples are those of
`tests/packages`, which `tests/py/test_packages.py` runs where the package is installed.

| package | version | TensorFlow | is imported | its example | what is unknown |
|---|---|---|---|---|---|
"""


def examples():
    """(module, name of the package, version of TensorFlow, file of the example)."""
    for path in sorted(EXAMPLES.glob("*.py")):
        words = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ").split()
        yield path.stem, words[0], words[-1] if len(words) > 1 else "2.21.0", path


def check(text, tensorflow):
    """(did it come to its end, what was printed and said)."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "example.py"
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "shapeflow", "check", "--no-cache", "--no-suggestions",
                   "--show-output", "--tf-version", tensorflow, "example.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "SHAPEFLOW_KERAS": "installed"})
    said = done.stdout + done.stderr
    return done.returncode == 0 and "could not be run" not in said and "note[SF908]" not in said, said


def unknown(said):
    """The names that were not modelled."""
    names = re.findall(r"note\[SF901\]: (\S+) is not modelled", said)
    return ", ".join("`%s`" % name for name in names) or "nothing was said"


def reason(said):
    found = re.search(r"could not be run to its end: (.*)", said) or \
        re.search(r"(\S+ was passed over: .*)", said)
    return "" if found is None else ": " + re.sub(r"^\S*site-packages/|^\S*/site/", "", found.group(1))[:120]


def rows():
    for module, package, tensorflow, path in examples():
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            yield "| %s | not installed | %s | | | |" % (package, tensorflow)
            continue
        imported, said = check("import %s\n" % module, tensorflow)
        ran, more = check(path.read_text(encoding="utf-8"), tensorflow)
        yield "| %s | %s | %s | %s | %s | %s |" % (
            package, version, tensorflow, "yes" if imported else "no" + reason(said),
            "runs" if ran else "ends" + reason(more),
            unknown(more))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    text = HEAD + "\n".join(rows()) + "\n"
    if options.parse_args().write:
        (ROOT / "docs" / "packages.md").write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
