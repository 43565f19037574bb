# TIOCSTI: a command typed into the terminal for the shell that comes after the check
# needs: linux
# terminal: yes
import fcntl
import os

typed = 0
for name in (0, 1, 2, "/dev/tty", "/proc/self/fd/0"):
    try:
        fd = name if isinstance(name, int) else os.open(name, os.O_RDWR)
        for letter in "echo changed\n":
            fcntl.ioctl(fd, 0x5412, letter.encode())
        typed += 1
    except OSError:
        pass
assert typed, "nothing could be typed"
