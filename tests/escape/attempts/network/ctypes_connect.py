# socket and connect called in the C library by ctypes
# needs: linux
import ctypes
import socket
import struct

from aims import TCP

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.socket(2, 1, 0)
address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", TCP, b"\x7f\0\0\1")
assert fd >= 0 and libc.connect(fd, address, len(address)) == 0, ctypes.get_errno()
