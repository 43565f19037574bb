# the same files by other names: /proc/self/cwd, /proc/self/root, /proc/thread-self
# needs: linux
from aims import OUTSIDE, all_of, write

all_of(lambda: write("/proc/self/cwd/notes.txt", b"changed"),
       lambda: write("/proc/self/root" + OUTSIDE + "/precious.txt", b"changed"),
       lambda: write("/proc/thread-self/cwd/log.txt", b"changed"))
