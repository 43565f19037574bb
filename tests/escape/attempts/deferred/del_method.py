# __del__ and weakref.finalize that write when the interpreter goes down
import weakref

import aims


class Holder:
    def __init__(self):
        self.write = aims.write
        self.me = self

    def __del__(self):
        self.write("notes.txt", b"changed")


holder = Holder()
weakref.finalize(aims.all_of, aims.write, "log.txt", b"changed")
