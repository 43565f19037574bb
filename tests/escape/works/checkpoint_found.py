# a checkpoint saved is found by latest_checkpoint and restored, beside the one that was there
import tensorflow as tf

assert tf.train.latest_checkpoint("checkpoints") == "checkpoints/model.ckpt-10"
weights = tf.Variable(tf.zeros([3, 2]), name="weights")
saver = tf.train.Saver()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    saver.save(session, "checkpoints/model.ckpt", global_step=20)
assert tf.train.latest_checkpoint("checkpoints").endswith("model.ckpt-20")
with tf.Session() as session:
    saver.restore(session, tf.train.latest_checkpoint("checkpoints"))
