# writing through a hard link, one that was there and a new one
import os

from aims import all_of, read, write


def linked():
    os.link("log.txt", "fresh_link.txt")
    write("fresh_link.txt", b"changed")


all_of(lambda: write("hard_link.txt", b"changed"), linked)
assert read("hard_link.txt") == b"changed" and read("fresh_link.txt") == b"changed"
