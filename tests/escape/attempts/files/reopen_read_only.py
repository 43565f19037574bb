# a descriptor that only reads, opened again for writing by /proc/self/fd and /dev/fd
# needs: linux
import os

from aims import all_of, read, write

reading = os.open("notes.txt", os.O_RDONLY)
path_only = os.open("log.txt", os.O_PATH)
all_of(lambda: write(f"/proc/self/fd/{reading}", b"changed"), lambda: write(f"/dev/fd/{reading}", b"again"),
       lambda: write(f"/proc/self/fd/{path_only}", b"changed"))
assert read("log.txt") == b"changed"
