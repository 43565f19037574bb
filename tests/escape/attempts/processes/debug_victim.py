# the memory of another process: ptrace, process_vm_writev, /proc/PID/mem, pidfd_getfd
# needs: linux
# done: not held
import ctypes
import errno
import os

from aims import VICTIM, syscall

here = ctypes.create_string_buffer(8)
# From this byte to address 0 there, where nothing is: who may, hears EFAULT.
local = (ctypes.c_ulong * 2)(ctypes.addressof(here), 1)
remote = (ctypes.c_ulong * 2)(0, 1)
for attempt in (
        lambda: syscall("ptrace", 0x4206, VICTIM, 0, 0),
        lambda: syscall("process_vm_writev", VICTIM, local, 1, remote, 1, 0),
        lambda: os.open(f"/proc/{VICTIM}/mem", os.O_RDWR),
        lambda: syscall("pidfd_getfd", os.pidfd_open(VICTIM), 0, 0)):
    try:
        attempt()
    except OSError as error:
        if error.errno != errno.EFAULT:
            continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
