# a file that is appended to has its old content too
from aims import read

with open("log.txt", "a") as stream:
    assert stream.tell() == 21
    stream.write("line 4\n")
assert read("log.txt") == b"line 1\nline 2\nline 3\nline 4\n"
with open("log.txt", "r+") as stream:
    stream.write("LINE")
assert read("log.txt") == b"LINE 1\nline 2\nline 3\nline 4\n"
