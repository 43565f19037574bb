# a priority over all other processes: SCHED_FIFO, nice -20, locked memory
# needs: linux
# done: not held
import os

for attempt in (lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)), lambda: os.nice(-20)):
    try:
        attempt()
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
