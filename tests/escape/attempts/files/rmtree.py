# shutil.rmtree of the checkpoints, as scripts do before a training starts
import os
import shutil

shutil.rmtree("checkpoints")
assert not os.path.exists("checkpoints")
os.makedirs("checkpoints")
assert os.listdir("checkpoints") == []
