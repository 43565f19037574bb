# /proc/self/mem: this process writes where its pages are read-only (only itself is harmed)
# needs: linux
import ctypes

place = ctypes.create_string_buffer(b"before")
with open("/proc/self/mem", "r+b", buffering=0) as memory:
    memory.seek(ctypes.addressof(place))
    memory.write(b"after!")
assert place.value == b"after!"
