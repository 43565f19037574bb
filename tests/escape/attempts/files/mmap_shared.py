# a shared mmap of a file, written and flushed
import mmap

from aims import read

with open("data.bin", "r+b") as stream, mmap.mmap(stream.fileno(), 0) as view:
    view[:7] = b"changed"
    view.flush()
assert read("data.bin").startswith(b"changed")
