# os.open with each flag that writes: O_TRUNC, O_CREAT, O_EXCL, O_APPEND, O_RDWR
import os

from aims import all_of, read


def opened(path, flags):
    fd = os.open(path, flags, 0o600)
    os.write(fd, b"changed")
    os.close(fd)


all_of(lambda: opened("notes.txt", os.O_WRONLY), lambda: opened("notes.txt", os.O_WRONLY | os.O_TRUNC),
       lambda: opened("data.bin", os.O_RDWR), lambda: opened("log.txt", os.O_WRONLY | os.O_APPEND),
       lambda: opened("new.txt", os.O_WRONLY | os.O_CREAT | os.O_EXCL),
       lambda: os.close(os.open("readonly.txt", os.O_RDONLY | os.O_TRUNC)))
assert read("notes.txt") == b"changed" and read("log.txt").startswith(b"line 1")
