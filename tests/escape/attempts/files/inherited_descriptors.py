# descriptors that the shell left open: a file to write, a folder, a pipe, a connected socket
# needs: linux
# inherit: yes
import os
import socket

from aims import read


def misuse(fd, name):
    """Does something come of it?"""
    if "precious" in name:
        return os.write(fd, b"changed")
    if name.endswith("outside"):
        return os.open("third.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=fd)
    if name.startswith("socket:"):
        return socket.socket(fileno=os.dup(fd)).send(b"hello")
    return 0


reached = []
for fd in range(3, 200):
    try:
        name = os.readlink(f"/proc/self/fd/{fd}")
        if misuse(fd, name):
            reached.append((fd, name))
    except OSError:
        pass
assert reached or read("../outside/precious.txt") != b"precious\n", "none was left open"
