# calls relative to a folder's descriptor: open, mkdir, rename, unlink, utime, chmod
import os

from aims import OUTSIDE, all_of

folder = os.open(OUTSIDE, os.O_RDONLY)


def opened():
    fd = os.open("precious.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=folder)
    os.write(fd, b"changed")
    os.close(fd)


all_of(opened, lambda: os.mkdir("made", dir_fd=folder),
       lambda: os.utime("precious.txt", (1, 1), dir_fd=folder),
       lambda: os.chmod("precious.txt", 0o600, dir_fd=folder),
       lambda: os.rename("second.txt", "renamed.txt", src_dir_fd=folder, dst_dir_fd=folder),
       lambda: os.unlink("third.txt", dir_fd=folder))
