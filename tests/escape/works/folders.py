# folders: made, entered, named by getcwd, removed; the old ones keep what they hold
import os

os.makedirs("out/run-1", exist_ok=True)
os.makedirs("out/run-1", exist_ok=True)
here = os.getcwd()
os.chdir("out/run-1")
assert os.getcwd() == os.path.join(here, "out", "run-1")
with open("a.txt", "w") as stream:
    stream.write("x")
os.chdir(here)
assert os.path.getsize("out/run-1/a.txt") == 1
try:
    os.rmdir("out")
except OSError:
    pass
else:
    raise AssertionError("a folder that is not empty was removed")
os.remove("out/run-1/a.txt")
os.removedirs("out/run-1")
assert not os.path.exists("out") and os.path.exists("deep/a/b/c.txt")
