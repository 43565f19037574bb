# time: a loop that swallows every exception, with signals ignored
# options: --time-limit 1
# expect: 3
# says: stopped after 1 s
import signal

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
