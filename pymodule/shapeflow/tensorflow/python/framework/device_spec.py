"""tf.DeviceSpec: the fields of a device's name.

Source: tensorflow/python/framework/device_spec.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def _number(text: str) -> Optional[int]:
    return int(text) if text else None


class DeviceSpec:
    """Differs from TensorFlow: TensorFlow 2's fields cannot be set; ours can, as TensorFlow 1's."""

    def __init__(self, job: Optional[str] = None, replica: Any = None, task: Any = None,
                 device_type: Optional[str] = None, device_index: Any = None) -> None:
        self.job = None if job is None else str(job)
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        self.device_type = None if device_type is None else str(device_type).upper()
        self.device_index = None if device_index is None else int(device_index)

    @classmethod
    def from_string(cls, spec: str) -> "DeviceSpec":
        return cls().parse_from_string(spec)

    def parse_from_string(self, spec: str) -> "DeviceSpec":
        _core.check_device_name(spec)
        self.__init__()  # type: ignore[misc]  # as TensorFlow: what it was is forgotten
        for part in spec.split("/"):
            fields = part.split(":")
            if fields[0] == "job":
                self.job = fields[1] or None
            elif fields[0] in ("replica", "task"):
                setattr(self, fields[0], _number(fields[1]))
            elif part:
                kind, index = (fields[1:] if fields[0] == "device" else [*fields, "*"])[:2]
                self.device_type = kind.upper()
                self.device_index = None if index == "*" else int(index)
        return self

    def _fields(self) -> Any:
        return self.job, self.replica, self.task, self.device_type, self.device_index

    def _over(self, other: "DeviceSpec") -> Any:
        return [ours if theirs is None else theirs for ours, theirs in zip(self._fields(), other._fields())]

    def merge_from(self, dev: "DeviceSpec") -> None:
        """What `dev` says stands above ours."""
        self.__init__(*self._over(dev))  # type: ignore[misc]

    def make_merged_spec(self, dev: "DeviceSpec") -> "DeviceSpec":
        return type(self)(*self._over(dev))

    def replace(self, **fields: Any) -> "DeviceSpec":
        names = ("job", "replica", "task", "device_type", "device_index")
        return type(self)(**{**dict(zip(names, self._fields())), **fields})

    def to_string(self) -> str:
        text = "".join(f"/{name}:{value}" for name, value in zip(("job", "replica", "task"), self._fields())
                       if value is not None)
        if self.device_type is not None:
            text += f"/device:{self.device_type}:{'*' if self.device_index is None else self.device_index}"
        return text

    def __repr__(self) -> str:
        names = ("job", "replica", "task", "device_type", "device_index")
        return "<DeviceSpec(%s)>" % ", ".join("%s=%s" % pair for pair in zip(names, self._fields()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())


put(DeviceSpec, "tf.DeviceSpec", v2=True)
