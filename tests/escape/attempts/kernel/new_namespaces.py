# unshare and clone with new namespaces, which give back all capabilities
# needs: linux
# done: not held
import os

from aims import syscall

for flags in (0x10000000, 0x20000, 0x10020000, 0x40000000, 0x8000000, 0x4000000, 0x2000000):
    try:
        syscall("unshare", flags)
    except OSError:
        try:
            if syscall("clone", flags | 17, 0, 0, 0, 0) == 0:
                os._exit(0)
        except OSError:
            continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
