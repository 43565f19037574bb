# a folder whose name begins like an allowed one (`runs` is allowed, `runs_old` is not), and a link out of it
# options: --allow-write runs
# allowed: runs/kept.txt
import os

from aims import OUTSIDE, all_of, read, write


def linked():
    os.symlink(OUTSIDE, "runs/way_out")
    try:
        write("runs/way_out/precious.txt", b"changed")
    finally:
        os.unlink("runs/way_out")


all_of(lambda: write("runs/kept.txt", b"kept"), lambda: write("runs_old/kept.txt", b"changed"),
       linked, lambda: write("runs/../notes.txt", b"changed"),
       lambda: os.rename("log.txt", "runs_old/log.txt"))
assert read("runs_old/kept.txt") == b"changed"
