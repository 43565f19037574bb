# the scratch folder of the check, where writing is allowed: a link from there to a foreign file, then written
import glob
import os
import posix
import tempfile

from aims import OUTSIDE, PROJECT, all_of

scratch = glob.glob(os.path.join(os.environ["TMPDIR"], "shapeflow-*"))
scratch += [os.environ["TMPDIR"], tempfile.gettempdir()]
place = [folder for folder in scratch if os.path.isdir(folder)][0]


def opened(path):
    fd = posix.open(path, posix.O_WRONLY | posix.O_TRUNC)
    posix.write(fd, b"changed")
    posix.close(fd)


def hard():
    posix.link(PROJECT + "/notes.txt", place + "/hard")
    opened(place + "/hard")


def soft():
    posix.symlink(OUTSIDE, place + "/soft")
    opened(place + "/soft/precious.txt")


def moved():
    posix.rename(PROJECT + "/log.txt", place + "/moved")
    opened(place + "/moved")


all_of(hard, soft, moved, lambda: opened(f"{place}/../project/hard.txt"))
