# raw system calls: fchmodat, fchmodat2, utimensat, which Landlock does not see
# needs: linux
from aims import all_of, syscall

all_of(lambda: syscall("fchmodat", -100, b"notes.txt", 0),
       lambda: syscall("utimensat", -100, b"log.txt", None, 0),
       lambda: syscall("fchmodat2", -100, b"data.bin", 0, 0))
