# what is hard to tidy up: folders 300 deep, folders without rights, names of bytes, links to folders
import os

here = os.getcwd()
for _ in range(300):
    os.mkdir("deep_down")
    os.chdir("deep_down")
with open("bottom.txt", "w") as stream:
    stream.write("x")
os.chdir(here)
os.makedirs("shut/inside")
with open("shut/inside/file.txt", "w") as stream:
    stream.write("x")
os.symlink(here, "shut/round")
os.mkdir(b"bytes-\xff\xfe")
os.chmod("shut/inside", 0)
os.chmod("shut", 0)
