# a handler of SIGALRM that removes and writes while the script computes
import os
import signal
import time

from aims import read, write


def handler(signum, frame):
    os.remove("log.txt")
    write("notes.txt", b"changed")


signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.05)
end = time.monotonic() + 0.3
while time.monotonic() < end:
    pass
assert read("notes.txt") == b"changed"
