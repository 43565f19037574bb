"""A strategy's scope, Lambda, Permute, RepeatVector, Dot attention."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    words = keras.Input((20,), dtype="int32")
    # wrong: question = keras.Input((24,))
    question = keras.Input((32,))
    embedded = layers.Embedding(500, 32)(words)
    scores = layers.Dot(axes=(2, 1))([embedded, question])  # E: SF132
    weights = layers.Softmax()(scores)
    context = layers.Dot(axes=(1, 1))([weights, embedded])
    repeated = layers.RepeatVector(4)(context)
    x = layers.Permute((2, 1))(repeated)
    x = layers.Lambda(lambda t: tf.reduce_mean(t, axis=-1), output_shape=(32,))(x)
    outputs = layers.Dense(1, activation="sigmoid")(layers.subtract([x, question]))
    model = keras.Model([words, question], outputs)
    model.compile("adam", "binary_crossentropy", metrics=["AUC", keras.metrics.Precision()])
model.fit([np.random.randint(0, 500, (32, 20)), np.random.rand(32, 32)], np.random.randint(0, 2, (32, 1)),
          batch_size=8, verbose=0)
print(weights.shape, context.shape, strategy.num_replicas_in_sync)
