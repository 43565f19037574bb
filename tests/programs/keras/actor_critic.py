"""Reinforcement: actor and critic share a body; an episode is played in a loop of its own."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers

ACTIONS, INPUTS = 2, 4
rng = np.random.default_rng(0)


class Pole:
    def reset(self):
        return rng.normal(size=INPUTS)

    def step(self, action):
        return rng.normal(size=INPUTS), 1.0, bool(rng.random() < 0.2)


inputs = layers.Input(shape=(INPUTS,))
common = layers.Dense(128, activation="relu")(inputs)
model = keras.Model(inputs, [layers.Dense(ACTIONS, activation="softmax")(common), layers.Dense(1)(common)])
optimizer, huber = keras.optimizers.Adam(0.01), keras.losses.Huber()
environment = Pole()
for episode in range(2):
    probabilities, values, rewards = [], [], []
    state = environment.reset()
    with tf.GradientTape() as tape:
        for step in range(10):
            # wrong: batch = tf.convert_to_tensor(state, tf.float32)
            batch = tf.expand_dims(tf.convert_to_tensor(state, tf.float32), 0)
            chances, value = model(batch)  # E: SF132
            values.append(value[0, 0])
            chosen = np.random.choice(ACTIONS, p=np.squeeze(chances))
            probabilities.append(tf.math.log(chances[0, chosen]))
            state, reward, done = environment.step(chosen)
            rewards.append(reward)
            if done:
                break
        returns, running = [], 0.0
        for reward in rewards[::-1]:
            running = reward + 0.99 * running
            returns.insert(0, running)
        losses = [-chance * (gain - value) + huber(tf.expand_dims(value, 0), tf.expand_dims(gain, 0))
                  for chance, value, gain in zip(probabilities, values, returns)]
        loss = sum(losses)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
