# kill(-1), a signal to every process there is: SIGURG, which harms nobody who does not wait for it
import os
import signal

os.kill(-1, signal.SIGURG)
