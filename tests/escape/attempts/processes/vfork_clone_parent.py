# a child by clone(CLONE_PARENT): it belongs to the one who started this script
# needs: linux
import os
import time

from aims import syscall

if syscall("clone", 0x8000 | 17, 0, 0, 0, 0) == 0:
    time.sleep(60)
    os._exit(0)
