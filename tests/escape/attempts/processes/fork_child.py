# os.fork: the child writes and leaves by os._exit
import os

pid = os.fork()
if pid == 0:
    try:
        with open("notes.txt", "w") as stream:
            stream.write("changed")
        os.remove("log.txt")
    finally:
        os._exit(0)
os.waitpid(pid, 0)
with open("notes.txt") as stream:
    assert stream.read() == "changed"
