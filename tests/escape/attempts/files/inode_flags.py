# FS_IOC_SETFLAGS (chattr +d) through a descriptor that only reads
# needs: linux
import array
import fcntl

with open("notes.txt") as stream:
    flags = array.array("l", [0])
    fcntl.ioctl(stream, 0x80086601, flags)
    flags[0] |= 0x40
    fcntl.ioctl(stream, 0x40086602, flags)
