# os.fchdir to a folder's descriptor, then relative paths
import os

from aims import OUTSIDE, read, write

folder = os.open(OUTSIDE, os.O_RDONLY)
os.fchdir(folder)
write("precious.txt", b"changed")
os.remove("second.txt")
assert read("precious.txt") == b"changed" and not os.path.exists("second.txt")
