# subprocess: sed in place, cp, mv, touch, tar
import subprocess

from aims import read

for command in ("sed -i s/line/changed/ log.txt", "cp data.bin notes.txt", "mv hard.txt moved.txt",
                "touch -d 2001-01-01 array.npy", "tar cf all.tar deep", "rm -r link_dir"):
    subprocess.run(command.split(), check=True)
assert read("log.txt").startswith(b"changed 1")
