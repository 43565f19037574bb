# exit: 3
# The script fails for a reason of its own: never a shape error.
import tensorflow as tf

x = tf.zeros([3])
settings = {}
print(settings["no such key"])
