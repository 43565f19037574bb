# two threads: one swaps a link between a free and a foreign place, the other writes through it
import os
import threading

from aims import OUTSIDE

os.makedirs("mine", exist_ok=True)
stop = threading.Event()


def swap():
    for number in range(10**6):
        if stop.is_set():
            break
        try:
            os.symlink(OUTSIDE if number % 2 else "mine", "swapped.new")
            os.replace("swapped.new", "swapped")
        except OSError:
            pass


thread = threading.Thread(target=swap)
thread.start()
try:
    for _ in range(300):
        try:
            with open("swapped/precious.txt", "w") as stream:
                stream.write("changed")
        except OSError:
            pass
finally:
    stop.set()
    thread.join()
