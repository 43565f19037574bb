# os.chown of a file to its own owner and to another
import os

from aims import all_of

status = os.stat("notes.txt")
all_of(lambda: os.chown("notes.txt", status.st_uid, status.st_gid), lambda: os.chown("log.txt", 12345, 12345))
