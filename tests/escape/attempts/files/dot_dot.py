# paths with `..`, doubled slashes and links on the way to the file
from aims import OUTSIDE, PROJECT, all_of, read, write

all_of(lambda: write("../outside/precious.txt", b"changed"),
       lambda: write(f"{PROJECT}//deep/../deep/./a//b/../../../notes.txt", b"changed"),
       lambda: write("link_dir/../log.txt", b"changed"))
assert read(OUTSIDE + "/precious.txt") == b"changed" and read("notes.txt") == b"changed"
