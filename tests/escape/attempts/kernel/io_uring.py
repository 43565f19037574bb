# io_uring, whose operations no system-call filter sees
# needs: linux
# done: not held
import ctypes

from aims import syscall

syscall("io_uring_setup", 4, ctypes.create_string_buffer(120))
