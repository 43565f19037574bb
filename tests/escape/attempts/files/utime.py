# os.utime, and a copy of another file's times by shutil.copystat
import os
import shutil

from aims import all_of

all_of(lambda: os.utime("notes.txt"), lambda: os.utime("data.bin", (1, 1)),
       lambda: shutil.copystat("array.npy", "log.txt"))
assert os.stat("data.bin").st_mtime == 1
