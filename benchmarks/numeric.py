"""Numerical bugs of known programs: is the bug among the suspects, is there a witness, and how long that
takes.

python benchmarks/numeric.py --programs scripts/study_case [--confirm --tensorflow PYTHON] [ID_20 ID_6 ...]

The programs are a copy of the collection of Yan et al. (ESEC/FSE 2021), which is not kept here: a folder
for each subject, in it X.py beside X_grist.py, the authors' search by hand. The line of a known bug is the
first statement after a comment #MUTATION#, or one that reads what the authors' search minimises
(obj_function), in the script or in another file of its subject: of a program that was mended at the mark
and broken elsewhere only that names it. Programs of other frameworks are left out. The number of bugs of a
subject is that of the collection's dataset_info.md. The paper's own result: 78 of 79 bugs of 63 subjects
(DEBAR 48).
"""
import argparse
import ast
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

PAPER = "paper: 78 of 79 bugs of all 63 subjects, with a limit of 30 minutes each; DEBAR 48 of 79"
_TENSORFLOW = re.compile(r"^\s*import tensorflow|^\s*from tensorflow", re.M)
_COMMENT = re.compile(r"^\s*#.*$", re.M)
_TARGET = re.compile(r"obj_function\s*=.*?(?:abs|max|min)\(\s*([A-Za-z_][\w.]*)\s*[,)]")


def programs(folder):
    """(subject, script) of those that use TensorFlow, but for what another one of the subject imports."""
    def by_number(path):
        return [int(n) for n in re.findall(r"\d+", str(path))]

    for twin in sorted(folder.rglob("*_grist.py"), key=by_number):
        script = twin.with_name(twin.name.replace("_grist.py", ".py"))
        subject = script.relative_to(folder).parts[0]
        if script.exists() and any(_TENSORFLOW.search(path.read_text("utf-8", "replace"))
                                   for path in (folder / subject).rglob("*.py")):
            others = [path for path in (folder / subject).rglob("*_grist.py") if path != twin]
            imported = re.compile(rf"^\s*(?:from|import)\b.*\b{re.escape(script.stem)}(?:_grist)?\b", re.M)
            if not any(imported.search(path.read_text("utf-8", "replace")) for path in others):
                yield subject, script


def statements(path):
    """(first, last line) of each statement without a body that computes something; none of a file that
    Python 3 does not read."""
    try:
        tree = ast.parse(path.read_text("utf-8", "replace"))
    except SyntaxError:
        return []
    return [(node.lineno, node.end_lineno) for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and not hasattr(node, "body")
            and any(isinstance(part, (ast.Call, ast.BinOp)) for part in ast.walk(node))]


def bug_lines(script):
    """{file: lines} of the known bug, as comments mark it."""
    found = {}
    for path in sorted(script.parent.rglob("*.py")):
        if path.name.endswith("_grist.py") or path != script and twin_of(path).exists():
            continue
        text = path.read_text("utf-8", "replace")
        marked = [i for i, line in enumerate(text.splitlines(), 1) if "#MUTATION#" in line.replace(" ", "")]
        for number in marked:
            spans = [span for span in statements(path) if span[1] >= number]
            if spans:
                first, last = min(spans)
                found.setdefault(str(path), set()).update(range(first, last + 1))
    return found


def twin_of(path):
    return path.with_name(path.stem + "_grist.py")


def targets(path):
    """What the authors' search minimises in this file, or its twin: the names in it, and in what is assigned
    to those."""
    twin = twin_of(path)
    text = _COMMENT.sub("", (twin if twin.exists() else path).read_text("utf-8", "replace"))
    names = [name.rpartition(".")[2] for name in _TARGET.findall(text)]
    for name in names:
        for value in re.findall(rf"^\s*(?:self\.)?{re.escape(name)}\s*=\s*([A-Za-z_][\w.]*)\s*$", text, re.M):
            short = value.rpartition(".")[2]
            if short not in ["None", *names]:
                names.append(short)
    return names


def lines_that_read(path, names, functions):
    """{file: lines} where one of these is an operand, and the bodies of the subject's own functions that it
    is given to. `functions`: {name: (file, first, last line)}."""
    found = {}
    for i, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if "obj_" in line or not any(re.search(rf"\b{re.escape(name)}\b", line) for name in names):
            continue
        found.setdefault(str(path), set()).add(i)
        for called in re.findall(r"(\w+)\(", line):
            if called in functions:
                where, first, last = functions[called]
                found.setdefault(where, set()).update(range(first, last + 1))
    return found


def functions_of(paths):
    made = {}
    for path in paths:
        try:
            tree = ast.parse(path.read_text("utf-8", "replace"))
        except SyntaxError:
            continue
        made.update({node.name: (str(path), node.lineno, node.end_lineno) for node in ast.walk(tree)
                     if isinstance(node, ast.FunctionDef) and node.name != "__init__"})
    return made


def known_lines(script, subject):
    """{file: lines} of the known bug: those of the script; of a script without any, of its subject's other
    files."""
    found = bug_lines(script)
    modules = [path for path in sorted(subject.rglob("*.py")) if not path.name.endswith("_grist.py")]
    functions = functions_of(modules)
    for path in [script, *modules]:
        if path != script and found:
            continue
        for where, lines in lines_that_read(path, targets(path), functions).items():
            found.setdefault(where, set()).update(lines)
    return found


def analysed(script, root, options):
    """(document or None, the end of what was said, seconds)."""
    begun = time.monotonic()
    path = os.pathsep.join(str(folder) for folder in (root, root.parent, root.parent.parent))
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", *options, script.name],
                          cwd=script.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": path})
    seconds = time.monotonic() - begun
    try:
        return json.loads(done.stdout), "", seconds
    except ValueError:
        return None, (done.stderr.strip().splitlines() or ["?"])[-1], seconds


def row(subject, script, root, options):
    """Prints a line; (is the bug a suspect, has it a witness, witnesses elsewhere, suspects elsewhere,
    seconds)."""
    document, said, seconds = analysed(script, root, options)
    name = f"{subject} {script.name}"
    if document is None:
        print(f"{name:42} not analysed: {said[:90]}", flush=True)
        return False, False, 0, 0, seconds
    known = known_lines(script, root / subject)
    at_bug = [s for s in document["suspects"] if s["line"] in known.get(os.path.normpath(s["file"]), ())]
    found = [s for s in document["suspects"] if s.get("witness", {}).get("status") == "found"]
    hit = [s for s in at_bug if s in found]
    where = ", ".join(sorted({f"{s['op']}:{s['line']}" for s in at_bug})) or "-"
    first = (hit or at_bug or [{}])[0].get("witness", {})
    phase = first.get("phase") or first.get("reason") or ""
    searched = max((s["witness"].get("seconds", 0) for s in hit), default=0)
    is_suspect = "yes" if at_bug else "NO" if any(known.values()) else "?"
    print(f"{name:42} {is_suspect:4} {where[:34]:34} {'yes' if hit else 'no':4} "
          f"{len(document['suspects']):3} {len(found):3} {seconds:6.1f} {searched:6.1f}  {phase[:60]}",
          flush=True)
    return bool(at_bug), bool(hit), len(found) - len(hit), len(document["suspects"]) - len(at_bug), \
        seconds


def bugs_of_subjects(root):
    """{subject: known bugs} by the collection's own table; {} where that is not there."""
    for folder in [root, *list(root.parents)[:3]]:
        table = folder / "dataset_info.md"
        if table.exists():
            rows = re.findall(r"^\|\s*(\d+)\s*\|[^|]*\|[^|]*\|\s*(\d+)\s*\|", table.read_text("utf-8"), re.M)
            return {f"ID_{number}": int(count) for number, count in rows}
    return {}


def print_subjects(done, bugs):
    """A line for each subject: its bugs in the paper, and what was found in its programs."""
    print(f"{'subject':10} {'bugs':>5} {'programs':>9} {'suspect':>8} {'witness':>8} {'seconds':>8}")
    for subject in dict.fromkeys(subject for subject, *_ in done):
        mine = [found for name, *found in done if name == subject]
        suspects, witnesses, _, _, seconds = (sum(column) for column in zip(*mine))
        print(f"{subject:10} {bugs.get(subject, '?'):>5} {len(mine):9} {suspects:8} {witnesses:8} "
              f"{seconds:8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--tensorflow", default=sys.executable)
    parser.add_argument("--search-time", default="30")
    parser.add_argument("--time-limit", default="30")
    parser.add_argument("--witnesses", default="/tmp/shapeflow_witnesses")
    parser.add_argument("subjects", nargs="*", help="ID_20 ...: these alone")
    given = parser.parse_args()
    options = ["--time-limit", given.time_limit]
    if given.confirm:
        options += ["--confirm", "--tensorflow", given.tensorflow, "--search-time", given.search_time,
                    "--witnesses", given.witnesses]
    root = given.programs.resolve()
    print(f"{'program':42} bug? {'operation:line':34} wit. all fnd  seconds search  how, or why not")
    done = [(subject, *row(subject, script, root, options)) for subject, script in programs(root)
            if not given.subjects or subject in given.subjects]
    columns = list(zip(*done))[1:] if done else [()] * 5
    suspects, witnesses, elsewhere, others, _ = map(sum, columns)
    print_subjects(done, bugs_of_subjects(root))
    print(f"{len(done)} programs: the known bug is a suspect in {suspects}, has a witness in {witnesses}; "
          f"{others} other suspects, {elsewhere} of them with a witness")
    print(PAPER)


if __name__ == "__main__":
    main()
