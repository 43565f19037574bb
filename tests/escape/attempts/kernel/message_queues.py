# a POSIX message queue and a System V one, left behind
# needs: linux
import ctypes

from aims import MARK, SHM_KEY

libc = ctypes.CDLL(None, use_errno=True)
queue = ctypes.CDLL("librt.so.1").mq_open(f"/{MARK}".encode(), 0o102, 0o600, None)
other = libc.msgget(SHM_KEY, 0o1600)
assert queue >= 0 or other >= 0, ctypes.get_errno()
