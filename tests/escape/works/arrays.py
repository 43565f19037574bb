# numpy: saved and loaded, a memmap that keeps what is written
import numpy as np

np.save("out.npy", np.arange(5))
assert np.load("out.npy").tolist() == [0, 1, 2, 3, 4] and np.load("array.npy").shape == (4,)
view = np.memmap("big.dat", np.float32, "w+", shape=(1000, 10))
view[3] = 5
view.flush()
assert np.fromfile("big.dat", np.float32)[30] == 5
