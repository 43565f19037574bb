# tensorflow-probability
import tensorflow as tf
import tensorflow_probability as tfp

tfd = tfp.distributions
n = tfd.Normal(loc=[0., 1.], scale=1.)
print("SHAPE", n.sample(5).shape, n.log_prob([0.5, 0.5]).shape, n.batch_shape)
mvn = tfd.MultivariateNormalDiag(loc=tf.zeros([3]), scale_diag=tf.ones([3]))
print("SHAPE", mvn.sample([2, 4]).shape, mvn.log_prob(tf.zeros([7, 3])).shape, mvn.event_shape)
c = tfd.Categorical(logits=tf.zeros([4, 10]))
print("SHAPE", c.sample(2).shape, c.log_prob(tf.zeros([4], tf.int32)).shape)
