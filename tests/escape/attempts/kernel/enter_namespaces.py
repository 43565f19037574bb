# setns to the namespaces of other processes
# needs: linux
# done: not held
import glob
import os

from aims import VICTIM, syscall

for path in [*glob.glob(f"/proc/{VICTIM}/ns/*"), *glob.glob("/proc/1/ns/*"), *glob.glob("/proc/self/ns/*")]:
    try:
        fd = os.open(path, os.O_RDONLY)
        syscall("setns", fd, 0)
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
