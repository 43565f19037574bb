"""tf.sysconfig and tf.resource_loader: where TensorFlow is said to lie."""
from __future__ import annotations

import os

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.resource_loader.get_data_files_path", "tf.resource_loader.get_root_dir_with_all_resources")
def get_data_files_path() -> str:
    return os.getcwd()


@export("tf.sysconfig.get_include", "tf.sysconfig.get_lib", v2=True)
def get_include() -> str:
    return os.path.dirname(os.path.abspath(__file__))


@export("tf.sysconfig.get_compile_flags", "tf.sysconfig.get_link_flags", v2=True)
def get_flags() -> list[Any]:
    return []


@export("tf.sysconfig.get_build_info", v1=False, v2=True)
def get_build_info() -> dict[str, bool]:
    """As a build for processors alone says."""
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


@export("tensorflow.python.pywrap_tfe.TF_ListPluggablePhysicalDevices", v2=True)
def list_pluggable_physical_devices() -> list[bytes]:
    """There are none."""
    return []
