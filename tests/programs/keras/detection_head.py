"""A small detector: boxes and classes at two scales, each with its own head."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

CLASSES, ANCHORS = 4, 3


def head(features, outputs, name):
    x = layers.Conv2D(32, 3, padding="same", activation="relu")(features)
    # wrong: x = layers.Conv2D(ANCHORS * outputs + 1, 3, padding="same")(x)
    x = layers.Conv2D(ANCHORS * outputs, 3, padding="same")(x)
    return layers.Reshape((-1, outputs), name=name)(x)


inputs = keras.Input((64, 64, 3))
c3 = layers.Conv2D(16, 3, strides=4, padding="same", activation="relu")(inputs)
c4 = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(c3)
p4 = layers.Conv2D(32, 1)(c4)
p3 = layers.Add()([layers.Conv2D(32, 1)(c3), layers.UpSampling2D(2)(p4)])
boxes = layers.Concatenate(axis=1, name="boxes")([head(p, 4, "b%d" % i) for i, p in enumerate((p3, p4))])
classes = layers.Concatenate(axis=1, name="classes")(
    [head(p, CLASSES, "c%d" % i) for i, p in enumerate((p3, p4))])
model = keras.Model(inputs, {"boxes": boxes, "classes": classes})


def box_loss(y_true, y_pred):
    return tf.reduce_mean(keras.losses.huber(y_true, y_pred))  # E: SF101


model.compile("adam", {"boxes": box_loss, "classes": keras.losses.BinaryCrossentropy(from_logits=True)},
              loss_weights={"boxes": 2.0, "classes": 1.0})
count = (16 * 16 + 8 * 8) * ANCHORS
targets = {"boxes": np.random.rand(8, count, 4), "classes": np.random.randint(0, 2, (8, count, CLASSES))}
model.fit(np.random.rand(8, 64, 64, 3), targets, batch_size=4, epochs=1, verbose=0)
predicted = model.predict(np.random.rand(1, 64, 64, 3), verbose=0)
picked = tf.image.combined_non_max_suppression(
    tf.expand_dims(predicted["boxes"], 2), tf.sigmoid(predicted["classes"]), 10, 20)
print(picked.nmsed_boxes.shape)
