# numpy itself is asked for the impossible.
import numpy as np

truth = np.ones([3, 3])
guess = np.ones([1, 4])
np.multiply(truth, guess)  # E: SF401
