# the same by the C library: link, symlink, rename into the scratch folder
# needs: linux
import ctypes
import glob
import os

from aims import OUTSIDE, PROJECT, all_of

libc = ctypes.CDLL(None, use_errno=True)
places = glob.glob(os.path.join(os.environ["TMPDIR"], "shapeflow-*")) or [os.environ["TMPDIR"]]
place = places[0].encode()


def call(name, *given):
    if getattr(libc, name)(*given) < 0:
        raise OSError(ctypes.get_errno(), name)


def opened(path):
    fd = libc.open(path, os.O_WRONLY | os.O_TRUNC)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "open")
    libc.write(fd, b"changed", 7)


def hard():
    call("link", (PROJECT + "/notes.txt").encode(), place + b"/hard")
    opened(place + b"/hard")


def soft():
    call("symlink", OUTSIDE.encode(), place + b"/soft")
    opened(place + b"/soft/precious.txt")


all_of(hard, soft, lambda: call("rename", (PROJECT + "/log.txt").encode(), place + b"/moved"))
