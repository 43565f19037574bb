"""What we change in the interpreter: one stack of patches, each with an owner and a reason.

A scope holds the patches that end together: those of a check, of a notebook's session, of the whole process.
Scopes nest. They are closed in the reverse of the order in which they were opened, and closing one undoes its
patches, the newest first. Over one name the patches lie in the order of OWNERS, from the interpreter to the
script; a patch that would come below another one is refused. What several owners change has one owner of
its own, which they tell what they want and which keeps their order: file_functions.py for the functions of
`os` that look at files, source_loading.py for the loader of modules, worker_starts.py for what starts
workers, and shapeflow/module_finder.py for sys.meta_path.

What somebody else has put over a patch of ours stays there, because taking ours out would take theirs out
as well: close() returns the patches that it had to leave. So a wrapper can outlive its scope, there or where
a module has made a copy of it (`from os import stat`): it asks `by.on`, and after that passes everything on.

Nobody else assigns to what belongs to the interpreter (tests/py/test_patches.py looks for that). Two things
cannot be taken back, and do nothing outside of a check: audit hooks, and what os.register_at_fork was given.
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Set, Tuple

# Modules of this package, the nearest to the interpreter first.
OWNERS = (
    "sandbox.inside", "sandbox.renames", "sandbox.redirect", "sandbox.patching", "sandbox.worker",
    "sandbox.reproducible",
    "notebook.extension",
    "tensorflow.compat.python2", "checker.removed.restore", "checker.random_choice", "checker.waiting",
    "checker.data_files", "checker.worker_programs", "checker.package_version",
    "checker.passed_over", "checker.python2_source", "checker.old_messages",
    "checker.import_hook", "checker.missing_imports", "checker.keras_calls", "checker.shape_recorder",
    "checker.loops.instrument",
    "fixes.trial", "checker.dependency_tracker", "checker.unknown_paths",
    "checker.check",
)
_RANKS = dict(zip(OWNERS, range(len(OWNERS))))
MISSING: Any = object()  # what there was where there was nothing
_BY_GETATTR = ("__class__", "__defaults__")  # not in the dictionary of what has them


class PatchError(RuntimeError):
    """Patches are made or undone in an order in which they would be lost."""


class Patch:
    """One change. `now` and `put` read and write what is patched; MISSING is put to delete."""

    def __init__(self, by: Patcher, holder: Any, name: Any, ours: Any, now: Callable[[], Any],
                 put: Callable[[Any], None], regardless: bool) -> None:
        self.by = by
        self.holder = holder
        self.name = name
        self.ours = ours
        self.before = now()
        self._now = now
        self._put = put
        self._regardless = regardless  # of what others have put there since

    def __repr__(self) -> str:
        holder: Any = self.holder if isinstance(self.holder, type) else type(self.holder)
        words = holder.__qualname__
        if holder is dict:
            words = "sys.modules" if self.holder is sys.modules else self.holder.get("__name__") or "a dict"
        place = self.name if isinstance(self.holder, Patcher) else f"{words}.{self.name}"
        return f"{place} ({self.by.owner}: {self.by.reason})"

    def is_in_place(self) -> bool:
        """Has nobody put anything over it?"""
        return self._now() is self.ours

    def apply(self) -> None:
        self._put(self.ours)

    def undo(self) -> bool:
        """False: somebody else's lies over it."""
        if not self._regardless and not self.is_in_place():
            return self._now() is self.before  # somebody has taken it out already
        self._put(self.before)
        return True


def _inherited_new(kind: Any) -> object:
    """What a class has for __new__ when ours goes. When that is deleted, the class is not what it was: Python
    refuses the arguments of its constructor (bpo-5322)."""
    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        inherited = super(kind, cls).__new__
        return inherited(cls) if inherited is object.__new__ else inherited(cls, *args, **kwargs)

    return staticmethod(__new__)


class Patcher:
    """One owner's way to make patches in one scope; all of them have its reason. A patch is `regardless` when
    it is undone whatever others have made of it since."""

    def __init__(self, scope: Scope, owner: str, reason: str) -> None:
        self.scope = scope
        self.owner = owner
        self.reason = reason
        self.on = True  # until the scope is closed

    def set(self, holder: Any, name: str, value: Any, regardless: bool = False) -> None:
        """An attribute of an object, a class or a function; a name of a module."""
        if isinstance(holder, type(sys)):  # some modules have a __setattr__ of their own
            self.item(vars(holder), name, value, regardless)
            return

        def now() -> Any:
            if name in _BY_GETATTR:
                return getattr(holder, name)
            return vars(holder).get(name, MISSING)  # not what a class inherits

        def put(what: Any) -> None:
            if what is not MISSING:
                setattr(holder, name, what)
            elif name == "__new__" and isinstance(holder, type):
                setattr(holder, name, _inherited_new(holder))
            elif now() is not MISSING:
                delattr(holder, name)

        self.scope._push(Patch(self, holder, name, value, now, put, regardless))

    def item(self, mapping: Any, key: Any, value: Any, regardless: bool = False) -> None:
        """What a mapping has for a key."""
        def now() -> Any:
            return mapping.get(key, MISSING)

        def put(what: Any) -> None:
            if what is not MISSING:
                mapping[key] = what
            else:
                mapping.pop(key, None)

        self.scope._push(Patch(self, mapping, key, value, now, put, regardless))

    def add(self, group: Set[Any], member: Any) -> None:
        """A member of a set."""
        if member not in group:
            group.add(member)
            self.also(f"a set with {member!r}", lambda: group.discard(member))

    def also(self, what: str, undo: Callable[[], None]) -> None:
        """Something that is done already, and how it is undone."""
        def put(value: Any) -> None:
            if value is MISSING:
                undo()

        self.scope._push(Patch(self, self, what, undo, lambda: MISSING, put, True))


class Scope:
    """Patches that end together. Used in a `with` statement, or closed by hand."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._patches: List[Patch] = []
        self._patchers: List[Patcher] = []
        _scopes.append(self)

    def __enter__(self) -> Scope:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def by(self, owner: str, reason: str) -> Patcher:
        """For patches of `owner`, one of OWNERS. `reason`: a phrase that says what they are for."""
        if owner not in _RANKS:
            raise PatchError(f"{owner} is not an owner of patches (see patches.OWNERS)")
        if self not in _scopes:
            raise PatchError(f"the scope {self.name!r} is closed")
        patcher = Patcher(self, owner, reason)
        self._patchers.append(patcher)
        return patcher

    def _push(self, patch: Patch) -> None:
        if self not in _scopes:
            raise PatchError(f"the scope {self.name!r} is closed: no {patch!r}")
        slot = id(patch.holder), patch.name
        below = _slots.setdefault(slot, [])
        if below and _RANKS[below[-1].by.owner] > _RANKS[patch.by.owner] and below[-1].is_in_place():
            raise PatchError(f"{patch!r} would lie over {below[-1]!r}, which comes after it")
        below.append(patch)
        self._patches.append(patch)
        patch.apply()

    def close(self) -> List[Patch]:
        """Undoes its patches. Returns those that stay, because somebody else's lie over them. Raises
        PatchError, and undoes nothing, while a scope is open that was opened later."""
        if self is PROCESS:
            raise PatchError("the patches of the process end with it")
        if self not in _scopes:
            raise PatchError(f"the scope {self.name!r} is closed already")
        if _scopes[-1] is not self:
            later = ", ".join(repr(scope.name) for scope in _scopes[_scopes.index(self) + 1:])
            raise PatchError(f"the scope {self.name!r} cannot be closed before {later}, opened after it")
        for patcher in self._patchers:
            patcher.on = False
        left: List[Patch] = []
        errors: List[BaseException] = []
        for patch in reversed(self._patches):
            try:
                if not patch.undo():
                    left.append(patch)
            except Exception as error:  # the others are undone all the same
                errors.append(error)
            slot = id(patch.holder), patch.name
            _slots[slot].remove(patch)
            if not _slots[slot]:
                del _slots[slot]
        self._patches.clear()
        _scopes.remove(self)
        if errors:
            raise errors[0]
        return left


class Shared:
    """Changes that several owners have part in, whose order one module keeps (checker/source_loading.py):
    they are made for the first that joins and undone with the last, in whatever order their scopes end."""

    class Turn:
        """From the first to the last; afterwards what somebody has kept of ours passes everything on."""

        on = True

    def __init__(self, what: str, changes: Callable[[Shared.Turn], List[Tuple[Any, str, Any]]]) -> None:
        self.what = what
        self._changes = changes  # [(a class or a module, an attribute, its new value)]
        self._users = 0
        self._turn = Shared.Turn()
        self._made: List[Tuple[Any, str, Any, Any]] = []

    def join(self, by: Patcher) -> None:
        if not self._users:
            self._turn = Shared.Turn()
            self._made = [(holder, name, vars(holder).get(name, MISSING), ours)
                          for holder, name, ours in self._changes(self._turn)]
            for holder, name, _, ours in self._made:
                setattr(holder, name, ours)
        self._users += 1
        by.also(self.what, self._leave)

    def _leave(self) -> None:
        self._users -= 1
        if self._users:
            return
        self._turn.on = False
        for holder, name, before, ours in reversed(self._made):
            if vars(holder).get(name, MISSING) is not ours:
                continue  # somebody else's lies over it
            if before is MISSING:
                delattr(holder, name)
            else:
                setattr(holder, name, before)
        self._made = []


def rank(owner: str) -> int:
    """Its place in OWNERS."""
    return _RANKS[owner]


def stack() -> List[Patch]:
    """All patches that are made, scope by scope, the oldest first."""
    return [patch for scope in _scopes for patch in scope._patches]


_scopes: List[Scope] = []
_slots: Dict[Tuple[int, object], List[Patch]] = {}  # by what is patched: the lowest first
PROCESS = Scope("process")


def keep_path(by: Patcher) -> None:
    """sys.path is the same list again, with the same folders."""
    path, folders = sys.path, sys.path[:]

    def undo() -> None:
        sys.path = path
        sys.path[:] = folders

    by.also("sys.path", undo)
