"""The audit hook of the sandbox: each test runs in a process of its own, as the hook cannot be removed."""
import os
import subprocess
import sys
import textwrap

import pytest

import shapeflow

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(shapeflow.__file__)))
PREFACE = '''
import os, sys
from shapeflow import _sandbox
free, outside = sys.argv[1:]
def blocked(f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except PermissionError as error:
        assert error.errno == 1 and "blocked by `shapeflow check`" in str(error), error
        return
    raise AssertionError((f, args))
def kinds():
    return sorted({row[0] for row in _sandbox.events()})
'''


@pytest.fixture
def run(tmp_path):
    """run(text): the program, with a folder that may be written and one that may not; its output."""
    free, outside = tmp_path / "free", tmp_path / "outside"
    free.mkdir()
    outside.mkdir()
    (outside / "old").write_text("old\n")
    (outside / "folder").mkdir()
    script = tmp_path / "script.py"

    def run_it(text, guard="True, [free], False"):
        script.write_text(f"{PREFACE}_sandbox.guard({guard})\n{textwrap.dedent(text)}")
        done = subprocess.run([sys.executable, str(script), str(free), str(outside)], timeout=60,
                              env={**os.environ, "PYTHONPATH": PACKAGE}, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert sorted(os.listdir(outside)) == ["folder", "old"]
        assert (outside / "old").read_text() == "old\n"
        return done.stdout

    return run_it


def test_what_would_change_files_is_refused(run):
    run("""
        old, new, folder = outside + "/old", outside + "/new", outside + "/folder"
        for mode in "w", "a", "x", "r+", "wb", "r+b":
            blocked(open, new if "x" in mode or "w" in mode else old, mode)
        blocked(os.open, old, os.O_WRONLY)
        blocked(os.open, old, os.O_RDWR)
        blocked(os.open, old, os.O_RDONLY | os.O_TRUNC)
        blocked(os.open, new, os.O_CREAT)
        blocked(os.remove, old); blocked(os.rmdir, folder); blocked(os.mkdir, new)
        blocked(os.rename, old, free + "/x"); blocked(os.replace, old, new)
        blocked(os.link, old, free + "/x"); blocked(os.symlink, old, new)
        blocked(os.truncate, old, 0); blocked(os.chmod, old, 0o600); blocked(os.utime, old)
        blocked(os.chown, old, -1, -1)
        if hasattr(os, "setxattr"):
            blocked(os.setxattr, old, "user.x", b""); blocked(os.removexattr, old, "user.x")
        import sqlite3
        blocked(sqlite3.connect, new); blocked(sqlite3.connect, "file:" + new, uri=True)
        assert kinds() == ["delete", "write"], kinds()
    """)


def test_reading_and_the_permitted_folder_are_free(run):
    run("""
        import shutil, sqlite3, tempfile
        assert open(outside + "/old").read() == "old\\n"
        os.listdir(outside); os.stat(outside)
        with open(free + "/a", "w") as stream:
            stream.write("a")
        os.mkdir(free + "/d"); os.rename(free + "/a", free + "/d/a"); os.link(free + "/d/a", free + "/b")
        os.chmod(free + "/b", 0o600); os.utime(free + "/b"); os.truncate(free + "/b", 0)
        os.symlink("b", free + "/s"); open(free + "/s", "a").close()
        shutil.copy(outside + "/old", free); shutil.rmtree(free + "/d")
        tempfile.NamedTemporaryFile(dir=free).close()
        sqlite3.connect(free + "/db").execute("create table t (x)"); sqlite3.connect(":memory:").close()
        open(os.devnull, "w").close()
        assert _sandbox.events() == [], _sandbox.events()
    """)


def test_no_way_around_by_names(run):
    run("""
        os.symlink(outside + "/old", free + "/link"); os.symlink(outside + "/new", free + "/dangling")
        os.symlink(outside, free + "/folder")
        for name in "link", "dangling", "folder/new", "../outside/old", "folder/../outside/old":
            blocked(open, f"{free}/{name}", "a")
        blocked(os.chmod, free + "/link", 0o600)
        blocked(os.remove, free + "/folder/old")
        os.remove(free + "/link")
        fd = os.open(outside, os.O_RDONLY)
        os.chdir(free)
        blocked(os.open, "old", os.O_WRONLY, dir_fd=fd)
        blocked(os.remove, "old", dir_fd=fd); blocked(os.mkdir, "new", dir_fd=fd)
        blocked(os.rename, "dangling", "new", dst_dir_fd=fd)
        reading = os.open(outside + "/old", os.O_RDONLY)
        blocked(os.fchmod, reading, 0o600); blocked(os.utime, reading)
        if sys.platform == "linux":
            blocked(open, f"/proc/self/fd/{reading}", "w"); blocked(open, "/proc/self/mem", "r+b")
        class Two:
            answers = [free + "/x", outside + "/x"] * 2
            def __fspath__(self):
                return self.answers.pop(0)
        os.close(os.open(Two(), os.O_WRONLY | os.O_CREAT))  # asked once: what was judged is opened
        assert os.path.exists(free + "/x")
        import posix, _io
        blocked(posix.unlink, outside + "/old"); blocked(_io.FileIO, outside + "/old", "w")
    """)


def test_a_call_that_fails_by_itself_fails_as_ever(run):
    run("""
        for f in (lambda: open(outside + "/none/x", "w"), lambda: os.remove(outside + "/none"),
                  lambda: os.rename(outside + "/none", outside + "/x"), lambda: os.chmod("", 0),
                  lambda: os.mkdir(outside + "/none/x"), lambda: os.open(outside + "/none", os.O_WRONLY)):
            try:
                f()
            except FileNotFoundError:
                continue
            raise AssertionError
        try:
            open(outside + "/none\\0", "w")
        except ValueError:
            pass
        assert _sandbox.events() == []
    """)


def test_network_is_refused_unless_permitted(run):
    run("""
        import socket
        blocked(socket.socket); blocked(socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)
        blocked(socket.getaddrinfo, "example.invalid", 80); blocked(socket.gethostbyname, "x.invalid")
        socket.getaddrinfo("127.0.0.1", 80)
        a, b = socket.socketpair(); a.send(b"x"); assert b.recv(1) == b"x"
        mine = socket.socket(socket.AF_UNIX); os.chdir(free); mine.bind("s"); mine.listen()
        socket.socket(socket.AF_UNIX).connect("s")
        blocked(socket.socket(socket.AF_UNIX).bind, outside + "/s")
        import urllib.request
        try:
            urllib.request.urlopen("http://example.invalid/x")
        except OSError:
            pass
        urllib.request.urlopen("file://" + outside + "/old").close()
        assert "http://example.invalid/x" in [row[1] for row in _sandbox.events()], _sandbox.events()
        assert kinds() == ["net"]
    """)
    run("""
        import socket
        server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen()
        socket.create_connection(server.getsockname()).close()
        assert _sandbox.events() == []
    """, "True, [free], True")


# SIGURG: does nothing to whom it should not reach, were it to reach them.
PROCESSES = """
    import multiprocessing, signal, subprocess, threading, time
    child = os.fork()
    if not child:
        time.sleep(60)
    os.kill(child, 9); os.waitpid(child, 0)
    os.kill(os.getpid(), 0); os.kill(os.getppid(), 0)
    blocked(os.kill, os.getppid(), signal.SIGURG); blocked(os.kill, 1, signal.SIGURG)
    blocked(os.killpg, os.getpgid(os.getppid()), signal.SIGURG)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]
    thread = threading.Thread(target=int); thread.start(); thread.join()
"""


def test_other_programs_are_refused_where_nothing_holds_them(run):
    run(PROCESSES + """
    blocked(subprocess.run, ["true"]); blocked(os.system, "true"); blocked(os.popen, "true")
    blocked(os.execv, "/bin/true", ["true"]); blocked(os.posix_spawn, "/bin/true", ["true"], {})
    import ctypes
    c = ctypes.CDLL(None)
    for name in "unlink", "system", "syscall", "open", "execve", "dlsym", "kill", "socket":
        blocked(getattr, c, name)
    assert c.strlen(b"abc") == 3
    assert kinds() == ["process", "signal"], _sandbox.events()
    """)


def test_other_programs_run_where_the_kernel_holds_them(run):
    run(PROCESSES + """
    assert subprocess.run(["true"]).returncode == 0 and os.system("true") == 0
    rows = [row for row in _sandbox.events() if row[0] == "process"]
    assert rows and not rows[0][4], rows
    """, "True, [free], False, allow_exec=True")


def test_noting_only_changes_nothing(run):
    out = run("""
        with open(free + "/new", "w"):
            pass
        for _ in range(3): open(free + "/new", "a").close()
        os.mkdir(free + "/d"); os.rmdir(free + "/d")
        import shutil; os.makedirs(free + "/e/f"); shutil.rmtree(free + "/e")
        pid = os.fork()
        if not pid:
            open(free + "/child", "w").close(); os._exit(0)
        os.waitpid(pid, 0)
        lines = open(__file__).read().splitlines()
        for kind, what, file, line, blocked, count in _sandbox.events():
            assert not blocked and file == __file__
            print(kind, os.path.basename(what), lines[line - 1].split("(")[0].strip(), count)
    """, "False, [], False")
    assert out.splitlines() == [
        "write new with open 1", "write new for _ in range 3", "write d os.mkdir 1", "delete d os.mkdir 1",
        "write e import shutil; os.makedirs 2", "delete f import shutil; os.makedirs 2",
        "write child open 1"], out


def test_bytecode_beside_sources_is_no_news(run):
    run("""
        open(free + "/module.py", "w").close()
        sys.path.insert(0, free); sys.dont_write_bytecode = False
        import module
        assert os.listdir(free + "/__pycache__")
        assert [row[1] for row in _sandbox.events()] == [free + "/module.py"], _sandbox.events()
    """, "False, [], False")


def test_it_is_for_good(run):
    run("""
        try:
            _sandbox.guard(False, ["/"], True)
        except RuntimeError:
            pass
        else:
            raise AssertionError
        sys.addaudithook(lambda *args: None)
        pid = os.fork()
        for _ in range(3):
            blocked(open, outside + "/old", "w")
        if not pid:
            os._exit(7)
        assert os.waitpid(pid, 0)[1] == 7 << 8
        assert [row[4:] for row in _sandbox.events()] == [(True, 6)], _sandbox.events()
    """)


def test_events_of_the_script_do_not_confuse_it(run):
    run("""
        for name in ("o", "os", "os.", "os.l", "os.s", "open", "os.rename", "socket.connect", "s", "sy", "f",
                     "os.kill", "sqlite3.connect", "subprocess.Popen", "fcntl.ioctl", "resource.prlimit", "",
                     "ctypes.dlsym", "urllib.Request", "http.client.connect", "socket.__new__", "os.chmod"):
            for args in ((), (None,), (1,), (1, 2), (None, "x", None), (b"\\0", [], {}), (2 ** 99,) * 5,
                         ([],) * 4):
                try:
                    sys.audit(name, *args)
                except PermissionError:
                    pass
    """)


def test_each_event_of_the_table_is_found(run):
    """The table is searched by halves: a row out of order would be missed."""
    names = ["os.link", "os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.symlink", "os.truncate",
             "os.utime", "os.chmod", "os.chown", "os.chflags", "os.setxattr", "os.removexattr",
             "sqlite3.connect", "open"]
    others = {"os.system": "x", "os.exec": "x", "os.posix_spawn": "x", "pty.spawn": ["x"],
              "subprocess.Popen": "x",
              "socket.gethostbyaddr": "1.1.1.1", "socket.getnameinfo": ("1.1.1.1", 1),
              "socket.gethostbyname": "x", "socket.getaddrinfo": "x", "socket.sethostname": "x",
              "syslog.syslog": 1, "os.kill": 1, "os.killpg": 1}
    run(f"""
        for name in {names}:
            old = outside + "/old"
            makes = name in ("os.mkdir", "os.symlink")
            args = [outside + "/new"] * 2 if makes else [old, old]
            blocked(sys.audit, name, *args if name != "open" else [old, "w", 0])
        for name, argument in {others}.items():
            blocked(sys.audit, name, argument, 9)
        for name in "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg":
            blocked(sys.audit, name, None, ("1.1.1.1", 1))
        blocked(sys.audit, "os.spawn", 0, "x", ["x"], {{}})
        blocked(sys.audit, "socket.__new__", None, 2, 1, 0)
        blocked(sys.audit, "resource.prlimit", 1, 0, (1, 1)); blocked(sys.audit, "fcntl.ioctl", 0, 0x5423, 0)
        import fcntl
        blocked(sys.audit, "fcntl.fcntl", 0, fcntl.F_SETOWN, 1)
        blocked(sys.audit, "ctypes.dlsym", None, "unlink")
        blocked(sys.audit, "ctypes.dlsym/handle", 0, "kill")
        for name in "urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect":
            before = sum(row[5] for row in _sandbox.events())
            sys.audit(name, "example.invalid", "example.invalid", 21)
            assert sum(row[5] for row in _sandbox.events()) == before + 1, name
    """)
