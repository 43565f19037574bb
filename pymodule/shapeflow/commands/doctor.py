"""`shapeflow doctor`: what a bug report needs, and what keeps an extra from working."""
from __future__ import annotations

import os
import sys

from shapeflow.commands.option_tables import Command, Option, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

COMMAND = Command("doctor", "what is installed here, and which configuration is used", [
    Option("--config", "text", "read this file instead of the nearest pyproject.toml", "FILE"),
    Option("--json", help="the same as one JSON document"),
], None, "shapeflow doctor [--json] [--config FILE]")

# Package: what it is for here.
_EXTRAS = {
    "rich": "tables in notebooks", "tomli": "pyproject.toml on Python 3.9 and 3.10",
    "pygls": "shapeflow lsp", "IPython": "%load_ext shapeflow", "h5py": "scripts that read .h5 files",
    "scipy": "scripts that import it", "PIL": "scripts that read images",
    "pandas": "scripts that read tables", "matplotlib": "scripts that plot",
}


def _installed(name: str) -> Optional[str]:
    """The version of a package without importing it; None when it is not there."""
    from importlib import metadata

    for known in ({"PIL": "pillow", "IPython": "ipython"}.get(name, name), name):
        try:
            return metadata.version(known)
        except metadata.PackageNotFoundError:
            continue
    return None


def _tensorflow() -> str:
    for name in ("tensorflow", "tensorflow-cpu", "tf-nightly", "tensorflow-intel", "tensorflow-macos"):
        version = _installed(name)
        if version:
            return f"{name} {version} (never loaded by a check)"
    return "none (none is needed)"


def _sandbox_facts() -> Dict[str, str]:
    """Which layer a check would use here, and why not a better one; what the kernel offers, by trying."""
    from shapeflow import _sandbox
    from shapeflow.sandbox import LAYERS, Policy
    from shapeflow.sandbox.child import Child, NoSandbox

    policy, layer, notes = Policy.default(), "none", []
    if policy.layers:
        try:
            child = Child(lambda sender: 0, policy, __file__, 10.0, False, False)
            layer, notes = child.wait(lambda kind, value: None).layer, child.notes
        except NoSandbox as error:
            return {"layer": f"none: {error}"}
    said = {
        "namespaces": "the kernel holds everything (see docs/safety.md)",
        "landlock": "the kernel holds writing and network; a write that Python does not see is refused",
        "audit": "Python's audit hooks only: C code that opens files by itself is not held",
        "none": "SHAPEFLOW_SANDBOX=none: nothing is held",
    }
    found = {"layer": f"{layer}: {said[layer]}"}
    for note in notes:
        name, _, message = note.partition(": ")
        found["not " + name if name in LAYERS else name] = message
    for name, (works, message) in _sandbox.probe().items():
        found[name] = message if works else f"no: {message}"
    return found


def _gpu_facts() -> Dict[str, str]:
    """The GPUs that `--device auto` would take, or why there are none."""
    import shapeflow.checker.machine as machine

    try:
        here = machine.found()
    except (ValueError, OSError) as error:
        return {"none": str(error)}
    versions = {name: f"{here[name] // 1000}.{here[name] % 1000 // 10}" for name in ("runtime", "driver")}
    found = {"CUDA": f"{versions['runtime']} ({here['library']}), driver for {versions['driver']}"}
    for i, gpu in enumerate(here["gpus"]):
        free = gpu["note"] or f"{gpu['free'] / 2**30:.1f} GiB free"
        peers = [str(k) for k in range(len(here["gpus"])) if gpu["peers"] >> k & 1]
        found[f"GPU {i}"] = (
            f"{gpu['name']}, {gpu['total'] / 2**30:.1f} GiB, {free}, {gpu['sms']} SMs, compute capability "
            f"{gpu['capability'] // 10}.{gpu['capability'] % 10}, {gpu['clock_khz'] / 1e6:.2f} GHz, "
            f"{gpu['bus_bits']} bits" + (f", reads the memory of GPU {', '.join(peers)}" if peers else ""))
    return found


def facts(config: Optional[str]) -> Dict[str, Any]:
    """Everything that is said, by name. Raises ConfigError."""
    import platform

    import shapeflow.checker.configuration as configuration
    from shapeflow import _core
    from shapeflow._version import __version__

    settings = configuration.load(config)
    limit = sys.version_info < (3, 11)
    return {
        "shapeflow": __version__,
        "package": os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        "core": os.path.basename(_core.__file__ or "?"),
        "compiler": _core.compiler(),
        "ops": len(_core.raw_op_names()),
        "python": f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}",
        "columns": "lines only: Python keeps columns from 3.11 on" if limit else "kept by the interpreter",
        "system": platform.platform(),
        "numpy": _installed("numpy") or "missing: pip install numpy",
        "tensorflow": _tensorflow(),
        "sandbox": _sandbox_facts(),
        "gpus": _gpu_facts(),
        "extras": {name: _installed(name) for name in _EXTRAS},
        "configuration": settings.path,
        "settings": dict(configuration.describe(settings)),
        "cache": os.environ.get("SHAPEFLOW_CACHE_DIR") or settings.cache_dir,
        "environment": {name: value for name, value in sorted(os.environ.items())
                        if name.startswith("SHAPEFLOW_") or name in ("NO_COLOR", "FORCE_COLOR")},
    }


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    from shapeflow.checker.configuration import ConfigError

    try:
        found = facts(arguments.config)
    except ConfigError as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        import json

        print(json.dumps(found, indent=1))
        return 0
    for name, value in found.items():
        if name == "extras":
            print(name)
            for extra, version in value.items():
                shown = version or f"not installed (for: {_EXTRAS[extra]})"
                print(f"{'  ' + extra:<15}{shown}")
        elif isinstance(value, dict):
            if value:
                print(name)
            for key, item in value.items():
                print(f"{'  ' + key:<16} {item}")
        else:
            print(f"{name:<15}{value if value is not None else 'no [tool.shapeflow] found: defaults'}")
    return 0
