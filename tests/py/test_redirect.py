"""The overlay in Python: a program does the same with it as without, and the user's files stay as they were.

Each program runs twice in processes of its own, in the same folder: as it is, then, on the restored folder,
with the overlay and the guard. Both must print the same; the second must leave no trace.
"""
import difflib
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

import shapeflow

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(shapeflow.__file__)))
PREFACE = '''
import errno, os, sys
BEFORE
def tries(f, *args, **kwargs):
    """Prints what a call gives or raises: class, number, names."""
    try:
        result = f(*args, **kwargs)
    except OSError as error:
        result = (type(error).__name__, errno.errorcode.get(error.errno), error.filename, error.filename2)
    except Exception as error:
        result = type(error).__name__
    print(getattr(f, "__name__", f), args, result if not hasattr(result, "close") else "opened")
def tree(top="."):
    """Prints all of a folder, as os.walk sees it."""
    for folder, folders, files in sorted(os.walk(top)):
        print(folder, sorted(folders), [(name, size(os.path.join(folder, name))) for name in sorted(files)])
def size(path):
    return os.lstat(path).st_size
def read(path):
    with open(path) as stream:
        return stream.read()
def write(path, text, mode="w"):
    with open(path, mode) as stream:
        stream.write(text)
'''
INSTALL = '''
if __name__ == "__main__":
    from shapeflow import _sandbox
    from shapeflow.sandbox import redirect
    scratch = os.environ["SCRATCH"]
    redirect.install(scratch, os.environ.get("ALLOWED", "").split())
    _sandbox.guard(True, [scratch, *os.environ.get("ALLOWED", "").split()], False, False)
'''


def fill(folder):
    """The user's files."""
    folder.mkdir()
    (folder / "data").mkdir()
    (folder / "data" / "train.csv").write_text("a,b\n1,2\n")
    (folder / "data" / "deep").mkdir()
    (folder / "data" / "deep" / "x").write_text("x")
    (folder / "log.txt").write_text("first\n")
    (folder / "readonly").write_text("r")
    (folder / "readonly").chmod(0o444)
    (folder / "empty").mkdir()
    (folder / "ckpt").mkdir()
    for name in "checkpoint", "model-1.index", "model-1.data":
        (folder / "ckpt" / name).write_text(name)
    (folder / "link").symlink_to("log.txt")
    (folder / "dirlink").symlink_to("data")
    (folder / "dangling").symlink_to("nowhere")
    os.utime(folder / "log.txt", ns=(10**18, 10**18))


def state(folder):
    rows = []
    for top, folders, files in os.walk(folder):
        for name in ["", *folders, *files]:
            path = os.path.join(top, name)
            status = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else ""
            if os.path.isfile(path) and not content:
                with open(path, "rb") as stream:
                    content = stream.read()
            rows.append((path, status.st_mode, status.st_mtime_ns, status.st_ino, content))
    return sorted(rows)


@pytest.fixture
def both(tmp_path):
    """both(program): its output, the same with and without the overlay."""

    def run(before, program, scratch):
        script = tmp_path / "script.py"
        script.write_text(PREFACE.replace("BEFORE", before) + textwrap.dedent(program))
        env = {**os.environ, "PYTHONPATH": PACKAGE, "SCRATCH": str(scratch), "PYTHONDONTWRITEBYTECODE": "1",
               "TMPDIR": str(tmp_path / "tmp"), "PYTHONHASHSEED": "0"}
        done = subprocess.run([sys.executable, str(script)], cwd=tmp_path / "tree", env=env, timeout=120,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
        return done.stdout

    def run_both(program, imports=""):
        """imports: modules that are there before the overlay is."""
        tree = tmp_path / "tree"
        (tmp_path / "tmp").mkdir()
        fill(tree)
        plain = run(f"import {imports}" if imports else "", program, tmp_path)
        shutil.rmtree(tree)
        shutil.rmtree(tmp_path / "tmp")
        (tmp_path / "tmp").mkdir()
        fill(tree)
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        before = state(tree)
        overlaid = run((f"import {imports}" if imports else "") + INSTALL, program, scratch)
        differs = "\n".join(difflib.unified_diff(plain.splitlines(), overlaid.splitlines(), lineterm="", n=1))
        assert not differs, differs
        assert state(tree) == before
        assert not os.listdir(tmp_path / "tmp")
        return plain

    return run_both


def test_files(both):
    both("""
        write("new", "one"); print(read("new")); write("new", "two", "a"); print(read("new"))
        write("log.txt", "second\\n", "a"); print(read("log.txt"), os.stat("log.txt").st_size)
        write("log.txt", "third"); print(read("log.txt"))
        with open("data/train.csv", "r+") as stream:
            stream.seek(4); stream.write("9"); stream.seek(0); print(stream.read(), stream.name)
        tries(open, "new", "x"); tries(open, "none/x", "w"); tries(open, "data", "w"); tries(open, "data")
        tries(open, "log.txt/x", "w"); tries(open, "log.txt/x"); tries(open, "log.txt/", "w")
        tries(open, "no/", "w")
        tries(open, "none"); tries(open, "", "w"); tries(open, "new", "q")
        tries(open, "new", "wb", encoding="utf8")
        tries(open, "a\\0b", "w"); tries(open, None); tries(open, 1.5); tries(open, "new", closefd=False)
        tries(open, "new", "w", closefd=False)
        with open(b"bytes", "wb", 0) as stream:
            print(stream.name, stream.mode, stream.write(b"x"), type(stream))
        import io, pathlib
        with open(pathlib.Path("path"), "w") as stream:
            print(stream.name, stream.mode)
        with io.open("new", "rb") as stream:
            print(stream.read(), stream.name)
        with open("opened", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
            print(stream.name)
        print(oct(os.stat("opened").st_mode))
        os.remove("new"); tries(read, "new"); os.remove("log.txt"); tries(read, "log.txt")
        tries(os.remove, "log.txt")
        write("log.txt", "again"); print(read("log.txt"), read("link"))
        tree()
    """)


def test_os_open(both):
    both("""
        def opened(*args, **kwargs):
            fd = os.open(*args, **kwargs)
            os.write(fd, b"12"); os.close(fd)
            return fd > 2
        tries(opened, "log.txt", os.O_WRONLY); print(read("log.txt"))
        tries(opened, "log.txt", os.O_RDWR | os.O_APPEND); print(read("log.txt"))
        tries(opened, "log.txt", os.O_WRONLY | os.O_TRUNC); print(read("log.txt"))
        tries(opened, "new", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640); print(oct(os.stat("new").st_mode))
        tries(opened, "new", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        tries(opened, "link", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        tries(opened, "link", os.O_WRONLY | os.O_NOFOLLOW); tries(opened, "link", os.O_WRONLY | os.O_APPEND)
        print(read("log.txt"))
        tries(opened, "dangling", os.O_WRONLY | os.O_CREAT)
        print(read("nowhere"), os.path.islink("dangling"))
        tries(opened, "none", os.O_WRONLY); tries(opened, "data", os.O_WRONLY)
        tries(opened, "data", os.O_RDWR)
        folder = os.open("data", os.O_RDONLY)
        tries(opened, "made", os.O_WRONLY | os.O_CREAT, dir_fd=folder)
        print(sorted(os.listdir("data")), sorted(os.listdir(folder)))
        os.mkdir("sub", dir_fd=folder); os.rename("made", "moved", src_dir_fd=folder, dst_dir_fd=folder)
        os.remove("train.csv", dir_fd=folder)
        print(sorted(os.listdir(folder)), os.path.exists("data/train.csv"))
        print(os.stat("moved", dir_fd=folder).st_size, os.access("moved", os.R_OK, dir_fd=folder))
        os.rmdir("sub", dir_fd=folder); print(sorted(entry.name for entry in os.scandir(folder)))
        if hasattr(os, "O_TMPFILE"):
            fd = os.open(".", os.O_TMPFILE | os.O_RDWR); os.write(fd, b"x"); os.close(fd)
        with open(os.devnull, "w") as stream:
            stream.write("x")
        tree()
    """)


def test_folders(both):
    both("""
        os.mkdir("new"); os.mkdir("new/sub", 0o700); os.makedirs("a/b/c"); os.makedirs("a/b/c", exist_ok=True)
        tries(os.mkdir, "new"); tries(os.mkdir, "data"); tries(os.mkdir, "log.txt"); tries(os.mkdir, "none/x")
        tries(os.mkdir, "log.txt/x"); tries(os.makedirs, "a/b/c"); tries(os.mkdir, "slash/")
        tries(os.mkdir, "/")
        print(oct(os.stat("new/sub").st_mode)); write("new/sub/f", "f"); write("data/deep/y", "y")
        tries(os.rmdir, "new"); tries(os.rmdir, "data"); tries(os.rmdir, "log.txt"); tries(os.rmdir, "none")
        tries(os.remove, "data"); tries(os.unlink, "new"); tries(os.removedirs, "a/b/c")
        os.rmdir("empty"); tries(os.stat, "empty"); os.mkdir("empty"); print(os.listdir("empty"))
        import shutil
        shutil.rmtree("data")
        print(os.path.exists("data"), os.path.exists("dirlink/deep"), os.path.lexists("dirlink"))
        os.mkdir("data"); print(os.listdir("data"), os.listdir("dirlink")); write("dirlink/z", "z")
        print(read("data/z"))
        tries(os.listdir, "none"); tries(os.listdir, "log.txt"); tries(os.scandir, "none")
        print(os.listdir(b"data"))
        tree()
        with os.scandir() as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                print(entry.name, entry.path, entry.is_dir(), entry.is_file(), entry.is_symlink(),
                      os.fspath(entry), entry.is_dir(follow_symlinks=False),
                      entry.stat(follow_symlinks=False).st_mode)
        print(sorted(entry.path for entry in os.scandir("ckpt/")))
        print(sorted(e.path for e in os.scandir(b"empty")))
    """)


def test_rename(both):
    both("""
        write("tmp", "new"); os.replace("tmp", "log.txt"); print(read("log.txt"), os.path.exists("tmp"))
        os.rename("data/train.csv", "moved.csv"); print(read("moved.csv")); tries(read, "data/train.csv")
        os.rename("ckpt", "old"); print(sorted(os.listdir("old")), read("old/checkpoint"))
        tries(os.listdir, "ckpt")
        os.mkdir("ckpt"); write("ckpt/checkpoint", "fresh")
        print(os.listdir("ckpt"), read("ckpt/checkpoint"))
        os.rename("ckpt", "ckpt2"); os.rename("old", "ckpt"); tree()
        tries(os.rename, "none", "x"); tries(os.rename, "log.txt", "data")
        tries(os.rename, "data", "log.txt")
        tries(os.rename, "data", "ckpt"); tries(os.rename, "data", "data/deep/in")
        tries(os.rename, "data", "none/x")
        tries(os.rename, "log.txt", "none/x"); tries(os.rename, "log.txt", "log.txt")
        tries(os.rename, "data", "data")
        os.rename("data", "empty"); tree("empty"); os.rename("empty", "data"); tree("data")
        os.rename("link", "link2"); print(os.readlink("link2"), read("link2"))
        os.renames("moved.csv", "p/q/r"); tree()
        os.mkdir("d1"); os.mkdir("d1/d2"); write("d1/d2/f", "1"); os.rename("d1", "e1")
        print(read("e1/d2/f"))
        write("e1/d2/f", "2"); os.mkdir("d1"); print(os.listdir("d1")); os.rename("e1", "d1")
        print(read("d1/d2/f"))
    """)


def test_links(both):
    both("""
        os.symlink("log.txt", "s"); print(read("s"), os.readlink("s"), os.readlink(b"s"), os.path.islink("s"))
        tries(os.symlink, "x", "s"); tries(os.symlink, "x", "log.txt"); tries(os.symlink, "x", "none/s")
        write("s", "through"); print(read("log.txt")); write("link", "more", "a"); print(read("log.txt"))
        os.symlink(os.path.abspath("ckpt"), "c"); write("c/new", "n")
        print(sorted(os.listdir("ckpt")), read("c/new"))
        write("c/../beside", "b"); print(os.path.exists("beside")); write("dirlink/../up", "u")
        print(os.path.exists("up"))
        os.link("log.txt", "hard"); write("hard", "!", "a"); print(read("log.txt"), os.stat("hard").st_nlink)
        tries(os.link, "log.txt", "s"); tries(os.link, "none", "h"); tries(os.link, "data", "h")
        os.remove("c"); tries(os.listdir, "c"); print(sorted(os.listdir("ckpt")))
        os.symlink("loop", "loop"); tries(open, "loop"); tries(open, "loop", "w"); tries(os.stat, "loop")
        write("dangling", "d"); print(read("nowhere")); os.remove("nowhere"); tries(read, "dangling")
        print(os.path.realpath("s") == os.path.abspath("log.txt"))
        print(os.path.realpath("dirlink/deep") == os.path.abspath("data/deep"))
        os.remove("link"); os.symlink("data/train.csv", "link"); print(read("link")); os.remove("dirlink")
        os.mkdir("dirlink")
        print(os.listdir("dirlink")); tries(os.readlink, "log.txt"); tries(os.readlink, "none")
        tries(os.stat, "none/../log.txt")
        tries(os.stat, "log.txt/.."); tries(os.stat, "log.txt/"); tries(os.stat, "data/../log.txt/x")
        tree()
    """)


def test_attributes(both):
    both("""
        os.chmod("log.txt", 0o600)
        print(oct(os.stat("log.txt").st_mode), os.stat("log.txt").st_mtime_ns, read("log.txt"))
        os.utime("log.txt", (1, 2)); print(os.stat("log.txt").st_mtime); os.utime("data/train.csv", ns=(5, 6))
        print(os.stat("data/train.csv").st_mtime_ns); tries(os.utime, "none"); tries(os.chmod, "none", 0)
        os.chmod("data", 0o711); print(oct(os.stat("data").st_mode)); os.chmod("link", 0o640)
        print(oct(os.stat("log.txt").st_mode), os.path.islink("link")); os.chown("log.txt", -1, -1)
        os.truncate("log.txt", 3); print(read("log.txt")); tries(os.truncate, "none", 0)
        tries(os.truncate, "data", 0)
        with open("ckpt/checkpoint", "r+") as stream:
            os.truncate(stream.fileno(), 2); os.fchmod(stream.fileno(), 0o611)
        print(read("ckpt/checkpoint"), oct(os.stat("ckpt/checkpoint").st_mode))
        if hasattr(os, "setxattr"):
            tries(os.setxattr, "log.txt", "user.x", b"1")
            print(os.listxattr("log.txt"), os.listxattr("readonly"))
        print(os.access("log.txt", os.W_OK), os.access("none", os.F_OK), os.access("readonly", os.R_OK))
        os.mkfifo("pipe"); import stat; print(stat.S_ISFIFO(os.stat("pipe").st_mode)); os.remove("pipe")
        tries(os.utime, "log.txt", (1, 2), ns=(1, 2)); tries(os.stat, None); tries(os.mkdir, None)
        tries(os.listdir, 1.5)
        print(os.stat("log.txt").st_size, os.statvfs("log.txt").f_namemax)
    """)


def test_working_folder(both):
    both("""
        top = os.getcwd()
        os.makedirs("runs/1"); os.chdir("runs/1")
        print(os.getcwd() == top + "/runs/1", os.getcwdb() == os.fsencode(top) + b"/runs/1")
        write("log", "l"); print(read("log"), os.listdir(), os.path.abspath("log") == top + "/runs/1/log")
        print(read("../../log.txt"), os.listdir("..")); os.chdir("..")
        print(os.listdir("."), os.path.basename(os.getcwd()))
        os.chdir(top); print(read("runs/1/log")); tries(os.chdir, "none"); tries(os.chdir, "log.txt")
        os.chdir("dirlink"); print(os.path.basename(os.getcwd())); write("w", "w"); os.chdir("..")
        print(sorted(os.listdir("data")))
        fd = os.open("runs", os.O_RDONLY); os.fchdir(fd); print(os.getcwd() == top + "/runs", os.listdir())
        os.chdir(os.path.join(top, "data")); write("v", "v")
        print(sorted(os.listdir()), os.path.exists("deep/x"))
        import subprocess
    """)


LIBRARY = """
    import glob, io, logging, pathlib, shutil, sqlite3, tempfile, zipfile, tarfile, gzip, pickle
    import fileinput
    shutil.copytree("data", "copy"); shutil.copytree("data", "copy2", symlinks=True)
    shutil.move("copy", "moved")
    shutil.move("ckpt/checkpoint", "ckpt/saved"); shutil.copy2("log.txt", "ckpt")
    shutil.copy("log.txt", "ckpt/log.txt")
    shutil.copyfile("data/train.csv", "log.txt"); print(os.stat("ckpt/log.txt").st_size)
    shutil.rmtree("copy2"); shutil.rmtree("moved/deep"); shutil.rmtree("none", ignore_errors=True)
    tree()
    print(sorted(glob.glob("**/*", recursive=True)), sorted(glob.glob("ckpt/model*")), glob.glob("none/*"))
    path = pathlib.Path("p") / "q"
    path.mkdir(parents=True); path.mkdir(exist_ok=True, parents=True); (path / "f").write_text("text")
    (path / "g").touch()
    print((path / "f").read_text(), sorted(map(str, path.iterdir())))
    print(sorted(map(str, pathlib.Path().rglob("*.csv"))))
    (path / "f").rename(path / "h"); (path / "h").replace(path / "i")
    print((path / "i").stat().st_size, (path / "f").exists())
    (path / "i").unlink(); (path / "g").unlink(); path.rmdir(); print(path.exists(), path.parent.is_dir())
    pathlib.Path("log.txt").write_bytes(b"b")
    print(pathlib.Path("log.txt").read_bytes(), (pathlib.Path("link")).resolve().name)
    (path.parent / "s").symlink_to("../log.txt")
    print((path.parent / "s").read_text(), (path.parent / "s").is_symlink())
    pathlib.Path("log.txt").chmod(0o600); print(oct(pathlib.Path("log.txt").stat().st_mode))
    with tempfile.TemporaryDirectory() as folder:
        write(folder + "/x", "x"); print(os.listdir(folder))
    print(os.path.exists(folder))
    with tempfile.NamedTemporaryFile("w+") as stream:
        stream.write("t"); stream.flush()
        print(os.path.exists(stream.name), stream.name.startswith(tempfile.gettempdir()))
    print(os.path.exists(stream.name))
    with tempfile.TemporaryFile() as stream:
        stream.write(b"t")
    fd, name = tempfile.mkstemp(); os.close(fd); os.remove(name); os.rmdir(tempfile.mkdtemp())
    handler = logging.FileHandler("run.log"); logging.getLogger().addHandler(handler)
    logging.warning("said"); handler.close()
    handler = logging.FileHandler("log.txt"); logging.getLogger().addHandler(handler)
    logging.warning("more"); handler.close()
    print(read("run.log"), read("log.txt"), handler.baseFilename == os.path.abspath("log.txt"))
    for _ in range(2):
        base = sqlite3.connect("data.db"); base.execute("create table if not exists t (x)")
        base.execute("insert into t values (1)")
        base.commit(); print(base.execute("select * from t").fetchall()); base.close()
    with sqlite3.connect("file:data.db?mode=ro", uri=True) as base:
        print(base.execute("select count(*) from t").fetchall())
    with zipfile.ZipFile("z.zip", "w") as archive:
        archive.write("log.txt")
    with zipfile.ZipFile("z.zip", "a") as archive:
        archive.writestr("in/x", "x")
    zipfile.ZipFile("z.zip").extractall("unzipped"); tree("unzipped")
    shutil.make_archive("arch", "gztar", "ckpt"); shutil.unpack_archive("arch.tar.gz", "unpacked")
    tree("unpacked")
    with gzip.open("g.gz", "wt") as stream:
        stream.write("zip")
    print(gzip.open("g.gz", "rt").read())
    pickle.dump([1], open("pickle", "wb"))
    print(pickle.load(open("pickle", "rb")))
    print(pickle.loads(pickle.dumps([os.mkdir, open, os.stat])) == [os.mkdir, open, os.stat])
    with fileinput.input("data/train.csv", inplace=True) as lines:
        for line in lines:
            sys.stdout.write(line.upper())
    print(read("data/train.csv"), os.path.samefile("log.txt", "link"))
    print(os.path.getsize("link"), os.path.isdir("dirlink"))
    import dbm.dumb
    with dbm.dumb.open("dumb", "c") as base:
        base["k"] = "v"
    print(dbm.dumb.open("dumb")["k"])
    print(open.__name__, os.stat.__name__, os.stat in os.supports_dir_fd)
    class Holder:
        opens = open; remove = os.remove
    Holder().opens("h", "w").close(); Holder().remove("h")
"""


def test_standard_library_imported_before(both):
    both(LIBRARY, "glob, logging, logging.handlers, pathlib, shutil, sqlite3, tempfile, zipfile, tarfile, "
                  "gzip, fileinput")


def test_standard_library_imported_after(both):
    both(LIBRARY)


def test_numpy(both):
    both("""
        import numpy as np
        np.save("a.npy", np.arange(4)); print(np.load("a.npy"), np.load("a.npy", mmap_mode="r+")[2])
        array = np.memmap("m", dtype="u1", mode="w+", shape=(4,)); array[:] = 7; array.flush()
        print(np.fromfile("m", "u1"))
        array = np.memmap("m", dtype="u1", mode="r+"); array[0] = 1; array.flush()
        print(np.fromfile("m", "u1"))
        np.arange(3, dtype="u1").tofile("t"); print(np.fromfile("t", "u1"), os.path.getsize("t"))
        np.savez("z", x=np.ones(2)); print(np.load("z.npz")["x"]); np.savetxt("s.txt", np.eye(2))
        print(np.loadtxt("s.txt"))
        old = np.memmap("log.txt", dtype="u1", mode="r+"); old[0] = 65; old.flush(); print(read("log.txt"))
    """)


def test_libraries_of_c(both):
    pytest.importorskip("h5py")
    pytest.importorskip("cv2")
    both("""
        import cv2, h5py
        import numpy as np
        for mode in "w", "a", "r+":
            with h5py.File("weights.h5", mode) as file:
                file[mode] = [1.0, 2.0]
        with h5py.File("weights.h5") as file:
            print(sorted(file), h5py.is_hdf5("weights.h5"), h5py.is_hdf5("log.txt"))
        with h5py.File("log.txt", "w") as file:
            file["x"] = 1
        for mode in "r", "r+", "x":
            try:
                h5py.File("none.h5" if mode != "x" else "log.txt", mode)
            except OSError as error:
                print(type(error).__name__)
        print(cv2.imwrite("a.png", np.zeros([4, 4, 3], np.uint8)))
        print(cv2.imread("a.png").shape, os.path.exists("a.png"))
    """)


def test_children_see_each_other(both):
    both("""
        import multiprocessing, threading
        context = multiprocessing.get_context("fork")
        def work(i):
            os.makedirs(f"out/{i}", exist_ok=True); write(f"out/{i}/f", str(i))
            write("log.txt", f"{i}\\n", "a")
            if i == 3:
                os.remove("data/train.csv"); os.rename("ckpt", "gone")
            return i
        with context.Pool(2) as pool:
            print(pool.map(work, range(6)))
        print(sorted(os.listdir("out")))
        print([read(f"out/{i}/f") for i in range(6)], sorted(read("log.txt").split()))
        print(os.path.exists("data/train.csv"), os.path.exists("ckpt"), sorted(os.listdir("gone")))
        def append(i):
            for _ in range(20):
                write("readonly2", "x", "a"); write("data/deep/x", "y", "a")
        threads = [threading.Thread(target=append, args=(i,)) for i in range(4)]
        [thread.start() for thread in threads]; [thread.join() for thread in threads]
        print(len(read("readonly2")), len(read("data/deep/x")))
        pid = os.fork()
        if not pid:
            os.mkdir("childs"); write("childs/f", "f"); os._exit(0)
        os.waitpid(pid, 0); print(os.path.exists("childs/f"), os.listdir("childs"))
        server, client = context.Pipe(); server.send(1); print(client.recv())
        queue = context.Queue(); process = context.Process(target=queue.put, args=([1],)); process.start()
        print(queue.get()); process.join()
    """)


def test_a_module_is_written_and_imported(both):
    both("""
        sys.path.insert(0, os.getcwd())
        write("made.py", "x = 1"); import made; print(made.x, made.__file__ == os.path.abspath("made.py"))
        os.makedirs("pack/sub"); write("pack/__init__.py", ""); write("pack/sub/__init__.py", "y = __name__")
        import pack.sub; print(pack.sub.y); import importlib, inspect
        write("made.py", "x = 22"); importlib.reload(made); print(made.x, inspect.getsource(made))
        import linecache; print(linecache.getline("made.py", 1)); import wave, colorsys, data
        print(data.__path__)
    """)


def test_temporary_folders_and_links_of_the_system(both):
    both("""
        import shutil
        top = os.environ["TMPDIR"]
        os.symlink(os.getcwd(), top + "/here"); write(top + "/here/via", "v"); print(read("via"))
        os.chdir(top + "/here/data"); print(os.getcwd() == os.path.realpath(top + "/here") + "/data")
        write("n", "n")
        print(sorted(os.listdir(top)), os.listdir(top + "/here") == os.listdir(".."))
        os.chdir("/"); shutil.rmtree(top + "/here", ignore_errors=True); os.remove(top + "/here")
        print(os.listdir(top))
        print(os.path.exists("/proc/self/fd"), os.path.exists("/dev/null"), os.readlink("/proc/self/cwd"))
        with open("/proc/self/status") as stream:
            print(stream.readline().split()[0])
    """)


def test_spawned_workers_enter(both):
    both("""
        import multiprocessing, socket, threading
        def work(i):
            write(f"out{i}", str(i)); write("log.txt", "x", "a")
            try:
                os.kill(os.getppid(), 0)
            finally:
                return os.path.exists("early"), sorted(os.listdir("data"))
        if __name__ == "__main__":
            write("early", "e"); os.remove("data/train.csv")
            for method in "spawn", "forkserver":
                context = multiprocessing.get_context(method)
                with context.Pool(1) as pool:
                    print(pool.map(work, range(3)))
            print(sorted(os.listdir()), read("log.txt"))
            with multiprocessing.get_context("fork").Manager() as manager:
                box = manager.dict(a=1); print(box["a"])
            from multiprocessing import shared_memory
            memory = shared_memory.SharedMemory(create=True, size=10); memory.buf[0] = 5
            again = shared_memory.SharedMemory(memory.name); print(again.buf[0]); again.close()
            memory.close(); memory.unlink(); tries(shared_memory.SharedMemory, "none")
            server = socket.socket(socket.AF_UNIX); server.bind("a.sock"); server.listen()
            socket.socket(socket.AF_UNIX).connect(os.path.abspath("a.sock")); print(server.accept()[1])
            os.remove("a.sock")
    """)


@pytest.fixture
def alone(tmp_path):
    """alone(program): what it prints with the overlay and the guard."""
    def run(program, *arguments):
        (tmp_path / "scratch").mkdir()
        fill(tmp_path / "tree")
        before = state(tmp_path / "tree")
        script = tmp_path / "script.py"
        script.write_text(PREFACE.replace("BEFORE", INSTALL) + textwrap.dedent(program))
        env = {**os.environ, "PYTHONPATH": PACKAGE, "SCRATCH": str(tmp_path / "scratch"),
               "ALLOWED": str(tmp_path / "free"), "TMPDIR": str(tmp_path)}
        done = subprocess.run([sys.executable, str(script), *arguments], cwd=tmp_path / "tree", env=env,
                              timeout=120, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
        assert state(tmp_path / "tree") == before
        return done.stdout
    return run


def test_calls_without_an_audit_event_are_refused(alone):
    alone("""
        import _posixsubprocess, multiprocessing.util, signal, socket, stat, time
        def blocked(f, *args):
            try:
                f(*args)
            except PermissionError:
                return
            raise AssertionError((f, args))
        parent = os.getppid()
        blocked(os.setpriority, os.PRIO_PROCESS, parent, 0); blocked(os.setpriority, os.PRIO_USER, 0, 0)
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, os.sched_getaffinity(0)); blocked(os.sched_setaffinity, parent, [0])
        blocked(os.chroot, "/"); blocked(os.setuid, os.getuid()); blocked(os.nice, -1); os.nice(0)
        blocked(os.mknod, "dev", stat.S_IFCHR | 0o600, 259)
        blocked(time.clock_settime, time.CLOCK_REALTIME, 0)
        if hasattr(os, "pidfd_open"):
            blocked(signal.pidfd_send_signal, os.pidfd_open(parent), signal.SIGURG)
        import subprocess
        blocked(subprocess.run, ["true"])
        blocked(multiprocessing.util.spawnv_passfds, sys.executable, [sys.executable, "-S", "-c", "1"], [])
        os.environ["PYTHONSTARTUP"] = "x"
        blocked(multiprocessing.util.spawnv_passfds, sys.executable, [sys.executable, "-c", "1"], [])
        blocked(os.kill, -1, 0); blocked(os.kill, parent, signal.SIGURG)
    """)


def test_permitted_folders_are_really_written(alone, tmp_path):
    (tmp_path / "free").mkdir()
    alone("""
        import shutil
        free = os.environ["ALLOWED"]
        write(free + "/a", "kept"); os.mkdir(free + "/d"); shutil.copy("log.txt", free + "/d"); os.chdir(free)
        write("b", "kept"); os.replace("b", "c"); os.symlink("c", "s")
        tries(os.rename, free + "/d/log.txt", "../x")
        shutil.move(free + "/c", os.path.dirname(free) + "/tree/moved"); print(os.path.exists(free + "/c"))
        from shapeflow import _sandbox
        print(_sandbox.events())
    """)
    assert sorted(os.listdir(tmp_path / "free")) == ["a", "d", "s"]
    assert (tmp_path / "free" / "d" / "log.txt").read_text() == "first\n"


def test_each_change_is_noted_by_its_line(alone):
    out = alone("""
        from shapeflow import _sandbox
        lines = open(__file__).read().splitlines()
        write("log.txt", "x", "a")
        os.remove("data/train.csv")
        import shutil; shutil.rmtree("ckpt")
        os.makedirs("new/deep")
        for kind, what, file, line, blocked, count in _sandbox.events():
            print(kind, os.path.relpath(what), lines[line - 1].split("(")[0].strip(), blocked, count)
    """)
    rows = out.splitlines()
    assert rows[2].startswith("delete ckpt/") and rows.pop(2).endswith("shutil.rmtree False 4"), rows
    assert rows == ["write log.txt with open False 1", "delete data/train.csv os.remove False 1",
                    "write new os.makedirs False 2"]


def test_reading_costs_little(alone):
    """Ratios to the originals, of the quickest of many: before and after something was written."""
    print(alone("""
        import time, posix
        from shapeflow.sandbox.union import real
        def cost(f, *args):
            best = 1e9
            for _ in range(200):
                start = time.perf_counter()
                for _ in range(50):
                    f(*args)
                best = min(best, time.perf_counter() - start)
            return best / 50
        path = os.path.abspath("data/train.csv")
        plain, before = cost(real.stat, path), cost(os.stat, path)
        write("new", "x"); os.stat(path)
        after = cost(os.stat, path)
        print(f"stat: {plain * 1e9:.0f} ns, before a change {before * 1e9:.0f}, after {after * 1e9:.0f}")
        assert before - plain < 5e-6 and after - plain < 10e-6
    """))
