# ctypes: open, write, unlink, rename, truncate, chmod, mkdir of the C library
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.open(b"notes.txt", os.O_WRONLY | os.O_TRUNC)
done = [fd >= 0 and libc.write(fd, b"changed", 7) == 7, libc.unlink(b"log.txt") == 0,
        libc.rename(b"array.npy", b"moved.npy") == 0, libc.truncate(b"data.bin", ctypes.c_long(0)) == 0,
        libc.chmod(b"run.sh", 0o600) == 0, libc.mkdir(b"made", 0o700) == 0]
assert all(done), f"{done.count(False)} of {len(done)} refused"
