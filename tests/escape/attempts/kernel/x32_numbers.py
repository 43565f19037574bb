# unlink by the x32 numbers (bit 30 set)
# needs: linux x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
result = libc.syscall(ctypes.c_long(0x40000000 | 87), b"notes.txt")
assert result == 0, os.strerror(ctypes.get_errno())
