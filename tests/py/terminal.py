"""The command on a terminal, for its tests."""
import os
import pty
import subprocess
import threading

from command import command, environment


def on_a_terminal(folder, *arguments, env=None, answer=None):
    """What the command writes when its output is a terminal. `answer`: (words, what is typed when they are
    seen), where its input is that terminal too."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(command(*arguments), cwd=folder, stdout=theirs, stderr=theirs,
                             stdin=None if answer is None else theirs, env=env or environment(TERM="xterm"))
    os.close(theirs)
    parts = []

    def read():
        is_answered = answer is None
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                return
            if not part:
                return
            parts.append(part)
            if not is_answered and answer[0].encode() in b"".join(parts):
                is_answered = True
                os.write(ours, answer[1].encode())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        child.wait(timeout=60)
    finally:
        child.kill()
    reader.join(timeout=10)
    os.close(ours)
    return b"".join(parts).decode()
