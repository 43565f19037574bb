# pty.fork and pty.spawn: a shell on a terminal of its own
import os
import pty

pid, fd = pty.fork()
if pid == 0:
    os.execv("/bin/sh", ["sh", "-c", "echo changed > notes.txt"])
try:
    while os.read(fd, 1000):
        pass
except OSError:
    pass
assert os.waitpid(pid, 0)[1] == 0
with open("notes.txt") as stream:
    assert stream.read() == "changed\n"
