"""What holds a script's process: the contract between pymodule/sandbox (C) and shapeflow.sandbox.

It knows nothing of tensors. All of it works where nothing but Python's audit hooks are to be had.
"""
from typing import Any, Dict, List, Optional, Sequence, Tuple

Event = Tuple[str, str, str, int, bool, int]

def spawn(policy: Dict[str, Any]) -> Tuple[int, int, str, List[str]]:
    """Forks the script's process into the first of the policy's layers that works here.

    Returns (pid, status_fd, layer, notes) in the calling process and (0, -1, layer, []) in the new one,
    as os.fork() does. `pid` is a supervisor, to be waited for: SIGINT to it reaches the script's
    process, SIGTERM and SIGKILL end all. status_fd is read until its end: lines "limit memory BYTES",
    "limit processes N" or "limit scratch BYTES", in the namespaces layer "removed PATH" of what was
    removed or renamed of the user's (the first of them), then "exit N" or "signal N" of the script
    when none of its processes is left; at its end the supervisor has gone too.
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

def guard(refuse: bool, allowed: Sequence[str], allow_net: bool, allow_exec: bool = False) -> None:
    """Installs the audit hook in this process, for good; forked children inherit it.

    With `refuse` it raises PermissionError for what would leave the sandbox: writing elsewhere than below
    the `allowed` folders, the network unless allow_net, signals to foreign processes and, unless allow_exec
    (where the kernel holds other programs), starting one. Without, it only notes. Raises RuntimeError
    when called again: a script may not loosen what holds it."""

def policy() -> Optional[Tuple[bool, List[str], bool, bool]]:
    """guard()'s arguments, the folders without links, where it was called: for a child that is a program."""

def events() -> List[Event]:
    """(kind, what, file, line, blocked, count) of what the hook saw, in this process and in its forked
    children; kind is one of write, delete, net, process, signal, device; file and line are the user's
    innermost frame ("", 0: none), what is the first of the events there. At most 100 rows."""

def note(kind: str, what: Any) -> None:
    """Counts an event that the hook cannot see: what shapeflow.sandbox.redirect did in place of a call."""
