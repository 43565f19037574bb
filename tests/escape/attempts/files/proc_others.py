# the same files through other processes: /proc/PID/root, /proc/PID/cwd, /proc/PID/fd of all that can be seen
# needs: linux
# done: not held
import os

from aims import PROJECT

ways = []
for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) == os.getpid():
        continue
    for way in (f"/proc/{pid}/root{PROJECT}/notes.txt", f"/proc/{pid}/cwd/notes.txt"):
        try:
            if os.path.realpath(f"/proc/{pid}/root") and os.path.exists(way):
                with open(way, "w") as stream:
                    stream.write("changed")
                ways.append(way)
        except OSError:
            pass
with open("notes.txt") as stream:
    here = stream.read()
if not ways or here == "changed":
    raise SystemExit("no way, or one that leads back to what this script sees")
