"""Features of inner layers of VGG16, for content loss and for a small classifier on top."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.vgg16 import VGG16, preprocess_input
from tensorflow.keras.layers import Dense, Flatten
from tensorflow.keras.models import Model, Sequential

vgg = VGG16(weights=None, include_top=False, input_shape=(64, 64, 3))
names = ["block1_conv2", "block3_conv3", "block5_conv1"]
extractor = Model(inputs=vgg.inputs, outputs=[vgg.get_layer(name).output for name in names])
extractor.trainable = False
pictures = np.random.randint(0, 255, (6, 64, 64, 3)).astype("float32")
features = extractor(preprocess_input(pictures.copy()))
for name, feature in zip(names, features):
    print(name, feature.shape)


def gram(x):
    result = tf.linalg.einsum("bijc,bijd->bcd", x, x)
    shape = tf.shape(x)
    return result / tf.cast(shape[1] * shape[2], tf.float32)


# wrong: style = sum(tf.reduce_mean((gram(f) - gram(features[0])) ** 2) for f in features)  # E: SF113
style = sum(tf.reduce_mean((gram(f) - gram(f[:1])) ** 2) for f in features)
print(style.shape)
bottleneck = vgg.predict(pictures, verbose=0)
top = Sequential([Flatten(input_shape=bottleneck.shape[1:]), Dense(32, activation="relu"), Dense(3, activation="softmax")])
top.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["acc"])
top.fit(bottleneck, np.eye(3)[[0, 1, 2, 0, 1, 2]], epochs=2, batch_size=2, verbose=0)
print(top.predict(bottleneck, verbose=0).shape)
