# os.chdir elsewhere, os.umask(0), then relative paths
import os

from aims import OUTSIDE, read, write

os.umask(0)
os.chdir(OUTSIDE)
write("made_elsewhere.txt", b"made")
write("precious.txt", b"changed")
os.chdir("/")
assert read(OUTSIDE + "/precious.txt") == b"changed"
