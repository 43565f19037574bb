# SIGKILL, SIGTERM and SIGSTOP to the process that started this one, and to its parent
import os
import signal

from aims import all_of

up = os.getppid()
all_of(lambda: os.kill(up or 2**22, signal.SIGSTOP), lambda: os.kill(up or 2**22, signal.SIGTERM),
       lambda: os.kill(up or 2**22, signal.SIGKILL))
