"""tf.config: devices and how things are run."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional

from shapeflow.api.registry import export


class PhysicalDevice(NamedTuple):
    """A device, by its name and type."""

    name: str
    device_type: str


@export("tf.config.list_physical_devices", "tf.config.list_logical_devices",
        "tf.config.experimental.list_physical_devices", "tf.config.get_visible_devices",
        "tf.config.experimental.list_logical_devices", v2=True)
def list_physical_devices(device_type: Optional[str] = None) -> List[Any]:
    """One CPU; no accelerator is pretended."""
    if device_type not in (None, "CPU"):
        return []
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")]


_is_deterministic = [False]


@export("tf.config.experimental.enable_op_determinism", v2=True)
def enable_op_determinism() -> None:
    """Changes no shape; Keras asks for it."""
    _is_deterministic[0] = True


@export("tensorflow.python.framework.config.is_op_determinism_enabled", v2=True)
def is_op_determinism_enabled() -> bool:
    return _is_deterministic[0]


@export("tf.config.set_visible_devices", "tf.config.experimental.set_memory_growth",
        "tf.config.experimental.set_visible_devices", "tf.config.optimizer.set_jit",
        "tf.config.threading.set_inter_op_parallelism_threads", "tf.debugging.set_log_device_placement",
        "tf.config.threading.set_intra_op_parallelism_threads", "tf.config.set_soft_device_placement",
        "tf.config.experimental.set_synchronous_execution",
        "tf.config.set_logical_device_configuration", "tf.keras.utils.set_random_seed", v2=True)
def configure_nothing(*args: object, **kwargs: object) -> None:
    """Devices and threads change no shape."""
