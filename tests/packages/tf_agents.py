# tf-agents
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # it derives from layers of Keras 2

import tensorflow as tf
from tf_agents.networks import q_network
from tf_agents.specs import tensor_spec

observation = tensor_spec.TensorSpec([8], tf.float32)
action = tensor_spec.BoundedTensorSpec([], tf.int32, 0, 3)
network = q_network.QNetwork(observation, action, fc_layer_params=(16,))
values, _ = network(tf.zeros([5, 8]), tf.zeros([5], tf.int32))
print("SHAPE", values.shape)
