"""REINFORCE on a small game of its own: episodes of any length, returns, a tape per episode."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(3)


class Corridor:
    """Left or right until an end is reached."""

    def __init__(self, size=6):
        self.size = size

    def reset(self):
        self.at = self.size // 2
        return self._seen()

    def _seen(self):
        return np.array([self.at / self.size, 1.0 - self.at / self.size, 1.0], np.float32)

    def step(self, action):
        self.at += 1 if action else -1
        done = self.at in (0, self.size)
        return self._seen(), float(self.at == self.size), done


class Policy(keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.hidden = keras.layers.Dense(16, activation="relu")
        self.logits = keras.layers.Dense(actions)

    def call(self, states):
        return self.logits(self.hidden(states))


def discount(rewards, gamma=0.95):
    found, running = np.zeros(len(rewards), np.float32), 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        found[t] = running
    return found


env, policy = Corridor(), Policy(2)
optimizer = keras.optimizers.Adam(0.01)
for episode in range(3):
    states, actions, rewards = [], [], []
    state = env.reset()
    for step in range(12):
        logits = policy(state[None, :])
        action = int(tf.random.categorical(logits, 1)[0, 0])
        states.append(state)
        actions.append(action)
        state, reward, done = env.step(action)
        rewards.append(reward)
        if done:
            break
    # wrong: returns = tf.constant(discount(rewards + [0.0]))
    returns = tf.constant(discount(rewards))
    with tf.GradientTape() as tape:
        log_p = tf.nn.log_softmax(policy(np.array(states)))
        chosen = tf.reduce_sum(log_p * tf.one_hot(actions, 2), axis=1)
        loss = -tf.reduce_mean(chosen * returns)  # E: SF113
    grads = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(grads, policy.trainable_variables))
print(float(loss))
