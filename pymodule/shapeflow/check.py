"""`shapeflow check`: runs an unchanged script with shapes only and reports what it found.

The script runs in this process as `__main__`, with `tensorflow` and `keras` resolved to ShapeFlow.
What it prints is not the report, so its standard output and error go to a file unless asked for.
"""
from __future__ import annotations

import _signal  # what signal.py wraps, without its enums
import _thread
import os
import sys
import time
from types import ModuleType

# `from shapeflow import hook` would first ask TensorFlow's namespace for a `hook`.
import shapeflow
import shapeflow.handlers as handlers
import shapeflow.hook as hook
from shapeflow import _core
from shapeflow.findings import Collector, Record, Report, Span, display_path, mark_numpy, record_of
from shapeflow.options import Options
from shapeflow.reports import iterations
from shapeflow.verdict import EXIT_CLEAN, EXIT_FINDINGS, EXIT_SCRIPT, EXIT_USAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Callable, Dict, List, Optional, TextIO, Tuple

    from shapeflow.progress import Line

    Deliver = Callable[[Report, TextIO, TextIO], int]

shapeflow._wake()

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Checker:
    """One run of one script: sets the stage, runs, hands its report over. Exactly once, whoever ends it:
    the script, its os._exit, the time limit or Ctrl-C. `deliver` gives the exit status of the command."""

    unfinished = "could not be run to its end"

    def __init__(self, options: Options, deliver: Deliver) -> None:
        self.options = options
        self.collector = Collector(launcher=os.path.abspath(sys.argv[0]))
        self.ended = "normally"
        self.failure: Optional[str] = None
        self._source = ""  # of a notebook, all its cells
        self._deliver = deliver
        self._result: Optional[int] = None
        self._pid = os.getpid()
        self._reported = _thread.allocate_lock()
        self._out: TextIO = sys.stdout
        self._err: TextIO = sys.stderr
        self._started = time.monotonic()
        self._cwd = os.getcwd()
        self._reads: Any = None
        self._paths: List[str] = []
        self._line: Optional[Line] = None
        self._reporter = 0

    # --- the run ------------------------------------------------------------------------------
    def run(self) -> int:
        """Runs the script to its end; the exit status of the command."""
        path = os.path.abspath(self.options.script)
        hook.override(self.options.overrides)
        try:
            if path in self.options.overrides:
                source = self.options.overrides[path].encode()
            else:
                with open(path, "rb") as stream:
                    source = stream.read()
        except OSError as error:
            self._complain(f"cannot read {self.options.script}: {error.strerror}")
            return EXIT_USAGE
        if self.options.record_reads:
            import shapeflow.reads as reads

            self._reads = reads.Recorder()
            self._reads.open(path, "r", 0)
        try:
            program = self._program(source, path)
        except (SyntaxError, ValueError) as error:
            self.ended = "not started"
            self.failure = _words_of(error)
            return self._report()
        self._prepare(self._source or source.decode("utf-8", "replace"))
        finder = hook.install()
        restore = self._take_output()
        cancel = self._start_watchdog()
        take_back = self._take_interrupt()
        try:
            self._execute(program, path)
        finally:
            cancel()
            take_back()
            if sys.version_info[:2] == (3, 10):
                import faulthandler

                faulthandler.cancel_dump_traceback_later()
            self._flush_streams()
            restore()
            hook.uninstall(finder)
        if os.getpid() != self._pid:
            os._exit(0)  # a child that the script forked: its parent reports
        return self._report()

    def _complain(self, words: str) -> None:
        if self.options.complain is not None:
            self.options.complain(words)
        else:
            print(f"shapeflow: {words}", file=self._err)

    def compile(self, source: Any, path: str, flags: int = 0) -> Any:
        """The code of the script, from its text or its tree."""
        return compile(source, path, "exec", flags, dont_inherit=True)

    def _program(self, source: bytes, path: str) -> Callable[[Dict[str, Any]], None]:
        """What runs the script, compiled, in a namespace."""
        compile_source: Callable[..., Any] = self.compile
        if self.options.shapes:
            from shapeflow import _seen

            _seen.start(lambda file: not file.startswith(_PACKAGE) and not _is_installed(file))
            compile_source = _seen.compile_noting
        if path.endswith(".ipynb"):
            import shapeflow.ipynb as ipynb

            notebook = ipynb.read(source.decode("utf-8", "replace"))
            self._source = notebook.source
            self.options.tf_version = self.options.tf_version or notebook.version
            return ipynb.program(notebook, path, compile_source)
        code = compile_source(source, path)
        return lambda names: exec(code, names)

    def _prepare(self, source: str) -> None:
        # Starting BLAS threads takes longer than most checks; a script that wants them says so.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from shapeflow import _legacy, _library, _mode

        _library.hide(os.path.abspath(self.options.script))
        version, mode = _mode.decide(source)
        if self.options.tf_version:
            version = self.options.tf_version
            mode = self.options.mode or ("graph" if int(version.partition(".")[0]) < 2 else "eager")
        elif self.options.mode:
            mode = self.options.mode
        _mode.activate(version, mode)
        _legacy.install(version)
        import shapeflow.workers as workers

        workers.install(version, mode, os.path.abspath(self.options.script))
        _core.clear_findings()
        _core.set_go_on_hook(handlers.uncaught)
        if self.options.met is not None:
            _core.set_finding_hook(self.options.met)
        if self.options.data:
            import shapeflow.datafiles as datafiles

            datafiles.install(self.options.data, self.options.root)
        import shapeflow._impl.usage as usage

        usage.start()

    def _execute(self, program: Callable[[Dict[str, Any]], None], path: str) -> None:
        """Runs `program` as `__main__`, as `python script.py args` would."""
        main = ModuleType("__main__")
        main.__dict__.update(__builtins__=__builtins__, __doc__=None)
        if not path.endswith(".ipynb"):
            main.__dict__["__file__"] = self.options.script
        saved_main, saved_argv = sys.modules["__main__"], sys.argv
        saved_path, saved_hook = sys.path[:], sys.excepthook
        real_exit = os._exit
        sys.modules["__main__"] = main
        sys.argv = [self.options.script, *self.options.args]
        sys.path[0:0] = [os.path.dirname(path)]
        self._paths = sys.path[:]

        def leave(status: int) -> None:
            """os._exit of the script: what was found must not be lost."""
            if os.getpid() != self._pid:
                real_exit(status)
            self.ended = f"by os._exit({status})"
            if status != 0:
                self.failure = f"the script left by os._exit({status})"
            self._flush_streams()
            result = self._report()
            self._out.flush()
            real_exit(result)

        os._exit = leave  # type: ignore[assignment]
        if self._reads is not None:
            self._reads.start()
        try:
            program(main.__dict__)
        except SystemExit as stop:
            self._exited(stop)
        except KeyboardInterrupt:
            self.ended = "interrupted"
            self.failure = "interrupted"
        except BaseException as error:  # the script's own, whatever it is
            self._raised(error, path)
        finally:
            os._exit = real_exit
            if self._reads is not None:
                self._reads.stop()
            self._paths = sys.path[:]
            sys.modules["__main__"] = saved_main
            sys.argv, sys.excepthook = saved_argv, saved_hook
            sys.path[:] = saved_path

    def _exited(self, stop: SystemExit) -> None:
        status = stop.code
        if status in (None, 0):
            self.ended = "by sys.exit"
            return
        self.ended = f"by sys.exit({status!r})"
        self.failure = f"the script exited with status {status!r}"

    def _raised(self, error: BaseException, path: str) -> None:
        """An uncaught exception: a finding made it, numpy refused shapes, or it is the script's."""
        self.ended = f"by {type(error).__name__}"
        self._drain()
        text = str(error)
        if any(_tells(record.message, error, text) for record in self.collector.of("error")):
            return
        frames = _user_frames(error.__traceback__)
        if _is_numpy_shape_error(error):
            record = Record("SF401", "NUMPY_SHAPE", "error", text, "numpy",
                            primary=frames[0] if frames else None, chain=frames[1:])
            mark_numpy(record)
            self.collector.add(record)
            return
        where = f"{_location(frames[0])}: " if frames else ""
        self.failure = where + _words_of(error)

    # --- limits and output --------------------------------------------------------------------
    def _start_watchdog(self) -> Callable[[], None]:
        """At the time limit: what was found is reported, and the process ends there and then, so
        that neither `except:` nor a `while True:` of the script can hold it. Gives what stops it."""
        limit, real_exit = self.options.time_limit, os._exit
        if limit <= 0 and not self.options.progress:
            return lambda: None
        over = _thread.allocate_lock()
        over.acquire()

        def watch() -> None:
            deadline = self._started + limit if limit > 0 else float("inf")
            if self.options.progress:
                over_before = self._show_progress(over, deadline)
            else:
                over_before = over.acquire(True, limit)
            if not over_before and os.getpid() == self._pid:
                if limit > 0 and sys.version_info[:2] == (3, 10):
                    import faulthandler

                    faulthandler.cancel_dump_traceback_later()  # this thread lives: it reports
                self.ended = self._stopped(f"--time-limit: {limit:g} s", f"{limit:g} s (--time-limit)")
                if not iterations(_core.counters()):
                    self.failure = self.ended  # no training that goes on: the script is stuck
                status = self._report()
                self._out.flush()
                real_exit(status)

        _thread.start_new_thread(watch, ())
        if limit > 0 and sys.version_info[:2] == (3, 10):
            # Its interpreter never gives way in `while True: try: ...`: no thread can report, but
            # the process still ends, with the place where it hangs.
            import faulthandler

            faulthandler.dump_traceback_later(limit + 2, exit=True, file=self._err)
        return over.release

    def _show_progress(self, over: Any, deadline: float) -> bool:
        """Waits like over.acquire(timeout), with a line on the terminal; True: released in time."""
        import shapeflow.progress as progress

        self._line = progress.Line(self._err)
        pause = progress.DELAY
        while True:
            left = deadline - time.monotonic()
            if over.acquire(True, max(0.0, min(pause, left))):
                return True
            if time.monotonic() >= deadline:
                return False
            self._line.show(progress.words(self.options.script, _core.counters(),
                                           time.monotonic() - self._started))
            pause = progress.INTERVAL

    def _stopped(self, why: str, otherwise: str) -> str:
        """`stopped after 469 iterations (WHY)`; `stopped after OTHERWISE` where nothing was counted."""
        made = iterations(_core.counters())
        if not made:
            return f"stopped after {otherwise}"
        return f"stopped after {made:,} iteration{'s' * (made != 1)} ({why})"

    def _take_interrupt(self) -> Callable[[], None]:
        """Ctrl-C ends the check with what was found, whatever the script does with KeyboardInterrupt."""
        real_exit = os._exit

        def interrupted(signum: int, frame: Any) -> None:
            if os.getpid() != self._pid:
                raise KeyboardInterrupt
            seconds = time.monotonic() - self._started
            self.ended = self._stopped("interrupted", f"{seconds:.1f} s (interrupted)")
            self.failure = "interrupted"
            status = self._report()
            self._out.flush()
            real_exit(status)

        interrupted._sf_ends_work = True  # type: ignore[attr-defined]  # a run need not go on before
        try:
            before = _signal.signal(_signal.SIGINT, interrupted)
        except ValueError:  # not in the main thread
            return lambda: None

        def restore() -> None:
            if _signal.getsignal(_signal.SIGINT) is interrupted:
                _signal.signal(_signal.SIGINT, before)

        return restore

    def _take_output(self) -> Any:
        """Sends what the script prints to /dev/null, at the descriptor, so that children follow;
        the report keeps the real standard output."""
        if self.options.show_output:
            return lambda: None
        sys.stdout.flush()
        sys.stderr.flush()
        kept = [os.dup(1), os.dup(2)]
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        os.close(sink)
        self._out = os.fdopen(os.dup(kept[0]), "w", encoding="utf-8", errors="replace")
        self._err = os.fdopen(os.dup(kept[1]), "w", encoding="utf-8", errors="replace")

        def restore() -> None:
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            for fd in kept:
                os.close(fd)

        return restore

    @staticmethod
    def _flush_streams() -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass  # the script closed or replaced it

    # --- the report ---------------------------------------------------------------------------
    def _drain(self) -> None:
        self.collector.extend(_core.findings())
        _core.clear_findings()

    def _look_back(self) -> None:
        """What a program never used is only known when it has run to its end, in all its parts."""
        if self.ended in ("normally", "by sys.exit") and not self.collector.of("error"):
            import shapeflow._impl.usage as usage

            usage.finish()
            self._drain()
            for finding, words in usage.try_short_batches():
                self.collector.add(as_fixed_batch(finding, words))

    def _status(self) -> int:
        if self.collector.of("error"):
            return EXIT_FINDINGS
        return EXIT_SCRIPT if self.failure else EXIT_CLEAN

    def _report(self) -> int:
        """Hands everything over once. A second caller (the watchdog, when the script has just ended)
        waits for the first; Ctrl-C while the report is written cannot, and ends it."""
        if not self._reported.acquire(False):
            for _ in range(100):
                if self._result is not None or _thread.get_ident() == self._reporter:
                    break
                time.sleep(0.1)
            return self._status() if self._result is None else self._result
        self._reporter = _thread.get_ident()
        try:
            os.chdir(self._cwd)  # paths are shown, and fixes tried, from where the check was started
        except OSError:
            pass
        self._drain()
        self._look_back()
        if self._line is not None:
            self._line.clear()
        report = Report(self.options.script, self.collector.records, self._status(), self.ended,
                        self.failure, time.monotonic() - self._started)
        if self.options.shapes:
            from shapeflow import _seen

            report.shapes = _seen.collected()
        report.counters = _core.counters()
        if self._reads is not None:
            self._reads.stop()
            report.reads = self._reads.manifest(self._paths, list(self.options.overrides))
            if self.ended.startswith("stopped"):
                report.reads["opaque"] = "how long it was let run"
        self._result = self._deliver(report, self._out, self._err)
        self._out.flush()
        self._err.flush()
        return self._result


def _location(span: Span) -> str:
    return f"{display_path(span.path)}:{span.line}:{max(span.column, 0) + 1}"


def as_fixed_batch(finding: Any, words: str) -> Record:
    """What would fail at a batch that the program never came to: a warning, with the same facts."""
    record = record_of(finding)
    record.code, record.name, record.severity = "SF505", "FIXED_BATCH", "warning"
    record.message = words + record.message
    return record


def _tells(message: str, error: BaseException, text: str) -> bool:
    """Is the exception a finding's, or one that quotes it? A failure of the script's own has any words,
    none at all included (`assert x`)."""
    if message and message in text:
        return True
    words = text.partition("\n\t [[")[0]  # a run names the node where a finding has shapes
    return bool(words) and message.startswith(words) and not isinstance(error, (AssertionError, LookupError))


def _words_of(error: BaseException) -> str:
    """`ValueError: ...` as a traceback ends."""
    import traceback

    return "".join(traceback.format_exception_only(type(error), error)).rstrip()


def _user_frames(trace: Optional[TracebackType]) -> List[Span]:
    """The script's frames of a traceback, innermost first, without ours and installed packages."""
    frames: List[Span] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        path = code.co_filename
        if not path.startswith(_PACKAGE) and not _is_installed(path):
            position: Tuple[Any, ...] = (trace.tb_lineno, None, None, None)
            if hasattr(code, "co_positions"):
                positions = list(code.co_positions())
                index = trace.tb_lasti // 2
                if 0 <= index < len(positions):
                    position = positions[index]
            line, end_line, column, end_column = position
            frames.append(
                Span(path, trace.tb_lineno, -1 if column is None else column,
                     -1 if end_line is None else end_line,
                     -1 if end_column is None else end_column, code.co_name)
            )
        trace = trace.tb_next
    frames.reverse()
    return frames


def _is_installed(path: str) -> bool:
    parts = path.replace("\\", "/")
    if parts.endswith((".pyx", ".pxd", ".pxi")):
        return True  # a compiled module that names the file it was made from
    return "/site-packages/" in parts or "/dist-packages/" in parts or path.startswith("<") or (
        parts.startswith(os.path.dirname(os.__file__).replace("\\", "/") + "/")
    )


_NUMPY_SHAPE_WORDS = (
    "operands could not be broadcast together",
    "could not broadcast input array",
    "cannot reshape array of size",
    "mismatch in its core dimension",
    "not aligned:",
    "all the input array dimensions",
    "all the input arrays must have same number of dimensions",
    "all input arrays must have the same shape",
    "shape mismatch:",
    "axes don't match array",
)


def _is_numpy_shape_error(error: BaseException) -> bool:
    """Did numpy itself refuse shapes? Its words, and raised from a call into numpy."""
    return isinstance(error, ValueError) and any(words in str(error) for words in _NUMPY_SHAPE_WORDS)


_MODEL_SUFFIXES = (".pb", ".pbtxt", ".graphdef", ".meta")


def check(options: Options, deliver: Deliver) -> int:
    """Checks one script or graph file in this process; the exit status that `deliver` gave."""
    if options.script.lower().endswith(_MODEL_SUFFIXES) or os.path.isdir(options.script):
        import shapeflow.check_graph as check_graph

        if check_graph.find_model(options.script) is not None:
            return check_graph.GraphChecker(options, deliver).run()
    return Checker(options, deliver).run()
