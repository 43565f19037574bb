# os.remove and os.unlink, by str, bytes and Path
import os
import pathlib

from aims import all_of

all_of(lambda: os.remove("notes.txt"), lambda: os.unlink(b"data.bin"),
       lambda: os.remove(pathlib.Path("log.txt")), lambda: os.unlink("link.txt"))
assert not any(map(os.path.lexists, ("notes.txt", "data.bin", "log.txt", "link.txt")))
