# os.rename of a folder that was there before
import os

os.rename("checkpoints", "old_checkpoints")
assert "model.ckpt-10.index" in os.listdir("old_checkpoints") and not os.path.exists("checkpoints")
