# memory: an array of 100 GB of which nothing is touched is no matter
# options: --max-memory 400M
# expect: 0
import numpy as np

images = np.zeros([100_000, 512, 512, 1], np.float32)
assert images.shape == (100_000, 512, 512, 1)
