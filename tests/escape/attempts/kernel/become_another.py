# setuid, setgid, setgroups: another user's rights
# needs: linux
# done: not held
import os

other = 12345 if os.geteuid() != 12345 else 12346
for call, value in ((os.setuid, 65534), (os.setgid, 65534), (os.setgroups, [0, 65534]), (os.seteuid, other)):
    try:
        call(value)
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
