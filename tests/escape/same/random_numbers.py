# random, numpy.random, hashes and the order of sets
import random

import numpy as np

print(random.random(), random.sample(range(1000), 5))
print(np.random.rand(3).tolist(), np.random.randint(0, 1000, 4).tolist(), np.random.RandomState().rand())
print(np.random.default_rng().random(), random.Random().random())
print(hash("a string"), hash(b"bytes"), {"one", "two", "three", "four", "five"})
print(list({str(number) for number in range(50)}))
