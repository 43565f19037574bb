# fchmod, fchown, futimens and fsetxattr through a descriptor that only reads
import os

from aims import all_of

fd = os.open("notes.txt", os.O_RDONLY)
all_of(lambda: os.fchmod(fd, 0o600), lambda: os.utime(fd, (1, 1)), lambda: os.chmod(fd, 0o606),
       lambda: os.setxattr(fd, "user.shapeflow", b"changed"), lambda: os.fchown(fd, os.getuid(), os.getgid()))
