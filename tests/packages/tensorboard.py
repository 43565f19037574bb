# tensorboard
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp

writer = tf.summary.create_file_writer("logs")
with writer.as_default():
    hp.hparams_config(hparams=[hp.HParam("units", hp.Discrete([16, 32]))], metrics=[hp.Metric("accuracy")])
    tf.summary.scalar("loss", 0.5, step=1)
print("DONE")
