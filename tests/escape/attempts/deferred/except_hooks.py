# sys.excepthook, sys.unraisablehook and threading.excepthook that write
# expect: 3
import sys
import threading

from aims import write

sys.excepthook = lambda *given: write("notes.txt", b"changed")
sys.unraisablehook = lambda *given: write("log.txt", b"changed")
threading.excepthook = lambda *given: write("data.bin", b"changed")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()


class Bad:
    def __del__(self):
        raise ValueError


del Bad
raise ValueError("for the first hook")
