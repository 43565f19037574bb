# findings whose shapes come from random numbers
# expect: 1
import random

import numpy as np
import tensorflow as tf

size = random.randint(3, 10**6)
x = tf.placeholder(tf.float32, [2, size])
tf.matmul(x, x)
tf.reshape(x, [np.random.randint(1, 10**6), 7])
print(size, hash("a string"))
