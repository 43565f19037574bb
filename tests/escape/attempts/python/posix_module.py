# the C module behind os: posix.open, posix.unlink, posix.rename, posix.mkdir
import posix

from aims import all_of


def opened():
    fd = posix.open("notes.txt", posix.O_WRONLY | posix.O_TRUNC)
    posix.write(fd, b"changed")
    posix.close(fd)


all_of(opened, lambda: posix.unlink("log.txt"), lambda: posix.rename("array.npy", "moved.npy"),
       lambda: posix.mkdir("made"), lambda: posix.chmod("run.sh", 0o600),
       lambda: posix.utime("data.bin", (1, 1)))
