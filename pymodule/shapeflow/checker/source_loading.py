"""How the modules of a program are read and compiled: all that is changed of importlib's SourceFileLoader.

Whoever takes part says so here, for as long as its scope lasts; the loader is changed for the first of them,
and is what it was after the last. Their order is that of patches.OWNERS, whoever came first: a source passes
from the owner that is nearest to the script to the one that is nearest to the interpreter.

    file -> give_texts -> compile_whole, which ends it
                       -> change_sources ... -> compile() -> compile_refused, where that raises SyntaxError

No compiled file is read or written for a source that somebody changes.
"""
from __future__ import annotations

from shapeflow.checker.patches import Shared, rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Callable, Dict, List, Set, Tuple, TypeVar

    from shapeflow.checker.patches import Patcher

    IsConcerned = Callable[[str], bool]  # of the path of a module
    Change = Callable[[Any, str], Any]  # a text or tree, and its path; may raise SyntaxError to leave it
    Compile = Callable[[Any, str], CodeType]
    Kind = TypeVar("Kind")

_texts: List[Tuple[Patcher, Dict[str, str]]] = []
_whole: List[Tuple[Patcher, Tuple[IsConcerned, Compile]]] = []
_changes: List[Tuple[Patcher, Tuple[IsConcerned, Change]]] = []
_refused: List[Tuple[Patcher, Tuple[IsConcerned, Compile]]] = []
_keepers: List[Tuple[Patcher, IsConcerned]] = []


def give_texts(by: Patcher, texts: Dict[str, str]) -> None:
    """Files that have another text, by absolute path."""
    _join(by, _texts, texts)


def compile_whole(by: Patcher, is_concerned: IsConcerned, compile_file: Compile) -> None:
    """Files that `compile_file` compiles by itself. Where it raises SyntaxError, ValueError or OSError, they
    are compiled as if it were not there."""
    _join(by, _whole, (is_concerned, compile_file))


def change_sources(by: Patcher, is_concerned: IsConcerned, change: Change) -> None:
    """Files of whose source `change` makes what is compiled."""
    _join(by, _changes, (is_concerned, change))


def compile_refused(by: Patcher, is_concerned: IsConcerned, compile_file: Compile) -> None:
    """Files that `compile_file` compiles where Python cannot parse them."""
    _join(by, _refused, (is_concerned, compile_file))


def keep_compiled(by: Patcher, is_kept: IsConcerned) -> None:
    """Files whose compiled code is written beside them, as Python does; not that of others."""
    _join(by, _keepers, is_kept)


def _join(by: Patcher, group: List[Tuple[Patcher, Kind]], item: Kind) -> None:
    _loader.join(by)
    entry = by, item
    group.append(entry)
    group.sort(key=lambda one: -rank(one[0].owner))  # of one owner in the order in which they came

    def undo() -> None:
        group[:] = [one for one in group if one is not entry]

    by.also("how modules are loaded", undo)


def _changed_loader(turn: Shared.Turn) -> List[Tuple[object, str, object]]:
    from importlib.machinery import SourceFileLoader

    loader: Any = SourceFileLoader
    read, code, to_code = loader.get_data, loader.get_code, loader.source_to_code
    stats, keep = loader.path_stats, loader._cache_bytecode
    translated: Set[str] = set()  # paths whose code is not what Python makes of them

    def active(group: List[Tuple[Patcher, Kind]]) -> List[Kind]:
        return [item for by, item in group if by.on] if turn.on else []

    def get_data(self: object, path: str) -> bytes:
        for texts in active(_texts):
            if path in texts:
                return texts[path].encode()
        data: bytes = read(self, path)
        return data

    def get_code(self: Any, fullname: str) -> object:
        path = self.get_filename(fullname)
        for is_concerned, compile_file in active(_whole):
            if is_concerned(path):
                try:
                    return compile_file(self.get_data(path), path)
                except (SyntaxError, ValueError, OSError):
                    pass  # the ordinary way says it better
        return code(self, fullname)

    def path_stats(self: object, path: str) -> object:
        if any(path in texts for texts in active(_texts)) or \
                any(is_concerned(path) for is_concerned, _ in active(_changes)):
            raise OSError("changed: no compiled file stands for it")
        return stats(self, path)

    def source_to_code(self: object, data: object, path: object, *args: object, **kwargs: object) -> object:
        if not isinstance(path, str):
            return to_code(self, data, path, *args, **kwargs)
        for is_concerned, change in active(_changes):
            if is_concerned(path):
                try:
                    data = change(data, path)
                except SyntaxError:
                    pass  # it may be one that compile_refused knows
        try:
            return to_code(self, data, path, *args, **kwargs)
        except SyntaxError:
            for is_concerned, compile_file in active(_refused):
                if is_concerned(path):
                    translated.add(path)
                    return compile_file(data, path)
            raise

    def cache_bytecode(self: object, source: str, cached: str, data: object) -> None:
        if source not in translated and all(is_kept(source) for is_kept in active(_keepers)):
            keep(self, source, cached, data)

    changes = [(loader, function.__name__, function)
               for function in (get_data, get_code, path_stats, source_to_code)]
    return [*changes, (loader, "_cache_bytecode", cache_bytecode)]


_loader = Shared("importlib's SourceFileLoader", _changed_loader)
