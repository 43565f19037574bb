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
import shapeflow.checker.core_hooks as core_hooks
import shapeflow.checker.eager_shapes as eager_shapes
import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.import_hook as hook
import shapeflow.checker.keras_file as keras_file
import shapeflow.checker.linear_algebra as linear_algebra
import shapeflow.checker.made_up as made_up
import shapeflow.checker.missing_arguments as missing_arguments
import shapeflow.checker.old_messages as old_messages
import shapeflow.checker.package_version as package_version
import shapeflow.checker.python2_source as python2_source
import shapeflow.checker.random_choice as random_choice
import shapeflow.checker.removed.array_methods as array_methods
import shapeflow.checker.script_failures as failures
import shapeflow.checker.script_output as script_output
import shapeflow.checker.unit_tests as unit_tests
import shapeflow.checker.waiting as waiting
from shapeflow import _core
from shapeflow.api import names, use_log
from shapeflow.checker.another_version import AnotherVersion
from shapeflow.checker.findings import INTERRUPTED, Report, UniqueFindings
from shapeflow.checker.library_frames import is_library
from shapeflow.checker.options import CheckOptions
from shapeflow.checker.patches import Scope, keep_path
from shapeflow.checker.removed.restore import Removed
from shapeflow.checker.reports import iterations
from shapeflow.checker.selection import EXIT_CLEAN, EXIT_FINDINGS, EXIT_SCRIPT, EXIT_USAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set, TextIO, Tuple

    from shapeflow._core import Finding, Loop
    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.findings import Span
    from shapeflow.checker.loops.watch import Watch
    from shapeflow.checker.memory_runs import Recorder
    from shapeflow.checker.missing_imports import MissingImports
    from shapeflow.checker.passed_over import PassedOver
    from shapeflow.checker.patches import Patcher
    from shapeflow.checker.python2_source import Translator
    from shapeflow.formats.progress import Line
    from shapeflow.tensorflow.compat.stated_versions import Stated

    Deliver = Callable[[Report, TextIO, TextIO], int]

shapeflow._wake()


class Checker:
    """One run of one script: sets the stage, runs, hands its report over. Exactly once, whoever ends it:
    the script, its os._exit, the time limit or Ctrl-C. `deliver` gives the exit status of the command."""

    unfinished = "could not be run to its end"

    def __init__(self, options: CheckOptions, deliver: Deliver) -> None:
        self.options = options
        self.collector = UniqueFindings(launcher=os.path.abspath(sys.argv[0]))
        self.ended = "normally"
        self.failure: Optional[str] = None
        self._source = ""  # the program's; of a notebook, all its cells
        self._deliver = deliver
        self._result: Optional[int] = None
        self._pid = os.getpid()
        self._reported = _thread.allocate_lock()
        self._out: TextIO = sys.stdout
        self._err: TextIO = sys.stderr
        self._started = time.monotonic()
        self._cwd = os.getcwd()
        self._reads: Any = None
        self._missing: Optional[MissingImports] = None  # once a module is not found
        self._data: Optional[DataFiles] = None
        self._arguments: Optional[missing_arguments.Arguments] = None
        self._memory: Optional[Recorder] = None  # where a model of GPU is named
        self._translator: Optional[Translator] = None  # of a script
        self._removed: Optional[Removed] = None
        self._passed: Optional[PassedOver] = None  # where statements may fail
        self._passable: List[List[Tuple[str, int]]] = []  # as Report.passable
        self._in_thread: List[str] = []  # why threads of the script ended
        self._test_errors: List[Tuple[object, BaseException]] = []  # of unit tests
        self._paths: List[str] = []
        self._line: Optional[Line] = None
        self._reporter = 0
        self.scope: Scope  # of what is patched for the script, from before it is compiled until it has ended
        self._stated: List[Stated] = []  # versions that a notebook states
        self._emulated = "", ""
        self._because = ""
        self._trees: Dict[str, Tuple[object, object]] = {}  # as Decision.trees
        self._another = AnotherVersion()
        self._last_words = ""  # of a script that fails
        self._failed_at: List[object] = []  # as Report.failed_at
        self._has_old_messages = False  # protobuf refuses a module that was generated for it
        self._is_python2 = False  # it fails as programs of Python 2 do
        self._marks_modules = False
        self._loops: Optional[Watch] = None  # once one of them takes its time
        self._sure: Set[object] = set()  # keys of what was found before a turn of a loop was skipped

    # --- the run ------------------------------------------------------------------------------
    def run(self) -> int:
        """Runs the script to its end; the exit status of the command. Then the interpreter is as it was."""
        whole = Scope("check")
        try:
            return self._run(whole)
        finally:
            self._leave(whole)

    def _leave(self, scope: Scope) -> None:
        """In a process of its own a script may go on, in threads and in what it gave to atexit."""
        if not self.options.own_process:
            scope.close()

    def _run(self, whole: Scope) -> int:
        path = os.path.abspath(self.options.script)
        hook.override(whole.by("checker.import_hook", "files have the text that an editor has"),
                      self.options.overrides)
        whole.by("checker.check", "the core tells of findings as they are made").also(
            "hooks of the core", core_hooks.clear)
        try:
            if keras_file.is_keras_file(path):
                with open(path, "rb"):
                    source = b""  # read where it is needed: it may have gigabytes of weights
            elif path in self.options.overrides:
                source = self.options.overrides[path].encode()
            else:
                with open(path, "rb") as stream:
                    source = stream.read()
        except OSError as error:
            self._complain(f"cannot read {self.options.script}: {error.strerror}")
            return EXIT_USAGE
        if self.options.record_reads:
            import shapeflow.checker.dependency_tracker as reads

            self._reads = reads.Recorder()
            self._reads.open(path, "r", 0)
        self.scope = Scope("script")
        self._translator = python2_source.Translator(
            self.scope.by("checker.python2_source", "programs of Python 2 are translated"),
            self.options.python2)
        self._translator.watch_imports(lambda file: is_library(file, path))
        if self.options.passed_over or self.options.passes_all:
            import shapeflow.checker.passed_over as passed_over

            self._passed = passed_over.PassedOver(
                self.options.passed_over, path if self.options.passes_all else "", self._is_told)
            self._passed.install(self.scope.by("checker.passed_over", "statements may fail"))
        if self.options.old_messages:
            self.collector.add(old_messages.allow(
                self.scope.by("checker.old_messages", "old messages can be made")))
        if self.options.variant or self.options.parts or self.options.columns:
            made_up.begin(self.options)
        try:
            program = self._program(source, path)
        except (SyntaxError, ValueError) as error:
            self._emulated, self._because = ("", ""), ""
            self.ended = "not started"
            self.failure = keras_file.reason(error, source) or failures.message_of(error)
        else:
            self._source = self._source or source.decode("utf-8", "replace")
            self._prepare(self._source)
            self._run_program(program, path)
        finally:
            self._leave(self.scope)
        if os.getpid() != self._pid:
            os._exit(0)  # a child that the script forked: its parent reports
        return self._report()

    def _run_program(self, program: Callable[[Dict[str, object]], None], path: str) -> None:
        """Around it: its output, the limits, Ctrl-C."""
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
            script_output.flush()
            restore()

    def _complain(self, words: str) -> None:
        if self.options.complain is not None:
            self.options.complain(words)
        else:
            print(f"shapeflow: {words}", file=self._err)

    def compile(self, source: Any, path: str, flags: int = 0) -> Any:
        """The code of the script, from its text or its tree."""
        source = self._translated(source, path)
        if self._marks_modules:
            from shapeflow.checker.loops import instrument

            try:
                source = instrument.marked(source, path, flags, None if flags else self._parsed(source, path))
            except SyntaxError:
                pass  # it may be Python 2
        try:
            return compile(source, path, "exec", flags, dont_inherit=True)
        except SyntaxError:
            if self._translator is None:
                raise
            return self._translator.compile(source, path, flags)

    def _program(self, source: bytes, path: str) -> Callable[[Dict[str, object]], None]:
        """What runs the script, compiled, in a namespace."""
        compile_source: Callable[..., Any] = self.compile
        if self.must_mark(source):
            self._mark_modules(path)
        if self.options.shapes:
            compile_source = self._note_shapes(path)
        if path.endswith(".ipynb"):
            import shapeflow.notebook.ipynb as ipynb

            notebook = ipynb.read(source.decode("utf-8", "replace"))
            self._source = notebook.source
            self.options.tf_version = self.options.tf_version or notebook.version
            self._stated = notebook.stated
            return ipynb.program(notebook, path, compile_source)
        if keras_file.is_keras_file(path):
            self._source = "import tensorflow as tf"
            from shapeflow.tensorflow.compat.version_decision import DEFAULT_V2

            self.options.tf_version = self.options.tf_version or DEFAULT_V2
            return keras_file.program(path, self.collector)
        self._decide(source)  # before it is compiled: the trees that it reads are compiled, too
        code = compile_source(source, path)
        return lambda names: exec(code, names)

    def must_mark(self, source: bytes) -> bool:
        """May it have loops to be left, or take something unknown from a module?"""
        return bool(self.options.patience) or b"import" in source

    def _mark_modules(self, path: str) -> None:
        """The user's modules are marked from here on: their loops, of which steady ones may be left, and
        where something unknown may be in a text or an assertion."""
        from shapeflow.checker.loops import instrument

        self._marks_modules = True
        by = self.scope.by("checker.loops.instrument", "loops of the user's modules are seen")
        instrument.instrument_imports(by, path, self._translated, self._parsed)

    def _start_loops(self) -> None:
        """In the thread and process that run the program."""
        if self.options.patience:
            from shapeflow.checker.loops import instrument

            instrument.start(self._decide_loop, self.options.patience)

    def _decide_loop(self, loop: Loop) -> bool:
        """Does a loop that may be steady go on with its next turn?"""
        if self._loops is None:
            from shapeflow.api import positions
            from shapeflow.checker.loops import plan, watch

            by = self.scope.by("checker.loops.instrument", "elements are drawn ahead")
            by.set(positions.ahead, "seconds", plan.DRAWING / 4)
            self._loops = watch.Watch(self._before_skip)
        return self._loops.decide(loop, sys._getframe(1))

    def _translated(self, source: object, path: str) -> object:
        """The tree of a program that is run as Python 2, or some of whose statements may fail; of any other
        its source."""
        if self._translator is not None and self.options.python2:
            source = self._translator.tree(source, path)
        source = array_methods.changed(source, path)
        return source if self._passed is None else self._passed.changed(source, path)

    def _parsed(self, source: object, path: str) -> object:
        """The tree of a file that was read to find the version, which who asks may change; None: it has
        another text, or has been asked for."""
        text, tree = self._trees.pop(path, (None, None))
        return tree if text == source else None

    def _before_skip(self) -> None:
        """What was found so far owes nothing to the loops that are left from here on."""
        self._drain()
        self.options.has_skipped = True
        self._sure = {record.key() for record in self.collector.records}

    def _note_shapes(self, path: str) -> Callable[..., Any]:
        """From here on the shapes of expressions are noted; what compiles for it."""
        from shapeflow.checker import shape_recorder

        def compile_file(source: object, file: str, flags: int = 0) -> CodeType:
            if self._marks_modules:
                from shapeflow.checker.loops import instrument

                source = instrument.marked(source, file, flags)
            return shape_recorder.compile_noting(source, file, flags)

        by = self.scope.by("checker.shape_recorder", "modules of the user note the shapes that they make")
        shape_recorder.start(by, lambda file: not file.startswith("<") and not is_library(file, path),
                             compile_file)
        return compile_file

    def _prepare(self, source: str) -> None:
        self._limit_threads()
        from shapeflow.checker import library_frames
        from shapeflow.tensorflow.compat import version_detection

        library_frames.hide(os.path.abspath(self.options.script))
        version, mode = self._emulated if self._emulated[0] else self._decide(source)
        if self.options.tf_version:
            version = self.options.tf_version
            mode = self.options.mode or ("graph" if int(version.partition(".")[0]) < 2 else "eager")
        elif self.options.mode:
            mode = self.options.mode
        version_detection.activate(version, mode)
        _core.reset_default_graph()  # a script begins with none, whoever runs it
        by = self.scope.by
        from shapeflow.tensorflow.compat import python2

        python2.install(by("tensorflow.compat.python2", "scripts of long ago find what they knew"), version)
        self._removed = Removed(by("checker.removed.restore", "names that packages dropped are there"),
                                os.path.abspath(self.options.script))
        self._removed.install()

        def of_workers(util: ModuleType, by: Patcher) -> None:
            import shapeflow.checker.worker_programs as workers

            workers.change(util, by, version, mode, os.path.abspath(self.options.script))

        hook.act_on(by("checker.worker_programs", "the script's workers have our tensorflow too"),
                    {"multiprocessing.util": of_workers})
        hook.act_on(by("checker.random_choice", "draws and matrices that nobody computed are taken"),
                    {"numpy.random": random_choice.of_numpy, "random": random_choice.of_library,
                     "numpy.linalg": linear_algebra.of_numpy})
        hook.act_on(by("checker.package_version", "tensorflow has the version that is emulated"),
                    {"importlib.metadata": package_version.be_installed})
        unit_tests.keep_errors(by("checker.check", "errors of unit tests are kept"), self._test_errors)
        hook.replace_tensorflow(by("checker.import_hook", "tensorflow and keras are ShapeFlow"))
        import shapeflow.checker.keras_choice as keras_choice

        keras_choice.follow(self.scope.by("checker.keras_calls", "errors of Keras are findings"),
                            os.path.abspath(self.options.script))
        self._complete_imports()
        _core.clear_findings()
        _core.set_machine(self.options.devices)
        _core.set_go_on_hook(handlers.uncaught)
        _core.set_finding_hook(self._met)
        self._complete_data()
        self._arguments = missing_arguments.Arguments(
            self.options.arguments, by("checker.check", "arguments that a program lacks are noted"))
        self._arguments.watch()
        if self.options.devices:
            import shapeflow.checker.fitting as fitting

            self._memory = fitting.recorder_for(self.options.devices)
        use_log.start()
        if self.options.numeric:
            self.options.numeric.start()

    def _met(self, finding: Finding) -> None:
        """A finding as it is made by the program: not one of what is tried when that has ended. One that may
        depend on what nobody knows, or be of another version, a second run tells."""
        if self._reporter or handlers.is_no_failure(finding):
            return
        self._another.met(finding)
        is_unsure = made_up.count() or self._another.version or self._data is not None and self._data.count
        if self.options.met is not None and not is_unsure:
            self.options.met(finding)

    def _complete_imports(self) -> None:
        """Packages that are not installed are unknown. A program that lacks none loads nothing for it."""
        by = self.scope.by("checker.missing_imports", "packages that are not installed are unknown")

        def find(name: str, frame: FrameType) -> Optional[ModuleSpec]:
            if self._missing is None:
                from shapeflow.checker.missing_imports import MissingImports

                self._missing = MissingImports(self.options.script, self.options.root,
                                               self.options.missing_imports, self.options.unguarded, by)
            return self._missing.find(name, frame)

        hook.find_last(by, os.path.abspath(self.options.script), find)

    def _complete_data(self) -> None:
        """Data that are not there are declared, or unknown."""
        from shapeflow.checker import data_files, data_readers

        options = self.options
        by = self.scope.by("checker.data_files", "data that are not there are unknown")
        self._data = data_files.DataFiles(options.data, options.root, options.script, options.present, by)
        data_files.install(by, self._data)
        data_readers.install(by, self._data)
        eager_shapes.install(by, os.path.abspath(options.script))
        import shapeflow.checker.keras_choice as keras_choice

        keras_choice.follow_data(by, self._data)
        if options.unknown_at_start:
            import shapeflow.checker.unknown_values as unknown_values

            unknown_values.start(by, os.path.abspath(options.script))

    def _limit_threads(self) -> None:
        """Starting BLAS threads takes longer than most checks; a script that wants them says so."""
        name = "OPENBLAS_NUM_THREADS"

        def undo() -> None:
            if os.environ.get(name) == "1":
                del os.environ[name]

        if name not in os.environ:
            os.environ[name] = "1"
            self.scope.by("checker.check", "BLAS starts no threads").also(name, undo)

    def _decide(self, source: object) -> Tuple[str, str]:
        """The version and mode that the program shows; it is not asked where the user has said them."""
        from shapeflow.tensorflow.compat import version_detection

        wish = self.options.tf_version
        if wish:
            self._because = self.options.because or "it was asked for"
            start = "graph" if int(wish.partition(".")[0]) < 2 else "eager"
            self._emulated = wish, self.options.mode or start
            return self._emulated
        found = self._another.decision = version_detection.detect(
            [(os.path.abspath(self.options.script), source)], self._stated, self.options.overrides)
        if self._marks_modules:
            self._trees, found.trees = found.trees, {}
        for path in found.looked if self._reads is not None else ():
            if os.path.exists(path):
                self._reads.open(path, "r", 0)
            else:
                self._reads.look(path)
        self._because, self._emulated = found.because, (found.version, self.options.mode or found.mode)
        return self._emulated

    def _execute(self, program: Callable[[Dict[str, object]], None], path: str) -> None:
        """Runs `program` as `__main__`, as `python script.py args` would."""
        main = ModuleType("__main__")
        main.__dict__.update(__builtins__=__builtins__, __doc__=None)
        if path in self.options.overrides and not os.path.exists(path):
            argument, folder = "-", os.path.dirname(path)  # it came on standard input
        else:
            argument, folder = self.options.script, os.path.dirname(path)
            if self.options.module or "from ." in self._source:
                import shapeflow.checker.module_program as module_program

                name, root = module_program.place(self.options, path, self._source, self._cwd, self.collector)
                if name:
                    argument, folder = path, root
                    program = module_program.as_module(name, path, program)
        if argument != "-" and not path.endswith(".ipynb"):
            main.__dict__["__file__"] = argument
        real_exit = os._exit

        def leave(status: int) -> None:
            """os._exit of the script: what was found must not be lost."""
            if os.getpid() != self._pid:
                real_exit(status)
            self.ended = f"by os._exit({status})"
            if status != 0:
                self.failure = f"the script left by os._exit({status})"
            script_output.flush()
            result = self._report()
            self._out.flush()
            real_exit(result)

        with Scope("main") as scope:
            by = scope.by("checker.check", "the script is the program")
            by.item(sys.modules, "__main__", main, regardless=True)
            given = [argument, *self.options.args]
            if self._arguments is not None:
                given = self._arguments.argv(given, self._source)
            by.set(sys, "argv", given, regardless=True)
            by.set(sys, "excepthook", sys.excepthook, regardless=True)
            by.set(os, "_exit", leave, regardless=True)
            failures.watch_threads(scope.by("checker.check", "a thread that fails is told of"),
                                   self.options.script, self._thread_failed)
            keep_path(by)
            sys.path.insert(0, folder)
            self._paths = sys.path[:]
            if self._reads is not None:
                self._reads.start(scope.by("checker.dependency_tracker", "what the script reads is noted"))
            self._start_loops()
            waiting.cut_short(scope.by("checker.waiting", "nobody sleeps"), self.options.script,
                              self.collector.add)
            try:
                program(main.__dict__)
            except SystemExit as stop:
                self._exited(stop)
            except KeyboardInterrupt:
                self.ended = self.failure = INTERRUPTED
            except BaseException as error:  # the script's own, whatever it is
                self._raised(error, path)
            finally:
                if self._reads is not None:
                    self._reads.stop()
                self._paths = sys.path[:]

    def _exited(self, stop: SystemExit) -> None:
        status = stop.code
        if status in (None, 0):
            self.ended = "by sys.exit"
            return
        tests = unit_tests.result_of(stop)
        if tests is None:
            self.ended = f"by sys.exit({status!r})"
            self.failure = f"the script exited with status {status!r}"
            self._note_end(stop, failures.user_frames(stop.__traceback__, self.options.script))
            return
        self._drain()
        self.ended = "by sys.exit"
        found = self.collector.of("error")
        errors = [(test, error) for test, error in self._test_errors
                  if not any(failures.tells(record.message, error, str(error)) for record in found)]
        if errors:
            first = self._failure_of(errors[0][1], self.options.script)
            self.failure = unit_tests.failure_text(tests, errors, first)
            for _, error in errors:
                self._note_end(error, failures.user_frames(error.__traceback__, self.options.script))
        for note in unit_tests.notes(tests):
            self.collector.add(note)

    def _raised(self, error: BaseException, path: str) -> None:
        """An uncaught exception: a finding made it, numpy refused shapes, or it is the script's."""
        import shapeflow.checker.numpy_errors as numpy_errors

        self.ended = f"by {type(error).__name__}"
        self._drain()
        frames = failures.user_frames(error.__traceback__, path)
        if self._is_told(error):
            self._note_end(error, frames)
            return
        refused = numpy_errors.shape_error(error) if self._passed is None else None
        if refused is not None:
            frames = failures.user_frames(refused.__traceback__, path)
            self.collector.add(numpy_errors.record_of(refused, frames))
            self._note_end(error, frames)
            return
        import shapeflow.checker.keras_choice as keras_choice

        of_keras = keras_choice.record_of(error, frames)
        if of_keras is not None:
            self.collector.add(of_keras)
            self._note_end(error, frames)
            return
        self.failure = self._failure_of(error, path)
        self._note_end(error, frames)

    def _is_told(self, error: BaseException) -> bool:
        """Has a finding told of this exception?"""
        text = str(error)
        made = (finding.message for finding in _core.findings() if finding.severity == "error")
        return any(failures.tells(message, error, text) for message in (*self.collector.messages(), *made))

    def _failure_of(self, error: BaseException, path: str) -> str:
        """In words; whether another version has what is missing here is found out too."""
        frames = failures.user_frames(error.__traceback__, os.path.abspath(path))
        where = f"{failures.location(frames[0])}: " if frames else ""
        words = failures.message_of(error) + failures.advice(error)
        text = where + words
        self._last_words = "\n".join([text, *(frame.text for frame in frames)])
        self._has_old_messages = not self.options.old_messages and old_messages.is_meant(error)
        self._is_python2 = not (self.options.python2 or self.options.is_python3) and \
            names.emulated() < (2, 0) and python2_source.is_meant(error)
        more = self._another.failed(error)
        text, words = text + more, words + more
        self._failed_at = [frames[0].path, frames[0].line, words] if frames else []
        return text

    def _note_end(self, error: BaseException, frames: Sequence[Span]) -> None:
        """Where the program ended, if that may be for want of something unknown."""
        import shapeflow.checker.numpy_errors as numpy_errors
        import shapeflow.checker.passed_over as passed_over

        is_unsure = names.emulated() < (2, 0) and numpy_errors.is_of_later_numpy(error) or \
            made_up.count() or self._missing is not None and self._missing.records() or \
            self._data is not None and self._data.count or \
            self._arguments is not None and self._arguments.records() or \
            passed_over.is_of_surroundings(error, frames) or \
            str(error).startswith("metaclass conflict") or \
            any(record.code == "SF901" for record in self.collector.records)
        if is_unsure and passed_over.may_owe_to_unknown(error):
            self._passable.append([(frame.path, frame.line) for frame in frames])

    def _thread_failed(self, text: str, error: BaseException, frames: Sequence[Span]) -> None:
        self._in_thread.append(text)
        self._note_end(error, frames)

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

    def _show_progress(self, over: _thread.LockType, deadline: float) -> bool:
        """Waits like over.acquire(timeout), with a line on the terminal; True: released in time."""
        import shapeflow.formats.progress as progress

        self._line = progress.Line(self._err)
        pause = progress.DELAY
        while True:
            left = deadline - time.monotonic()
            if over.acquire(True, max(0.0, min(pause, left))):
                return True
            if time.monotonic() >= deadline:
                return False
            self._line.show(progress.line_text(self.options.script, _core.counters(),
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

        def interrupted(signum: int, frame: object) -> None:
            if os.getpid() != self._pid:
                raise KeyboardInterrupt
            seconds = time.monotonic() - self._started
            self.ended = self._stopped("interrupted", f"{seconds:.1f} s (interrupted)")
            self.failure = INTERRUPTED
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
        if self.options.show_output:
            return lambda: None
        self._out, self._err, restore = script_output.redirect(self.options.error_fd)
        by = self.scope.by("checker.check", "what the script asks is shown")
        script_output.show_questions(by, self._err, self._hold_line)
        return restore

    def _hold_line(self, held: bool) -> None:
        """The line of progress waits while the script asks something."""
        if self._line is not None:
            self._line.hold(held)

    # --- the report ---------------------------------------------------------------------------
    def _drain(self) -> None:
        found = [finding for finding in _core.findings() if not handlers.is_no_failure(finding)]
        if self.options.variant is None and made_up.count():
            found = [finding for finding in found if not made_up.may_be_cause(finding)]
        if self._passed is not None:
            found = [finding for finding in found if not self._passed.may_be_cause(finding)]
        self.collector.extend(found)
        _core.clear_findings()

    def _look_back(self) -> None:
        """What a program never used is only known when it has run to its end, in all its parts."""
        if self.ended in ("normally", "by sys.exit") and not self.collector.of("error"):
            import shapeflow.checker.unused_objects as usage

            usage.finish()
            self._drain()
            suspects = self.options.numeric.of_run() if self.options.numeric else []
            for record in [*usage.try_short_batches(), *suspects]:
                self.collector.add(record)
            if self._memory is not None:
                import shapeflow.checker.fitting as fitting

                for record in fitting.of_run(self._memory, self.collector.launcher):
                    self.collector.add(record)
            import shapeflow.checker.extent as extent

            for record in extent.of_run(_core.counters(), self.options.script):
                self.collector.add(record)

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
        self.failure = self.failure or next(iter(self._in_thread), None)
        self._look_back()
        self._hold_line(True)  # to the end: the thread that shows it lives on
        report = Report(self.options.script, self.collector.records, self._status(), self.ended,
                        self.failure, time.monotonic() - self._started)
        report.failed_at = self._failed_at
        if self.options.shapes:
            from shapeflow.checker import shape_recorder

            report.shapes = shape_recorder.collected()
        report.counters = _core.counters()
        if self._loops is not None and self._loops.tally.places:
            report.loops = self._loops.tally.to_json()
            report.loops["sure"] = [at for at, record in enumerate(report.records)
                                    if record.key() in self._sure]
        if self._missing is not None:
            report.records += self._missing.records()
            report.guarded = self._missing.guarded
        if self._data is not None:
            report.records += self._data.records()
            report.stubs = self._data.paths()
            if self.failure and not self.ended.startswith("stopped"):
                report.wanted = self._data.wanted()
            report.counters["stand_ins"] = self._data.count
        if self._arguments is not None:
            report.records += self._arguments.records()
            if not self.ended.startswith("stopped"):
                report.lacking = self._arguments.wanted(self._last_words)
            report.python2 = self._is_python2
            report.old_messages = self._has_old_messages
        if self._passed is not None:
            report.records += self._passed.records()
        report.passable, report.lent, report.split_at = self._passable, self.options.lent(), made_up.splits()
        report.counters.update(made_up.counters())
        if self._translator is not None:
            report.records += self._translator.records()
        if self._removed is not None and names.emulated() >= (2, 0):
            report.records += self._removed.records()
        report.emulated = (*self._emulated, self._because)
        self._another.tell(report)
        if self._reads is not None:
            self._reads.stop()
            report.reads = self._reads.manifest(self._paths, list(self.options.overrides))
            if self.ended.startswith("stopped"):
                report.reads["opaque"] = "how long it was let run"
        self._result = self._deliver(report, self._out, self._err)
        self._out.flush()
        self._err.flush()
        return self._result
