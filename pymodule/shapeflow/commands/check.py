"""`shapeflow check PATH... [-- ARGS]`: from the command line to the exit status.

One script without a wish for more runs in this process; several, and those that are watched or fixed,
in a process each (jobs.py). Either way a raw report comes back, is kept in the cache, and is judged by
this invocation's rules (verdict.py) before it is shown.
"""
from __future__ import annotations

import os
import sys

import shapeflow.configuration as configuration
import shapeflow.output as output
import shapeflow.reports as reports_
import shapeflow.verdict as verdict
from shapeflow.cmdline import Command, Option, parse, sandbox_options
from shapeflow.configuration import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.cache import Cache
    from shapeflow.cmdline import Arguments
    from shapeflow.configuration import Settings
    from shapeflow.findings import Report
    from shapeflow.options import Options
    from shapeflow.sandbox import Policy
    from shapeflow.targets import Target

DEFAULT_BASELINE = "shapeflow-baseline.json"

OPTIONS = [
    Option("--format", "text", "how findings are shown (default: full)", choices=output.FORMATS,
           default="full"),
    Option("--output", "text", "write the findings to FILE instead of standard output", "FILE"),
    Option("--strict", help="warnings count as findings"),
    Option("--exit-zero", help="exit with 0 even when there are findings"),
    Option("--select", "list", "only codes that begin with one of these (SF1,SF501)", "CODES"),
    Option("--ignore", "list", "no codes that begin with one of these; the longest match wins", "CODES"),
    Option("--warn-unused-ignores", help="warn of `# shapeflow: ignore` comments that silence nothing"),
    Option("--baseline", "text", "findings listed in FILE do not count", "FILE"),
    Option("--write-baseline", help="write what is found now as the baseline, and exit with 0"),
    Option("--no-suggestions", help="do not look for fixes to suggest"),
    Option("--fix", help="apply the first tried fix of each finding, and check again"),
    Option("--diff", help="show what --fix would change, and change nothing"),
    Option("-j --jobs", "count", "scripts checked at a time (default: one for each core)", "N"),
    Option("--watch", help="check again whenever a file changes that was read"),
    Option("--time-limit", "number", "stop a script after this long and report (default 60; 0: never)",
           "SECONDS"),
    Option("--tf-version", "text", "TensorFlow to emulate (default: read from the script)", "X.Y.Z"),
    Option("--mode", "text", "how TensorFlow starts (default: read from the script)",
           choices=configuration.MODES),
    Option("--only-entry-points", help="pass over named files that are neither configured nor programs"),
    Option("--config", "text", "read this file instead of the nearest pyproject.toml", "FILE"),
    Option("--isolated", help="read no configuration"),
    Option("--no-cache", help="run every script, and keep no results"),
    Option("--cache-dir", "text", "where results are kept (default: .shapeflow_cache)", "FOLDER"),
    Option("--show-output", help="let the script print"),
    *sandbox_options(),
    Option("--color", "text", "colours: auto (default), always or never",
           choices=("auto", "always", "never")),
    Option("-q --quiet", help="findings only"),
    Option("--report-fd", "count", hidden=True),
    Option("--policy", "text", hidden=True),
    Option("--overrides", "text", hidden=True),
    Option("--shapes", hidden=True),
    Option("--raw", hidden=True),
    Option("--record-reads", hidden=True),
    Option("--data", "text", hidden=True),
    Option("--root", "text", hidden=True),
]

COMMAND = Command(
    "check", "check scripts, folders of scripts and models", OPTIONS,
    ("PATH", "*", "scripts, models (.pb, .pbtxt, .meta, SavedModel folders), folders; none: the "
     "scripts of [tool.shapeflow]"),
    "shapeflow check [options] PATH [PATH ...] [-- ARGS]",
    "Runs each script unchanged, with tensorflow and keras replaced by shapes. What follows `--`\n"
    "is given to the scripts. Of a folder the entry scripts are run: those that [tool.shapeflow]\n"
    "lists, else those found as docs/configuration.md says.",
    "exit status: 0 clean, 1 findings, 2 usage or configuration, 3 a script could not be run to\n"
    "its end for a reason of its own")


class Session:
    """One invocation: what was asked for, completed by the configuration."""

    def __init__(self, arguments: Arguments, settings: Settings, rest: List[str]) -> None:
        self.arguments = arguments
        self.settings = settings
        self.rest = rest
        self.format: str = arguments.format
        self.status_only_entries = bool(arguments.only_entry_points)
        self.baseline_path = arguments.baseline or settings.baseline or (
            os.path.join(settings.root, DEFAULT_BASELINE) if arguments.write_baseline else None)
        self.sandbox = configuration.sandbox_policy(arguments, settings)
        self.cache = self._make_cache()
        self.color = False
        if self.format == "full" or self.format == "concise":
            import shapeflow.colours as colours

            self.color = arguments.output is None and colours.wanted(
                sys.stdout, arguments.color or "auto")

    # --- what the rules are ---------------------------------------------------------------------
    @property
    def strict(self) -> bool:
        return bool(self.arguments.strict or self.settings.strict)

    @property
    def suggestions(self) -> bool:
        """Are fixes looked for? Not where nobody would see them."""
        arguments = self.arguments
        if arguments.fix or arguments.diff:
            return True
        return self.settings.suggestions and not (
            arguments.no_suggestions or arguments.raw or arguments.report_fd is not None
            or arguments.write_baseline or self.format in ("concise", "github")
            or os.environ.get("SHAPEFLOW_NO_SUGGESTIONS"))

    def policy(self) -> verdict.Policy:
        """Fresh: a baseline is used up by one round. Raises ConfigError."""
        return verdict.policy_of(self.settings, self.arguments)

    def _make_cache(self) -> Optional[Cache]:
        arguments = self.arguments
        if arguments.no_cache or arguments.report_fd is not None or arguments.show_output or \
                os.environ.get("SHAPEFLOW_NO_CACHE"):
            return None
        from shapeflow.cache import Cache

        folder = arguments.cache_dir or os.environ.get("SHAPEFLOW_CACHE_DIR")
        return Cache(os.path.abspath(folder) if folder else self.settings.cache_dir)

    @property
    def needs_reads(self) -> bool:
        arguments = self.arguments
        return bool(arguments.record_reads or arguments.watch or arguments.warn_unused_ignores
                    or self.settings.warn_unused_ignores)

    def time_limit(self, target: Target) -> float:
        given = self.arguments.time_limit
        if given is None:
            given = target.script.time_limit
        return float(self.settings.time_limit if given is None else given)

    def tf_version(self, target: Target) -> Optional[str]:
        return self.arguments.tf_version or target.script.tf_version or self.settings.tf_version

    def mode(self, target: Target) -> Optional[str]:
        return self.arguments.mode or target.script.mode or self.settings.mode

    def args(self, target: Target) -> List[str]:
        return self.rest or target.script.args

    def key(self, cache: Cache, target: Target) -> str:
        data = repr(sorted(self.settings.data.items())) if self.settings.data else ""
        # Which findings have fixes depends on which count.
        rules = (self.strict, self.arguments.select, self.arguments.ignore, self.baseline_path,
                 self.settings.path) if self.suggestions else None
        return cache.key(target.script.path, self.args(target), self.tf_version(target),
                         self.mode(target), self.time_limit(target), target.script.cwd, data, rules,
                         self.sandbox.to_plain())

    def options(self, target: Target, err: Any) -> Options:
        """How this process runs it."""
        from shapeflow.options import Options

        arguments = self.arguments
        progress = False
        if not arguments.quiet and arguments.report_fd is None and self.format in output.TEXTS:
            progress = bool(err.isatty())
            if progress:
                import shapeflow.progress

                progress = shapeflow.progress.wanted(err)
        data, root = self.settings.data, self.settings.root
        if arguments.data:
            import json

            data, root = json.loads(arguments.data), arguments.root or root
        return Options(
            target.path, self.args(target), self.tf_version(target), self.mode(target),
            bool(arguments.show_output), self.time_limit(target), _overrides(arguments.overrides),
            data, root, self.cache is not None or self.needs_reads, progress, bool(arguments.shapes))

    def child_options(self, target: Target) -> List[str]:
        """The same for a process of its own, which is to report everything."""
        import json

        given = ["--isolated", "--raw", "--record-reads",
                 "--policy", json.dumps(self.sandbox.to_plain())]
        if self.tf_version(target):
            given += ["--tf-version", str(self.tf_version(target))]
        if self.mode(target):
            given += ["--mode", str(self.mode(target))]
        if self.settings.data:
            given += ["--data", json.dumps(self.settings.data), "--root", self.settings.root]
        return given

    def suggest(self, target: Target, report: Report) -> None:
        """Looks for fixes of a raw report's findings, once."""
        if self.suggestions and not report.cached and report.of("error", "warning"):
            import shapeflow.commands._fixing as fixing

            fixing.suggest(self, target, report)

    # --- what is said ---------------------------------------------------------------------------
    def finish(self, reports: Sequence[Report], out: Any, err: Any) -> int:
        """Judges and shows reports of whole runs; the exit status."""
        policy = self.policy()
        policy.judge(reports)
        if self.arguments.write_baseline:
            return self.write_baseline(reports, err)
        self.show(reports, out, err)
        return self.exit_status(reports)

    def show(self, reports: Sequence[Report], out: Any, err: Any) -> None:
        text = output.text_of(self.format, reports, self.color)
        try:
            output.write(text, out, self.arguments.output)
        except OSError as error:
            if self.arguments.output is None:
                raise
            raise ConfigError(f"cannot write {self.arguments.output}: {error.strerror}")
        self.comment(reports, err)

    def comment(self, reports: Sequence[Report], err: Any) -> None:
        if not self.arguments.quiet and (self.format in output.TEXTS or self.arguments.output):
            for report in reports:
                for line in output.beside(report):
                    print(line, file=err)

    def write_baseline(self, reports: Sequence[Report], err: Any) -> int:
        import shapeflow.baseline as baseline

        path = str(self.baseline_path)
        records = [record for report in reports for record in report.of("error", "warning")]
        try:
            count = baseline.write(path, records)
        except OSError as error:
            raise ConfigError(f"cannot write the baseline {path}: {error.strerror}")
        self.comment(reports, err)
        print(f"shapeflow: {count} finding{'s' * (count != 1)} written to {os.path.relpath(path)}",
              file=err)
        return verdict.EXIT_CLEAN

    def exit_status(self, reports: Sequence[Report]) -> int:
        status = verdict.worst(report.status for report in reports)
        return verdict.EXIT_CLEAN if status == verdict.EXIT_FINDINGS and self.arguments.exit_zero \
            else status


def _overrides(path: Optional[str]) -> Dict[str, str]:
    """{absolute path: text}, as runner.run wrote it."""
    if path is None:
        return {}
    import json

    with open(path, encoding="utf-8") as stream:
        content: Dict[str, str] = json.load(stream)
    return content


# --- one script, here ---------------------------------------------------------------------------
def _here(session: Session, target: Target) -> int:
    cache = session.cache
    key = session.key(cache, target) if cache is not None else ""

    def deliver(report: Report, out: Any, err: Any) -> int:
        session.suggest(target, report)
        if cache is not None and not report.cached:
            cache.put(key, reports_.pack(report), report.reads)
        fd = session.arguments.report_fd
        try:
            if fd is None:
                return session.finish([report], out, err)
            if not session.arguments.raw:
                session.policy().judge([report])
        except ConfigError as error:
            print(f"shapeflow: {error}", file=err)
            return verdict.EXIT_USAGE
        import json

        with open(fd, "w", encoding="utf-8", errors="replace") as stream:
            json.dump(reports_.pack(report), stream)
        return report.status

    if cache is not None:
        known = cache.get(key)
        if known is not None:
            _encodable()
            report = reports_.unpack(known)
            report.cached = True
            report.script = target.path
            reports_.quotable(report)
            return deliver(report, sys.stdout, sys.stderr)
    _same_hashes(session.sandbox)
    import shapeflow.sandbox.supervise as supervise

    return supervise.check(session.options(target, sys.stderr), deliver, session.sandbox)


def _same_hashes(policy: Policy) -> None:
    """The order of sets of strings is one of the things that two checks have in common. The interpreter
    takes its hash seed when it starts: the command starts itself again, unless it is called from Python
    or asked for another seed."""
    import shapeflow.cli as cli

    if not policy.layers or not sys.flags.hash_randomization or "PYTHONHASHSEED" in os.environ or \
            cli.command_line is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *cli.command_line], {**os.environ, "PYTHONHASHSEED": "0"})


def _encodable() -> None:
    """Source lines may hold what the locale of this process cannot write. Not where a script runs in
    this process: its own prints are to fail as ever."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    import shapeflow.targets as targets

    try:
        settings = configuration.Settings(os.getcwd()) if arguments.isolated else \
            configuration.load(arguments.config)
        _check_values(arguments)
        session = Session(arguments, settings, rest)
        found = targets.collect(arguments.paths, settings, session.status_only_entries,
                                bool(arguments.overrides))
        if not found:
            if session.status_only_entries:
                return verdict.EXIT_CLEAN
            from shapeflow.cmdline import fail

            return fail("shapeflow check", "name a script, a model or a folder, or list scripts under "
                        "[tool.shapeflow] in pyproject.toml")
        if len(found) == 1 and not (arguments.watch or arguments.fix or arguments.diff
                                    or found[0].script.cwd):
            session.policy()  # what is wrong with a baseline is said before a script runs
            return _here(session, found[0])
        import shapeflow.jobs as jobs

        _encodable()
        return jobs.run(session, found)
    except (ConfigError, targets.Missing) as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return verdict.EXIT_USAGE


def _check_values(arguments: Arguments) -> None:
    """What a table of options does not check."""
    for name in ("select", "ignore"):
        bad = configuration.bad_code(getattr(arguments, name) or ())
        if bad is not None:
            raise ConfigError(f"--{name}: {bad!r} is no code or beginning of a code such as SF101 or SF5")
    version = arguments.tf_version
    if version is not None and not configuration.usable_version(version):
        raise ConfigError(f"--tf-version must be like 1.15.0, not {version!r}")
