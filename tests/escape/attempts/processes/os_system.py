# os.system: rm, echo into a file
import os

status = os.system("rm -rf checkpoints && echo changed > notes.txt")
assert status == 0, status
assert not os.path.exists("checkpoints")
