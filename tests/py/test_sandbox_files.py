"""The user's files, as a script sees them and leaves them, in each layer that this machine has."""
import errno
import os
import signal
import stat
import tempfile
from pathlib import Path

import pytest

from sandbox_process import kernel_layers, layers, namespaces, run


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
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_of_others_take_what_they_take_outside(layer):
    def work():
        Path("/var/tmp/shapeflow-test").write_text("fine")
        Path("/etc/shapeflow-test").write_text("denied")

    assert run(work, layer).answer == "EACCES"


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


def test_what_passes_by_is_not_noted(monkeypatch):
    """A file that multiprocessing tries the temporary folder with, and one behind a descriptor."""
    from shapeflow import _sandbox
    from shapeflow.sandbox import notices

    def event(kind, path):
        return kind, path, "s.py", 9, False, 1

    events = [event("write", "/tmp/99cd41yl"), event("delete", "/tmp/99cd41yl"),
              event("write", "/proc/self/fd/9"), event("write", "/proc/self/comm")]
    kept = [event("write", "/tmp/model.h5"), event("delete", "/home/me/data.csv"),
            event("write", "/home/me/data.csv")]
    monkeypatch.setattr(_sandbox, "events", lambda: events)
    assert notices.records() == []
    monkeypatch.setattr(_sandbox, "events", lambda: events + kept)
    assert [record.message.partition(" in a ")[0] for record in notices.records()] == [
        "2 files written", "1 file removed or renamed"]
