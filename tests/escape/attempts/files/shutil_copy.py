# shutil: copyfile over a file, copytree into the project, copy2 with times
import os
import shutil

from aims import all_of, read

all_of(lambda: shutil.copyfile("data.bin", "notes.txt"), lambda: shutil.copytree("deep", "deep_copy"),
       lambda: shutil.copy2("run.sh", "log.txt"), lambda: shutil.make_archive("packed", "zip", "deep"))
assert read("notes.txt") == read("data.bin") and read("deep_copy/a/b/c.txt") == b"deep\n"
assert os.access("log.txt", os.X_OK)
