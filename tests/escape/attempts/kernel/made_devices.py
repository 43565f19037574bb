# a device node of the system's disk made by mknod and opened
# needs: linux
# done: not held
import os
import stat

device = os.stat("/").st_dev
if not device >> 8:
    device = os.makedev(1, 1)  # the first RAM disk; /dev/mem's number below
for kind, number in ((stat.S_IFBLK, device), (stat.S_IFCHR, os.makedev(1, 1))):
    try:
        os.mknod("node", 0o600 | kind, number)
        os.close(os.open("node", os.O_RDWR | os.O_NONBLOCK))
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
