# os.replace of a file by a new one: the careful way to save
import os

from aims import read, write

write("notes.txt.tmp", b"the new state")
os.replace("notes.txt.tmp", "notes.txt")
assert read("notes.txt") == b"the new state" and not os.path.exists("notes.txt.tmp")
