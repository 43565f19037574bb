# bpf, perf_event_open, userfaultfd, fanotify, keys, kexec, accounting
# needs: linux
# done: not held
import ctypes

from aims import syscall

perf = ctypes.create_string_buffer(128)
ctypes.memmove(perf, (1).to_bytes(4, "little") + (112).to_bytes(4, "little"), 8)
got = []
for name, given in (("bpf", (0, b"\1\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0" + b"\0" * 56, 72)),
                    ("perf_event_open", (perf, 0, -1, -1, 0)), ("userfaultfd", (0,)),
                    ("fanotify_init", (0, 0)),
                    ("add_key", (b"user", b"shapeflow-escape", b"x", ctypes.c_long(1), -3)),
                    ("acct", (None,)), ("kexec_load", (0, 0, None, 0))):
    try:
        syscall(name, *given)
        got.append(name)
    except OSError:
        pass
if not got:
    raise SystemExit("refused, all of it")
