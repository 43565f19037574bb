"""spawn(): what the kernel holds of a script's process, in each layer that this machine has."""
import errno
import mmap
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from shapeflow import _sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's layers are Linux's")


class Outcome:
    """What became of a script's process: its answer, the lines of its status, the layer and its notes."""

    def __init__(self, answer, lines, layer, notes):
        self.answer, self.lines, self.layer, self.notes = answer, lines, layer, notes


def read_all(fd):
    with open(fd, "rb") as pipe:
        return pipe.read()


def answer_of(work):
    """What work() gives, or the name of its OSError's errno."""
    try:
        return repr(work()), 0
    except OSError as error:
        return repr(errno.errorcode[error.errno]), 0
    except BaseException as error:
        return repr(f"{type(error).__name__}: {error}"), 1


def start(work, layer, keep=(), **policy):
    """spawn(), with work() as the script; returns (pid, status_fd, answer_fd, notes)."""
    answer, to_answer = os.pipe()
    pid, status, name, notes = _sandbox.spawn({"layers": [layer], "keep_fds": [to_answer, *keep],
                                               "max_memory": 1 << 30, "scratch_size": 64 << 20, **policy})
    if pid == 0:
        code = 125
        try:
            said, code = answer_of(work)
            os.write(to_answer, said.encode())
        finally:
            os._exit(code)  # pytest must not go on in this process
    os.close(to_answer)
    assert name == layer
    return pid, status, answer, notes


def finish(pid, status, answer, layer, notes):
    said = read_all(answer).decode()
    lines = read_all(status).decode().splitlines()
    assert os.waitpid(pid, 0) == (pid, 0)
    return Outcome(eval(said) if said else None, lines, layer, notes)


def run(work, layer, **policy):
    pid, status, answer, notes = start(work, layer, **policy)
    return finish(pid, status, answer, layer, notes)


def has(layer):
    try:
        run(int, layer)
        return True
    except OSError:
        return False


HAD = {layer: has(layer) for layer in ("namespaces", "landlock", "audit")} if sys.platform == "linux" else {}


def layers(*names):
    marks = [pytest.param(name, marks=pytest.mark.skipif(not HAD.get(name), reason=f"no {name} here"))
             for name in names]
    return pytest.mark.parametrize("layer", marks)


every_layer = layers("namespaces", "landlock", "audit")
kernel_layers = layers("namespaces", "landlock")
namespaces = layers("namespaces")


@pytest.fixture
def folder(tmp_path):
    """A user's folder: a file, a folder with a file."""
    (tmp_path / "log.txt").write_text("old\n")
    (tmp_path / "ckpt").mkdir()
    (tmp_path / "ckpt" / "model").write_bytes(b"weights")
    return tmp_path


def look(folder):
    """All that the user would miss."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        looks = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        found[str(path)] = (looks.st_mode, looks.st_uid, looks.st_mtime_ns, content)
    return found


# --- the life of the process ---------------------------------------------------------------------
@every_layer
def test_exit_status_and_signal_are_reported(layer):
    assert run(lambda: 7, layer).lines == ["exit 0"]
    assert run(lambda: os._exit(7), layer).lines == ["exit 7"]
    assert run(lambda: os.kill(os.getpid(), signal.SIGSEGV), layer).lines == ["signal 11"]


@every_layer
def test_an_interrupt_of_the_supervisor_reaches_the_script(layer):
    ready, to_ready = os.pipe()

    def work():
        got = []
        signal.signal(signal.SIGINT, lambda *_: got.append(1))
        os.write(to_ready, b"x")
        for _ in range(500):
            if got:
                return "got it"
            time.sleep(0.01)
        return "nothing"

    pid, status, answer, _ = start(work, layer, keep=[to_ready])
    os.close(to_ready)
    assert os.read(ready, 1) == b"x"
    os.kill(pid, signal.SIGINT)
    assert finish(pid, status, answer, layer, []).answer == "got it"
    os.close(ready)


@every_layer
def test_terminating_the_supervisor_ends_a_script_that_does_not_listen(layer):
    ready, to_ready = os.pipe()

    def work():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(to_ready, b"x")
        time.sleep(60)

    pid, status, answer, _ = start(work, layer, keep=[to_ready])
    os.close(to_ready)
    assert os.read(ready, 1) == b"x"
    os.kill(pid, signal.SIGTERM)
    assert finish(pid, status, answer, layer, []).lines == ["signal 9"]
    os.close(ready)


@every_layer
def test_killing_the_supervisor_ends_the_script(layer):
    alive, to_alive = os.pipe()
    ready, to_ready = os.pipe()

    def work():
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.write(to_ready, b"x")
        time.sleep(60)

    pid, status, answer, _ = start(work, layer, keep=[to_alive, to_ready])
    os.close(to_alive)
    os.close(to_ready)
    assert os.read(ready, 1) == b"x"
    os.kill(pid, signal.SIGKILL)
    assert read_all(alive) == b""  # ends when no process has it open any more
    assert read_all(status) in (b"", b"signal 9\n")
    os.close(answer)
    os.close(ready)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL


@every_layer
def test_a_daemon_does_not_outlive_the_script(layer):
    alive, to_alive = os.pipe()

    def work():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
                time.sleep(60)
            os._exit(0)
        os.wait()

    pid, status, answer, notes = start(work, layer, keep=[to_alive])
    os.close(to_alive)
    os.close(answer)
    assert read_all(status) == b"exit 0\n"
    assert read_all(alive) == b""
    os.waitpid(pid, 0)


@every_layer
def test_the_status_ends_when_all_is_gone(layer):
    def work():
        for _ in range(5):
            if os.fork() == 0:
                time.sleep(60)
        return os.getpid()

    began = time.monotonic()
    assert run(work, layer).lines == ["exit 0"]
    assert time.monotonic() - began < 20


@every_layer
def test_descriptors_are_closed(layer):
    secret, to_secret = os.pipe()
    os.set_inheritable(to_secret, True)

    def work():
        return sorted(int(fd) for fd in os.listdir("/proc/self/fd"))

    pid, status, answer, _ = start(work, layer)
    open_there = finish(pid, status, answer, layer, []).answer
    # 0, 1, 2, the answer, and the one that lists
    assert open_there[:3] == [0, 1, 2] and len(open_there) == 5 and to_secret not in open_there
    os.close(secret)
    os.close(to_secret)


@every_layer
def test_own_children_work(layer):
    def work():
        out = subprocess.run(["sh", "-c", "echo $((6 * 7)); exit 3"], stdout=subprocess.PIPE)
        return out.stdout, out.returncode

    assert run(work, layer).answer == (b"42\n", 3)


@kernel_layers
def test_a_pool_works(layer, tmp_path):
    def work():
        import multiprocessing
        with multiprocessing.get_context("fork").Pool(2) as pool:
            return pool.map(abs, [-1, 2, -3])

    assert run(work, layer, scratch=str(tmp_path)).answer == [1, 2, 3]


@every_layer
def test_threads_work(layer):
    def work():
        import threading
        got = []
        threads = [threading.Thread(target=got.append, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(got)

    assert run(work, layer).answer == list(range(8))


# --- limits --------------------------------------------------------------------------------------
def eat(megabytes):
    kept = []
    for _ in range(megabytes // 10):
        kept.append(bytearray(os.urandom(1024)) * 10240)
    time.sleep(5)
    return len(kept)


@every_layer
def test_a_memory_hog_is_ended(layer):
    out = run(lambda: eat(600), layer, max_memory=300 << 20)
    assert out.lines[0].startswith("limit memory ") and out.lines[1:] == ["signal 9"]
    assert 300 << 20 < int(out.lines[0].split()[-1]) < 600 << 20


@every_layer
def test_memory_of_children_counts(layer):
    def work():
        for _ in range(4):
            if os.fork() == 0:
                eat(120)
                os._exit(0)
        time.sleep(20)

    out = run(work, layer, max_memory=300 << 20)
    assert out.lines[0].startswith("limit memory ") and out.lines[1:] == ["signal 9"]


@every_layer
def test_shared_pages_count_once(layer):
    """A pool over a loaded data set: 200 MB that five processes see, not 1 GB."""
    def work():
        data = bytearray(os.urandom(1024)) * (200 << 10)
        children = []
        for _ in range(4):
            child = os.fork()
            if child == 0:
                time.sleep(0.5)
                os._exit(data[0] and 0)
            children.append(child)
        return [os.waitpid(child, 0)[1] for child in children]

    out = run(work, layer, max_memory=500 << 20)
    assert out.lines == ["exit 0"] and out.answer == [0] * 4


@every_layer
def test_memory_without_a_mapping_counts(layer):
    def work():
        for _ in range(12):
            fd = os.memfd_create("hidden")
            for _ in range(5):
                os.write(fd, b"x" * (10 << 20))
        time.sleep(20)

    out = run(work, layer, max_memory=300 << 20)
    assert out.lines[0].startswith("limit memory ") and out.lines[1:] == ["signal 9"]


@namespaces
def test_what_is_written_counts(layer):
    def work():
        for i in range(60):
            with open(f"/tmp/shapeflow-test-{os.getpid()}-{i}", "wb") as file:
                file.write(b"x" * (10 << 20))
        time.sleep(20)

    out = run(work, layer, max_memory=200 << 20, scratch_size=1 << 30)
    assert out.lines[0].startswith("limit memory ") and out.lines[1:] == ["signal 9"]


@every_layer
def test_a_large_file_that_is_only_mapped_is_no_memory(layer, tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"x" * (200 << 20))

    def work():
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as view:
            total = sum(view[i] for i in range(0, len(view), 4096))
            time.sleep(0.3)
            return total > 0

    out = run(work, layer, max_memory=150 << 20)
    assert (out.answer, out.lines) == (True, ["exit 0"])


COUNT = mmap.mmap(-1, 8)


def fork_bounded():
    """fork(), but never more than 300 of them: the test must not be a bomb where the limit fails."""
    number = struct.unpack("q", COUNT[:8])[0] + 1
    COUNT[:8] = struct.pack("q", number)
    if number > 300:
        time.sleep(10)
        os._exit(0)
    return os.fork()


@every_layer
@pytest.mark.parametrize("leave", [False, True], ids=["group", "sessions"])
def test_a_fork_bomb_is_ended(layer, leave):
    def work():
        stop = time.monotonic() + 10
        while time.monotonic() < stop:
            if fork_bounded() == 0 and leave:
                os.setsid()
            time.sleep(0.005)

    COUNT[:8] = struct.pack("q", 0)
    began = time.monotonic()
    out = run(work, layer, max_processes=40)
    assert out.lines[0].startswith("limit processes ") and out.lines[1:] == ["signal 9"]
    assert time.monotonic() - began < 9


@every_layer
def test_resource_limits(layer):
    def work():
        return resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_FSIZE)[0]

    assert run(work, layer).answer == ((0, 0), 64 << 20)


@namespaces
def test_what_is_written_is_bounded(layer):
    def work():
        for i in range(9):
            with open(f"/tmp/shapeflow-test-{os.getpid()}-{i}", "wb") as file:
                file.write(b"x" * (1 << 20))

    assert run(work, layer, scratch_size=8 << 20).answer == "ENOSPC"


# --- files: the namespaces layer overlays --------------------------------------------------------
@namespaces
def test_what_is_written_is_read_back_and_stays_inside(layer, folder):
    before = look(folder)

    def work():
        os.chdir(folder)
        with open("log.txt", "a") as log:
            log.write("new\n")
        Path("made").mkdir()
        Path("made/file").write_text("inside")
        os.remove("ckpt/model")
        Path("ckpt/other").write_text("x")
        os.chmod("log.txt", 0o600)
        os.utime("log.txt", (1, 2))
        os.rename("log.txt", "renamed.txt")
        os.symlink("renamed.txt", "link")
        os.truncate("renamed.txt", 6)
        return (Path("link").read_text(), sorted(os.listdir(".")), os.listdir("ckpt"), os.listdir("made"),
                stat.S_IMODE(os.stat("link").st_mode))

    out = run(work, layer)
    assert out.answer == ("old\nne", ["ckpt", "link", "made", "renamed.txt"], ["other"], ["file"], 0o600)
    assert look(folder) == before


@namespaces
def test_a_folder_is_removed_and_made_again(layer, folder):
    def work():
        import shutil
        shutil.rmtree(folder / "ckpt")
        (folder / "ckpt").mkdir()
        return os.listdir(folder / "ckpt"), (folder / "ckpt" / "model").exists()

    before = look(folder)
    assert run(work, layer).answer == ([], False)
    assert look(folder) == before


@namespaces
def test_renaming_a_folder_of_the_users_says_exdev(layer, folder):
    """The overlay's known limit: shutil.move() copies instead, and a folder made inside moves."""
    def work():
        import shutil
        (folder / "mine").mkdir()
        os.rename(folder / "mine", folder / "moved")
        shutil.move(folder / "ckpt", folder / "copied")
        assert (folder / "copied" / "model").read_bytes() == b"weights"
        assert not (folder / "ckpt").exists()
        os.rename(folder / "copied", folder / "again")
        os.rename(folder.parent, str(folder.parent) + "-x")

    assert run(work, layer).answer == "EXDEV"


@namespaces
def test_all_top_level_folders_are_there(layer):
    def work():
        return {name: sorted(os.listdir("/" + name)) for name in os.listdir("/")
                if name in ("etc", "usr", "home", "opt", "srv", "work", "lib", "bin")}

    seen = run(work, layer).answer
    assert seen == {name: sorted(os.listdir("/" + name)) for name in seen}
    assert {"etc", "usr"} <= set(seen)
    assert os.listdir("/") and run(lambda: set(os.listdir("/")), layer).answer == set(os.listdir("/"))


@namespaces
def test_the_working_folder_stays(layer, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(os.getcwd, layer).answer == str(folder)


@namespaces
def test_odd_names(layer, tmp_path):
    odd = tmp_path / "a:b,c\\d e\n"
    odd.mkdir()
    (odd / "file").write_text("x")

    def work():
        (odd / "new").write_text("y")
        return sorted(os.listdir(odd))

    assert run(work, layer, own_level=[str(odd)]).answer == ["file", "new"]
    assert os.listdir(odd) == ["file"]


@namespaces
def test_allowed_folders_are_written(layer, folder):
    def work():
        (folder / "ckpt" / "new").write_text("kept")
        (folder / "lost").write_text("overlaid")

    assert run(work, layer, allow_write=[str(folder / "ckpt")]).answer is None
    assert (folder / "ckpt" / "new").read_text() == "kept"
    assert not (folder / "lost").exists()


@kernel_layers
def test_denied_files_are_not_read(layer, folder, tmp_path_factory):
    def work():
        got = []
        for path in ("ckpt/model", "log.txt", "other"):
            try:
                got.append((folder / path).read_text())
            except OSError as error:
                got.append(type(error).__name__)
        return got

    (folder / "other").write_text("fine")
    out = run(work, layer, deny_read=[str(folder / "ckpt"), str(folder / "log.txt")],
              scratch=str(tmp_path_factory.mktemp("scratch")))
    assert out.answer[0] in ("FileNotFoundError", "PermissionError")
    assert out.answer[1] in ("", "PermissionError")  # root opens a file of mode 000: it is empty
    assert out.answer[2] == "fine"


@namespaces
def test_devices_and_proc(layer):
    def work():
        with open("/dev/null", "w") as null:
            null.write("x")
        assert len(open("/dev/urandom", "rb").read(4)) == 4
        with tempfile.TemporaryFile(dir="/dev/shm") as file:
            file.write(b"x")
        import pty
        master, slave = pty.openpty()
        os.write(slave, b"pty")
        assert os.read(master, 3) == b"pty"
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return sorted(os.listdir("/dev")), pids, os.getpid()

    dev, pids, pid = run(work, layer).answer
    assert dev == sorted("fd full null ptmx pts random shm stderr stdin stdout urandom zero".split())
    assert sorted(pids) == [1, pid]


@namespaces
@pytest.mark.parametrize("path", ["/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj",
                                  "/sys/power/state", "/proc/1/mem",
                                  "/dev/sda", "/dev/vda", "/dev/nvidia0", "/dev/tty0"])
def test_the_machine_is_not_written_to(layer, path):
    def work():
        with open(path, "r+b") as file:
            file.write(b"1")

    assert run(work, layer).answer in ("EROFS", "EACCES", "ENOENT", "EPERM")


@namespaces
def test_the_first_process_is_out_of_reach(layer):
    def work():
        got = []
        for name in ("environ", "mem", "maps"):
            try:
                open("/proc/1/" + name, "rb").read(1)
                got.append(name)
            except OSError:
                pass
        try:
            os.listdir("/proc/1/root")
            got.append("root")
        except OSError:
            pass
        os.kill(1, signal.SIGKILL)  # ignored by the kernel
        os.kill(1, signal.SIGSTOP)
        return got

    assert run(work, layer).answer == []


# --- files: the landlock layer refuses -----------------------------------------------------------
@layers("landlock")
def test_landlock_refuses_writes_outside(layer, folder, tmp_path_factory):
    scratch = tmp_path_factory.mktemp("scratch")
    before = look(folder)

    def tried(call, *args):
        try:
            call(*args)
            return "done"
        except OSError as error:
            return errno.errorcode[error.errno]

    def work():
        os.chdir(folder)
        return [tried(open, "log.txt", "a"), tried(open, "new", "w"), tried(os.remove, "log.txt"),
                tried(os.mkdir, "d"), tried(os.rename, "log.txt", "x"), tried(os.link, "log.txt", "x"),
                tried(os.symlink, "log.txt", "x"), tried(os.truncate, "log.txt", 0), tried(os.mkfifo, "p"),
                tried(os.open, "log.txt", os.O_RDONLY | os.O_TRUNC),
                tried(os.chmod, "log.txt", 0), tried(os.utime, "log.txt", (1, 1)),
                tried(os.setxattr, "log.txt", "user.x", b"1"), tried(os.rmdir, "ckpt"),
                tried((scratch / "mine").write_text, "x"), open("log.txt").read()]

    out = run(work, layer, scratch=str(scratch)).answer
    assert set(out[:10]) <= {"EACCES", "EPERM", "EXDEV"} and out[13] == "EACCES"
    assert out[10:13] == ["done"] * 3  # said to be done: nothing is
    assert out[14:] == ["done", "old\n"]
    assert look(folder) == before
    assert (scratch / "mine").read_text() == "x"


@layers("landlock")
def test_landlock_allows_folders(layer, folder, tmp_path_factory):
    def work():
        (folder / "ckpt" / "new").write_text("kept")

    policy = {"scratch": str(tmp_path_factory.mktemp("scratch")), "allow_write": [str(folder / "ckpt")]}
    assert run(work, layer, **policy).answer is None
    assert (folder / "ckpt" / "new").read_text() == "kept"


# --- beyond files --------------------------------------------------------------------------------
@kernel_layers
def test_no_network(layer):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.2)
    address = listener.getsockname()

    def work():
        with socket.create_connection(address, timeout=2):
            return "connected"

    assert run(work, layer).answer in ("ENETUNREACH", "EACCES")
    with pytest.raises(TimeoutError if sys.version_info >= (3, 10) else socket.timeout):
        listener.accept()
    listener.close()


@kernel_layers
def test_network_when_allowed(layer):
    listener = socket.create_server(("127.0.0.1", 0))
    address = listener.getsockname()

    def work():
        with socket.create_connection(address, timeout=5):
            return "connected"

    assert run(work, layer, allow_net=True).answer == "connected"
    listener.close()


@kernel_layers
@pytest.mark.parametrize("abstract", [False, True])
def test_no_unix_sockets_of_others(layer, abstract, tmp_path):
    address = f"\0shapeflow-{os.getpid()}" if abstract else str(tmp_path / "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()

    def work():
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(address)
            return "connected"

    assert run(work, layer).answer in ("ECONNREFUSED", "EACCES", "EPERM")
    listener.close()


@kernel_layers
@pytest.mark.parametrize("family", [socket.AF_PACKET, getattr(socket, "AF_VSOCK", 40), 38, 16 + 100])
def test_odd_socket_families(layer, family):
    assert run(lambda: socket.socket(family, socket.SOCK_DGRAM), layer).answer in ("EAFNOSUPPORT", "EPERM")


@kernel_layers
def test_socket_pairs_work(layer):
    def work():
        left, right = socket.socketpair()
        left.send(b"x")
        return right.recv(1)

    assert run(work, layer).answer == b"x"


@kernel_layers
def test_processes_outside_get_no_signals(layer):
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    parent = os.getpid()

    def work():
        got = []
        for pid in (bystander.pid, parent, os.getppid()):
            try:
                if pid > 1:
                    os.kill(pid, signal.SIGKILL)
                    got.append(pid)
            except OSError as error:
                assert error.errno in (errno.ESRCH, errno.EPERM)
        os.kill(os.getpid(), 0)
        return got

    assert run(work, layer).answer == []
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


@kernel_layers
def test_system_calls_that_reach_past_the_sandbox(layer):
    import ctypes
    import platform
    if platform.machine() != "x86_64":
        pytest.skip("the numbers are those of x86_64")
    calls = {"mount": 165, "umount2": 166, "pivot_root": 155, "setns": 308, "unshare": 272, "bpf": 321,
             "perf_event_open": 298, "keyctl": 250, "open_by_handle_at": 304, "userfaultfd": 323,
             "fsopen": 430, "mount_setattr": 442, "reboot": 169, "init_module": 175, "chroot": 161}

    def work():
        libc = ctypes.CDLL(None, use_errno=True)
        got = {}
        lacking = {"io_uring_setup": 425, "clone3": 435, "x32 getpid": 0x40000000 + 39}
        for name, number in {**calls, **lacking}.items():
            ctypes.set_errno(0)
            assert libc.syscall(number, 0x10000000 if name == "unshare" else 0, 0, 0, 0, 0) == -1
            got[name] = errno.errorcode[ctypes.get_errno()]
        assert libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0) == -1  # clone(CLONE_NEWUSER)
        got["clone"] = errno.errorcode[ctypes.get_errno()]
        status = {line.split(":")[0]: line.split()[1] for line in open("/proc/self/status") if "\t" in line
                  and len(line.split()) > 1}
        return got, status["CapEff"], status["CapBnd"], status["NoNewPrivs"], status["Seccomp"]

    got, effective, bounding, no_new, seccomp = run(work, layer).answer
    assert {got.pop(name) for name in ("io_uring_setup", "clone3", "x32 getpid")} == {"ENOSYS"}
    assert set(got.values()) == {"EPERM"}
    # chown, dac_override, dac_read_search, fowner: what root reads others' files with
    assert int(effective, 16) == (0xF if os.geteuid() == 0 else 0)
    assert int(bounding, 16) & ~0xF == 0 or os.geteuid() != 0
    assert (no_new, seccomp) == ("1", "2")


@kernel_layers
def test_int80_is_no_way_around(layer, tmp_path):
    """mkdir by the 32-bit calls' entry, which has numbers of its own."""
    import ctypes
    import platform
    if platform.machine() != "x86_64":
        pytest.skip("x86 only")
    code = bytes.fromhex("53" "b825000000" "31db" "31c9" "cd80" "5b" "c3")  # kill(0, 0)

    def work():
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        return call()

    out = run(work, layer)
    assert out.answer == -errno.ENOSYS or out.lines[0].startswith("signal")


# --- falling back --------------------------------------------------------------------------------
def test_the_next_layer_is_tried_where_namespaces_are_denied():
    """Inside of a user namespace that may have none below it."""
    code = """if True:
        import os, sys
        sys.path[:0] = %r
        from shapeflow import _sandbox
        pid, fd, layer, notes = _sandbox.spawn({"layers": ["namespaces", "landlock", "audit"]})
        if pid == 0:
            os._exit(5)
        print(layer, os.read(fd, 99), os.waitpid(pid, 0)[1], notes)
    """ % [str(Path(_sandbox.__file__).parents[1])]
    probe = ["unshare", "--user", "--map-current-user", "true"]
    if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("no user namespaces to deny some in")
    shell = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\""
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", shell, "sh", sys.executable, "-c", code]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    layer, _, rest = out.stdout.partition(" ")
    assert layer in ("landlock", "audit")
    assert rest.startswith("b'exit 5\\n' 0 ['namespaces: clone of new namespaces: ")


def test_a_policy_is_checked():
    for policy in ({}, {"layers": []}, {"layers": ["best"]}, {"layers": ["audit"], "colour": 1},
                   {"layers": ["audit"], "allow_write": ["relative"]},
                   {"layers": ["audit"], "max_memory": -1}, {"layers": ["audit"], "keep_fds": ["x"]}):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            _sandbox.spawn(policy)
