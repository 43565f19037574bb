# processes: 2,048 of them by forks that fork (20 s at most)
# expect: 3
# says: processes
import os
import time

end = time.monotonic() + 20
for _ in range(11):
    try:
        os.fork()
    except OSError:
        pass
while time.monotonic() < end:
    time.sleep(0.1)
