# a control group made, and this process moved out of its own
# needs: linux
# done: not held
import glob
import os

for place in ("/sys/fs/cgroup", *glob.glob("/sys/fs/cgroup/*")):
    try:
        os.mkdir(os.path.join(place, "shapeflow-escape"))
        os.rmdir(os.path.join(place, "shapeflow-escape"))
        raise SystemExit(0)
    except OSError:
        pass
    for name in ("cgroup.procs", "tasks"):
        try:
            with open(os.path.join(place, name), "w") as stream:
                stream.write(str(os.getpid()))
            raise SystemExit(0)
        except OSError:
            pass
raise SystemExit("refused, all of it")
