# atexit: a handler that writes
import atexit

from aims import write

atexit.register(write, "notes.txt", b"changed")
