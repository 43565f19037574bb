# threads: as many as can be had (1,000 at most), all waiting
# expect: 0 3
import threading

stop = threading.Event()
started = []
try:
    for _ in range(1000):
        thread = threading.Thread(target=stop.wait, args=(10,), daemon=True)
        thread.start()
        started.append(thread)
except RuntimeError:
    pass
stop.set()
assert started
