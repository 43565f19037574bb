# SIGKILL to the check from outside, while the script has children: all are gone
# expect: any
# send: KILL
import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.fork()
time.sleep(15)
