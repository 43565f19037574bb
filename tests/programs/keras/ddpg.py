"""DDPG: an actor, a critic of states and actions, their targets and a replay buffer."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

num_states, num_actions, upper_bound = 3, 1, 2.0


class Buffer:
    def __init__(self, capacity=200, batch_size=16):
        self.capacity, self.batch_size, self.counter = capacity, batch_size, 0
        self.states = np.zeros((capacity, num_states))
        self.actions = np.zeros((capacity, num_actions))
        self.rewards = np.zeros((capacity, 1))
        self.next_states = np.zeros((capacity, num_states))

    def record(self, observed):
        index = self.counter % self.capacity
        self.states[index], self.actions[index], self.rewards[index], self.next_states[index] = observed
        self.counter += 1

    @tf.function
    def update(self, states, actions, rewards, next_states):
        with tf.GradientTape() as tape:
            target_actions = target_actor(next_states, training=True)
            y = rewards + 0.99 * target_critic([next_states, target_actions], training=True)
            value = critic_model([states, actions], training=True)
            critic_loss = keras.ops.mean(keras.ops.square(y - value))
        grad = tape.gradient(critic_loss, critic_model.trainable_variables)
        critic_optimizer.apply_gradients(zip(grad, critic_model.trainable_variables))
        with tf.GradientTape() as tape:
            chosen = actor_model(states, training=True)
            # wrong: actor_loss = -keras.ops.mean(critic_model([chosen, states], training=True))  # E: SF106
            actor_loss = -keras.ops.mean(critic_model([states, chosen], training=True))
        grad = tape.gradient(actor_loss, actor_model.trainable_variables)
        actor_optimizer.apply_gradients(zip(grad, actor_model.trainable_variables))

    def learn(self):
        batch = np.random.choice(min(self.counter, self.capacity), self.batch_size)
        rows = [keras.ops.convert_to_tensor(a[batch], dtype="float32")
                for a in (self.states, self.actions, self.rewards, self.next_states)]
        self.update(*rows)


def update_target(target, original, tau):
    target.set_weights([o * tau + t * (1 - tau)
                        for t, o in zip(target.get_weights(), original.get_weights())])


def get_actor():
    last_init = keras.initializers.RandomUniform(minval=-0.003, maxval=0.003)
    inputs = layers.Input(shape=(num_states,))
    out = layers.Dense(32, activation="relu")(inputs)
    outputs = layers.Dense(num_actions, activation="tanh", kernel_initializer=last_init)(out)
    return keras.Model(inputs, outputs * upper_bound)


def get_critic():
    state_input = layers.Input(shape=(num_states,))
    state_out = layers.Dense(16, activation="relu")(layers.Dense(16, activation="relu")(state_input))
    action_input = layers.Input(shape=(num_actions,))
    action_out = layers.Dense(16, activation="relu")(action_input)
    out = layers.Dense(32, activation="relu")(layers.Concatenate()([state_out, action_out]))
    return keras.Model([state_input, action_input], layers.Dense(1)(out))


actor_model, critic_model, target_actor, target_critic = get_actor(), get_critic(), get_actor(), get_critic()
target_actor.set_weights(actor_model.get_weights())
target_critic.set_weights(critic_model.get_weights())
critic_optimizer, actor_optimizer = keras.optimizers.Adam(0.002), keras.optimizers.Adam(0.001)
buffer = Buffer()
for step in range(20):
    state = np.random.randn(num_states)
    sampled = keras.ops.squeeze(actor_model(keras.ops.expand_dims(keras.ops.convert_to_tensor(state), 0)))
    action = np.clip(np.atleast_1d(sampled.numpy() + np.random.randn()), -upper_bound, upper_bound)
    buffer.record((state, action, -float(state[0] ** 2), np.random.randn(num_states)))
for _ in range(3):
    buffer.learn()
    update_target(target_actor, actor_model, 0.005)
    update_target(target_critic, critic_model, 0.005)
