# shutil.move of a folder that was there before
import os
import shutil

shutil.move("checkpoints", "old_checkpoints")
assert "model.ckpt-10.index" in os.listdir("old_checkpoints") and not os.path.exists("checkpoints")
