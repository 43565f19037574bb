"""A terminal that is recorded: a command is run on a pty, and what it wrote is laid out as a screen."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from command import command, environment

COLUMNS = 110
_ESCAPE = re.compile("\x1b(?:\\[[0-9;?]*[A-Za-z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")


class Recorded:
    """`status`: of the command; `raw`: all that was written; `screen`: what is there at the end; `passing`:
    lines that were written over, in their order."""

    def __init__(self, status, raw):
        self.status = status
        self.raw = raw
        self.passing = []
        lines = []
        for row in _ESCAPE.sub("", raw).replace("\r\n", "\n").split("\n"):
            shown = ""
            for part in row.split("\r"):
                if shown.strip() and part:
                    self.passing.append(shown.rstrip())
                shown = part + shown[len(part):]
            lines.append(shown.rstrip())
        self.screen = "\n".join(lines)


def recorded(folder, *arguments, when=None, keys=b"", limit=120, **env):
    """Runs `shapeflow ARGUMENTS` on a terminal. `when`: once this is true of what was written, `keys` are
    pressed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))

    def lead():
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in the background of a shell
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C goes to all of the command's processes

    child = subprocess.Popen(command(*arguments), cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
                             env=environment(TERM="xterm-256color", **env), preexec_fn=lead)
    os.close(theirs)
    written = b""
    end = time.monotonic() + limit
    try:
        while time.monotonic() < end:
            if when is not None and when(written):
                os.write(ours, keys)
                when = None
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    part = os.read(ours, 4096)
                except OSError:  # nobody writes any more
                    break
                if not part:
                    break
                written += part
        return Recorded(child.wait(timeout=max(1, end - time.monotonic())), written.decode())
    finally:
        child.kill()
        os.close(ours)


def without_times(text):
    return re.sub(r"\b\d+\.\d+ s\b", "N s", text)
