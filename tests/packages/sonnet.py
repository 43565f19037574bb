# dm-sonnet
import sonnet as snt
import tensorflow as tf

mlp = snt.Sequential([snt.Linear(64), tf.nn.relu, snt.Linear(10)])
print("SHAPE", mlp(tf.random.normal([8, 28])).shape, len(mlp.trainable_variables))
conv = snt.Conv2D(16, 3)
print("SHAPE", conv(tf.zeros([2, 28, 28, 3])).shape)
opt = snt.optimizers.Adam(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(mlp(tf.zeros([4, 28])))
g = tape.gradient(loss, mlp.trainable_variables)
opt.apply(g, mlp.trainable_variables)
print("DONE")
