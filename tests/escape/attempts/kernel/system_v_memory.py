# System V shared memory of another process: found by its key, written
# needs: linux
import ctypes

from aims import SHM_KEY

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(SHM_KEY, 4096, 0o600)
assert segment >= 0, ctypes.get_errno()
at = libc.shmat(segment, None, 0)
ctypes.memmove(at, b"change", 6)
