"""Work on many items: side by side in threads of this process (each waits for processes of its own), or on
a Dask cluster, whose workers need shapeflow and the same files."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple, TypeVar

    Item = TypeVar("Item")


class NoCluster(ValueError):
    """Why there is no Dask cluster, in words for the user."""


def each(work: Callable[[Item], object], items: Iterable[Item], workers: int = 1,
         dask: Optional[str] = None) -> Iterator[Tuple[Item, Any]]:
    """(item, what work gives for it), as they end; what it raises is given, not raised. Items are taken when
    a worker is free. For a cluster `work` must be importable there. Raises NoCluster."""
    return _on_dask(work, items, dask) if dask else _here(work, items, workers)


def _here(work: Callable[[Item], Any], items: Iterable[Item], workers: int) -> Iterator[Tuple[Item, object]]:
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    pool = ThreadPoolExecutor(workers)
    try:
        yield from _flow(lambda item: pool.submit(work, item), items, workers,
                         lambda futures: wait(futures, return_when=FIRST_COMPLETED).done)
    finally:
        pool.shutdown(wait=False)


def _on_dask(work: Callable[[Item], object], items: Iterable[Item],
             address: str) -> Iterator[Tuple[Item, object]]:
    try:
        import distributed  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise NoCluster("--dask needs the package distributed: pip install distributed") from None
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise NoCluster(f"--dask: no cluster at {address}: {error}") from None
    with client:
        yield from _flow(lambda item: client.submit(work, item, pure=False), items,
                         2 * max(1, sum(client.ncores().values())),
                         lambda futures: distributed.wait(futures, return_when="FIRST_COMPLETED").done)


def _flow(submit: Callable[[Item], Any], items: Iterable[Item], most: int,
          wait: Callable[[Any], Iterable[Any]]) -> Iterator[Tuple[Item, object]]:
    """`most`: so many are under way at once. `submit` gives futures, `wait` those of some that are done."""
    under_way: Dict[Any, Item] = {}
    left = iter(items)
    while True:
        while len(under_way) < most:
            try:
                item = next(left)
            except StopIteration:
                break
            under_way[submit(item)] = item
        if not under_way:
            return
        for future in wait(list(under_way)):
            item = under_way.pop(future)
            try:
                result = future.result()
            except Exception as error:
                result = error
            yield item, result
