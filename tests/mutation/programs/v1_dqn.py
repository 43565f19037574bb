"""Graph mode Q-learning: two networks, actions by one_hot, a replay memory sampled in batches."""
import random

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

STATES, ACTIONS, HIDDEN, BATCH = 4, 3, 10, 6
GAMMA = 0.9


def network(states, scope):
    with tf.variable_scope(scope):
        w1 = tf.get_variable("w1", [STATES, HIDDEN])
        b1 = tf.get_variable("b1", [HIDDEN], initializer=tf.zeros_initializer())
        w2 = tf.get_variable("w2", [HIDDEN, ACTIONS])
        hidden = tf.nn.relu(tf.matmul(states, w1) + b1)
        return tf.matmul(hidden, w2)


state_in = tf.placeholder(tf.float32, [None, STATES])
action_in = tf.placeholder(tf.int32, [None])
target_in = tf.placeholder(tf.float32, [None])

q_values = network(state_in, "main")
q_target = network(state_in, "target")
action_mask = tf.one_hot(action_in, ACTIONS)
q_action = tf.reduce_sum(q_values * action_mask, axis=1)
loss = tf.reduce_mean(tf.square(target_in - q_action))
main = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="main")
target = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="target")
update = tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=main)
sync = [t.assign(m) for t, m in zip(target, main)]

memory = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(sync)
    state = np.random.rand(STATES)
    for step in range(12):
        q = sess.run(q_values, {state_in: state[np.newaxis, :]})
        action = int(np.argmax(q[0])) if step % 2 else random.randrange(ACTIONS)
        following = np.random.rand(STATES)
        memory.append((state, action, float(step % 3), following))
        state = following
        if len(memory) >= BATCH:
            batch = random.sample(memory, BATCH)
            states = np.array([item[0] for item in batch])
            actions = np.array([item[1] for item in batch])
            rewards = np.array([item[2] for item in batch])
            next_states = np.array([item[3] for item in batch])
            best = np.max(sess.run(q_target, {state_in: next_states}), axis=1)
            feed = {state_in: states, action_in: actions, target_in: rewards + GAMMA * best}
            sess.run(update, feed)
    print(sess.run(loss, feed))
