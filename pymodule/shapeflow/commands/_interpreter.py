"""`--python INTERPRETER`: the check as the project's own interpreter runs it, with the packages that it has.

Nothing need be installed there: our package is lent to it, alone, by a folder that holds a link to it. Where
the extension does not fit and the versions agree, our interpreter is lent the project's packages instead.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

from shapeflow.checker.configuration import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, NoReturn, Sequence, Tuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PATIENCE = 60.0  # seconds for an interpreter to say what it is
_PROBE = """
import json, sys, sysconfig
said = {"version": list(sys.version_info[:2]), "executable": sys.executable, "error": "",
        "folders": [sysconfig.get_path(name) for name in ("purelib", "platlib")]}
sys.path.insert(0, sys.argv[1])
try:
    import shapeflow._core
except BaseException as error:
    said["error"] = "%s: %s" % (type(error).__name__, error)
sys.stdout.write(json.dumps(said))
"""


def _lent() -> str:
    """A folder with our package and nothing else, for the path of another interpreter."""
    from shapeflow.checker.dependency_tracker import digest

    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "shapeflow", "lent-" + digest(os.fsencode(_PACKAGE)))
    link = os.path.join(folder, "shapeflow")
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.path.islink(link):
            os.symlink(_PACKAGE, link)
    except OSError as error:
        raise ConfigError(f"--python: cannot make {folder}: {error.strerror}")
    return folder


def _asked(interpreter: str, lent: str) -> Dict[str, Any]:
    """What an interpreter says of itself. Raises ConfigError."""
    try:
        done = subprocess.run([interpreter, "-I", "-c", _PROBE, lent], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        message = getattr(error, "strerror", None) or "it does not answer"
        raise ConfigError(f"--python: cannot run {interpreter}: {message}")
    try:
        said: Dict[str, Any] = json.loads(done.stdout)
        tuple(said["version"]), said["executable"], said["error"], said["folders"]
    except (ValueError, KeyError, TypeError):
        raise ConfigError(f"--python: {interpreter} is no Python that can be used")
    return said


def _without(argv: Sequence[str]) -> List[str]:
    """The arguments but for --python."""
    left: List[str] = []
    is_next = False
    for item in argv:
        if not is_next and item != "--python" and not item.startswith("--python="):
            left.append(item)
        is_next = item == "--python" and not is_next
    return left


def plan(interpreter: str) -> Tuple[str, List[str]]:
    """(the interpreter to run, folders for its PYTHONPATH). Raises ConfigError where neither way works."""
    found = shutil.which(interpreter)
    if found is None:
        raise ConfigError(f"--python: no program {interpreter}")
    lent = _lent()
    said = _asked(found, lent)
    if not said["error"]:
        return os.path.abspath(found), [lent]
    if tuple(said["version"]) == sys.version_info[:2]:
        return sys.executable, [str(folder) for folder in dict.fromkeys(said["folders"])]
    theirs = ".".join(map(str, said["version"]))
    ours = ".".join(map(str, sys.version_info[:2]))
    raise ConfigError(f"--python: {interpreter} is Python {theirs}, and this shapeflow was built for {ours}: "
                      "install shapeflow there, and run it from there")


def take_over(interpreter: str, argv: Sequence[str], rest: Sequence[str]) -> int:
    """Becomes `INTERPRETER -m shapeflow check ...`; an exit status only where it cannot."""
    import shapeflow.process as process

    try:
        program, folders = plan(interpreter)
    except ConfigError as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return process.EXIT_USAGE
    command = [program, "-m", "shapeflow", "check", *_without(argv), *(["--", *rest] if rest else [])]
    before = os.environ.get("PYTHONPATH")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([*folders, *([before] if before else [])])}
    if process.command_line is None:  # called from Python, which is to go on
        return subprocess.call(command, env=variables)
    _become(program, command, variables)


def _become(program: str, command: List[str], variables: Dict[str, str]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(program, command, variables)
