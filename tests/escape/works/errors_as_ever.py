# the errors are those of a run without limits: missing, existing, a folder, no folder, not empty
import errno
import os


def code(call, *given):
    try:
        call(*given)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "none"


assert code(open, "missing.txt") == "ENOENT"
assert code(open, "missing/x.txt", "w") == "ENOENT"
assert code(open, "notes.txt", "x") == "EEXIST"
assert code(os.mkdir, "checkpoints") == "EEXIST"
assert code(open, "checkpoints", "w") == "EISDIR"
assert code(os.listdir, "notes.txt") == "ENOTDIR"
assert code(os.rmdir, "checkpoints") == "ENOTEMPTY"
assert code(os.remove, "missing.txt") == "ENOENT"
os.remove("notes.txt")
assert code(open, "notes.txt") == "ENOENT" and code(os.remove, "notes.txt") == "ENOENT"
