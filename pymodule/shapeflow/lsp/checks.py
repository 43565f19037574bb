"""Checks for an editor: each in a process of its own, delayed while somebody types, given up when a newer
text makes it pointless. All of it on the server's event loop; only waiting for the process is a thread's."""
from __future__ import annotations

import asyncio
import linecache
import os
import signal
import subprocess
import sys

import shapeflow.notebook.ipynb as ipynb
from shapeflow.checker import runner
from shapeflow.checker.configuration import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Awaitable, Callable, Dict, Optional, Set, Tuple

    from shapeflow.checker.findings import Report
    from shapeflow.lsp.places import Entry

    Texts = Dict[str, str]

_quoted: Set[str] = set()


def quotable(texts: Texts) -> None:
    """What findings quote, and comments are read from: the checked texts, and files as they are now."""
    for path in _quoted - set(texts):
        linecache.cache.pop(path, None)
    _quoted.update(texts)
    linecache.checkcache()
    for path, text in texts.items():
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)


AT_ONCE = 2  # processes; a third waits


class Checked:
    """A report with the texts it is about: {absolute path: text}."""

    def __init__(self, entry: Entry, report: Report, texts: Texts) -> None:
        self.entry = entry
        self.report = report
        self.texts = texts


class Checks:
    """The checks under way, one for each entry at most.

    texts(entry): what the editor has of the files of an entry. done(checked): called with every report, and
    once more when fixes were found for its findings."""

    def __init__(self, texts: Callable[[Entry], Texts], done: Callable[[Checked], None],
                 time_limit: float = 30.0, fixes: bool = True) -> None:
        self._texts = texts
        self._done = done
        self.time_limit = time_limit
        self.fixes = fixes
        self._tasks: Dict[Tuple[object, ...], asyncio.Task[None]] = {}
        self._kept: Set[asyncio.Task[None]] = set()  # until each has ended: a loop holds them weakly
        self._turn: Optional[asyncio.Semaphore] = None

    def schedule(self, entry: Entry, delay: float = 0.0) -> None:
        """A check of the texts as they are after `delay` seconds; what runs for this entry is given up."""
        known = self._tasks.get(entry.key)
        if known is not None:
            known.cancel()
        if self._turn is None:
            self._turn = asyncio.Semaphore(AT_ONCE)
        task = asyncio.ensure_future(self._check(entry, delay))
        self._tasks[entry.key] = task
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)

    def drop(self, key: Tuple[object, ...]) -> None:
        """Gives the check of one entry up."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def stop(self) -> None:
        """Gives everything up."""
        for task in self._kept:
            task.cancel()

    async def _check(self, entry: Entry, delay: float) -> None:
        await asyncio.sleep(delay)
        assert self._turn is not None
        async with self._turn:
            texts = self._texts(entry)
            sources = with_cells(texts)
            if not all(_is_python(path, text) for path, text in sources.items()):
                return  # somebody is typing: what was known of the text before still stands
            limit = self.time_limit if entry.time_limit is None else entry.time_limit
            report = await _in_thread(lambda started: runner.run(
                entry.script, ["--shapes", *entry.options], entry.args, texts, limit, entry.cwd, started))
            quotable(sources)
            try:
                entry.apply_selection(report)
            except ConfigError:
                pass  # said when the configuration was read
            checked = Checked(entry, report, sources)
            self._done(checked)
            if self.fixes and not ipynb.is_notebook(entry.script) and \
                    any(record.primary for record in report.of("error", "warning")):
                from shapeflow.lsp import fixing

                if await _in_thread(lambda started: fixing.find(checked, started)):
                    self._done(checked)


def with_cells(texts: Texts) -> Texts:
    """The texts, and those of the cells of notebooks among them, by the paths that findings name."""
    found = dict(texts)
    for path, text in texts.items():
        if ipynb.is_notebook(path):
            for cell in ipynb.read(text).cells:
                found[ipynb.cell_path(path, cell.number)] = cell.raw
    return found


def _is_python(path: str, text: str) -> bool:
    import warnings

    if ipynb.is_notebook(path):
        return True  # its cells are looked at
    if ipynb.split(path)[1]:
        text = ipynb.as_python(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


async def _in_thread(work: Callable[[Callable[[Any], None]], Any]) -> Any:
    """The result of `work(started)`, which waits for a process that it hands to `started`. Cancelled, the
    process is killed with its children."""
    children: list[subprocess.Popen[bytes]] = []
    given_up = False

    def started(child: subprocess.Popen[bytes]) -> None:
        children.append(child)
        _running[:] = [*(known for known in _running if known.poll() is None), child]
        if given_up:
            _kill(child)

    future: Awaitable[object] = asyncio.get_running_loop().run_in_executor(None, work, started)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        given_up = True
        for child in children:
            _kill(child)
        raise


_running: list[subprocess.Popen[bytes]] = []


def kill_all() -> None:
    """The server goes: no check outlives it."""
    for child in _running:
        _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is not None:
        return
    try:
        if sys.platform != "win32" and os.getpgid(child.pid) == child.pid:
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    except OSError:
        pass  # it went by itself
