"""Origins and tried fixes of the paper's buggy programs, against the fixes that were published with them.

`paper.py --fixes SECONDS` calls this module's `judge`; as a program it checks one script in the folder it
stands in, looks for fixes and prints the report as JSON:

    paper_fixes.py '{"script": "train.py", "version": "1.8.0", "args": [], "seconds": 60}'

A fix counts as good when the program that it makes is the published one (`same text`), or changes lines to
what the published one has there (`same lines`), or gives everything that the guilty statement makes the shape
it has in the published program (`same shapes`). What a person thinks of the others is `judged` in
paper_programs.json: descriptions taken for as good as the published fix.
"""
from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

Shapes = Dict[str, Set[str]]


# --- in the process that checks ------------------------------------------------------------------
def main() -> int:
    from shapeflow import fixes
    from shapeflow.checker import runner
    from shapeflow.fixes.search import SearchOptions

    job = json.loads(sys.argv[1])
    options = ["--isolated"] + (["--tf-version", job["version"]] if job.get("version") else [])
    if job.get("shapes"):
        report = runner.run(job["script"], [*options, "--shapes"], job["args"], job["texts"] or None,
                            time_limit=job["seconds"])
    else:
        report = runner.run(job["script"], options, job["args"], time_limit=job["limit"])
        fixes.find(report, SearchOptions(job["args"], job.get("version"), seconds=job["seconds"]))
    print(json.dumps({**report.to_json(), "seconds": report.seconds}))
    return 0


def _call(python: str, folder: Path, job: Dict[str, Any]) -> Dict[str, Any]:
    done = subprocess.run([python, os.path.abspath(__file__), json.dumps(job)], cwd=folder,
                          capture_output=True, text=True, check=False)
    try:
        answer: Dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {"findings": [], "shapes": [], "ended": "no report: " + done.stderr[-300:]}
    return answer


# --- origins ---------------------------------------------------------------------------------------
def origin(entry: Dict[str, Any], finding: Dict[str, Any]) -> str:
    """Is one of the places that made the guilty operand what it is named? `-` where nobody knows one."""
    wanted = entry.get("origin")
    if not wanted:
        return "-"
    places = [step for item in finding["origins"] for step in item["path"]]
    places += [operand["made_at"] for operand in finding["operands"] if operand["made_at"]]
    places += [finding["raised"]] if finding["raised"] else []
    named = {f"{os.path.basename(place['path'])}:{place['line']}" for place in places}
    return "yes" if named & set(wanted) else "NO"


# --- fixes -----------------------------------------------------------------------------------------
def _texts(folder: Path, fix: Dict[str, Any]) -> Dict[str, str]:
    """{path relative to `folder`: text} with a fix applied."""
    from shapeflow import fixes

    class Holder:
        pass

    holder: Any = Holder()
    holder.fixes = [fix]
    made = fixes.apply(holder)
    return {os.path.relpath(path, folder): text for path, text in made.items()}


def _normal(text: str) -> Optional[str]:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def _lines(text: str) -> Set[str]:
    return {"".join(line.split()) for line in text.splitlines() if line.strip()}


def _counterpart(published: Path, name: str, entry: Dict[str, Any], other: Dict[str, Any]) -> Path:
    """The published file for one of the buggy program; scripts may have other names."""
    return published / (other["script"] if name == entry["script"] else name)


def _same_text(texts: Dict[str, str], others: Dict[str, Path]) -> bool:
    return all(others[name].exists() and _normal(text) == _normal(others[name].read_text())
               for name, text in texts.items())


def _same_lines(folder: Path, texts: Dict[str, str], others: Dict[str, Path]) -> bool:
    """Is every line that the fix brings one of those that the published fix brings?"""
    for name, text in texts.items():
        brought = _lines(text) - _lines((folder / name).read_text())
        if not brought or not others[name].exists() or not brought <= _lines(others[name].read_text()):
            return False
    return True


def _guilty_names(path: Path, line: int) -> List[str]:
    """What the guilty statement assigns."""
    best: Optional[ast.stmt] = None
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0) and not isinstance(
                node, (ast.FunctionDef, ast.ClassDef, ast.With, ast.For, ast.While, ast.If, ast.Try)):
            best = node
    if not isinstance(best, ast.Assign):
        return []
    return [ast.unparse(name) for target in best.targets for name in ast.walk(target)
            if isinstance(name, (ast.Name, ast.Attribute))]


def _shapes(python: str, folder: Path, entry: Dict[str, Any], texts: Dict[str, str]) -> Dict[str, Shapes]:
    """{file: {name that is assigned: its shapes}} of a program."""
    job = {"script": entry["script"], "version": entry.get("version"), "args": entry.get("args", []),
           "seconds": 60.0, "shapes": True,
           "texts": {str(folder / name): text for name, text in texts.items()}}
    found: Dict[str, Shapes] = {}
    for place in _call(python, folder, job).get("shapes", []):
        if place["assigned"] and place["name"]:
            names = found.setdefault(os.path.basename(place["path"]), {})
            names.setdefault(place["name"], set()).update(kind["shape"] for kind in place["types"])
    return found


def compare(python: str, folder: Path, published: Path, entry: Dict[str, Any], other: Dict[str, Any],
            finding: Dict[str, Any]) -> Tuple[str, int, str]:
    """(verdict, number of the fix from 1, its words) of the best fix of the guilty finding."""
    if not finding["fixes"]:
        return "none", 0, ""
    judged = entry.get("judged", [])
    theirs: Optional[Shapes] = None
    span = finding["primary"]
    guilty = _guilty_names(Path(span["path"]) if os.path.isabs(span["path"]) else folder / span["path"],
                           span["line"])
    file = os.path.basename(span["path"])
    their_file = os.path.basename(other["script"]) if file == os.path.basename(entry["script"]) else file
    for number, fix in enumerate(finding["fixes"], 1):
        texts = _texts(folder, fix)
        others = {name: _counterpart(published, name, entry, other) for name in texts}
        if _same_text(texts, others):
            return "same text", number, fix["description"]
        if _same_lines(folder, texts, others):
            return "same lines", number, fix["description"]
        if guilty:
            if theirs is None:
                theirs = _shapes(python, published, other, {}).get(their_file, {})
            ours = _shapes(python, folder, entry, texts).get(file, {})
            if set(guilty) <= set(ours) and set(guilty) <= set(theirs) and all(
                    ours[name] == theirs[name] for name in set(ours) & set(theirs)):
                return "same shapes", number, fix["description"]
        if any(fix["description"].startswith(words) for words in judged):
            return "judged", number, fix["description"]
    return "other", 1, finding["fixes"][0]["description"]


def find(python: str, folder: Path, entry: Dict[str, Any], limit: float, seconds: float) -> Dict[str, Any]:
    """The report of a program, with the fixes that were found within `seconds`."""
    return _call(python, folder, {"script": entry["script"], "version": entry.get("version"),
                                  "args": entry.get("args", []), "limit": limit, "seconds": seconds})


if __name__ == "__main__":
    sys.exit(main())
