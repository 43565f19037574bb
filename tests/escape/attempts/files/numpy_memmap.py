# numpy.memmap in r+ and w+, and numpy.lib.format.open_memmap
import numpy as np
from aims import all_of, read


def existing():
    array = np.memmap("data.bin", np.uint8, "r+")
    array[:4] = 7
    array.flush()


def new():
    array = np.memmap("new.bin", np.float32, "w+", shape=(4, 4))
    array[:] = 1
    array.flush()


def header():
    array = np.lib.format.open_memmap("array.npy", "r+")
    array[0] = 99
    array.flush()


all_of(existing, new, header)
assert read("data.bin").startswith(b"\7\7\7\7") and np.load("array.npy")[0] == 99
