# os.rename of a file, and os.renames into a new folder
import os

os.rename("notes.txt", "renamed.txt")
os.renames("log.txt", "made/for/log.txt")
assert os.path.exists("renamed.txt") and os.path.exists("made/for/log.txt")
assert not os.path.exists("notes.txt") and not os.path.exists("log.txt")
