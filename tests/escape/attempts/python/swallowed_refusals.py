# every refusal swallowed by `except BaseException`, again and again
import os

from aims import read, write

for _ in range(50):
    for attempt in (lambda: write("notes.txt", b"changed"), lambda: os.remove("log.txt"),
                    lambda: os.mkdir("made"), lambda: os.system("rm -rf checkpoints")):
        try:
            attempt()
        except BaseException:
            pass
assert read("notes.txt") == b"changed"
