# the C list of audit hooks emptied: _PySys_ClearAuditHooks, or its pointer set to NULL
import ctypes

from aims import read, write

for name in ("_PySys_ClearAuditHooks", "PySys_ClearAuditHooks"):
    try:
        function = getattr(ctypes.pythonapi, name)
    except (AttributeError, OSError):
        continue
    function.argtypes = [ctypes.c_void_p]
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype = ctypes.c_void_p
    function(get())
write("notes.txt", b"changed")
assert read("notes.txt") == b"changed"
