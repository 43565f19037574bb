"""The content of files that are not there: text and bytes that are real ones, with something in them, so that
what works on text works; and nobody knows what it is, so that more is found in it than there is.

What such content makes of a program differs between two runs (`assumed.variant`), and only what both runs
find is reported.
"""
from __future__ import annotations

import io
import sys

from shapeflow.api import asking_frames
from shapeflow.api import unknown_uses as uses
from shapeflow.api.unknown_package import MANY, Unknown, assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Iterable, Iterator, List, Optional, SupportsIndex, Tuple, Union

_LINES = 600
_MOST_ASKED = 16  # parts that a slice wants
_PLACES = 16  # where lines are split, that are told apart
_READS = 16  # of a file that is read piece by piece, until it ends


def _number() -> str:
    return "1" if not assumed.variant else "3"


def made_up_text() -> UnknownText:
    """Some text that nobody knows."""
    return UnknownText(_number())


def _sample() -> str:
    """A few lines of words that are numbers. Two runs get different ones, and another number of different
    words in each column."""
    if not assumed.variant:
        return "1 0 2 1 0 1 0 1\n" * _LINES
    return "3 1 0 2 4 1 0 2 1 0 1\n2 0 1 3 1 0 2 1 0 2 0\n" * (_LINES // 2 + 4)


MARK = b"\1" * 16  # how a file begins of which nobody knows the content


def is_sample(start: bytes) -> bool:
    """Does a file begin as content does that was made up here?"""
    return start[:16] == MARK or len(start) > 15 and _sample().encode().startswith(start)


class UnknownText(str):
    """A str of which the content is not known."""

    def __getitem__(self, key: Union[SupportsIndex, slice]) -> UnknownText:
        try:
            return UnknownText(str.__getitem__(self, key))
        except IndexError:
            return UnknownText(_number())

    def __iter__(self) -> Iterator[UnknownText]:
        count = asking_frames.unpacked(sys._getframe(1))
        if count is not None:
            return iter([UnknownText(_number()) for _ in range(count)])
        return iter([UnknownText(letter) for letter in str.__iter__(self)])

    def __int__(self) -> int:
        assumed.numbers += 1
        frame = sys._getframe(1)
        if uses.is_over_a_limit(frame):
            return MANY
        wanted = uses.wanted_number(frame)
        if wanted is not None:
            return wanted
        try:
            return int(str(str.__str__(self)))
        except ValueError:
            return int(_number())

    def __float__(self) -> float:
        assumed.numbers += 1
        if uses.is_over_a_limit(sys._getframe(1)):
            return float(MANY)
        try:
            return float(str(str.__str__(self)))
        except ValueError:
            return float(_number())

    def __len__(self) -> int:
        assumed.numbers += 1
        frame = sys._getframe(1)
        length = str.__len__(self)
        if length and uses.compares_with_none(frame) and self._is_blank(frame):
            return 0
        return uses.wanted_length(frame, length)

    def __bool__(self) -> bool:
        """A line that was stripped may be a blank one."""
        if not str.__len__(self) or "_sf_stripped" not in vars(self):
            return bool(str.__len__(self))
        frame = sys._getframe(1)
        if uses.is_library(frame.f_code.co_filename):
            return True
        wanted = uses.wanted_condition(frame)
        return not self._is_blank(frame) if wanted is None else wanted

    def _is_blank(self, frame: FrameType) -> bool:
        """The same answer each time that it is asked of one text."""
        known = vars(self).setdefault("_sf_is", {})
        if "" not in known:
            known[""] = True not in known.values() and uses.may_be_blank(frame, assumed.variant)
            assumed.numbers += 1
        return bool(known[""])

    def _answer(self, question: str, frame: FrameType) -> bool:
        """Of what nobody knows of a text: the place that asks is told both, and of one text the same."""
        if uses.is_library(frame.f_code.co_filename):
            return False
        known = vars(self).setdefault("_sf_answers", {})
        if question not in known:
            known[question] = uses.every_second(frame, question)
            assumed.numbers += 1
        return bool(known[question])

    def __contains__(self, part: object) -> bool:
        if not isinstance(part, str) or str.__contains__(self, part):
            return str.__contains__(self, part)  # type: ignore[operator]
        frame = sys._getframe(1)
        if part.startswith((".", "__")) or uses.is_library(frame.f_code.co_filename):
            return False
        wanted = uses.wanted_containment(frame)
        return self._answer("in " + part, frame) if wanted is None else wanted

    def startswith(self, prefix: Union[str, Tuple[str, ...]], *between: Optional[SupportsIndex]) -> bool:
        if str.startswith(self, prefix, *between):
            return True
        if any(one[:1] in (".", "_", "/", "~", "\\") for one in (
                prefix if isinstance(prefix, tuple) else (prefix,))):
            return False  # a path, which is not what the program found in a file
        return self._answer("begins %s" % (prefix,), sys._getframe(1))

    # What a text is compared with in the program it may be: else `if row[2] == "train"` never holds.
    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) or type(other) is str and self._may_be(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def _may_be(self, words: str) -> bool:
        """The same answer each time that it is asked of one text."""
        known = vars(self).setdefault("_sf_is", {})
        if words not in known:
            known[words] = True not in known.values() and uses.may_be(words, assumed.variant)
            assumed.numbers += 1
        return bool(known[words])

    def __add__(self, other: str) -> UnknownText:
        return UnknownText(str.__add__(self, other))

    def __radd__(self, other: str) -> UnknownText:
        return UnknownText(other + str.__str__(self))

    def split(self, *args: Any, **kwargs: Any) -> List[str]:
        sep = args[0] if args else kwargs.get("sep")
        if isinstance(sep, str) and sep and not str.__contains__(self, sep):
            args, kwargs = (None, *args[1:]), {k: v for k, v in kwargs.items() if k != "sep"}
        fields = UnknownFields(UnknownText(part) for part in str.split(self, *args, **kwargs) or [""])
        if isinstance(sep, str) and "\n" not in sep and len(args) < 2 and "maxsplit" not in kwargs:
            frame = sys._getframe(1)
            fields._at = frame.f_code.co_filename, frame.f_lineno
            count = assumed.parts.get(fields._at)
            if count is not None:
                fields[:] = (list.__getitem__(fields, slice(None)) + [UnknownText(_number())] * count)[:count]
        return fields

    def rsplit(self, *args: Any, **kwargs: Any) -> List[str]:
        return UnknownFields(UnknownText(part) for part in str.rsplit(self, *args, **kwargs))

    def splitlines(self, keepends: bool = False) -> List[str]:
        return UnknownList(UnknownText(part) for part in str.splitlines(self, keepends))

    def endswith(self, *args: Any) -> bool:
        """Names are chosen by how they end: those that nobody knows are taken to be wanted. Whether another
        name is joined to one by a separator is known."""
        return args[:1] not in (("/",), ("\\",)) or str.endswith(self, *args)

    def index(self, *args: Any) -> int:
        return max(0, str.find(self, *args))

    rindex = index

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return UnknownBytes(str.encode(self, encoding, errors))

    def decode(self, *args: object) -> UnknownText:
        """Of Python 2, in which bytes are a str."""
        return self

    def __reduce__(self) -> Any:
        return UnknownText, (str.__str__(self),)


def _keeping(name: str) -> object:
    method = getattr(str, name)

    def same(self: object, *args: object) -> UnknownText:
        return UnknownText(method(self, *args))

    same.__name__ = name
    return same


def _stripping(name: str) -> object:
    method = getattr(str, name)

    def stripped(self: object, *args: object) -> UnknownText:
        made = UnknownText(method(self, *args))
        vars(made)["_sf_stripped"] = True
        return made

    stripped.__name__ = name
    return stripped


def _asking(name: str) -> object:
    method = getattr(str, name)

    def ask(self: UnknownText) -> bool:
        return bool(str.__len__(self)) and (
            self._answer(name, sys._getframe(1)) if uses.user_frame() is not None else method(self))

    ask.__name__ = name
    return ask


for _name in "isdigit isnumeric isdecimal isalpha isalnum isupper islower istitle".split():
    setattr(UnknownText, _name, _asking(_name))
for _name in "strip rstrip".split():
    setattr(UnknownText, _name, _stripping(_name))
for _name in "lstrip lower upper replace title capitalize casefold expandtabs zfill".split():
    setattr(UnknownText, _name, _keeping(_name))


class UnknownBytes(bytes):
    """Bytes of which the content is not known."""

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return UnknownText(bytes.decode(self, encoding, "replace"))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return UnknownBytes(bytes.__getitem__(self, key))
        try:
            return bytes.__getitem__(self, key)
        except IndexError:
            return 1

    def __len__(self) -> int:
        assumed.numbers += 1
        return bytes.__len__(self)

    def split(self, *args: Any, **kwargs: Any) -> UnknownList:
        return UnknownList(UnknownBytes(part) for part in bytes.split(self, *args, **kwargs))

    def splitlines(self, keepends: bool = False) -> UnknownList:
        return UnknownList(UnknownBytes(part) for part in bytes.splitlines(self, keepends))

    def strip(self, *args: Any) -> bytes:
        return UnknownBytes(bytes.strip(self, *args))

    def __reduce__(self) -> Any:
        return UnknownBytes, (bytes(memoryview(self)),)


class UnknownList(list):  # type: ignore[type-arg]
    """Parts of a text: as many as anybody wants."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            found = UnknownList(list.__getitem__(self, key))
            lacking = range(*key.indices(_MOST_ASKED))[list.__len__(found):] \
                if isinstance(key.stop, int) and 0 < key.stop <= _MOST_ASKED else ()
            found.extend(UnknownText(_number()) for _ in lacking)  # parts[:2] are two
            return found
        try:
            return list.__getitem__(self, key)
        except IndexError:
            return UnknownText(_number())

    def __iter__(self) -> Iterator[object]:
        return self._parts(sys._getframe(1))

    def _parts(self, frame: FrameType) -> Iterator[object]:
        """As many as that code unpacks."""
        count = asking_frames.unpacked(frame)
        if count is None or asking_frames.has_star(frame) and count < list.__len__(self):
            return list.__iter__(self)
        return iter([self[i] for i in range(count)])

    def __len__(self) -> int:
        assumed.numbers += 1
        return list.__len__(self)

    def pop(self, index: Any = -1) -> Any:
        return list.pop(self, index) if list.__len__(self) else UnknownText(_number())

    def index(self, *args: Any) -> int:
        try:
            return list.index(self, *args)
        except ValueError:
            return 0


class UnknownFields(UnknownList):
    """What a line was split into, whole."""

    _is_none: Optional[bool] = None  # that there is nothing in it, once the program asked
    _at: Optional[Tuple[str, int]] = None  # where a line was split at a separator

    def __iter__(self) -> Iterator[object]:
        frame = sys._getframe(1)
        if self._at is not None and asking_frames.unpacked(frame) is None and len(assumed.split_at) < _PLACES:
            assumed.split_at.add(self._at)
        return self._parts(frame)

    def _is_blank(self, frame: FrameType) -> bool:
        if self._is_none is None:
            self._is_none = uses.may_be_blank(frame, assumed.variant)
        return self._is_none

    def __bool__(self) -> bool:
        frame = sys._getframe(1)
        if not list.__len__(self) or uses.is_library(frame.f_code.co_filename):
            return bool(list.__len__(self))
        wanted = uses.wanted_condition(frame)
        return not self._is_blank(frame) if wanted is None else wanted

    def __len__(self) -> int:
        assumed.numbers += 1
        count = list.__len__(self)
        frame = sys._getframe(1)
        if count and uses.compares_with_none(frame) and self._is_blank(frame):
            return 0
        wanted = uses.wanted_length(frame, count)
        if wanted != count:  # so many are gone through, too
            self[wanted:] = [UnknownText(_number()) for _ in range(wanted - count)]
        return wanted


# --- files ----------------------------------------------------------------------------------------
class UnknownFile(io.StringIO):
    """A text file that is not there, opened to be read."""

    def __init__(self, name: str) -> None:
        super().__init__(_sample())
        self.name = name
        self.mode = "r"  # type: ignore[misc]

    def read(self, size: Optional[int] = -1) -> str:
        return UnknownText(super().read(size))

    def readline(self, size: Any = -1) -> str:  # type: ignore[override]
        return UnknownText(super().readline(size))

    def __next__(self) -> str:  # type: ignore[override]
        return UnknownText(super().__next__())

    def readlines(self, hint: Any = -1) -> List[str]:  # type: ignore[override]
        return UnknownList(UnknownText(line) for line in super().readlines(hint))


class UnknownBinaryFile(io.BytesIO):
    """A file that is not there, opened to be read as bytes. It ends after some reads."""

    def __init__(self, name: str) -> None:
        super().__init__(_sample().encode())
        self.name = name
        self.mode = "rb"  # type: ignore[misc]
        self._reads = 0

    def read(self, size: Optional[int] = -1) -> bytes:
        if size is None or size < 0:
            return UnknownBytes(super().read())
        self._reads += 1
        if self._reads > _READS:
            return b""
        return UnknownBytes(b"\1" * min(size, 1 << 20))

    def readline(self, size: Any = -1) -> bytes:
        return UnknownBytes(super().readline(size))

    def __next__(self) -> bytes:
        return UnknownBytes(super().__next__())

    def readlines(self, hint: Any = -1) -> List[bytes]:
        return UnknownList(UnknownBytes(line) for line in super().readlines(hint))


KINDS = (Unknown, UnknownText, UnknownBytes, UnknownList, UnknownFile, UnknownBinaryFile)


def opened(name: str, mode: str) -> Union[UnknownBinaryFile, UnknownFile]:
    """What open() gives for a file that is not there."""
    return UnknownBinaryFile(name) if "b" in mode else UnknownFile(name)


def rows(of: Iterable[str]) -> Iterator[List[str]]:
    """What csv.reader makes of such a file."""
    for line in of:
        yield UnknownText(line).strip().split()


class UnknownArchive(Unknown):
    """A zip or tar file of which nobody knows what is in it."""

    def namelist(self) -> List[str]:
        return [UnknownText("%d.txt" % i) for i in range(assumed.turns)]

    getnames = namelist

    def read(self, *args: object, **kwargs: object) -> bytes:
        return UnknownBytes(_sample().encode())

    def open(self, name: Any = "", *args: Any, **kwargs: Any) -> UnknownBinaryFile:
        return UnknownBinaryFile(str(name))

    extractfile = open


class UnknownResponse(Unknown):
    """What an address that is not reached would have answered: all was well, and nobody knows what came."""

    def __init__(self, dotted: str, inputs: Any = ()) -> None:
        super().__init__(dotted, inputs)
        self.__dict__.update(status_code=200, status=200, ok=True, content=UnknownBytes(_sample().encode()),
                             text=UnknownText(_sample()), encoding="utf-8")

    def read(self, size: int = -1) -> bytes:
        done = self.__dict__.get("_sf_reads", 0)
        self.__dict__["_sf_reads"] = done + 1
        return UnknownBytes(_sample().encode()) if done < assumed.turns else b""

    def iter_content(self, *args: object, **kwargs: object) -> Iterator[bytes]:
        return iter([UnknownBytes(_sample().encode())])

    def iter_lines(self, *args: object, **kwargs: object) -> Iterator[bytes]:
        return iter(UnknownBytes(_sample().encode()).splitlines())

    def getcode(self) -> int:
        return 200

    def raise_for_status(self) -> None:
        pass
