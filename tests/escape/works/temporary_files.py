# tempfile: NamedTemporaryFile, TemporaryDirectory, mkstemp, TemporaryFile
import os
import tempfile

with tempfile.NamedTemporaryFile("w", suffix=".txt") as stream:
    stream.write("x")
    stream.flush()
    assert os.path.getsize(stream.name) == 1
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.txt")
    with open(path, "w") as stream:
        stream.write("x")
    assert os.listdir(folder) == ["a.txt"]
assert not os.path.exists(folder)
with tempfile.TemporaryFile() as stream:
    stream.write(b"abc")
    stream.seek(1)
    assert stream.read() == b"bc"
