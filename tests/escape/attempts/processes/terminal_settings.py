# the terminal's settings changed: no echo, another size, and left so
# needs: linux
# terminal: yes
import fcntl
import os
import struct
import termios

changed = 0
for name in (0, 1, 2, "/dev/tty"):
    try:
        fd = name if isinstance(name, int) else os.open(name, os.O_RDWR)
        settings = termios.tcgetattr(fd)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(fd, termios.TCSANOW, settings)
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 3, 7, 0, 0))
        changed += 1
    except (OSError, termios.error):
        pass
assert changed, "no terminal there"
