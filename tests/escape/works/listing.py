# folders list what was there and what was made, not what was removed: listdir, scandir, walk, glob, iterdir
import glob
import os
import pathlib

os.mkdir("runs/new")
with open("runs/new/made.txt", "w") as stream:
    stream.write("x")
os.remove("checkpoints/model.ckpt-10.meta")
with open("checkpoints/model.ckpt-20.meta", "w") as stream:
    stream.write("x")
expected = ["checkpoint", "model.ckpt-10.data-00000-of-00001", "model.ckpt-10.index", "model.ckpt-20.meta"]
assert sorted(os.listdir("checkpoints")) == expected
assert sorted(entry.name for entry in os.scandir("checkpoints") if entry.is_file()) == expected
assert sorted(path.name for path in pathlib.Path("checkpoints").iterdir()) == expected
assert sorted(glob.glob("checkpoints/*.meta")) == ["checkpoints/model.ckpt-20.meta"]
assert ("runs/new", [], ["made.txt"]) in list(os.walk("runs"))
assert not os.path.exists("checkpoints/model.ckpt-10.meta")
assert os.path.isfile("checkpoints/model.ckpt-20.meta")
