# memory: the finding made before is reported
# options: --max-memory 400M
# expect: 1
# says: memory
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
kept = [np.ones(100_000_000, np.uint8) for _ in range(30)]
