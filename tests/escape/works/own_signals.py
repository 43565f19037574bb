# signals to itself and to its own children: an alarm, terminate()
import os
import signal
import time

got = []
signal.signal(signal.SIGALRM, lambda number, frame: got.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.02)
time.sleep(0.1)
os.kill(os.getpid(), signal.SIGALRM)
assert len(got) == 2
child = os.fork()
if child == 0:
    time.sleep(30)
    os._exit(0)
os.kill(child, signal.SIGKILL)
assert os.waitpid(child, 0)[1] == signal.SIGKILL
