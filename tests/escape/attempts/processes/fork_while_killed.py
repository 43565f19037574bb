# children that fork again and again (2,000 at most), so that a list of them is always old
import os
import time

end = time.monotonic() + 20
if os.fork() == 0:
    for _ in range(2000):
        if time.monotonic() > end or os.fork() != 0:
            os._exit(0)  # the newest goes on
        time.sleep(0.001)
time.sleep(0.2)
