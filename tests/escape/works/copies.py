# copies keep content, mode and times; a moved folder holds what it held
import os
import shutil

shutil.copy2("run.sh", "copy.sh")
assert os.stat("copy.sh").st_mode == os.stat("run.sh").st_mode
assert int(os.stat("copy.sh").st_mtime) == int(os.stat("run.sh").st_mtime)
shutil.copytree("checkpoints", "backup")
assert sorted(os.listdir("backup")) == sorted(os.listdir("checkpoints"))
os.makedirs("a/b")
os.rename("a", "z")
assert os.path.isdir("z/b") and not os.path.exists("a")
shutil.move("deep", "deeper")
assert os.path.isfile("deeper/a/b/c.txt") and not os.path.exists("deep")
