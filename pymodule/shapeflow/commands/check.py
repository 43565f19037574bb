"""`shapeflow check PATH... [-- ARGS]`: from the command line to the exit status.

One script without a wish for more runs in this process; several, and those that are watched or fixed,
in a process each (jobs.py). Either way a raw report comes back, is kept in the cache, and is judged by
this invocation's rules (selection.py) before it is shown.
"""
from __future__ import annotations

import os
import sys
import time

import shapeflow.checker.configuration as configuration
import shapeflow.checker.reports as reports_
import shapeflow.checker.selection as selection
import shapeflow.formats.output as output
from shapeflow.checker.configuration import ConfigError
from shapeflow.commands.option_tables import Command, Option, parse, sandbox_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Sequence, TextIO

    from shapeflow.checker.cache import Cache
    from shapeflow.checker.check import Deliver
    from shapeflow.checker.configuration import Settings
    from shapeflow.checker.findings import Record, Report
    from shapeflow.checker.options import CheckOptions
    from shapeflow.checker.targets import Target
    from shapeflow.commands._as_found import AsFound
    from shapeflow.commands.option_tables import Arguments
    from shapeflow.formats.progress import Line
    from shapeflow.sandbox import Policy

    Tell = Callable[[int, int], None]

DEFAULT_BASELINE = "shapeflow-baseline.json"

OPTIONS = [
    Option("-m --module", "text", "check what `python -m MODULE` runs", "MODULE"),
    Option("--python", "text", "the interpreter of the project, for its packages", "INTERPRETER"),
    Option("--format", "text", "how findings are shown (default: full)", choices=output.FORMATS,
           default="full"),
    Option("--output-file --output", "text", "write the findings to FILE instead of standard output",
           "FILE"),
    Option("--strict", help="warnings count as findings"),
    Option("--require-checked", "number", "fewer operations of known shape than this are an error",
           "PERCENT"),
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
    Option("--every-batch", help="run every turn of every loop: leave none when nothing new comes"),
    Option("--numeric", help="warn of operations whose numbers may become NaN or infinite"),
    Option("--tf-version", "text", "TensorFlow to emulate (default: read from the script)", "X.Y.Z"),
    Option("--mode", "text", "how TensorFlow starts (default: read from the script)",
           choices=configuration.MODES),
    Option("--device --devices", "text", "the machine to run on: cpu,gpu:2, a100-80gb*4, or auto: the GPUs "
           "that are here (default: any)", "DEVICES"),
    Option("--missing-imports", "text", "what packages that are not installed are (default: unknown)",
           choices=configuration.MISSING_IMPORTS),
    Option("--write-data-stubs", help="add declarations of the data that are not there to pyproject.toml"),
    Option("--only-entry-points", help="pass over named files that are neither configured nor programs"),
    Option("--config", "text", "read this file instead of the nearest pyproject.toml", "FILE"),
    Option("--isolated", help="read no configuration"),
    Option("--no-cache", help="run every script, and keep no results"),
    Option("--cache-dir", "text", "where results are kept (default: .shapeflow_cache)", "FOLDER"),
    Option("--show-output", help="let the script print"),
    *sandbox_options(),
    Option("--color", "text", "colours: auto (default), always or never",
           choices=("auto", "always", "never")),
    Option("-q --quiet", help="findings only, and why a script could not be run to its end"),
    Option("-v --verbose", help="list the clean ones of several scripts too, with their notes; say which "
           "TensorFlow each script was taken for, and why"),
    Option("--report-fd", "count", hidden=True),
    Option("--policy", "text", hidden=True),
    Option("--overrides", "text", hidden=True),
    Option("--shapes", hidden=True),
    Option("--as-module", "text", hidden=True),
    Option("--raw", hidden=True),
    Option("--record-reads", hidden=True),
    Option("--data", "text", hidden=True),
    Option("--missing-modules", "text", hidden=True),
    Option("--root", "text", hidden=True),
]

COMMAND = Command(
    "check", "check scripts, folders of scripts and models", OPTIONS,
    ("PATH", "*", "scripts, models (.keras, .h5, .pb, .pbtxt, .meta, SavedModel folders), folders; -: a "
     "script on standard input; none: the "
     "scripts of [tool.shapeflow]"),
    "shapeflow check [options] PATH [PATH ...] [-- ARGS]",
    "Runs each script unchanged, with tensorflow and keras replaced by shapes. What follows `--`\n"
    "is given to the scripts. Of a folder the entry scripts are run: those that [tool.shapeflow]\n"
    "lists, else those found as docs/configuration.md says.",
    "exit status: 0 clean, 1 findings, 2 usage or configuration, 3 a script could not be run to\n"
    "its end for a reason of its own, 130 Ctrl-C")


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
        self.has_totals = False  # several scripts, of which a last line tells: set when they are known
        self.cache = self._make_cache()
        self.color = self.has_links = False
        if self.format == "full" or self.format == "concise":
            import shapeflow.formats.colours as colours

            self.color = arguments.output is None and colours.wanted(
                sys.stdout, arguments.color or "auto")
            if self.color:
                import shapeflow.formats.links as links

                self.has_links = links.wanted(sys.stdout)

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

    def policy(self) -> selection.Selection:
        """Fresh: a baseline is used up by one round. Raises ConfigError."""
        return selection.selection_of(self.settings, self.arguments)

    def _make_cache(self) -> Optional[Cache]:
        arguments = self.arguments
        if arguments.no_cache or arguments.report_fd is not None or arguments.show_output or \
                os.environ.get("SHAPEFLOW_NO_CACHE"):
            return None
        from shapeflow.checker.cache import Cache

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

    @property
    def devices(self) -> Optional[str]:
        return self.arguments.devices or self.settings.device

    @property
    def every_batch(self) -> bool:
        """Is every turn of every loop run?"""
        return bool(self.arguments.every_batch or self.settings.every_batch)

    @property
    def numeric(self) -> bool:
        return bool(self.arguments.numeric or self.settings.numeric)

    @property
    def patience(self) -> int:
        """Of CheckOptions."""
        return int(not self.every_batch and bool(self.sandbox.layers))

    @property
    def missing_imports(self) -> Dict[str, str]:
        """By pattern of modules, as CheckOptions has them."""
        given = dict(self.settings.missing_imports)
        if self.arguments.missing_modules:
            import json

            given = json.loads(self.arguments.missing_modules)
        if self.arguments.missing_imports:
            given["*"] = self.arguments.missing_imports
        return given

    def args(self, target: Target) -> List[str]:
        return self.rest or target.script.args

    def key(self, cache: Cache, target: Target) -> str:
        data = repr(sorted(self.settings.data.items())) if self.settings.data else ""
        # Which findings have fixes depends on which count.
        rules = (self.strict, self.arguments.select, self.arguments.ignore, self.baseline_path,
                 self.settings.path) if self.suggestions else None
        return cache.key(target.script.path, self.args(target), self.tf_version(target),
                         self.mode(target), self.time_limit(target), target.script.cwd, data, rules,
                         self.sandbox.to_plain(), target.module, sorted(self.missing_imports.items()),
                         self.devices, self.every_batch, self.numeric)

    def cache_for(self, target: Target) -> Optional[Cache]:
        """None where a report is not kept: what is on standard input is asked about once."""
        return self.cache if target.text is None else None

    def options(self, target: Target, err: TextIO) -> CheckOptions:
        """How this process runs it."""
        from shapeflow.checker.options import CheckOptions

        arguments = self.arguments
        progress = False
        if not arguments.quiet and arguments.report_fd is None and self.format in output.TEXTS:
            progress = bool(err.isatty())
            if progress:
                import shapeflow.formats.progress

                progress = shapeflow.formats.progress.wanted(err)
        data, root = self.settings.data, arguments.root or self.settings.root
        if arguments.data:
            import json

            data = json.loads(arguments.data)
        numeric = None
        if self.numeric:
            import shapeflow.checker.numeric_warnings as numeric_warnings

            numeric = numeric_warnings.NumericWarnings()
        return CheckOptions(
            target.path, self.args(target), self.tf_version(target), self.mode(target),
            bool(arguments.show_output), self.time_limit(target),
            {**target.overrides(), **_overrides(arguments.overrides)}, data, root,
            self.cache_for(target) is not None or self.needs_reads, progress, bool(arguments.shapes),
            module=target.module, missing_imports=self.missing_imports, devices=self.devices,
            patience=self.patience, numeric=numeric)

    def child_options(self, target: Target) -> List[str]:
        """The same for a process of its own, which is to report everything."""
        import json

        given = ["--isolated", "--raw", "--record-reads",
                 "--policy", json.dumps(self.sandbox.to_plain())]
        if self.tf_version(target):
            given += ["--tf-version", str(self.tf_version(target))]
        if self.every_batch:
            given += ["--every-batch"]
        if self.numeric:
            given += ["--numeric"]
        if self.mode(target):
            given += ["--mode", str(self.mode(target))]
        if self.devices:
            given += ["--devices", self.devices]
        if self.settings.data:
            given += ["--data", json.dumps(self.settings.data)]
        if self.missing_imports:
            given += ["--missing-modules", json.dumps(self.missing_imports)]
        given += ["--root", self.settings.root]
        if target.module:
            given += ["--as-module", target.module]
        return given

    def lacks_search(self, report: Report) -> bool:
        """Are fixes still to be looked for?"""
        return self.suggestions and not report.searched and bool(report.of("error", "warning"))

    def suggest(self, target: Target, report: Report, tell: Optional[Tell] = None) -> None:
        """Looks for fixes of a raw report's findings, once."""
        if self.lacks_search(report):
            import shapeflow.commands._fixing as fixing

            fixing.suggest(self, target, report, tell)

    # --- what is said ---------------------------------------------------------------------------
    @property
    def is_piecewise(self) -> bool:
        """May findings be shown before it is known what else is said?"""
        return self.format in output.TEXTS and self.arguments.output is None and \
            not self.arguments.write_baseline and not self.policy_warns

    @property
    def policy_warns(self) -> bool:
        return bool(self.arguments.warn_unused_ignores or self.settings.warn_unused_ignores)

    def line(self, err: TextIO) -> Optional[Line]:
        """What shows on a terminal how far things are; None: nothing does."""
        if self.arguments.quiet or not err.isatty():
            return None
        import shapeflow.formats.progress as progress

        return progress.Line(err) if progress.wanted(err) else None

    def finish(self, reports: Sequence[Report], out: TextIO, err: TextIO) -> int:
        """Filters and shows reports of whole runs; the exit status."""
        policy = self.policy()
        policy.apply(reports)
        if self.arguments.write_baseline:
            return self.write_baseline(reports, err)
        self.show(reports, out, err)
        return self.exit_status(reports)

    def show_findings(self, report: Report, out: TextIO, before: Sequence[Record] = ()) -> None:
        """The first half of `show`, where that comes in pieces: before fixes are looked for. `before`: what
        was shown of it while the script ran."""
        if self.format == "full":
            text = output.findings_of(report, self.color, self.has_links, before)
        else:
            keys = {record.key() for record in before}
            rest = report.view()
            rest.records = [record for record in report.records if record.key() not in keys]
            text = output.text_of(self.format, [rest], self.color, self.has_links)
        output.write(text, out, None)

    def show_rest(self, report: Report, out: TextIO, err: TextIO) -> None:
        """The second half of it."""
        if self.format == "full":
            output.write(output.fixes_of(report, self.color, self.has_links), out, None)
        self.comment([report], err)

    def show(self, reports: Sequence[Report], out: TextIO, err: TextIO) -> None:
        text = output.text_of(self.format, reports, self.color, self.has_links)
        try:
            output.write(text, out, self.arguments.output)
        except OSError as error:
            if self.arguments.output is None:
                raise
            raise ConfigError(f"cannot write {self.arguments.output}: {error.strerror}")
        self.comment(reports, err)

    def comment(self, reports: Sequence[Report], err: TextIO) -> None:
        arguments = self.arguments
        is_quiet = bool(arguments.quiet or not (self.format in output.TEXTS or arguments.output))
        if arguments.write_data_stubs:
            self.write_data_stubs(reports, err)
        for report in reports:
            output.say(output.beside(report, bool(arguments.verbose), is_quiet, self.has_totals), err)

    def write_data_stubs(self, reports: Sequence[Report], err: TextIO) -> None:
        """Adds to the configuration what data are like that were not there, to be corrected."""
        import shapeflow.checker.data_declarations as data_declarations

        paths = list(dict.fromkeys(path for report in reports for path in report.stubs))
        try:
            target, lines = data_declarations.write_stubs(paths, self.settings.root)
        except OSError as error:
            raise ConfigError(f"cannot write the declarations: {error.strerror}")
        said = [f"shapeflow: {os.path.relpath(target)}: {line}" for line in lines]
        output.say(said or ["shapeflow: no data to declare: none are missing that have no declaration"], err)

    def write_baseline(self, reports: Sequence[Report], err: TextIO) -> int:
        import shapeflow.checker.baseline as baseline

        path = str(self.baseline_path)
        records = [record for report in reports for record in report.of("error", "warning")]
        try:
            count = baseline.write(path, records)
        except OSError as error:
            raise ConfigError(f"cannot write the baseline {path}: {error.strerror}")
        self.comment(reports, err)
        output.say([f"shapeflow: {count} finding{'s' * (count != 1)} written to {os.path.relpath(path)}"],
                   err)
        return selection.EXIT_CLEAN

    def exit_status(self, reports: Sequence[Report]) -> int:
        status = selection.worst(report.status for report in reports)
        return selection.EXIT_CLEAN if status == selection.EXIT_FINDINGS and self.arguments.exit_zero \
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
    cache = session.cache_for(target)
    key = session.key(cache, target) if cache is not None else ""
    began = time.monotonic()
    as_found: Optional[AsFound] = None

    def deliver(report: Report, out: TextIO, err: TextIO) -> int:
        fd = session.arguments.report_fd
        try:
            if fd is None:
                return _deliver(session, target, report, key, began, out, err, as_found)
            if not session.arguments.raw:
                session.policy().apply([report])
        except ConfigError as error:
            print(f"shapeflow: {error}", file=err)
            return selection.EXIT_USAGE
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

    options = session.options(target, sys.stderr)

    def show(record: Record) -> None:
        nonlocal as_found
        if as_found is None:
            from shapeflow.commands._as_found import AsFound

            _encodable()
            line = session.line(sys.stderr) if options.progress else None
            as_found = AsFound(session, target, sys.stdout, line)
        as_found.show(record)

    if not session.sandbox.layers:
        return _check_without_sandbox(session, target, options, deliver)
    # Of a model it is said afterwards which layer or node a finding is of.
    import shapeflow.checker.targets as targets

    is_shown = session.is_piecewise and session.arguments.report_fd is None and \
        not targets.is_model(target.path)
    return supervise.check(options, deliver, session.sandbox, show if is_shown else None)


def _check_without_sandbox(session: Session, target: Target, options: CheckOptions, deliver: Deliver) -> int:
    """In this process; a second run, as another version, in one of its own, because of what the first has
    left behind in this."""
    import shapeflow.sandbox.supervise as supervise

    held: List[Report] = []

    def hold(report: Report, out: TextIO, err: TextIO) -> int:
        if not supervise.wants_another_version(report, options):
            return deliver(report, out, err)
        held.append(report)
        return report.status

    status = supervise.check(options, hold, session.sandbox)
    if not held:
        return status
    import shapeflow.checker.runner as runner

    given = [*session.child_options(target), "--tf-version", str(options.tf_version)]
    second = runner.run(options.script, given, options.args, options.overrides or None, options.time_limit,
                        show_output=options.show_output)
    report = second if supervise.is_better(second, held[0]) else held[0]
    if report is second:
        report.emulated = (*report.emulated[:2], options.because)
    if report.reads is not None:
        report.reads["opaque"] = "a first run under another version"
    reports_.quotable(report)
    return deliver(report, sys.stdout, sys.stderr)


def _deliver(session: Session, target: Target, report: Report, key: str, began: float, out: TextIO,
             err: TextIO, as_found: Optional[AsFound]) -> int:
    """Findings first, those that were not shown while the script ran; then what mends them, then what is said
    beside them; the exit status."""
    shown = report.view()
    is_piecewise = session.is_piecewise
    if is_piecewise:
        session.policy().apply([shown])
        session.show_findings(shown, out, as_found.shown if as_found else ())
    was_searched = report.searched
    line = session.line(err) if session.lacks_search(report) else None
    session.suggest(target, report, _teller(line))
    if line is not None:
        line.clear()
    cache = session.cache_for(target)
    if cache is not None and (not report.cached or report.searched and not was_searched):
        cache.put(key, reports_.pack(report), report.reads)
    shown.search_stopped, shown.searched = report.search_stopped, report.searched
    shown.wall = time.monotonic() - began
    if not is_piecewise:
        return session.finish([shown], out, err)
    session.show_rest(shown, out, err)
    if as_found is not None:
        output.say(as_found.retracted(shown), err)
    return session.exit_status([shown])


def _teller(line: Optional[Line]) -> Optional[Tell]:
    """Shows how many trials of a search were made."""
    if line is None:
        return None

    def tell(number: int, planned: int) -> None:
        line.show(f"trying fixes: {number} of {planned}")

    return tell


def _same_hashes(policy: Policy) -> None:
    """The order of sets of strings is one of the things that two checks have in common. The interpreter
    takes its hash seed when it starts: the command starts itself again, unless it is called from Python
    or asked for another seed."""
    import shapeflow.process as process

    if not policy.layers or not sys.flags.hash_randomization or "PYTHONHASHSEED" in os.environ or \
            process.command_line is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *process.command_line], {**os.environ, "PYTHONHASHSEED": "0"})


def _encodable() -> None:
    """Source lines may hold what the locale of this process cannot write. Not where a script runs in
    this process: its own prints are to fail as ever."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if arguments.python:
        import shapeflow.commands._interpreter as interpreter

        return interpreter.take_over(arguments.python, argv, rest)
    import shapeflow.checker.targets as targets

    try:
        settings = configuration.Settings(os.getcwd()) if arguments.isolated else \
            configuration.load(arguments.config)
        _check_values(arguments, argv)
        session = Session(arguments, settings, rest)
        found = _targets(session, arguments)
        if not found:
            if session.status_only_entries:
                return selection.EXIT_CLEAN
            from shapeflow.commands.option_tables import fail

            return fail("shapeflow check", "name a script, a model or a folder, or list scripts under "
                        "[tool.shapeflow] in pyproject.toml", COMMAND.usage)
        if len(found) == 1 and not (arguments.watch or arguments.fix or arguments.diff
                                    or found[0].script.cwd):
            session.policy()  # what is wrong with a baseline is said before a script runs
            return _here(session, found[0])

        session.has_totals = len(found) > 1
        _encodable()
        return _checked(session, found)
    except (ConfigError, targets.Missing) as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return selection.EXIT_USAGE


def _targets(session: Session, arguments: Arguments) -> List[Target]:
    """What is to be checked. Raises ConfigError, targets.Missing."""
    import shapeflow.checker.targets as targets

    if arguments.module:
        if arguments.paths:
            raise ConfigError("-m names the program: no PATH beside it (its arguments follow --)")
        return [targets.of_module(arguments.module)]
    if "-" in arguments.paths:
        if arguments.fix or arguments.watch or len(arguments.paths) > 1:
            raise ConfigError("- is one script on standard input, alone, and not for --fix or --watch")
        _same_hashes(session.sandbox)  # starts the command again: before anything is read
        return [targets.of_stdin()]
    found = targets.collect(arguments.paths, session.settings, session.status_only_entries,
                            bool(arguments.overrides))
    for target in found:
        target.module = arguments.as_module or ""
    return found


def _check_values(arguments: Arguments, argv: Sequence[str]) -> None:
    """What a table of options does not check."""
    for name in ("select", "ignore"):
        bad = configuration.bad_code(getattr(arguments, name) or ())
        if bad is not None:
            raise ConfigError(f"--{name}: {bad!r} is no code or beginning of a code such as SF101 or SF5")
    version = arguments.tf_version
    if version is not None and not configuration.usable_version(version):
        raise ConfigError(f"--tf-version must be like 1.15.0, not {version!r}")
    if arguments.devices is not None:
        given = {part.partition("=")[0] for part in argv}  # one option has two names
        option = "--device" if "--device" in given else "--devices"
        vars(arguments)["devices"] = configuration.check_devices(arguments.devices, option)


def _checked(session: Session, targets: Sequence[Target]) -> int:
    """Checks all of them, once or again and again; the exit status."""
    if session.arguments.watch:
        import shapeflow.checker.watch as watch

        return watch.run(session, targets)
    if session.arguments.fix or session.arguments.diff:
        import shapeflow.commands._fixing as fixing

        return fixing.run(session, targets)
    import shapeflow.checker.jobs as jobs

    return jobs.run_once(session, targets, sys.stdout, sys.stderr)[0]
