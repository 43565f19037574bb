# time: SIGSTOP to itself
# options: --time-limit 1
# expect: 3
# says: stopped after 1 s
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
