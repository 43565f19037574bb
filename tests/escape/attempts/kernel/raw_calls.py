# raw system calls: openat, unlinkat, renameat2, mkdirat, truncate, linkat, symlinkat
# needs: linux
import os

from aims import all_of, syscall


def opened():
    fd = syscall("openat", -100, b"notes.txt", os.O_WRONLY | os.O_TRUNC, 0)
    syscall("write", fd, b"changed", 7)


all_of(opened, lambda: syscall("unlinkat", -100, b"log.txt", 0),
       lambda: syscall("renameat2", -100, b"array.npy", -100, b"moved.npy", 0),
       lambda: syscall("mkdirat", -100, b"made", 0o700), lambda: syscall("truncate", b"data.bin", 0),
       lambda: syscall("linkat", -100, b"run.sh", -100, b"linked.sh", 0),
       lambda: syscall("symlinkat", b"run.sh", -100, b"points.sh"))
