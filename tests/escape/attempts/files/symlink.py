# writing through symbolic links: to a file, into a folder, and a new one that points outside
import os

from aims import OUTSIDE, all_of, read, write


def fresh():
    os.symlink(OUTSIDE, "way_out")
    write("way_out/precious.txt", b"changed")


all_of(lambda: write("link.txt", b"changed"), lambda: write("link_dir/a/b/c.txt", b"changed"), fresh)
assert read("notes.txt") == b"changed" and read(OUTSIDE + "/precious.txt") == b"changed"
