# memory: in a System V segment that nobody has mapped any more
# needs: linux
# options: --max-memory 400M
# expect: 3
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
segments = []
try:
    for _ in range(15):
        segment = libc.shmget(0, ctypes.c_size_t(100_000_000), 0o1600)
        assert segment >= 0, "refused"
        segments.append(segment)
        at = libc.shmat(segment, None, 0)
        ctypes.memset(at, 1, 100_000_000)
        libc.shmdt(ctypes.c_void_p(at))
    time.sleep(0.5)
finally:
    for segment in segments:
        libc.shmctl(segment, 0, None)
raise SystemExit(0)
