# setuid, setgid, setgroups: another user's rights
# needs: linux
# done: not held
import os

for call, value in ((os.setuid, 65534), (os.setgid, 65534), (os.setgroups, [0, 65534]), (os.seteuid, 12345)):
    try:
        call(value)
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
