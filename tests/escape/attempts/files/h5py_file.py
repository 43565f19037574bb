# h5py, which opens files in C: a data set into a file that was there, and a new one
# needs: h5py
import h5py
from aims import all_of


def store(path, mode):
    with h5py.File(path, mode) as file:
        file["weights"] = [1.0, 2.0]
    with h5py.File(path, "r") as file:
        assert file["weights"].shape == (2,)


all_of(lambda: store("notes.txt", "w"), lambda: store("new.h5", "w"))
