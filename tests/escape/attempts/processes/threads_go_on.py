# a thread that goes on when the script has ended, and writes
import threading
import time


def write():
    time.sleep(0.3)
    with open("notes.txt", "w") as stream:
        stream.write("changed")


threading.Thread(target=write).start()
