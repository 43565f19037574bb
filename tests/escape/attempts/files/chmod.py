# os.chmod of files and folders, and of a read-only file before it is written
import os

from aims import all_of, write

all_of(lambda: os.chmod("notes.txt", 0), lambda: os.chmod("checkpoints", 0o700),
       lambda: os.chmod("readonly.txt", 0o666), lambda: write("readonly.txt", b"changed"))
assert os.stat("checkpoints").st_mode & 0o777 == 0o700
