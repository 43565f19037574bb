# tf.train.Saver into a folder that holds a checkpoint already, of which only the newest are kept
import tensorflow as tf

weights = tf.Variable(tf.zeros([3, 2]))
saver = tf.train.Saver(max_to_keep=1)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in (10, 20):
        path = saver.save(session, "checkpoints/model.ckpt", global_step=step)
    saver.save(session, "notes.txt")
    saver.restore(session, path)
assert tf.train.latest_checkpoint("checkpoints"), "not found again"
