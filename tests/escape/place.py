"""A throw-away place for one escape script: files, sockets and a process of "the user's", and what became of
them.

Everything that a script aims at is made here, so that an attempt that succeeds harms nothing else; what it
may have left elsewhere under the run's own mark is looked for, reported and removed.
"""
from __future__ import annotations

import ctypes
import functools
import gzip
import hashlib
import os
import py_compile
import shutil
import signal
import socket
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from pathlib import Path

LINUX = sys.platform == "linux"
OLD = 1_500_000_000_123_456_789  # the times of all files, in nanoseconds
STRAY = ("/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr/lib", "/opt", "/root", "/mnt", "/srv", "/run", "/")
HERE = Path(__file__).resolve().parent


# --- files --------------------------------------------------------------------------------------
def _npy() -> bytes:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
    header += b" " * (118 - len(header) - 1) + b"\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + struct.pack("<4f", 1, 2, 3, 4)


@functools.lru_cache(maxsize=None)
def _database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shop.db")
        database = sqlite3.connect(path)
        database.execute("create table things (name)")
        database.execute("insert into things values ('first')")
        database.commit()
        database.close()
        return Path(path).read_bytes()


def _make_files(tree: Path, script: str) -> None:
    project = tree / "project"
    files = {
        "notes.txt": b"line 1\nline 2\n", "log.txt": b"line 1\nline 2\nline 3\n",
        "data.bin": bytes(range(256)) * 16,
        "readonly.txt": b"read only\n", "run.sh": b"#!/bin/sh\necho run\n", "array.npy": _npy(),
        "hard.txt": b"two names\n", "deep/a/b/c.txt": b"deep\n", "checkpoints/checkpoint":
        b'model_checkpoint_path: "model.ckpt-10"\nall_model_checkpoint_paths: "model.ckpt-10"\n',
        "checkpoints/model.ckpt-10.index": b"index", "checkpoints/model.ckpt-10.data-00000-of-00001": b"data",
        "checkpoints/model.ckpt-10.meta": b"meta", "runs/events.out.tfevents.1": b"events",
        "runs_old/kept.txt": b"kept\n",
        "secret/key.txt": b"the key\n", "helper_module.py": b"VALUE = 1\n", "package/__init__.py": b"",
        "package/inner.py": b"VALUE = 2\n", "train.py": script.encode(),
        "aims.py": (HERE / "aims.py").read_bytes(), "../outside/precious.txt": b"precious\n",
        "../outside/second.txt": b"second\n", "../outside/third.txt": b"third\n",
        "../home/.bashrc": b"# mine\n",
        "../home/.config/settings": b"mine\n",
    }
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in ("empty", "../tmp"):
        (project / name).mkdir()
    (project / "readonly.txt").chmod(0o444)
    (project / "run.sh").chmod(0o755)
    os.link(project / "hard.txt", project / "hard_link.txt")
    (project / "link.txt").symlink_to("notes.txt")
    (project / "link_dir").symlink_to("deep")
    with zipfile.ZipFile(project / "archive.zip", "w") as archive:
        archive.writestr("inside.txt", "inside")
    (project / "shop.db").write_bytes(_database())
    (project / "table.csv.gz").write_bytes(gzip.compress(b"1,2\n", mtime=0))
    for folder, _, names in os.walk(tree, topdown=False):
        for name in names:
            os.utime(os.path.join(folder, name), ns=(OLD, OLD), follow_symlinks=False)
        os.utime(folder, ns=(OLD, OLD))
    # Every script imports it: what it leaves is not what is tried.
    py_compile.compile(str(project / "aims.py"), doraise=True)
    os.utime(project, ns=(OLD, OLD))


def _inode_flags(path: str) -> int | None:
    """As lsattr shows them."""
    import array
    import fcntl

    try:
        with open(path, "rb") as stream:
            flags = array.array("l", [0])
            fcntl.ioctl(stream, 0x80086601, flags)
            return flags[0] & 0x40  # only what a script tries to change
    except OSError:
        return None


def picture(tree: Path) -> dict[str, dict[str, object]]:
    """All that can be known of a tree without changing it: names, contents, modes, owners, times, links."""
    found = {}
    for folder, folders, names in os.walk(tree):
        for name in [*folders, *names, "."]:
            path = os.path.normpath(os.path.join(folder, name))
            status = os.lstat(path)
            facts: dict[str, object] = {
                "mode": oct(status.st_mode), "owner": (status.st_uid, status.st_gid),
                "mtime": status.st_mtime_ns, "ctime": status.st_ctime_ns,
                "inode": status.st_ino, "links": status.st_nlink}
            if stat.S_ISLNK(status.st_mode):
                facts["target"] = os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                facts["content"] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
                if LINUX:
                    facts["flags"] = _inode_flags(path)
            if LINUX and not stat.S_ISLNK(status.st_mode):
                facts["attributes"] = {key: os.getxattr(path, key) for key in os.listxattr(path)}
            if path == str(tree / "tmp"):
                facts = {"mode": facts["mode"]}  # the check keeps its own there while it runs
            found[os.path.relpath(path, tree)] = facts
    return found


def differences(before: dict, after: dict, allowed: frozenset[str] = frozenset()) -> list[str]:
    """What changed, in words. Of what is allowed to appear, its folder's times and links may change."""
    loose = {os.path.dirname(path) for path in allowed}
    words = []
    for path in sorted(set(before) | set(after)):
        if path in allowed:
            continue
        if path not in after:
            words.append(f"{path}: removed")
        elif path not in before:
            words.append(f"{path}: appeared")
        else:
            changed = [key for key in before[path] if before[path][key] != after[path].get(key)
                       and not (path in loose and key in ("mtime", "ctime", "links"))]
            if changed:
                words.append(f"{path}: {', '.join(changed)} changed")
    return words


# --- sockets ------------------------------------------------------------------------------------
class Sockets:
    """Servers that accept nothing: who came is seen in their queues afterwards."""

    def __init__(self, outside: Path, mark: str) -> None:
        self._kept: dict[str, socket.socket] = {}
        self.ports = {"tcp": 0, "tcp6": 0, "udp": 0}
        self._listen("tcp", socket.AF_INET, ("127.0.0.1", 0), "0.0.0.0")
        try:
            self._listen("tcp6", socket.AF_INET6, ("::1", 0))
        except OSError:
            pass  # a machine without IPv6
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        self._kept["udp"] = udp
        self.ports["udp"] = udp.getsockname()[1]
        folder = os.open(outside, os.O_RDONLY)  # the path of a socket may have 107 bytes
        near = f"/proc/self/fd/{folder}" if LINUX else str(outside)
        self._listen("unix", socket.AF_UNIX, near + "/s")
        datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        datagram.bind(near + "/sd")
        os.close(folder)
        self._kept["unix datagram"] = datagram
        if LINUX:
            self._listen("abstract", socket.AF_UNIX, "\0" + mark)
        self.free = _free_port()

    def _listen(self, name, family, address, host=None):
        server = socket.socket(family, socket.SOCK_STREAM)
        server.bind((host, 0) if host else address)
        server.listen(20)
        server.setblocking(False)
        self._kept[name] = server
        if name in self.ports:
            self.ports[name] = server.getsockname()[1]

    def visited(self) -> list[str]:
        seen = []
        for name, server in self._kept.items():
            server.setblocking(False)
            try:
                if server.type == socket.SOCK_DGRAM:
                    server.recv(100)
                else:
                    server.accept()[0].close()
                seen.append(name)
            except OSError:
                pass
        return seen

    def close(self) -> None:
        for server in self._kept.values():
            server.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def knock(port: int, until) -> bool:
    """Does anything answer at the port before `until()` says that it is over?"""
    while not until():
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return True
        except OSError:
            time.sleep(0.02)
    return False


# --- processes and shared memory ------------------------------------------------------------------
def numbers() -> set[str]:
    """Of all processes, and nothing where that cannot be had."""
    return {name for name in os.listdir("/proc") if name.isdigit()} if LINUX else set()


def processes(mark: str, passed_over: set[str] = frozenset()) -> list[int]:
    """All processes that carry the mark in their environment or arguments, but the ones passed over."""
    found = []
    wanted = mark.encode()
    if not LINUX:
        listed = subprocess.run(["ps", "-axEww", "-o", "pid,command"], capture_output=True).stdout
        return [int(line.split()[0]) for line in listed.splitlines() if wanted in line]
    for _ in range(20):
        vanished = False
        for pid in numbers() - passed_over:
            for name in ("environ", "cmdline"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as stream:
                        if wanted in stream.read():
                            found.append(int(pid))
                            break
                except PermissionError:
                    pass
                except OSError:
                    vanished = True
        if found or not vanished:
            break  # else one may have forked between two looks
    return found


class Victim:
    """Another process of the user's, outside of the check."""

    def __init__(self) -> None:
        # A signal that waits can be seen; children have the mask of the thread that starts them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG])
        self.process = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.pid = self.process.pid
        self._before = self._facts()

    def _facts(self) -> dict[str, object]:
        if not LINUX:
            return {}
        import resource

        with open(f"/proc/{self.pid}/oom_score_adj") as stream:
            score = stream.read()
        with open(f"/proc/{self.pid}/status") as stream:
            waiting = [line for line in stream if line.startswith(("SigPnd", "ShdPnd"))]
        ioprio_get = 252 if os.uname().machine == "x86_64" else 31
        return {"priority": os.getpriority(os.PRIO_PROCESS, self.pid), "OOM score": score,
                "I/O priority": ctypes.CDLL(None).syscall(ioprio_get, 1, self.pid),
                "limits": resource.prlimit(self.pid, resource.RLIMIT_NOFILE),
                "CPUs": os.sched_getaffinity(self.pid), "scheduling": os.sched_getscheduler(self.pid),
                "signals waiting": waiting}

    def harms(self) -> list[str]:
        if self.process.poll() is not None:
            return ["another process was killed"]
        after = self._facts()
        return [f"another process has other {key}" for key in after if after[key] != self._before[key]]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Segment:
    """A System V shared memory segment with a content, for Linux."""

    def __init__(self) -> None:
        self.key = int.from_bytes(os.urandom(3), "big") | 0x40000000
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.shmat.restype = ctypes.c_void_p
        self._id = self._libc.shmget(self.key, 4096, 0o1600) if LINUX else -1
        if self._id >= 0:
            self._at = self._libc.shmat(self._id, None, 0)
            ctypes.memmove(self._at, b"before", 6)

    def harms(self) -> list[str]:
        words = []
        if self._id >= 0:
            if ctypes.string_at(self._at, 6) != b"before":
                words.append("System V memory of another process was written")
            queue = self._libc.msgget(self.key, 0o600)
            if queue >= 0:
                self._libc.msgctl(queue, 0, None)
                words.append("a System V message queue was left")
        return words

    def close(self) -> None:
        if self._id >= 0:
            self._libc.shmdt(ctypes.c_void_p(self._at))
            self._libc.shmctl(self._id, 0, None)


# --- all together -----------------------------------------------------------------------------------
class Place:
    """Made before a run; afterwards `harms()` says what the run did outside of itself."""

    def __init__(self, script: str, base: str | None = None, pyproject: str = "",
                 allowed: tuple[str, ...] = (), visitors: tuple[str, ...] = ()) -> None:
        self.tree = Path(os.path.abspath(tempfile.mkdtemp(prefix="sfe-", dir=base)))
        self.tree.chmod(0o755)
        self.project = self.tree / "project"
        self.mark = "sfesc" + uuid.uuid4().hex
        self._allowed = frozenset(f"project/{name}" for name in allowed)
        self._visitors = visitors
        _make_files(self.tree, script)
        if pyproject:
            (self.project / "pyproject.toml").write_text(pyproject)
        self.sockets = Sockets(self.tree / "outside", self.mark)
        self.victim = Victim()
        self.segment = Segment()
        self._others = numbers()
        self._host = socket.gethostname()
        self._before = picture(self.tree)

    def environment(self, **changes: str) -> dict[str, str]:
        ports = self.sockets.ports
        # pytest changes its own variable meanwhile, and places run in threads.
        ours = {key: value for key in list(os.environ) if (value := os.environ.get(key)) is not None
                and key not in ("PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "NO_COLOR", "FORCE_COLOR")}
        ours.update(
            ESCAPE_TREE=str(self.tree), ESCAPE_MARK=self.mark, ESCAPE_VICTIM=str(self.victim.pid),
            ESCAPE_TCP=str(ports["tcp"]), ESCAPE_TCP6=str(ports["tcp6"] or ports["tcp"]),
            ESCAPE_UDP=str(ports["udp"]), ESCAPE_LISTEN=str(self.sockets.free),
            ESCAPE_SHM_KEY=str(self.segment.key), HOME=str(self.tree / "home"),
            PWD=str(self.project), TMPDIR=str(self.tree / "tmp"),
            SHAPEFLOW_NO_CACHE="1", SHAPEFLOW_NO_SUGGESTIONS="1", **changes)
        return ours

    def processes(self) -> list[int]:
        """Those of the run that are there now; none of them is older than this place."""
        return processes(self.mark, self._others)

    def harms(self) -> list[str]:
        left = self.processes()
        words = [f"{len(left)} processes were left"] if left else []
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        if left:
            time.sleep(0.05)
        words += differences(self._before, picture(self.tree), self._allowed)
        words += [f"{name}: visited" for name in self.sockets.visited() if name not in self._visitors]
        words += self.victim.harms() + self.segment.harms() + self._strays()
        if socket.gethostname() != self._host:
            socket.sethostname(self._host)
            words.append("the machine has another name")
        return words

    def _strays(self) -> list[str]:
        found = []
        for folder in STRAY:
            try:
                names = [name for name in os.listdir(folder) if self.mark in name]
            except OSError:
                continue
            for name in names:
                path = os.path.join(folder, name)
                found.append(f"{path.replace(self.mark, 'MARK')}: appeared")
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        if LINUX:
            try:
                if ctypes.CDLL("librt.so.1").mq_unlink(f"/{self.mark}".encode()) == 0:
                    found.append("a message queue was left")
            except OSError:
                pass
        return found

    def missing(self) -> list[str]:
        """What was allowed to be made, or to be visited, and was not."""
        return [f"{path}: not made" for path in sorted(self._allowed) if not (self.tree / path).exists()]

    def close(self) -> None:
        self.sockets.close()
        self.victim.close()
        self.segment.close()
        shutil.rmtree(self.tree, ignore_errors=True)
