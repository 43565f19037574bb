# copy_file_range, sendfile and splice into a file that was there
# needs: linux
import os

from aims import all_of, read

size = os.path.getsize("data.bin")


def between(call, target):
    source, sink = os.open("data.bin", os.O_RDONLY), os.open(target, os.O_WRONLY | os.O_TRUNC)
    call(source, sink)
    os.close(source)
    os.close(sink)


def spliced(source, sink):
    reading, writing = os.pipe()
    os.splice(source, writing, size)
    os.splice(reading, sink, size)


all_of(lambda: between(lambda a, b: os.copy_file_range(a, b, size), "notes.txt"),
       lambda: between(lambda a, b: os.sendfile(b, a, 0, size), "log.txt"),
       lambda: between(spliced, "hard.txt"))
assert read("notes.txt") == read("log.txt") == read("hard.txt") == read("data.bin")
