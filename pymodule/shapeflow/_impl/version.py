"""tf.__version__ and friends: those of the emulated version."""
from shapeflow import _core
from shapeflow._impl.registry import export, put


def register() -> None:
    """Puts the constants; again when the emulated version changes."""
    version = _core.get_version()
    for name in ("__version__", "VERSION", "version.VERSION"):
        put(version, "tf." + name, v2=True)
    for name in ("__git_version__", "GIT_VERSION", "version.GIT_VERSION"):
        put("v%s-shapeflow" % version, "tf." + name, v2=True)
    for name in ("__compiler_version__", "COMPILER_VERSION", "version.COMPILER_VERSION"):
        put("12.2.0", "tf." + name, v2=True)


register()
for _name, _value in (("GRAPH_DEF_VERSION", 24), ("GRAPH_DEF_VERSION_MIN_CONSUMER", 0),
                      ("GRAPH_DEF_VERSION_MIN_PRODUCER", 0), ("CXX11_ABI_FLAG", 0),
                      ("MONOLITHIC_BUILD", 0)):
    put(_value, "tf." + _name)
    put(_value, "tf.version." + _name, v2=True)


@export("tf.compat.forward_compatible", v2=True)
def forward_compatible(year: int, month: int, day: int) -> bool:
    return True
