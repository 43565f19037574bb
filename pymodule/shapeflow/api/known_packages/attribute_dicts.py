"""easydict and its like: dictionaries whose items are attributes as well."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict


class AttributeDict(dict):  # type: ignore[type-arg]
    """EasyDict: what is a dictionary in it becomes one of these."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.update(*args, **kwargs)

    def __setitem__(self, key: object, value: object) -> None:
        super().__setitem__(key, _made(value))

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __delattr__(self, name: str) -> None:
        del self[name]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*[arg for arg in args if arg is not None], **kwargs).items():
            self[key] = value

    def copy(self) -> AttributeDict:
        return type(self)(self)

    def toDict(self) -> Dict[object, object]:  # noqa: N802 - munch's
        return {key: value.toDict() if isinstance(value, AttributeDict) else value
                for key, value in self.items()}

    toDict_ = to_dict = toDict

    @classmethod
    def fromDict(cls, given: object) -> object:  # noqa: N802 - munch's
        return _made(given)


class GrowingDict(AttributeDict):
    """addict's: what is not there is an empty one."""

    def __missing__(self, key: object) -> GrowingDict:
        self[key] = GrowingDict()
        return self[key]  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


def _made(value: Any) -> Any:
    if type(value) is dict:
        return AttributeDict(value)
    if type(value) in (list, tuple):
        return type(value)(_made(item) for item in value)
    return value


MODULES: Dict[str, Dict[str, object]] = {
    "easydict": {"EasyDict": AttributeDict}, "addict": {"Dict": GrowingDict},
    "munch": {"Munch": AttributeDict, "munchify": _made}, "attrdict": {"AttrDict": AttributeDict},
    "box": {"Box": AttributeDict}}
