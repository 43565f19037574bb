# copies keep mode and times
import os
import shutil

shutil.copy2("run.sh", "copy.sh")
assert os.stat("copy.sh").st_mode == os.stat("run.sh").st_mode
assert int(os.stat("copy.sh").st_mtime) == int(os.stat("run.sh").st_mtime)
