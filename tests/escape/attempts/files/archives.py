# zipfile: an entry appended; tarfile and gzip: new archives; all unpacked over the project
import gzip
import tarfile
import zipfile

from aims import all_of, read


def appended():
    with zipfile.ZipFile("archive.zip", "a") as archive:
        archive.writestr("notes.txt", "from the archive")
    with zipfile.ZipFile("archive.zip") as archive:
        assert len(archive.namelist()) == 2
        archive.extractall(".")


def packed():
    with tarfile.open("all.tar.gz", "w:gz") as archive:
        archive.add("checkpoints")


def zipped():
    with gzip.open("log.txt", "wb") as stream:
        stream.write(b"changed")


all_of(appended, packed, zipped)
assert read("notes.txt") == b"from the archive"
