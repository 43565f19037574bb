# devices opened for writing: disks, /dev/mem, /dev/kmsg, consoles, /dev/fuse, GPUs (opened only)
# needs: linux
# done: not held
import glob
import os

names = [name for pattern in ("mem", "kmsg", "port", "vd*", "sd*", "nvme*", "loop*", "tty[0-9]*", "ttyS*",
                              "fuse", "kvm", "nvidia*", "dri/*", "net/tun", "uinput")
         for name in glob.glob("/dev/" + pattern)]
for name in names:
    try:
        os.close(os.open(name, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit(f"{len(names)} of {len(names)} refused")
