# memory: an array of 4 GB of which nothing is touched is no matter
# options: --max-memory 400M
# expect: 0
import numpy as np

images = np.zeros([4_000, 512, 512, 1], np.float32)
assert images.shape == (4_000, 512, 512, 1)
