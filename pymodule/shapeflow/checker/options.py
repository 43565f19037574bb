"""How one script is run: what the command knows before anything that runs it is loaded."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from shapeflow.checker.numeric_warnings import NumericWarnings


# What a further run is lent of what its program lacks or does not survive (sandbox/supervise.py).
_LENT = ("present", "arguments", "python2", "old_messages", "unguarded", "passed_over", "passes_all",
         "unknown_at_start", "parts", "columns")


class CheckOptions:
    """How one script is run."""

    def __init__(
        self, script: str, args: Optional[List[str]] = None, tf_version: Optional[str] = None,
        mode: Optional[str] = None, show_output: bool = False, time_limit: float = 60.0,
        overrides: Optional[Dict[str, str]] = None, data: Optional[Dict[str, Any]] = None,
        root: str = ".", record_reads: bool = False, progress: bool = False, shapes: bool = False,
        met: Optional[Callable[[Any], None]] = None,
        complain: Optional[Callable[[str], None]] = None, own_process: bool = False,
        missing_imports: Optional[Dict[str, str]] = None,
        because: str = "", module: str = "", devices: Optional[str] = None, patience: int = 0,
        present: Sequence[str] = (), variant: Optional[int] = None,
        numeric: Optional[NumericWarnings] = None,
    ) -> None:
        self.script = script
        self.args = list(args or ())
        self.tf_version = tf_version
        self.mode = mode
        self.show_output = show_output
        self.time_limit = time_limit
        self.overrides = overrides or {}  # text instead of a file's content, by absolute path
        self.shapes = shapes  # the report says which shape each expression had
        self.data = data or {}  # shapes of files that may not be there, by pattern below `root`
        self.root = root
        self.missing_imports = missing_imports or {}  # by pattern of modules: "unknown" or "error"
        self.record_reads = record_reads
        self.progress = progress
        self.met = met  # called with each finding as it is made
        self.because = because  # of tf_version, where not the user asked for it
        self.complain = complain  # takes the words of what cannot even be begun; None: standard error
        self.present = list(present)  # paths that are taken to be there though they are not
        self.old_messages = False  # modules of an old protoc are taken (old_messages)
        self.python2 = False  # all of the program is translated from Python 2
        self.is_python3 = False  # it came no further by that
        self.unguarded: List[str] = []  # packages that are unknown also where an import has its `except`
        self.arguments: List[str] = []  # that are made up, because it was not given them (missing_arguments)
        # Which of two ways unknown numbers are made up in; None: there is no second run to compare with.
        self.variant = variant
        self.passed_over: List[Tuple[str, int]] = []  # lines whose statements may fail (passed_over)
        self.passes_all = False  # any statement of the program may fail (passed_over)
        self.unknown_at_start = False  # other packages expect unknown values at once (unknown_values)
        # Into how many parts lines of an absent text are split: file, line and number (unknown_text).
        self.parts: List[Tuple[str, int, int]] = []
        self.columns: List[str] = []  # that a table that is not there has, too (unknown_tables)
        self.error_fd = -1  # takes what the script writes on standard error, where that is not shown
        self.devices = devices  # what graphs are placed on (docs/devices.md); None: any machine
        self.module = module  # the script's dotted name, where it is run as `python -m` does
        self.is_shown_at_once = False  # somebody shows each error while the script runs on
        self.has_skipped = False  # turns of a loop were left out: what is found is still to be confirmed
        # How long a loop must have shown nothing new before it is left, in units of checker/loops; 0: every
        # turn is run. Not where the script does for real what it does: to confirm, it is run once more.
        self.patience = patience
        self.numeric = numeric  # what warns of numbers that may break; None: nobody asked for that
        self.own_process = own_process  # it ends after the check: nothing need be undone

    def lent(self) -> Dict[str, Any]:
        """What this run was lent, as plain data, so that trials of fixes are lent it as well."""
        return {name: getattr(self, name) for name in _LENT if getattr(self, name)}

    def lend(self, lent: Dict[str, Any]) -> None:
        """The inverse of `lent`: what is not among it is lent no more."""
        for name in _LENT:
            setattr(self, name, lent.get(name, type(getattr(self, name))()))
        self.passed_over = [(path, line) for path, line in self.passed_over]  # JSON has no tuples
