# SIGSTOP to every process of the check that can be seen, so that it never ends
# needs: linux
import os
import signal

from aims import MARK

found = 0
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    try:
        with open(f"/proc/{pid}/environ", "rb") as stream:
            if MARK.encode() in stream.read() and pid != os.getpid():
                os.kill(pid, signal.SIGSTOP)
                found += 1
    except OSError:
        pass
assert found, "none was found, or none could be stopped"
