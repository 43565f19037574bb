# names with spaces, of other languages, of bytes that are no text, and long ones
import os

for name in ("two words.txt", "größe-数据.txt", b"bytes-\xff.txt", "x" * 200):
    with open(name, "w") as stream:
        stream.write("x")
    with open(name, "a") as stream:
        stream.write("y")
    with open(name) as stream:
        assert stream.read() == "xy"
assert b"bytes-\xff.txt" in os.listdir(b".") and "größe-数据.txt" in os.listdir(".")
