# numpy: save, savez, savetxt, tofile
import numpy as np
from aims import all_of

array = np.arange(6.0)
all_of(lambda: np.save("array.npy", array), lambda: np.savez("new.npz", a=array),
       lambda: np.savetxt("notes.txt", array), lambda: array.tofile("data.bin"))
assert np.load("array.npy").tolist() == array.tolist() and np.fromfile("data.bin").size == 6
