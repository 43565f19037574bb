# os.mkdir, makedirs, rmdir, removedirs
import os

from aims import all_of

all_of(lambda: os.mkdir("made"), lambda: os.makedirs("runs/1/summaries"), lambda: os.rmdir("empty"),
       lambda: os.makedirs("x/y"), lambda: os.removedirs("x/y"))
assert os.path.isdir("runs/1/summaries") and not os.path.exists("empty")
