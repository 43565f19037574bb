# SIGKILL to every process of the check that can be seen
import os
import signal

from aims import MARK

found = 0
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    try:
        with open(f"/proc/{pid}/environ", "rb") as stream:
            ours = ("ESCAPE_MARK=" + MARK).encode() in stream.read()
        if ours and pid != os.getpid():
            os.kill(pid, signal.SIGKILL)
            found += 1
    except OSError:
        pass
assert found, "none was found, or none could be killed"
