# time: a call in C that never comes back and holds the interpreter
# options: --time-limit 1
# expect: 3
# says: stopped after 1 s
import ctypes

ctypes.PyDLL(None).sleep(30)
