"""spawn(): what the kernel holds of a script's process, in each layer that this machine has."""
import ctypes
import errno
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from sandbox_process import (
    HAD,
    every_layer,
    finish,
    kernel_layers,
    namespaces,
    read_all,
    run,
    run_alone,
    start,
)
from shapeflow import _sandbox

# Its shadow and what it keeps of freed memory are memory of the process, and count.
not_under_asan = pytest.mark.skipif(bool(os.environ.get("SHAPEFLOW_UNDER_ASAN")),
                                    reason="AddressSanitizer's own memory is over the limit")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's layers are Linux's")


# --- the life of the process ---------------------------------------------------------------------
@every_layer
def test_exit_status_and_signal_are_reported(layer):
    assert run(lambda: 7, layer).lines == ["exit 0"]
    assert run(lambda: os._exit(7), layer).lines == ["exit 7"]
    assert run(lambda: os.kill(os.getpid(), signal.SIGUSR1), layer).lines == [f"signal {signal.SIGUSR1:d}"]


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
    assert int(out.lines[0].split()[-1]) > 300 << 20


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


@not_under_asan
@every_layer
def test_shared_pages_count_once(layer):
    """A pool over a loaded data set: 200 MB that five processes see, not 1 GB."""
    source = """
import os, time
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
"""
    assert run_alone(source, layer, max_memory=500 << 20) == ([0] * 4, ["exit 0"])


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


@not_under_asan
@every_layer
def test_a_large_file_that_is_only_mapped_is_no_memory(layer, tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"x" * (200 << 20))

    source = f"""
import mmap, time
def work():
    with open({str(path)!r}, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as view:
        total = sum(view[i] for i in range(0, len(view), 4096))
        time.sleep(0.3)
        return total > 0
"""
    assert run_alone(source, layer, max_memory=150 << 20) == (True, ["exit 0"])


COUNT = mmap.mmap(-1, 8)


def fork_bounded():
    """fork(), but never more than 300 of them: the test must not be a bomb where the limit fails."""
    number = struct.unpack("q", COUNT[:8])[0] + 1
    COUNT[:8] = struct.pack("q", number)
    if number > 300:
        time.sleep(100)
        os._exit(0)
    return os.fork()


@every_layer
@pytest.mark.parametrize("leave", [False, True], ids=["group", "sessions"])
def test_a_fork_bomb_is_ended(layer, leave):
    def work():
        stop = time.monotonic() + 100  # it is ended long before, but on a busy machine not in a second
        while time.monotonic() < stop:
            if fork_bounded() == 0 and leave:
                os.setsid()
            time.sleep(0.005)

    COUNT[:8] = struct.pack("q", 0)
    out = run(work, layer, max_processes=40)
    assert out.lines[0].startswith("limit processes ") and out.lines[1:] == ["signal 9"]


@every_layer
def test_resource_limits(layer):
    def work():
        return resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_FSIZE)[0]

    assert run(work, layer).answer == ((0, 0), 64 << 20)


@every_layer
def test_what_is_written_is_bounded(layer, tmp_path):
    def work():
        folder = tmp_path / "a" / "b"
        folder.mkdir(parents=True)
        for i in range(30):
            with open(folder / str(i), "wb") as file:
                file.write(b"x" * (1 << 20))
            time.sleep(0.1)

    out = run(work, layer, scratch=str(tmp_path), scratch_size=8 << 20)
    if out.answer != "ENOSPC":
        assert out.lines[0].startswith("limit scratch ") and out.lines[1:] == ["signal 9"]


def test_probe_says_what_works():
    found = _sandbox.probe()
    assert set(found) == {"user_namespace", "overlay", "mount_proc", "net_namespace", "landlock", "seccomp",
                          "cgroup_memory", "cgroup_pids"}
    needed = ("user_namespace", "overlay", "mount_proc", "net_namespace", "seccomp")
    assert HAD["namespaces"] == all(found[name][0] for name in needed)
    assert HAD["landlock"] == (found["landlock"][0] and found["seccomp"][0])
    assert all(words for _, words in found.values())


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
             "fsopen": 430, "ptrace": 101, "kcmp": 312,
             "mount_setattr": 442, "reboot": 169, "init_module": 175, "chroot": 161}

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

    answer = run(work, layer).answer
    assert len(answer) == 5, answer
    got, effective, bounding, no_new, seccomp = answer
    assert {got.pop(name) for name in ("io_uring_setup", "clone3", "x32 getpid")} == {"ENOSYS"}
    assert set(got.values()) == {"EPERM"}
    # chown, dac_override, dac_read_search, fowner: what root reads others' files with
    kept = {"namespaces": 0xF, "landlock": 0x6}[layer]
    assert int(effective, 16) == (kept if os.geteuid() == 0 else 0)
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


# --- who is not root --------------------------------------------------------------------------------
def layer_for_a_user(folder):
    """The layer that a user gets in this folder, of namespaces and Landlock."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(12345)
            os.setuid(12345)
            ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: /proc/self is ours again
            child, status, layer, _ = _sandbox.spawn({"layers": ["namespaces", "landlock"],
                                                      "own_level": [folder]})
            if child != 0:
                os.write(writing, layer.encode())
                os.waitpid(child, 0)
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    return read_all(reading).decode()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may become another")
@pytest.mark.skipif(not (HAD["namespaces"] and HAD["landlock"]), reason="needs both layers")
@pytest.mark.parametrize("name, owner, group, mode, layer", [
    ("own", 12345, 12345, 0o644, "namespaces"),
    ("of the team", 12345, 777, 0o664, "landlock"),
    ("another's for all", 0, 0, 0o666, "landlock"),
    ("another's to read", 0, 0, 0o644, "namespaces"),
])
def test_a_team_s_folder_is_landlock_s(name, owner, group, mode, layer):
    """In a namespace that knows one user only, to append to such a file is EOVERFLOW."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chown(folder, 12345, 12345)
        path = os.path.join(folder, name)
        with open(path, "w"):
            pass
        os.chown(path, owner, group)
        os.chmod(path, mode)
        assert layer_for_a_user(folder) == layer
        os.unlink(path)
        os.chown(folder, owner, group)
        os.chmod(folder, 0o775)
        assert layer_for_a_user(folder) == ("landlock" if owner and group == 777 else "namespaces")
