# open_by_handle_at, which needs no path
# needs: linux
# done: not held
import ctypes
import os

from aims import PROJECT, syscall

handle = ctypes.create_string_buffer(136)
ctypes.memmove(handle, (128).to_bytes(4, "little"), 4)
mount = ctypes.c_int()
syscall("name_to_handle_at", -100, (PROJECT + "/notes.txt").encode(), handle, ctypes.byref(mount), 0)
folder = os.open(PROJECT, os.O_RDONLY)
syscall("open_by_handle_at", folder, handle, os.O_WRONLY)
