# --allow-write runs: what is written below `runs` is really written, all else is not
# options: --allow-write runs
# allowed: runs/kept.txt
import os

from aims import write

write("runs/kept.txt", b"kept")
write("elsewhere.txt", b"not kept")
os.remove("notes.txt")
