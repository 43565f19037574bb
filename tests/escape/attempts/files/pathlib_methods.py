# pathlib: write_text, touch, chmod, rename, symlink_to, hardlink_to, unlink, rmdir
from pathlib import Path

from aims import all_of

here = Path.cwd()
all_of(lambda: (here / "notes.txt").write_text("changed"), lambda: (here / "data.bin").write_bytes(b"0"),
       lambda: (here / "log.txt").touch(), lambda: (here / "run.sh").chmod(0o600),
       lambda: (here / "archive.zip").rename(here / "moved.zip"), lambda: (here / "new").mkdir(),
       lambda: (here / "points").symlink_to(here / "notes.txt"),
       lambda: (here / "array.npy").unlink(), lambda: (here / "empty").rmdir())
assert (here / "moved.zip").exists() and not (here / "array.npy").exists()
assert (here / "notes.txt").read_text() == "changed" and not (here / "empty").exists()
