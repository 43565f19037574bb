# SIGTERM to the check from outside while the script ignores it: all ends
# expect: any
# send: TERM
import signal
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
time.sleep(15)
