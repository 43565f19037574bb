# processes: 400 children, each in a session of its own and nobody's child any more
# expect: 3
# says: processes
import os
import time

for _ in range(400):
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(15)
            os._exit(0)
    except OSError:
        os._exit(0) if os.getsid(0) == os.getpid() else None
time.sleep(15)
