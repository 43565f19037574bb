"""Which module registers a name, per API version: `index.txt`, written by make_index.py.

A line is: version, module, names. Read once, when the first name is looked up.
"""
import os

V1: "dict[str, str]" = {}
V2: "dict[str, str]" = {}

with open(os.path.join(os.path.dirname(__file__), "index.txt"), encoding="ascii") as _file:
    for _line in _file:
        _version, _owner, *_names = _line.split()
        (V1 if _version == "1" else V2).update(dict.fromkeys(_names, _owner))
