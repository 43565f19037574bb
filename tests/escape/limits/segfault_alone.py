# a crash in C without a finding: said, status 3
# expect: 3
# says: SIGSEGV
import ctypes

ctypes.string_at(0)
