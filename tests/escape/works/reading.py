# reading is free: the project, another folder, system files, /proc/self, randomness, the installed packages
import os
import sys

import aims

assert aims.read("log.txt").startswith(b"line 1")
assert aims.read(aims.OUTSIDE + "/precious.txt") == b"precious\n"
assert aims.read("/etc/passwd") and len(os.urandom(8)) == 8 and aims.read(os.__file__)
if sys.platform == "linux":
    with open("/proc/self/status") as stream:
        assert stream.readline().startswith("Name:")
    with open("/dev/urandom", "rb", buffering=0) as stream:
        assert len(stream.read(4)) == 4
with open(os.devnull, "w") as stream:
    stream.write("x")
assert os.stat("run.sh").st_mode & 0o111 and os.readlink("link.txt") == "notes.txt"
