# SIGTERM to the check from outside, while the script ignores it: all is gone
# expect: any
# send: TERM
import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.fork()
time.sleep(15)
