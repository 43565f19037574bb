# posix_fallocate and fallocate(PUNCH_HOLE) on a file that was there
# needs: linux
import os

from aims import all_of

fd = os.open("notes.txt", os.O_RDWR)
all_of(lambda: os.posix_fallocate(fd, 0, 8192), lambda: os.pwrite(fd, b"changed", 0))
assert os.path.getsize("notes.txt") == 8192
