"""Graph mode: a recurrent net unrolled by hand, echoing its input; the state is fed back."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

num_epochs = 2
truncated_backprop_length = 6
state_size = 4
num_classes = 2
echo_step = 3
batch_size = 5
series_length = 60


def generate_data():
    x = np.array(np.random.choice(2, series_length, p=[0.5, 0.5]))
    y = np.roll(x, echo_step)
    y[0:echo_step] = 0
    return x.reshape((batch_size, -1)), y.reshape((batch_size, -1))


batch_x = tf.placeholder(tf.float32, [batch_size, truncated_backprop_length])
batch_y = tf.placeholder(tf.int32, [batch_size, truncated_backprop_length])
init_state = tf.placeholder(tf.float32, [batch_size, state_size])

W = tf.Variable(np.random.rand(state_size + 1, state_size), dtype=tf.float32)
b = tf.Variable(np.zeros((1, state_size)), dtype=tf.float32)
W2 = tf.Variable(np.random.rand(state_size, num_classes), dtype=tf.float32)
b2 = tf.Variable(np.zeros((1, num_classes)), dtype=tf.float32)

inputs_series = tf.unstack(batch_x, axis=1)
labels_series = tf.unstack(batch_y, axis=1)

current_state = init_state
states_series = []
for current_input in inputs_series:
    current_input = tf.reshape(current_input, [batch_size, 1])
    joined = tf.concat([current_input, current_state], 1)
    current_state = tf.tanh(tf.matmul(joined, W) + b)
    states_series.append(current_state)

logits_series = [tf.matmul(state, W2) + b2 for state in states_series]
losses = [tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)
          for logits, labels in zip(logits_series, labels_series)]
total_loss = tf.reduce_mean(losses)
train_step = tf.train.AdagradOptimizer(0.3).minimize(total_loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(num_epochs):
        x, y = generate_data()
        state = np.zeros((batch_size, state_size))
        for batch in range(series_length // batch_size // truncated_backprop_length):
            start = batch * truncated_backprop_length
            end = start + truncated_backprop_length
            loss, _, state = sess.run([total_loss, train_step, current_state], feed_dict={
                batch_x: x[:, start:end], batch_y: y[:, start:end], init_state: state})
        print(epoch, loss)
