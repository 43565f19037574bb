# tensorflow-addons on TensorFlow 2.15.0
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

model = tf.keras.Sequential([
    tf.keras.layers.Dense(8, input_shape=(4,), activation=tfa.activations.mish),
    tfa.layers.WeightNormalization(tf.keras.layers.Dense(3)),
])
model.compile(optimizer=tfa.optimizers.LAMB(0.01), loss=tfa.losses.SigmoidFocalCrossEntropy(),
              metrics=[tfa.metrics.F1Score(num_classes=3)])
model.fit(np.zeros([10, 4], "float32"), np.zeros([10, 3], "float32"), verbose=0)
print("SHAPE", model.output_shape)
image = tfa.image.rotate(tf.zeros([2, 8, 8, 3]), 0.5)
print("SHAPE", image.shape)
