"""Snapshots of TensorFlow's API: what every name is in 0.12, 1.8, 1.15 and 2.21.

`tests/tools/api_snapshot.py` writes VERSION.txt under a real TensorFlow; all that the package says of a name
that it does not model comes from there. A file is a list of blocks, sorted by their headers:

    tf.train               a public namespace, a public class, or a module of the sources
    t:tensorflow.python.eager.context.Context       a private class, of those that ShapeFlow has
     Saver c (var_list=None) : tf.Base @tensorflow.python.training.saver
     get_checkpoint_mtimes f (checkpoint_prefixes) @tensorflow.python.training.checkpoint_management

The lines of a block are a name, its kind and what goes with it:

    m                      a namespace with a block of its own
    c SIGNATURE : BASES @MODULE      a class; a public one has a block with its members
    f SIGNATURE @MODULE    a function, or a method; `k` a class method, `s` a static one, `p` a property
    v LITERAL              a constant
    o TYPE SIGNATURE       another object; the signature when it can be called
    = DOTTED               the same object as DOTTED, which may be of another package: then its kind is x
    < HOME NAMES           names that are the same objects as HOME.NAME
    > MODULES              modules that a source imports: PATH, PATH:NAME, or the last part of the nearest one
    ^ MODULES              modules of other packages
    * NAMES                in a class its special methods; in a source the modules it has everything of
    ! NAMES                the methods of a class that are abstract

A signature is Python's, `?` where Python does not know it; a default is a literal, a dotted name, or `...`.
"""
from __future__ import annotations

import mmap
import os

from shapeflow.api import parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple

VERSIONS = ((0, 12), (1, 8), (1, 15), (2, 21))
NEWEST = VERSIONS[-1]  # speaks for every TensorFlow 2
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_FEW = 160  # blocks that are found without the index: a training by Keras asks for about a hundred
_MARKS = ("<", ">", "^", "*", "!")
_ALIASES_MAX = 8  # an alias names an object, not another alias; more is a broken file

_open: Dict[Tuple[int, int], "Snapshot"] = {}
_private: Dict[str, Tuple[Tuple[int, int], ...]] = {}  # folders of the sources -> versions


class Entry:
    """What one name is. `dotted` is the name that owns it: aliases are followed."""

    __slots__ = ("dotted", "kind", "rest")

    def __init__(self, dotted: str, kind: str, rest: str) -> None:
        self.dotted, self.kind, self.rest = dotted, kind, rest

    def __repr__(self) -> str:
        return "Entry(%r, %r, %r)" % (self.dotted, self.kind, self.rest)

    @property
    def signature(self) -> str:
        """"(a, b=1)", or "" where there is none or nobody knows it."""
        return parameters.leading(self.rest)

    @property
    def bases(self) -> List[str]:
        """The bases of a class that have a name of their own: "tf.Module", "Exception"."""
        after = self.rest[len(self.signature) or 1:]
        before_home = after.partition(" @")[0]
        return before_home[3:].split() if before_home.startswith(" : ") else []

    @property
    def home(self) -> str:
        """The module of the sources that defines it; "" when it does not say."""
        return self.rest.rpartition(" @")[2] if " @" in self.rest else ""


class Block:
    """The names of one namespace, class or module, unparsed until they are asked for."""

    def __init__(self, header: str, text: str) -> None:
        self.header = header
        self._text = text  # the header's line and those below it

    def get(self, name: str) -> Optional[str]:
        """The rest of a name's line: found without reading the block, where that was not done yet."""
        lines = self.__dict__.get("lines")
        if lines is not None:
            return lines.get(name)  # type: ignore[no-any-return]
        text = self._text
        at = text.find("\n %s " % name)
        if at >= 0 and name not in _MARKS:
            at += len(name) + 3
            return text[at:text.index("\n", at)]
        at = text.find("\n < ")
        while at >= 0:
            home, *names = text[at + 4:text.index("\n", at + 1)].split(" ")
            if name in names:
                return "= %s.%s" % (home, name)
            at = text.find("\n < ", at + 1)
        return None

    def __getattr__(self, attr: str) -> Any:
        """lines: name -> the rest of its line; special: of `*`; modules: of `>`; outside: of `^`; abstract:
        of `!`."""
        if attr not in ("lines", "special", "modules", "outside", "abstract"):
            raise AttributeError(attr)
        lines: Dict[str, str] = {}
        marked: Dict[str, List[str]] = {"*": [], ">": [], "^": [], "!": []}
        for line in self._text.split("\n")[1:-1]:
            name, _, rest = line[1:].partition(" ")
            if name == "<":
                home, *names = rest.split(" ")
                for same in names:
                    lines[same] = "= %s.%s" % (home, same)
            elif name in marked:
                marked[name] += rest.split(" ")
            else:
                lines[name] = rest
        self.__dict__.update(lines=lines, special=marked["*"], modules=marked[">"], outside=marked["^"],
                             abstract=marked["!"])
        return self.__dict__[attr]


class Snapshot:
    """One file, looked at where it is needed: only the headers are read at once."""

    def __init__(self, version: Tuple[int, int]) -> None:
        self.version = version
        with open(os.path.join(_FOLDER, "%d.%d.txt" % version), "rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._blocks: Dict[str, Optional[Block]] = {}
        self._starts: Dict[str, int] = {}
        self._asked = 0
        self._probes: Dict[int, Tuple[int, bytes]] = {}  # of halving: the header after a position
        self._sorted: List[str] = []
        self._below: Dict[str, bool] = {}
        self._short: Dict[str, str] = {}
        self._derived: Dict[str, List[str]] = {}  # a base: the classes that name it
        self._with_bases: Optional[Dict[bytes, List[int]]] = None

    def _index(self) -> Dict[str, int]:
        """Where each header starts. Headers begin with a t, and no other line does. Searched is a copy:
        searching a map is slow."""
        if not self._starts:
            data = self._data[:]
            at = data.find(b"\nt") + 1
            while at:
                self._starts[data[at:data.find(b"\n", at)].decode("ascii")] = at
                at = data.find(b"\nt", at) + 1
            self._sorted = list(self._starts)
        return self._starts

    def _start(self, header: str) -> Optional[int]:
        """Where the block of a header starts. The first few, of which a check that starts asks, are found by
        halving, since headers are sorted; the index of all of them costs as much as many of these."""
        self._asked += 1
        if self._starts or self._asked > _FEW:
            return self._index().get(header)
        at, found = self._at_or_after(header)
        return at if found == header.encode("utf-8", "surrogateescape") else None

    def _at_or_after(self, header: str) -> Tuple[int, bytes]:
        """The first header that is not before `header`, and where it starts; b"": there is none."""
        data, wanted = self._data, header.encode("utf-8", "surrogateescape")
        low, high, best = 0, len(data), (len(data), b"")  # the header starts in this range, or is `best`
        while low < high:
            middle = (low + high) // 2
            probe = self._probes.get(middle)
            if probe is None:
                at = data.find(b"\nt", max(middle - 1, 0)) + 1 or len(data)
                probe = self._probes[middle] = at, data[at:data.find(b"\n", at)] if at < len(data) else b""
            at, found = probe
            if found and found < wanted:
                low = at + 1
                continue
            if found:
                best = probe
            high = middle
        return best

    def has_below(self, header: str) -> bool:
        """Is there a header HEADER.NAME? Then it is a package."""
        found = self._below.get(header)
        if found is None:
            self._asked += 1
            if self._starts or self._asked > _FEW:
                import bisect

                self._index()
                after = bisect.bisect_left(self._sorted, header + ".")
                found = after < len(self._sorted) and self._sorted[after].startswith(header + ".")
            else:
                found = self._at_or_after(header + ".")[1].startswith(header.encode() + b".")
            self._below[header] = found
        return found

    def is_imported(self, path: str) -> bool:
        """Does a source import that module? One that has no block is no Python: `_pywrap_tfe`."""
        wanted, at = b" " + path.encode("utf-8", "surrogateescape"), -1
        while True:
            at = self._data.find(wanted, at + 1)
            if at < 0:
                return False
            line, end = self._data.rfind(b"\n", 0, at) + 1, at + len(wanted)
            if self._data[line:line + 3] == b" > " and self._data[end:end + 1] in b" :\n":
                return True

    def block(self, header: str) -> Optional[Block]:
        """The block of a namespace, a public class or a module of the sources; None when there is none."""
        if header in self._blocks:
            return self._blocks[header]
        found = None
        at = self._start(header)
        if at is not None:
            end = self._data.find(b"\nt", at) + 1 or len(self._data)
            found = Block(header, self._data[at:end].decode("ascii"))
        self._blocks[header] = found
        return found

    def class_block(self, dotted: str) -> Optional[Block]:
        """The block of a class, public or private."""
        return self.block("t:" + dotted if dotted.startswith("tensorflow.") else dotted)

    def entry(self, dotted: str) -> Optional[Entry]:
        """What a dotted name is: a public one ("tf.nn.relu"), a member of a public class
        ("tf.Graph.as_default") or one of the sources ("tensorflow.python.ops.math_ops.add")."""
        for _ in range(_ALIASES_MAX):
            space, _, name = dotted.rpartition(".")
            block = self.block(space) or self._owner(space)
            if block is None:
                return None if space.startswith(("tf", "tensorflow")) else Entry(dotted, "x", "")
            rest = block.get(name)
            if rest is None:
                return self._of_source(block, name)
            kind, _, rest = rest.partition(" ")
            if kind != "=":
                return Entry(block.header + "." + name, kind, rest)
            dotted = rest
            if self.block(dotted) is not None and dotted.startswith("tensorflow"):
                return Entry(dotted, "m", "")
        return None

    def _owner(self, dotted: str) -> Optional[Block]:
        """The block of a namespace that has two names: "tf.nn.rnn_cell" may be that of "tf.rnn_cell"."""
        if "." not in dotted:
            return None
        entry = self.entry(dotted)
        return self.block(entry.dotted) if entry is not None and entry.dotted != dotted else None

    def _of_source(self, block: Block, name: str) -> Optional[Entry]:
        """A name that a source has from a star import or from an import of a module."""
        if not block.header.startswith("tensorflow"):
            return None
        for star in block.special:
            found = self.entry(star + "." + name)
            if found is not None:
                return found
        for module in block.modules:
            path, _, bound = module.partition(":")
            if (bound or path.rpartition(".")[2]) == name:
                return Entry(self.full_path(path), "m", "")
        inner = block.header + "." + name
        return Entry(inner, "m", "") if self.block(inner) is not None else None

    def full_path(self, path: str) -> str:
        """The module that the last part of a path means: the one that is nearest to the root."""
        if "." in path:
            return path
        found = self._short.get(path)
        if found is None:
            data, end = self._data[:], b".%s\n" % path.encode("utf-8", "surrogateescape")  # a copy is quicker
            ends, at = [], data.find(end)
            while at >= 0:
                header = data[data.rfind(b"\n", 0, at) + 1:at + len(end) - 1].decode("ascii")
                if header.startswith("tensorflow"):
                    ends.append(header)
                at = data.find(end, at + 1)
            found = self._short[path] = min(ends, key=lambda p: (p.count("."), p), default=path)
        return found

    def members(self, dotted: str) -> Iterator[Tuple[str, str, str, str]]:
        """(owner, name, kind, rest) of the members of a public class, then those of its bases."""
        todo, seen = [dotted], set()
        while todo:
            owner = todo.pop(0)
            block = self.class_block(owner)
            if block is None or owner in seen:
                continue
            seen.add(owner)
            for name, what in block.lines.items():
                kind, _, rest = what.partition(" ")
                yield owner, name, kind, rest
            entry = self.entry(owner)
            todo += entry.bases if entry is not None else []

    def subclasses(self, dotted: str) -> List[str]:
        """The classes that have the class `dotted` among their bases, near or far."""
        found: Dict[str, None] = {}
        todo = [dotted]
        for base in todo:
            if base not in self._derived:
                self._derived[base] = list(self._derive(base))
            new = [name for name in self._derived[base] if name not in found]
            found.update(dict.fromkeys(new))
            todo += new
        return list(found)

    def _derive(self, base: str) -> Iterator[str]:
        """The classes that name `base` as a base."""
        if self._with_bases is None:
            self._with_bases = self._lines_with_bases()
        found = self._with_bases.get(base.encode("ascii"), ())
        if not found:
            return
        import bisect

        self._index()
        starts, data = list(self._starts.values()), self._data
        for line in found:
            name, _, rest = data[line + 2:data.find(b"\n", line + 1)].decode("ascii").partition(" ")
            if base in Entry(name, "c", rest[2:]).bases:
                yield self._sorted[bisect.bisect_right(starts, line) - 1] + "." + name

    def _lines_with_bases(self) -> Dict[bytes, List[int]]:
        """Where the lines of classes begin that may name a base, by the base: read once, since one search for
        each base costs more."""
        import re

        found: Dict[bytes, List[int]] = {}
        for match in re.finditer(rb"\n [^ \n]+ c [^\n]* : ([^\n]*)", self._data):
            for base in match[1].partition(b" @")[0].split():
                found.setdefault(base, []).append(match.start())
        return found

    def headers(self) -> Iterator[str]:
        """The headers of all blocks."""
        return iter(self._index())

    def public_names(self) -> Iterator[Tuple[str, Entry]]:
        """Every public name that is no namespace, aliases too, with what it is."""
        for header in self.headers():
            if header == "tf" or header.startswith("tf.") and self._is_namespace(header):
                block = self.block(header)
                for name in block.lines if block is not None else ():
                    found = self.entry(header + "." + name)
                    if found is not None and found.kind != "m":
                        yield header + "." + name, found

    def _is_namespace(self, header: str) -> bool:
        space, _, name = header.rpartition(".")
        block = self.block(space)
        return block is not None and block.get(name) == "m"

    def sources(self) -> List[str]:
        """The modules of TensorFlow's sources: "tensorflow.python.ops.math_ops"."""
        return [header for header in self.headers() if header.startswith("tensorflow") and
                header != "tensorflow"]  # the root's block has what is private there


def literal(text: str) -> Optional[Tuple[object]]:
    """The value of a literal, in a tuple; None for `...` and what else is none."""
    import ast

    if text.startswith("float('"):  # inf, nan
        return (float(text[7:-2]),)
    try:
        return (ast.literal_eval(text),) if text != "..." else None
    except (ValueError, SyntaxError):
        return None


def of(version: Tuple[int, int]) -> Snapshot:
    """The snapshot of one of VERSIONS."""
    if version not in _open:
        _open[version] = Snapshot(version)
    return _open[version]


def nearest(version: Tuple[int, int]) -> List[Snapshot]:
    """The snapshots that say what a version has, the closest first.

    A version between two lists has what either has. From 1.0 on, 0.12 speaks for tf.contrib alone: what
    1.0 took away at the root is gone (release notes of TensorFlow 1.0); the caller asks `speaks_for`."""
    if version >= (2, 0):
        return [of(NEWEST)]
    below = [v for v in VERSIONS if v <= version]
    above = [v for v in VERSIONS if version <= v < (2, 0)]
    chosen = dict.fromkeys(above[:1] + below[-1:])
    return [of(v) for v in chosen]


def speaks_for(snapshot: Snapshot, version: Tuple[int, int], dotted: str) -> bool:
    """Does a snapshot of another version say anything of that name?"""
    return not (snapshot.version < (1, 0) <= version) or dotted.startswith("tf.contrib")


def private_in(path: str) -> Tuple[Tuple[int, int], ...]:
    """The versions for which the folder of a file (`tensorflow.python`) is no public namespace."""
    root, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    folder = f"{root}.{name}"
    found = _private.get(folder)
    if found is None:
        found = _private[folder] = tuple(
            version for version in VERSIONS
            if of(version).has_below(folder) and of(version).block("tf." + name) is None)
    return found


def was_kept(path: str) -> bool:
    """Is it a file of TensorFlow 1 that TensorFlow 2 still had in some release that no snapshot is of? 1.15
    says what it was: of the folders that are private in both, and of the package for estimators, which went
    with 2.16."""
    if path.startswith("tensorflow_estimator"):
        return True
    private = private_in(path)
    return (1, 15) in private and NEWEST in private
