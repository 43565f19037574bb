# shutil.rmtree of the whole project and of a folder beside it
import os
import shutil

from aims import OUTSIDE, PROJECT

shutil.rmtree(PROJECT, ignore_errors=True)
shutil.rmtree(OUTSIDE, ignore_errors=True)
left = os.listdir(PROJECT) if os.path.isdir(PROJECT) else []
assert not left, left
