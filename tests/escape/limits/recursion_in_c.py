# recursion that the interpreter is told not to stop: the stack overflows, the finding is kept
# expect: 1
import sys
import threading

import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
tf.matmul(x, x)
sys.setrecursionlimit(2**31 - 1)
threading.stack_size(1 << 20)


class Again:
    def __repr__(self):
        return repr([self])


thread = threading.Thread(target=lambda: repr(Again()))
thread.start()
thread.join()
