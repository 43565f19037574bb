"""PPO without a gym: a buffer of numpy arrays, tf.function updates, a clipped objective."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

OBSERVED, ACTIONS, STEPS = 4, 2, 64


def discounted(x, discount):
    out = np.zeros_like(x)
    total = 0.0
    for i in range(len(x) - 1, -1, -1):
        total = x[i] + discount * total
        out[i] = total
    return out


class Buffer:
    def __init__(self, size):
        self.observations = np.zeros((size, OBSERVED), "float32")
        self.actions = np.zeros(size, "int32")
        self.advantages, self.returns = np.zeros(size, "float32"), np.zeros(size, "float32")
        self.rewards, self.values = np.zeros(size, "float32"), np.zeros(size, "float32")
        self.log_probabilities = np.zeros(size, "float32")
        self.pointer = self.start = 0

    def store(self, observation, action, reward, value, log_probability):
        i = self.pointer
        self.observations[i], self.actions[i], self.rewards[i] = observation, action, reward
        self.values[i], self.log_probabilities[i] = value, log_probability
        self.pointer += 1

    def finish(self, last=0.0):
        path = slice(self.start, self.pointer)
        rewards, values = np.append(self.rewards[path], last), np.append(self.values[path], last)
        self.advantages[path] = discounted(rewards[:-1] + 0.99 * values[1:] - values[:-1], 0.95)
        self.returns[path] = discounted(rewards, 0.99)[:-1]
        self.start = self.pointer

    def get(self):
        self.pointer = self.start = 0
        self.advantages = (self.advantages - self.advantages.mean()) / (self.advantages.std() + 1e-8)
        return self.observations, self.actions, self.advantages, self.returns, self.log_probabilities


def mlp(x, sizes, activation="tanh", last=None):
    for size in sizes[:-1]:
        x = layers.Dense(size, activation=activation)(x)
    return layers.Dense(sizes[-1], activation=last)(x)


def log_probabilities(logits, a):
    every = tf.nn.log_softmax(logits)
    # wrong: return tf.reduce_sum(tf.one_hot(a, ACTIONS + 1) * every, axis=1)  # E: SF113
    return tf.reduce_sum(tf.one_hot(a, ACTIONS) * every, axis=1)


observation_input = keras.Input((OBSERVED,), dtype="float32")
actor = keras.Model(observation_input, mlp(observation_input, [32, 32, ACTIONS]))
critic = keras.Model(observation_input, keras.ops.squeeze(mlp(observation_input, [32, 32, 1]), axis=1))
policy_optimizer, value_optimizer = keras.optimizers.Adam(3e-4), keras.optimizers.Adam(1e-3)


@tf.function
def sample(observation):
    logits = actor(observation)
    return logits, tf.squeeze(tf.random.categorical(logits, 1), axis=1)


@tf.function
def train_policy(observations, actions, old, advantages):
    with tf.GradientTape() as tape:
        ratio = tf.exp(log_probabilities(actor(observations), actions) - old)
        least = tf.where(advantages > 0, 1.2 * advantages, 0.8 * advantages)
        loss = -tf.reduce_mean(tf.minimum(ratio * advantages, least))
    gradients = tape.gradient(loss, actor.trainable_variables)
    policy_optimizer.apply_gradients(zip(gradients, actor.trainable_variables))
    kl = tf.reduce_mean(old - log_probabilities(actor(observations), actions))
    return tf.reduce_sum(kl)


@tf.function
def train_value(observations, returns):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((returns - critic(observations)) ** 2)
    gradients = tape.gradient(loss, critic.trainable_variables)
    value_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))


buffer = Buffer(STEPS)
for _ in range(2):
    observation = np.random.rand(OBSERVED)
    for t in range(STEPS):
        observation = observation.reshape(1, -1)
        logits, action = sample(observation)
        observation_new, reward = np.random.rand(OBSERVED), 1.0
        value = critic(observation)
        buffer.store(observation, action[0].numpy(), reward, value[0], log_probabilities(logits, action)[0])
        observation = observation_new
        if t % 16 == 15:
            buffer.finish(0.0 if t % 32 == 31 else critic(observation.reshape(1, -1))[0])
    observations, actions, advantages, returns, old = buffer.get()
    for _ in range(3):
        kl = train_policy(observations, actions, old, advantages)
        if kl > 1.5 * 0.01:
            break
    for _ in range(3):
        train_value(observations, returns)
