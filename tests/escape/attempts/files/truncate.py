# os.truncate, os.ftruncate, file.truncate
import os

from aims import all_of


def by_file():
    with open("log.txt", "r+") as stream:
        stream.truncate(3)


def by_descriptor():
    fd = os.open("data.bin", os.O_RDWR)
    os.ftruncate(fd, 10)
    os.close(fd)


all_of(lambda: os.truncate("notes.txt", 0), by_file, by_descriptor)
assert [os.path.getsize(name) for name in ("notes.txt", "log.txt", "data.bin")] == [0, 3, 10]
