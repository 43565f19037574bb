# os.posix_spawn and os.spawnv of /bin/sh
import os

from aims import all_of


def spawned():
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "echo changed > notes.txt"], os.environ)
    assert os.waitpid(pid, 0)[1] == 0


all_of(spawned, lambda: os.spawnv(os.P_WAIT, "/bin/sh", ["sh", "-c", "rm log.txt"]))
assert not os.path.exists("log.txt")
