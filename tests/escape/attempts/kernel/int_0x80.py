# unlink by the 32-bit entry, `int 0x80`, whose numbers are others
# needs: linux x86_64
import ctypes
import mmap

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_long
low = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22 | 0x40, -1, ctypes.c_long(0))  # MAP_32BIT
assert low > 0 and mmap.PAGESIZE
code = b"\x53\xb8\x0a\0\0\0\xbb" + (low + 2048).to_bytes(4, "little") + b"\xcd\x80\x5b\xc3"
ctypes.memmove(low, code, len(code))
ctypes.memmove(low + 2048, b"notes.txt\0", 10)
result = ctypes.CFUNCTYPE(ctypes.c_int)(low)()
assert result == 0, result
