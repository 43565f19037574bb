# SIGHUP to the check, as when its terminal is closed: all is gone
# expect: any
# send: HUP
import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.fork()
time.sleep(15)
