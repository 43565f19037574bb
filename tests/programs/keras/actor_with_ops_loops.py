"""keras.ops in anger: scan, while_loop, cond, vectorized_map, segment_sum, slice_update, in a layer and eagerly."""
import keras
import numpy as np
from keras import layers, ops


class Discounted(layers.Layer):
    """Discounted sums of rewards over time, by a scan from the end."""

    def __init__(self, gamma=0.9, **kwargs):
        super().__init__(**kwargs)
        self.gamma = gamma

    def call(self, rewards):
        by_time = ops.transpose(rewards)

        def step(carry, reward):
            carry = reward + self.gamma * carry
            return carry, carry

        # wrong: start = ops.zeros((4, by_time.shape[-1], 1))
        start = ops.zeros_like(by_time[0])
        _, sums = ops.scan(step, start, by_time, reverse=True)  # E: SF132
        return ops.transpose(sums)


rewards = np.random.rand(6, 10).astype("float32")
print(Discounted()(rewards).shape)
total = ops.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + rewards[:, 0]), (0, np.zeros(6, "float32")))
print(ops.shape(total[1]))
rows = ops.vectorized_map(lambda row: ops.sum(row * row), rewards)
print(rows.shape, ops.segment_sum(rewards, np.array([0, 0, 1, 1, 2, 2]), num_segments=3).shape)
patched = ops.slice_update(rewards, (1, 2), np.zeros((2, 3), "float32"))
print(patched.shape, ops.scatter(np.array([[0], [3]]), np.ones((2, 4)), (5, 4)).shape)
print(ops.cond(ops.sum(rewards) > 0, lambda: ops.ones((2, 2)), lambda: ops.zeros((2, 2))).shape)
print(ops.fori_loop(0, 3, lambda i, x: ops.matmul(x, x), np.eye(4)).shape)
picture = ops.image.resize(np.zeros((1, 8, 8, 3)), (16, 12), interpolation="bilinear")
print(picture.shape, ops.image.pad_images(picture, 1, 1, 18, 14).shape)
model = keras.Sequential([keras.Input((10,)), Discounted(), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(rewards, rewards[:, :1], verbose=0)
print(ops.einsum("ij,kj->ik", rewards, rewards).shape, ops.linalg.solve(np.eye(3), np.ones((3, 2))).shape)
