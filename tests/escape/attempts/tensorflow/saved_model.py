# tf.saved_model.save and tf.train.Checkpoint / CheckpointManager
import tensorflow as tf
from aims import all_of

module = tf.Module()
module.weights = tf.Variable(tf.zeros([3, 2]))
manager = tf.train.CheckpointManager(tf.train.Checkpoint(m=module), "checkpoints", max_to_keep=1)
all_of(lambda: tf.saved_model.save(module, "exported"), manager.save, manager.save)
