# the time of day set (to what it is)
# needs: linux
# done: not held
import time

time.clock_settime(time.CLOCK_REALTIME, time.time())
