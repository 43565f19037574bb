# a program that has no file: memfd_create, then exec of /proc/self/fd
# needs: linux
import os

fd = os.memfd_create("program", 0)
with open("/bin/sh", "rb") as stream:
    os.write(fd, stream.read())
pid = os.fork()
if pid == 0:
    try:
        os.execv(f"/proc/self/fd/{fd}", ["sh", "-c", "echo changed > notes.txt"])
    finally:
        os._exit(9)
assert os.waitpid(pid, 0)[1] == 0, "the program did not run"
