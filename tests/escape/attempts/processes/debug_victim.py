# the memory of another process: ptrace, process_vm_writev, /proc/PID/mem, pidfd_getfd
# needs: linux
# done: not held
import os

from aims import VICTIM, syscall

for attempt in (
        lambda: syscall("ptrace", 0x4206, VICTIM, 0, 0),
        lambda: syscall("process_vm_writev", VICTIM, None, 0, None, 0, 0),
        lambda: os.open(f"/proc/{VICTIM}/mem", os.O_RDWR),
        lambda: syscall("pidfd_getfd", os.pidfd_open(VICTIM), 0, 0)):
    try:
        attempt()
    except (OSError, AttributeError):
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
