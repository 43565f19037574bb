"""tf.__version__ and friends: those of the emulated version."""
from shapeflow import _core
from shapeflow.api.registry import export, put


def register() -> None:
    """Puts the constants; again when the emulated version changes."""
    version = _core.get_version()
    for name in ("__version__", "VERSION", "version.VERSION"):
        put(version, "tf." + name, v2=True)
    for name in ("__git_version__", "GIT_VERSION", "version.GIT_VERSION"):
        put("v%s-shapeflow" % version, "tf." + name, v2=True)
    for name in ("__compiler_version__", "COMPILER_VERSION", "version.COMPILER_VERSION"):
        put("12.2.0", "tf." + name, v2=True)
    put("2.2.4-tf", "tf.keras.__version__")


register()


@export("tf.compat.forward_compatible", v2=True)
def forward_compatible(year: int, month: int, day: int) -> bool:
    return True
