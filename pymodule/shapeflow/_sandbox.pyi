"""What holds a script's process: the contract between pymodule/sandbox (C) and shapeflow.sandbox.

It knows nothing of tensors. All of it works where nothing but Python's audit hooks are to be had.
"""
from typing import Any, Dict, List, Sequence, Tuple

Event = Tuple[str, str, str, int, bool, int]

def spawn(policy: Dict[str, Any]) -> Tuple[int, int, str, List[str]]:
    """Forks the script's process into the first of the policy's layers that works here.

    Returns (pid, status_fd, layer, notes) in the calling process and (0, -1, layer, []) in the new one,
    as os.fork() does. `pid` is a supervisor, to be waited for: SIGINT and SIGTERM to it reach the script's
    process, SIGKILL ends all. status_fd is read until its end: lines "limit memory BYTES" or
    "limit processes N", then "exit N" or "signal N" of the script; its end means that no process is left.
    notes say why a layer was not had ("namespaces: unshare: Operation not permitted"), and what one lacks.

    Keys: layers (names out of namespaces, landlock, audit, none), allow_write, deny_read and own_level
    (lists of absolute folders; the last are those where a file may be made beside mounts: the working
    folder, home, the script's, TMPDIR), allow_net (bool), max_memory (bytes), max_processes (256),
    scratch_size (bytes), scratch (an empty folder, for landlock and audit), keep_fds (descriptors beside
    0, 1, 2 that stay open). Raises OSError only when no layer could be had.
    """

def probe() -> Dict[str, Tuple[bool, str]]:
    """What the kernel gives here, by trying it in a child: user_namespace, overlay, mount_proc,
    net_namespace, landlock, seccomp, cgroup_memory, cgroup_pids, each with words for a reader."""

def guard(refuse: bool, allowed: Sequence[str], allow_net: bool, allow_exec: bool = ...) -> None:
    """Installs the audit hook in this process, for good. With `refuse` it raises PermissionError for what
    would leave the sandbox; without, it only notes."""

def events() -> List[Event]:
    """(kind, what, file, line, blocked, count) of what the hook saw; kind is one of write, delete, net,
    process, signal, device; file and line are the user's innermost frame."""
