"""tf.config: devices and how things are run.

The machine that was said (`--devices`) is there, else one CPU: no accelerator is pretended. What a program
makes of it by set_logical_device_configuration is where its eager tensors are.
Source: tensorflow/python/framework/config.py, tensorflow/python/eager/context.py.
"""
from __future__ import annotations

from typing import NamedTuple, Optional

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import eager_devices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, TypeVar, Union

    _D = TypeVar("_D", bound=Union["PhysicalDevice", "LogicalDevice"])


class PhysicalDevice(NamedTuple):
    """A device, by its name and type."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """One of those into which a device is split, by its name and type."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How one of those is to be."""

    memory_limit: Optional[int] = None
    experimental_priority: Optional[int] = None
    experimental_device_ordinal: Optional[int] = None


put(PhysicalDevice, "tf.config.PhysicalDevice", v2=True)
put(LogicalDevice, "tf.config.LogicalDevice", v2=True)
put(LogicalDeviceConfiguration, "tf.config.LogicalDeviceConfiguration",
    "tf.config.experimental.VirtualDeviceConfiguration", v2=True)

_split: Dict[PhysicalDevice, List[LogicalDeviceConfiguration]] = {}
_visible: Optional[List[PhysicalDevice]] = None  # None: all are


def _physical() -> List[PhysicalDevice]:
    """One CPU, whatever the number of its logical devices, and each GPU of the machine."""
    gpus = [name for name, kind, _ in _core.machine() or () if kind == "GPU"]
    return [PhysicalDevice("/physical_device:CPU:0", "CPU"),
            *(PhysicalDevice("/physical_device:GPU:%d" % i, "GPU") for i in range(len(gpus)))]


def _seen() -> List[PhysicalDevice]:
    return _physical() if _visible is None else _visible


def _named(kind: str, count: int) -> List[tuple[str, str]]:
    return [("%s/device:%s:%d" % (eager_devices.TASK, kind, i), kind) for i in range(count)]


def _configured() -> None:
    """The devices that are there from now on."""
    count = {"CPU": 0, "GPU": 0}
    machine = _core.machine() or ()
    cpus = sum(kind == "CPU" for _, kind, _ in machine) or 1
    gpus = dict(zip((d for d in _physical() if d.device_type == "GPU"),
                    (i for i, (_, kind, _) in enumerate(machine) if kind == "GPU")))
    part_of = []
    for device in _seen():
        parts = _split.get(device, ())
        whole = cpus if device.device_type == "CPU" else 1
        count[device.device_type] += len(parts) or whole
        if device in gpus:
            part_of += [(gpus[device], part.memory_limit) for part in parts] or [(gpus[device], None)]
    made = [device for kind in ("CPU", "GPU") for device in _named(kind, count[kind])]
    eager_devices.set_logical(made or _named("CPU", 1), dict(zip(
        (name for name, kind in made if kind == "GPU"), part_of)))


def _known(device: object) -> PhysicalDevice:
    if device not in _physical():
        raise ValueError("Unrecognized device: %r" % (device,))
    assert isinstance(device, PhysicalDevice)
    return device


def _of_kind(devices: List[_D], kind: Optional[str]) -> List[_D]:
    return [device for device in devices if kind in (None, device.device_type)]


_were_asked_for = [False]  # logical devices: from then on they are as they are


def _may_change(what: str) -> None:
    """Not once TensorFlow has made its devices, as the first op does."""
    if _were_asked_for[0] or _core.executing_eagerly() and _core.counters()["ops"]:
        raise RuntimeError(what + " cannot be modified after being initialized")


@export("tf.config.list_physical_devices", "tf.config.experimental.list_physical_devices", v2=True)
def list_physical_devices(device_type: Optional[str] = None) -> List[PhysicalDevice]:
    return _of_kind(_physical(), device_type)


@export("tf.config.get_visible_devices", "tf.config.experimental.get_visible_devices", v2=True)
def get_visible_devices(device_type: Optional[str] = None) -> List[PhysicalDevice]:
    return _of_kind(_seen(), device_type)


@export("tf.config.list_logical_devices", "tf.config.experimental.list_logical_devices", v2=True)
def list_logical_devices(device_type: Optional[str] = None) -> List[LogicalDevice]:
    _were_asked_for[0] = True
    return _of_kind([LogicalDevice("/device:" + name.rpartition("device:")[2], kind)
                     for name, kind in eager_devices.devices()], device_type)


@export("tf.config.set_visible_devices", "tf.config.experimental.set_visible_devices", v2=True)
def set_visible_devices(devices: object, device_type: Optional[str] = None) -> None:
    """Of a type those of other types stay as they are."""
    global _visible
    given = [_known(device) for device in (devices if isinstance(devices, (list, tuple))
                                           and not isinstance(devices, PhysicalDevice) else [devices])]
    for device in given:
        if device_type not in (None, device.device_type):
            raise ValueError("Unrecognized device: %r" % (device,))
    stay = [] if device_type is None else [d for d in _seen() if d.device_type != device_type]
    if set(stay + given) != set(_seen()):
        _may_change("Visible devices")
        _visible = stay + given
        _configured()


@export("tf.config.set_logical_device_configuration",
        "tf.config.experimental.set_virtual_device_configuration", v2=True)
def set_logical_device_configuration(device: object,
                                     logical_devices: List[LogicalDeviceConfiguration]) -> None:
    """From here on the device is as many as are configured."""
    wanted = list(logical_devices)
    known = _known(device)
    if known.device_type == "CPU":
        for config in wanted:
            if getattr(config, "memory_limit", None) is not None:
                raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if wanted != _split.get(known):
        _may_change("Virtual devices")
        _split[known] = wanted
        _configured()


@export("tf.config.get_logical_device_configuration",
        "tf.config.experimental.get_virtual_device_configuration", v2=True)
def get_logical_device_configuration(device: object) -> Optional[List[LogicalDeviceConfiguration]]:
    return _split.get(_known(device))


@export("tf.config.set_soft_device_placement", v2=True)
def set_soft_device_placement(enabled: bool) -> None:
    """Without it an op whose device is not there is refused."""
    eager_devices.may_be_elsewhere[0] = bool(enabled)


@export("tf.config.get_soft_device_placement", v2=True)
def get_soft_device_placement() -> bool:
    return eager_devices.may_be_elsewhere[0]


@export("tf.config.experimental_connect_to_cluster", "tf.config.experimental_connect_to_host", v2=True)
def experimental_connect_to_cluster(*args: object, **kwargs: object) -> None:
    """Nobody is connected to; what is there from now on nobody knows."""
    eager_devices.in_cluster[0] = True


_is_deterministic = [False]


@export("tf.config.experimental.enable_op_determinism", v2=True)
def enable_op_determinism() -> None:
    """Changes no shape; Keras asks for it."""
    _is_deterministic[0] = True


@export("tensorflow.python.framework.config.is_op_determinism_enabled", v2=True)
def is_op_determinism_enabled() -> bool:
    return _is_deterministic[0]


@export("tf.config.experimental.set_memory_growth", "tf.config.optimizer.set_jit",
        "tf.config.threading.set_inter_op_parallelism_threads", "tf.debugging.set_log_device_placement",
        "tf.config.threading.set_intra_op_parallelism_threads",
        "tf.config.experimental.set_synchronous_execution",
        "tf.keras.utils.set_random_seed", v2=True)
def configure_nothing(*args: object, **kwargs: object) -> None:
    """Memory and threads change no shape."""
