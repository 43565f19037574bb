"""Which TensorFlow a program was written for: version and mode, by evidence.

In this order: an explicit call (disable_v2_behavior...), the user's wish (--tf-version,
SHAPEFLOW_TF_VERSION, SHAPEFLOW_MODE), what the program shows, else TensorFlow 2.21 with eager execution. What
it shows: the names that its files use, the arguments that it gives them, assertions about `tf.__version__`,
its project's requirements. The newest version that fits everything wins; where none does, the one that fits
most of the names in the code. docs/versions.md says it for users. This runs at every `import shapeflow`: what
reads programs is loaded only where there is a program to read.
"""
from __future__ import annotations

import os
import sys

from shapeflow.tensorflow.compat.version_decision import CANDIDATES, DEFAULT_V1, DEFAULT_V2, NOTHING, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.tensorflow.compat.stated_versions import Stated


def decide(source_text: str) -> Tuple[str, str]:
    """(version, mode) of a source alone: ("1.8.0", "graph"), ("2.21.0", "eager")."""
    found = detect([("<program>", source_text)])
    return found.version, found.mode


def detect(scripts: Sequence[Tuple[str, object]], stated: Sequence[Stated] = (),
           overrides: Optional[Dict[str, str]] = None) -> Decision:
    """What a program was written for: its scripts as (path, text or None), and the local modules that they
    import. `stated`: versions that its notebook states; those of its project are read where it has a path."""
    texts = [text for _, text in scripts]
    if len(texts) == 1 and isinstance(texts[0], str) and not os.path.isabs(scripts[0][0]) and not stated and \
            "tensorflow" not in texts[0] and "shapeflow" not in texts[0]:
        return Decision(DEFAULT_V2, "eager", lambda: NOTHING)
    from shapeflow.tensorflow.compat import judgement

    return judgement.decide(scripts, list(stated), overrides or {})


def importing_scripts() -> List[Tuple[str, Any]]:
    """The file that imports shapeflow, and the script; none without a file."""
    frame: Optional[FrameType] = sys._getframe(1)
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(("<", here)) and "importlib" not in path:
            break
        frame = frame.f_back
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    found = dict.fromkeys([main or "", frame.f_code.co_filename if frame else ""])
    return [(os.path.abspath(path), None) for path in found if path.endswith((".py", ".pyw"))
            and not _in_packages(path) and not os.path.abspath(path).startswith(here)]


def _in_packages(path: str) -> bool:
    """What a library is, library_frames says; a plain `import tensorflow` has no need to load that."""
    if "-packages" not in path:
        return False
    from shapeflow.checker.library_frames import is_library

    return is_library(path)


def choose(source_text: Optional[str] = None, folder: str = "") -> Tuple[str, str]:
    """The environment's wish, completed by the source; that of a notebook is in `folder`."""
    version = os.environ.get("SHAPEFLOW_TF_VERSION")
    mode = os.environ.get("SHAPEFLOW_MODE")
    if version and mode:
        return version, mode
    scripts = importing_scripts() if source_text is None else \
        [(os.path.join(folder, "<program>"), source_text)]
    if scripts:
        decision = detect(scripts)
        seen_version, seen_mode = decision.version, decision.mode
    else:
        seen_version, seen_mode = DEFAULT_V2, "eager"
    if version:
        seen_mode = "graph" if version.startswith(("0.", "1.")) else seen_mode
        seen_version = version
    if mode:
        if mode == "graph" and not version and seen_mode == "eager":
            seen_version = DEFAULT_V1
        if mode == "eager" and not version and seen_mode == "graph":
            seen_version = DEFAULT_V2
        seen_mode = mode
    return seen_version, seen_mode


def activate(version: str, mode: str) -> None:
    """Emulates `version` from here on; mode is "graph" or "eager". Programs take three numbers apart, so that
    of "1.15" the release that is known is meant, or the first one."""
    from shapeflow import _core

    if version.count(".") == 1:
        version = next((known for known in CANDIDATES if known.startswith(version + ".")), version + ".0")
    _core.set_version(version)
    is_v1 = version.startswith(("0.", "1."))
    _core.set_v2_shapes(not is_v1 and mode == "eager")
    _core.set_eager(mode == "eager")
    for name, method in (("shapeflow.api.namespace", "forget"), ("shapeflow", "_forget"),
                         ("shapeflow.tensorflow.python.framework.versions", "register")):
        module = sys.modules.get(name)
        if module is not None:
            getattr(module, method)()


def api_version() -> int:
    """1 or 2: which API `import tensorflow as tf` means for the emulated version."""
    from shapeflow import _core

    return 1 if _core.get_version().startswith(("0.", "1.")) else 2
