# what open() is made of: _io.FileIO, _io.open, io.open_code, _pyio
import _io
import _pyio

from aims import all_of


def raw():
    with _io.FileIO("notes.txt", "w") as stream:
        stream.write(b"changed")


def module():
    with _io.open("log.txt", "w") as stream:
        stream.write("changed")


def pure():
    with _pyio.open("data.bin", "wb") as stream:
        stream.write(b"changed")


all_of(raw, module, pure)
