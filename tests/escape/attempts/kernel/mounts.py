# mount, umount, pivot_root, open_tree, fsopen, mount_setattr: another view of the files
# needs: linux
# done: not held
import errno

from aims import PROJECT, syscall

# The targets are no mount points: who may not, hears EPERM; who may, that the argument is wrong.
empty = (PROJECT + "/empty").encode()
for attempt in (lambda: syscall("umount2", empty, 2), lambda: syscall("pivot_root", empty, empty),
                lambda: syscall("mount", None, empty, None, 0x20, None),
                lambda: syscall("mount", None, empty, None, 1 << 18, None),
                lambda: syscall("move_mount", -100, empty, -100, empty, 0),
                lambda: syscall("mount_setattr", -100, empty, 0, b"\1" + b"\0" * 31, 32),
                lambda: syscall("open_tree", -100, empty, 1), lambda: syscall("fsopen", b"tmpfs", 0)):
    try:
        attempt()
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS):
            continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
