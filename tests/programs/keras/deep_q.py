"""A deep Q network with a replay buffer, a target network and masked actions."""
import random
from collections import deque
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ACTIONS, STATES, BATCH = 3, 6, 16


def q_model():
    return keras.Sequential([layers.Input((STATES,)), layers.Dense(24, activation="relu"),
                             layers.Dense(24, activation="relu"), layers.Dense(ACTIONS, activation="linear")])


model, target = q_model(), q_model()
target.set_weights(model.get_weights())
optimizer, loss_function = keras.optimizers.Adam(learning_rate=0.001, clipnorm=1.0), keras.losses.Huber()
memory, epsilon = deque(maxlen=200), 1.0
state = np.random.rand(STATES)
for frame in range(60):
    if random.random() < epsilon:
        action = np.random.choice(ACTIONS)
    else:
        action = tf.argmax(model(tf.expand_dims(state, 0), training=False)[0]).numpy()
    following, reward, done = np.random.rand(STATES), random.random(), frame % 20 == 19
    memory.append((state, action, reward, following, done))
    state, epsilon = following, max(0.1, epsilon * 0.95)
    if len(memory) < BATCH or frame % 4:
        continue
    batch = random.sample(memory, BATCH)
    states = np.array([one[0] for one in batch])
    actions = [one[1] for one in batch]
    rewards = np.array([one[2] for one in batch], "float32")
    nexts = np.array([one[3] for one in batch])
    ends = np.array([float(one[4]) for one in batch], "float32")
    future = target.predict(nexts, verbose=0)
    updated = rewards + 0.99 * tf.reduce_max(future, axis=1) * (1 - ends)
    # wrong: masks = tf.one_hot(actions, ACTIONS + 1)
    masks = tf.one_hot(actions, ACTIONS)
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(tf.multiply(model(states), masks), axis=1)  # E: SF113
        loss = loss_function(updated, chosen)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    if frame % 20 == 0:
        target.set_weights(model.get_weights())
