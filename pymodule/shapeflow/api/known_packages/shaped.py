"""Functions of packages that are not installed, of which the shape of what they make is known."""
from __future__ import annotations

from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, Iterable, Optional, Tuple

    from shapeflow.api.unknown_shapes import Shape

    Facts = Callable[[str, Tuple[object, ...], Dict[str, object]], Tuple[Shape, Optional[str]]]


def _function(dotted: str, facts: Facts) -> Callable[..., Unknown]:
    def function(*args: object, **kwargs: object) -> Unknown:
        return Unknown(dotted + "()")._shaped(*facts(dotted, args, kwargs))

    function.__name__ = function.__qualname__ = dotted.rpartition(".")[2]
    return function


def modules(names: Iterable[str], dotted: Iterable[str], facts: Facts) -> Dict[str, Dict[str, object]]:
    """MODULES of these names: in each those of the functions `dotted` that are its own."""
    made: Dict[str, Dict[str, object]] = {name: {} for name in names}
    for one in dotted:
        module, _, name = one.rpartition(".")
        if module in made:
            made[module][name] = _function(one, facts)
    return made
