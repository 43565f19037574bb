"""Folders renamed inside the kernel's overlay.

An overlay cannot rename a folder that lies in its lower half (EXDEV, as between two disks) when it is mounted
without privileges. `mv` and shutil.move then copy; a script that calls os.rename would fail where it does
not outside, so os.rename and os.replace copy too. Source: the kernel's filesystems/overlayfs.rst
(redirect_dir).
"""
from __future__ import annotations

import errno
import os
from functools import partial

from shapeflow.checker.file_functions import take_part
from shapeflow.checker.patches import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    Rename = Callable[..., None]


def _copying(name: str, real: Rename) -> Rename:
    def rename(src: Any, dst: object, *, src_dir_fd: object = None, dst_dir_fd: object = None) -> None:
        try:
            real(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        except OSError as error:
            if error.errno != errno.EXDEV or src_dir_fd is not None or dst_dir_fd is not None or \
                    os.path.islink(src) or not os.path.isdir(src):
                raise
            _move(src, dst)

    rename.__name__ = rename.__qualname__ = name
    rename.__doc__ = real.__doc__
    return rename


def _move(src: Any, dst: Any) -> None:
    import shutil

    if os.path.lexists(dst):
        os.rmdir(dst)  # an empty folder gives way; anything else fails as rename does
    try:
        shutil.copytree(src, dst, symlinks=True)
    except BaseException:
        shutil.rmtree(dst, ignore_errors=True)
        raise
    shutil.rmtree(src)


def install() -> None:
    by = PROCESS.by("sandbox.renames", "an overlay renames no folder of its lower half")
    for name in ("rename", "replace"):
        take_part(by, name, partial(_copying, name))
