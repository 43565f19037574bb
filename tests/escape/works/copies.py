# copies of files and folders hold what they held, and so do moved ones
import os
import shutil

shutil.copy2("notes.txt", "copy.txt")
with open("copy.txt") as copy, open("notes.txt") as stream:
    assert copy.read() == stream.read()
shutil.copytree("checkpoints", "backup")
assert sorted(os.listdir("backup")) == sorted(os.listdir("checkpoints"))
os.makedirs("a/b")
os.rename("a", "z")
assert os.path.isdir("z/b") and not os.path.exists("a")
shutil.move("deep", "deeper")
assert os.path.isfile("deeper/a/b/c.txt") and not os.path.exists("deep")
