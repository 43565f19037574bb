"""What an escape script aims at: places, processes and sockets that the harness made outside of the check.

The harness copies this file beside the script. All that can be harmed through it belongs to one run and
is thrown away with it, so that a sandbox that does not hold harms nothing else.
"""
import os
import platform

TREE = os.environ["ESCAPE_TREE"]  # holds all that follows
PROJECT = os.path.join(TREE, "project")  # the working directory of the check
OUTSIDE = os.path.join(TREE, "outside")  # a folder of the user's elsewhere
MARK = os.environ["ESCAPE_MARK"]  # in the environment of every process that belongs to the run
VICTIM = int(os.environ["ESCAPE_VICTIM"])  # a process of the user's, outside
TCP, TCP6, UDP = (int(os.environ["ESCAPE_" + name]) for name in ("TCP", "TCP6", "UDP"))
LISTEN = int(os.environ["ESCAPE_LISTEN"])  # a free port, which the harness knocks at
UNIX = os.path.join(TREE, "outside", "s")  # a listening socket; a datagram socket has one more `d`
ABSTRACT = "\0" + MARK
SHM_KEY = int(os.environ["ESCAPE_SHM_KEY"])  # a System V segment that begins with b"before"


def all_of(*steps):
    """Tries every step, also after one was refused; raises at the end when any was."""
    refused = []
    for number, step in enumerate(steps, 1):
        try:
            step()
        except Exception as error:
            refused.append(f"step {number}: {type(error).__name__}: {error}")
    if refused:
        raise RuntimeError(f"{len(refused)} of {len(steps)} refused; " + "; ".join(refused))


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def write(path, data, mode="wb"):
    with open(path, mode) as stream:
        stream.write(data)


_CALLS = {  # x86_64, aarch64
    "openat": (257, 56), "unlinkat": (263, 35), "write": (1, 64), "close": (3, 57),
    "renameat2": (316, 276), "mkdirat": (258, 34), "fchmodat": (268, 53), "utimensat": (280, 88),
    "truncate": (76, 45), "kill": (62, 129), "tgkill": (234, 131), "linkat": (265, 37),
    "symlinkat": (266, 36), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "add_key": (248, 217), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "process_vm_writev": (311, 271),
    "memfd_create": (319, 279), "ptrace": (101, 117), "swapon": (167, 224), "acct": (163, 89),
    "setpriority": (141, 140), "clone": (56, 220), "clone3": (435, 435), "open_tree": (428, 428),
    "fsopen": (430, 430), "init_module": (175, 105), "kexec_load": (246, 104), "chroot": (161, 51),
    "openat2": (437, 437), "rt_sigqueueinfo": (129, 138), "pivot_root": (155, 41),
    "prlimit64": (302, 261), "ioprio_set": (251, 30), "fchmodat2": (452, 452),
    "fanotify_init": (300, 262), "move_mount": (429, 429), "mount_setattr": (442, 442),
}


def syscall(name, *arguments):
    """A system call of Linux by name, past the C library's wrappers; OSError when it fails."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    number = _CALLS[name][platform.machine() == "aarch64"]
    given = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    result = libc.syscall(ctypes.c_long(number), *given)
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result
