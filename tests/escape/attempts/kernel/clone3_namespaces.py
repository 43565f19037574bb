# clone3 with a new user namespace: its flags are in memory, where no filter looks
# needs: linux
# done: not held
import ctypes
import os

from aims import syscall

arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
if syscall("clone3", arguments, 88) == 0:
    os._exit(0)
