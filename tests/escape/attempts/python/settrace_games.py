# sys.settrace and sys.setprofile: the frames of whoever watches are changed as they run
import sys

from aims import read, write


def trace(frame, event, argument):
    if "shapeflow" in frame.f_code.co_filename and "path" in frame.f_locals:
        frame.f_locals["path"] = "notes.txt"
    return trace


sys.settrace(trace)
sys.setprofile(lambda *given: None)
write("notes.txt", b"changed")
sys.settrace(None)
assert read("notes.txt") == b"changed"
