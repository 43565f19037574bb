"""Which module registers a name, per API version: `index.txt`, written by make_index.py.

A line is: version, module, names. The lines of a version are read when the first name of it is looked up.
"""
from __future__ import annotations

import os

_read: dict[int, dict[str, str]] = {}


def of(version: int) -> dict[str, str]:
    """Dotted name -> module, of API 1 or 2."""
    found = _read.get(version)
    if found is None:
        found = _read[version] = {}
        own = "%d " % version  # it is ASCII; Python has loaded UTF-8 already
        with open(os.path.join(os.path.dirname(__file__), "index.txt"), encoding="utf-8") as file:
            for line in file:
                if line.startswith(own):
                    _, owner, *names = line.split()
                    found.update(dict.fromkeys(names, owner))
    return found
