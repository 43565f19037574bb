"""tqdm: its bars give what they are given."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping


class tqdm:  # noqa: N801 - its name
    """A bar that shows nothing."""

    def __init__(self, iterable: Any = None, desc: Any = None, total: Any = None, *args: Any,
                 **kwargs: Any) -> None:
        self.iterable, self.desc, self.total = iterable, desc, total
        if total is None and iterable is not None:
            try:
                self.total = len(iterable)
            except (TypeError, AttributeError):
                self.total = None  # as tqdm has it
        self.n = kwargs.get("initial", 0)
        self.disable = bool(kwargs.get("disable"))

    def __iter__(self) -> Iterator[object]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable) if self.iterable is not None else int(self.total)

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def update(self, n: Any = 1) -> bool:
        self.n += n
        return True

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith("_"):
            raise AttributeError(attr)
        from shapeflow.api.unknown_package import Unknown

        return Unknown("tqdm.tqdm." + attr)

    @staticmethod
    def write(*args: Any, **kwargs: Any) -> None:
        """Prints beside the bar."""

    @classmethod
    def pandas(cls, *args: Any, **kwargs: Any) -> None:
        """Gives tables progress_apply, which is theirs."""


def trange(*args: Any, **kwargs: Any) -> tqdm:
    return tqdm(range(*args), **kwargs)


_NAMES: Mapping[str, object] = {"tqdm": tqdm, "trange": trange, "tqdm_notebook": tqdm, "tnrange": trange}
MODULES: Mapping[str, Mapping[str, object]] = {
    name: _NAMES for name in ("tqdm", "tqdm.auto", "tqdm.notebook", "tqdm.autonotebook", "tqdm.std")}
