# multiprocessing by spawn: workers that import the script, and with it tensorflow
import multiprocessing

import tensorflow as tf


def rows(count):
    return int(tf.ones([count, 3]).shape[0])


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(rows, [2, 5]) == [2, 5]
