# ctypes: system() and popen() of the C library
import ctypes

libc = ctypes.CDLL(None)
status = libc.system(b"rm -rf checkpoints; echo changed > notes.txt")
assert status == 0, status
with open("notes.txt") as stream:
    assert stream.read() == "changed\n"
