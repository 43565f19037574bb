# os.execv: the script becomes a shell that writes
import os

os.execv("/bin/sh", ["sh", "-c", "echo changed > notes.txt; rm -rf checkpoints"])
