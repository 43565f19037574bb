# a daemon by two forks and setsid, which would write when the check is over
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3):
            os.close(fd)
        time.sleep(3)
        with open("late.txt", "w") as stream:
            stream.write("left")
        time.sleep(60)
    os._exit(0)
os.wait()
