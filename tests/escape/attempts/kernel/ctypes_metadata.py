# ctypes: utimes, chmod, setxattr, fchmod of the C library, all of which change no content
# needs: linux
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
fd = os.open("notes.txt", os.O_RDONLY)
done = [libc.utimes(b"notes.txt", (ctypes.c_long * 4)(1, 0, 1, 0)) == 0, libc.chmod(b"log.txt", 0) == 0,
        libc.setxattr(b"data.bin", b"user.changed", b"1", ctypes.c_size_t(1), 0) == 0,
        libc.fchmod(fd, 0o606) == 0, libc.chown(b"hard.txt", 12345, 12345) == 0,
        libc.futimens(fd, None) == 0]
assert all(done), f"{done.count(False)} of {len(done)} refused"
