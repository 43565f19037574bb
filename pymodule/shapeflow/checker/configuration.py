"""`[tool.shapeflow]` of pyproject.toml: what a project wants of every check of it.

TOML is only parsed when the file mentions the table, so that projects without one pay for a text search.
Every key is checked: a misspelt one is an error that names the nearest, never silently without effect.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.commands.option_tables import Arguments
    from shapeflow.sandbox import Policy

MODES = ("graph", "eager")
MISSING_IMPORTS = ("unknown", "error")


class ConfigError(Exception):
    """A configuration that cannot be meant; its text is for the user. Exit status 2."""


class Script:
    """One entry of `[[tool.shapeflow.scripts]]`: an entry script and how it is run; None: as the
    table says."""

    __slots__ = ("path", "args", "tf_version", "mode", "time_limit", "cwd")

    def __init__(self, path: str, args: Sequence[str] = (), tf_version: Optional[str] = None,
                 mode: Optional[str] = None, time_limit: Optional[float] = None,
                 cwd: Optional[str] = None) -> None:
        self.path = path
        self.args = list(args)
        self.tf_version = tf_version
        self.mode = mode
        self.time_limit = time_limit
        self.cwd = cwd


class Settings:
    """The table, checked, with defaults. `root` is the folder that its paths are relative to: of the
    configuration file, else the working directory. `data` is {pattern: what is known of such a file}."""

    def __init__(self, root: str, path: Optional[str] = None) -> None:
        self.root = root
        self.path = path
        self.scripts: List[Script] = []
        self.time_limit = 60.0
        self.tf_version: Optional[str] = None
        self.mode: Optional[str] = None
        self.device: Optional[str] = None
        self.strict = False
        self.every_batch = False
        self.numeric = False
        self.require_checked = 0.0
        self.select: List[str] = []
        self.ignore: List[str] = []
        self.per_file_ignores: Dict[str, List[str]] = {}
        self.exclude: List[str] = []
        self.data: Dict[str, Any] = {}
        self.missing_imports: Dict[str, str] = {}
        self.baseline: Optional[str] = None
        self.cache_dir = os.path.join(root, ".shapeflow_cache")
        self.jobs = 0
        self.warn_unused_ignores = False
        self.suggestions = True
        self.sandbox = True
        self.allow_write: List[str] = []
        self.allow_net = False
        self.deny_read: List[str] = []
        self.max_memory: Optional[str] = None

    def scripts_at(self, path: str) -> List[Script]:
        """The entries for one file; a file may be listed with several sets of arguments."""
        path = os.path.abspath(path)
        return [script for script in self.scripts if script.path == path]


def matches(path: str, patterns: Sequence[str], root: str) -> bool:
    """Does a pattern name the file? `*` crosses folders; a pattern without a slash also matches the
    file's own name and every folder on the way to it."""
    if not patterns:
        return False
    from fnmatch import fnmatchcase

    relative = os.path.relpath(path, root).replace(os.sep, "/")
    for pattern in patterns:
        if pattern.startswith("./"):
            pattern = pattern[2:]
        plain = pattern.rstrip("/")
        if fnmatchcase(relative, pattern) or fnmatchcase(relative, plain + "/*"):
            return True
        if "/" not in plain and any(fnmatchcase(part, plain) for part in relative.split("/")):
            return True
    return False


# --- finding and reading ------------------------------------------------------------------------
def load(given: Optional[str] = None, start: Optional[str] = None) -> Settings:
    """Settings of the file `given`, else of the nearest pyproject.toml with our table at or above
    `start` (the working directory). Raises ConfigError."""
    start = os.path.abspath(start or os.getcwd())
    if given is not None:
        text = _read(given)
        if text is None:
            raise ConfigError(f"cannot read {given}")
        table = _table(text, given)
        return _settings(table, os.path.abspath(given))
    folder = start
    while True:
        path = os.path.join(folder, "pyproject.toml")
        text = _read(path)
        if text is not None and "tool.shapeflow" in text:
            table = _table(text, path)
            if table is not None:
                return _settings(table, path)
        parent = os.path.dirname(folder)
        if parent == folder or text is not None or os.path.exists(os.path.join(folder, ".git")):
            # The root of a project: what lies above belongs to another.
            return Settings(start)
        folder = parent


def _read(path: str) -> Optional[str]:
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except OSError:
        return None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8")


def _table(text: str, path: str) -> Optional[Dict[str, object]]:
    try:
        import tomllib
    except ImportError:
        try:
            import tomli as tomllib  # type: ignore
        except ImportError:
            import sys

            raise ConfigError(
                f"{path} has a [tool.shapeflow] table, but Python {sys.version_info[0]}."
                f"{sys.version_info[1]} cannot read TOML by itself: pip install tomli")
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}")
    table = whole.get("tool", {}).get("shapeflow") if isinstance(whole.get("tool", {}), dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.shapeflow must be a table")
    return table


# --- checking -----------------------------------------------------------------------------------
class _Reader:
    """Takes the keys of one table, each of one type; what is left over at the end is unknown."""

    def __init__(self, table: Dict[str, Any], name: str, path: str) -> None:
        self._rest = {key.replace("_", "-"): value for key, value in table.items()}
        self._name, self._path = name, path
        self._known: List[str] = []

    def fail(self, words: str) -> ConfigError:
        return ConfigError(f"{self._path}: {self._name}: {words}")

    def take(self, key: str, *types: type) -> Any:
        self._known.append(key)
        value = self._rest.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, types) or isinstance(value, bool) and bool not in types:
            wanted = " or ".join(dict.fromkeys(_TYPE_NAMES[kind] for kind in types))
            raise self.fail(f"{key} must be {wanted}, not {_shown(value)}")
        return value

    def texts(self, key: str) -> List[str]:
        found = self.take(key, list)
        for item in found or ():
            if not isinstance(item, str):
                raise self.fail(f"{key} must be a list of strings, not of {_shown(item)}")
        return list(found or ())

    def positive(self, key: str) -> Optional[float]:
        found = self.take(key, int, float)
        if found is not None and not found >= 0:
            raise self.fail(f"{key} must not be negative, and is {_shown(found)}")
        return None if found is None else float(found)

    def codes(self, key: str) -> List[str]:
        return self.checked_codes(key, self.texts(key))

    def checked_codes(self, key: str, codes: Sequence[str]) -> List[str]:
        bad = bad_code(codes)
        if bad is not None:
            raise self.fail(f"{key}: {bad!r} is no code or beginning of a code such as SF101 or SF5")
        return list(codes)

    def version(self) -> Optional[str]:
        found: Optional[str] = self.take("tf-version", str)
        if found is not None and not usable_version(found):
            raise self.fail(f"tf-version must be like '1.15.0', not {found!r}")
        return found

    def mode(self) -> Optional[str]:
        found: Optional[str] = self.take("mode", str)
        if found is not None and found not in MODES:
            raise self.fail(f"mode must be 'graph' or 'eager', not {found!r}")
        return found

    def done(self) -> None:
        for key in self._rest:
            raise self.fail(f"no key {key!r}{nearest(key, self._known)}")


_TYPE_NAMES = {str: "a string", int: "a number", float: "a number", bool: "true or false",
               list: "a list", dict: "a table"}


def _shown(value: object) -> str:
    return repr(value) if len(repr(value)) < 60 else repr(value)[:57] + "..."


def nearest(word: str, known: Sequence[str]) -> str:
    """"; did you mean 'time-limit'?", or the whole list when nothing is near."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, 1, 0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {', '.join(sorted(known))}"


def usable_version(text: str) -> bool:
    """Two or three numbers: what the emulation can be asked for."""
    parts = text.split(".")
    return 2 <= len(parts) <= 3 and all(part.isdigit() for part in parts) and int(parts[0]) < 3


def check_devices(text: str, what: str) -> str:
    """The machine with the GPUs that are here in the place of `auto`. Raises ConfigError for no machine."""
    from shapeflow import _core

    try:
        if "auto" in text.lower():
            import shapeflow.checker.machine as machine

            text = machine.resolved(text)
        _core.set_machine(text)
    except ValueError as error:
        raise ConfigError(f"{what}: {error}") from None
    _core.set_machine(None)
    return text


def bad_code(codes: Sequence[str]) -> Optional[str]:
    """The first that is neither a code nor the beginning of one."""
    known: List[str] = []
    for code in codes:
        if code in ("ALL", "SF"):
            continue
        if not known:
            from shapeflow import _core

            known = [row[0] for row in _core.codes()]
        if not code or not any(name.startswith(code) for name in known):
            return code
    return None


def _settings(table: Optional[Dict[str, object]], path: str) -> Settings:
    root = os.path.dirname(path)
    settings = Settings(root, path)
    reader = _Reader(table or {}, "[tool.shapeflow]", path)
    limit = reader.positive("time-limit")
    settings.time_limit = settings.time_limit if limit is None else limit
    settings.tf_version = reader.version()
    settings.mode = reader.mode()
    settings.device = reader.take("device", str)
    if settings.device is not None:
        settings.device = check_devices(settings.device, f"{path}: [tool.shapeflow]: device")
    settings.strict = bool(reader.take("strict", bool))
    settings.every_batch = bool(reader.take("every-batch", bool))
    settings.numeric = bool(reader.take("numeric", bool))
    settings.require_checked = reader.positive("require-checked") or 0.0
    settings.select = reader.codes("select")
    settings.ignore = reader.codes("ignore")
    settings.exclude = reader.texts("exclude")
    settings.warn_unused_ignores = bool(reader.take("warn-unused-ignores", bool))
    suggestions = reader.take("suggestions", bool)
    settings.suggestions = suggestions is None or bool(suggestions)
    settings.jobs = int(reader.positive("jobs") or 0)
    baseline = reader.take("baseline", str)
    settings.baseline = os.path.join(root, baseline) if baseline else None
    cache_dir = reader.take("cache-dir", str)
    if cache_dir:
        settings.cache_dir = os.path.join(root, cache_dir)
    for pattern, codes in (reader.take("per-file-ignores", dict) or {}).items():
        codes = [codes] if isinstance(codes, str) else codes
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            raise reader.fail(f"per-file-ignores: {pattern!r} must have a list of codes")
        settings.per_file_ignores[pattern] = reader.checked_codes("per-file-ignores", codes)
    settings.scripts = [_script(item, root, path) for item in reader.take("scripts", list) or ()]
    settings.data = _data(reader.take("data", dict) or {}, path)
    settings.missing_imports = _missing_imports(reader)
    sandbox = reader.take("sandbox", bool)
    settings.sandbox = sandbox is None or bool(sandbox)
    settings.allow_write = [os.path.join(root, folder) for folder in reader.texts("allow-write")]
    settings.allow_net = bool(reader.take("allow-net", bool))
    settings.deny_read = [os.path.join(root, os.path.expanduser(name)) for name in reader.texts("deny-read")]
    settings.max_memory = reader.take("max-memory", str)
    reader.done()
    return settings


def _missing_imports(reader: _Reader) -> Dict[str, str]:
    """One word for all modules that are not installed, or one for each pattern."""
    given = reader.take("missing-imports", str, dict) or {}
    rules = {"*": given} if isinstance(given, str) else given
    for pattern, choice in rules.items():
        if choice not in MISSING_IMPORTS:
            raise reader.fail(
                f"missing-imports: {pattern!r} must be 'unknown' or 'error', not {_shown(choice)}")
    return dict(rules)


def _script(item: object, root: str, path: str) -> Script:
    if isinstance(item, str):
        item = {"path": item}
    if not isinstance(item, dict):
        raise ConfigError(f"{path}: [tool.shapeflow]: scripts must be paths or tables, not {_shown(item)}")
    reader = _Reader(item, "[[tool.shapeflow.scripts]]", path)
    script = reader.take("path", str)
    if not script:
        raise reader.fail("an entry has no path")
    args = reader.take("args", list, str)
    if isinstance(args, str):
        import shlex

        args = shlex.split(args)
    cwd = reader.take("cwd", str)
    made = Script(os.path.normpath(os.path.join(root, script)), [str(arg) for arg in args or ()],
                  reader.version(), reader.mode(), reader.positive("time-limit"),
                  os.path.normpath(os.path.join(root, cwd)) if cwd else None)
    reader.done()
    if not os.path.exists(made.path):
        raise reader.fail(f"there is no {script}")
    return made


def _data(table: Dict[str, object], path: str) -> Dict[str, Any]:
    """By pattern what a file or folder is like: {"shape", "dtype"}, {"arrays": {name: ...}}, {"rows",
    "columns"}, {"lines", "text"} or {"files", "classes", "suffix"}, which goes with a shape."""
    return {pattern: _datum(known, f"[tool.shapeflow.data] {pattern!r}", path)
            for pattern, known in table.items()}


def _datum(known: object, name: str, path: str) -> Dict[str, object]:
    if not isinstance(known, dict):
        return _array(known, name, path)
    reader = _Reader(known, name, path)
    made: Dict[str, Any] = {}
    if "arrays" in known:
        arrays = reader.take("arrays", dict)
        made["arrays"] = {key: _array(item, f"{name}, array {key!r}", path) for key, item in arrays.items()}
    elif "columns" in known:
        made["columns"] = reader.take("columns", list, dict)
        made["rows"] = _count(reader, "rows", 1000)
    elif "lines" in known:
        made["lines"] = _count(reader, "lines", 1000)
        made["text"] = reader.take("text", str) or "a b c"
    elif "files" in known:
        made["files"] = _count(reader, "files", 0)
        made["classes"] = reader.texts("classes")
        made["suffix"] = reader.take("suffix", str) or ".jpg"
        if "shape" in known:
            made.update(_shape(reader))
    else:
        return _array(known, name, path)
    reader.done()
    return made


def _count(reader: _Reader, key: str, default: int) -> int:
    found = reader.take(key, int)
    if found is not None and found < 0:
        raise reader.fail(f"{key} must not be negative, and is {found}")
    return default if found is None else int(found)


def _array(known: object, name: str, path: str) -> Dict[str, Any]:
    reader = _Reader({"shape": known} if isinstance(known, list) else known if isinstance(known, dict)
                     else {}, name, path)
    made = _shape(reader)
    reader.done()
    return made


def _shape(reader: _Reader) -> Dict[str, Any]:
    shape = reader.take("shape", list)
    dtype = reader.take("dtype", str)
    if shape is None or not all(type(dim) is int and dim >= 0 for dim in shape):
        raise reader.fail("needs a shape, a list of sizes such as [60000, 28, 28]")
    return {"shape": shape, "dtype": dtype or "float32"}


# --- the sandbox --------------------------------------------------------------------------------
def sandbox_policy(arguments: Arguments, settings: Settings) -> Policy:
    """What the command line and the configuration let a script do. Raises ConfigError."""
    from shapeflow.sandbox import Policy, size_of

    if getattr(arguments, "policy", None):
        import json

        return Policy.from_plain(json.loads(arguments.policy))
    policy = Policy.default()
    if arguments.no_sandbox or not settings.sandbox:
        policy.layers = []
    policy.allow_write = [os.path.abspath(path) for path in arguments.allow_write or ()] + \
        settings.allow_write
    for path in policy.allow_write:
        if not os.path.isdir(path):
            raise ConfigError(f"--allow-write: there is no folder {path}")
    policy.allow_net = bool(arguments.allow_net or settings.allow_net)
    policy.deny_read = list(settings.deny_read)
    memory = arguments.max_memory or settings.max_memory
    if memory is not None:
        try:
            policy.max_memory = size_of(memory)
        except (ValueError, OverflowError):
            raise ConfigError(f"--max-memory must be a size such as 2G or 512M, not {memory!r}")
    return policy


def describe(settings: Settings) -> List[Tuple[str, str]]:
    """What differs from the defaults, for `shapeflow doctor`."""
    plain = vars(Settings(settings.root, settings.path))
    lines = []
    for key, value in vars(settings).items():
        if key not in ("root", "path") and value != plain[key]:
            shown = ", ".join(os.path.relpath(s.path, settings.root) for s in value) \
                if key == "scripts" else str(value)
            lines.append((key.replace("_", "-"), shown))
    return lines
