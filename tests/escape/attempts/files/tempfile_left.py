# tempfile: files and folders left behind, in the default place and in the project
import os
import tempfile

from aims import MARK, all_of


def in_place(folder):
    fd, path = tempfile.mkstemp(prefix=MARK, dir=folder)
    os.write(fd, b"left")
    os.close(fd)
    assert os.path.exists(path)
    assert os.path.isdir(tempfile.mkdtemp(prefix=MARK, dir=folder))


all_of(lambda: in_place(None), lambda: in_place("."), lambda: in_place("/tmp"))
