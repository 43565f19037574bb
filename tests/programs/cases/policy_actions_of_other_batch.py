import numpy as np
import tensorflow as tf

ds = tf.contrib.distributions
state = tf.placeholder(tf.float32, [None, 4])
h = tf.layers.dense(state, 16, tf.tanh)
mu = tf.layers.dense(h, 2)
sigma = tf.nn.softplus(tf.layers.dense(h, 2)) + 1e-5
pi = tf.distributions.Normal(mu, sigma)
action = tf.squeeze(pi.sample(1), axis=0)
a = tf.placeholder(tf.float32, [None, 2])
adv = tf.placeholder(tf.float32, [None, 1])
logp = pi.log_prob(a)  # E: SF113
loss = -tf.reduce_mean(logp * adv) - 0.01 * tf.reduce_mean(pi.entropy())
cat = tf.distributions.Categorical(logits=tf.layers.dense(h, 3))
choice = cat.sample()
prior = ds.MultivariateNormalDiag(tf.zeros(2), tf.ones(2))
post = ds.MultivariateNormalDiag(mu, sigma)
kl = ds.kl_divergence(post, prior)
bern = ds.Bernoulli(logits=mu)
print(action.shape, logp.shape, choice.shape, cat.log_prob(choice).shape, kl.shape, prior.sample(5).shape, bern.log_prob(a).shape)
train = tf.train.AdamOptimizer().minimize(loss + tf.reduce_mean(kl))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {state: np.zeros((7, 4)), a: np.zeros((6, 2)), adv: np.zeros((7, 1))}
    _, c = sess.run([train, choice], feed)
    print(sess.run(action, feed).shape, c.shape)
