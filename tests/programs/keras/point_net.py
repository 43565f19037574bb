"""PointNet: transforms of point clouds by nets that regularize themselves to be orthogonal."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

NUM_POINTS, NUM_CLASSES, BATCH_SIZE = 64, 5, 8
train_points = np.random.rand(32, NUM_POINTS, 3)
train_labels = np.random.randint(0, NUM_CLASSES, 32)


def augment(points, label):
    points += tf.random.uniform(tf.shape(points), -0.005, 0.005, dtype=tf.float64)
    return tf.random.shuffle(points), label


train_dataset = tf.data.Dataset.from_tensor_slices((train_points, train_labels))
train_dataset = train_dataset.shuffle(len(train_points)).map(augment).batch(BATCH_SIZE)


def conv_bn(x, filters):
    x = layers.Conv1D(filters, kernel_size=1, padding="valid")(x)
    x = layers.BatchNormalization(momentum=0.0)(x)
    return layers.Activation("relu")(x)


def dense_bn(x, filters):
    x = layers.Dense(filters)(x)
    x = layers.BatchNormalization(momentum=0.0)(x)
    return layers.Activation("relu")(x)


class OrthogonalRegularizer(keras.regularizers.Regularizer):
    def __init__(self, num_features, l2reg=0.001):
        self.num_features, self.l2reg = num_features, l2reg
        self.identity = ops.eye(num_features)

    def __call__(self, x):
        x = ops.reshape(x, (-1, self.num_features, self.num_features))
        xxt = ops.tensordot(x, x, axes=(2, 2))
        xxt = ops.reshape(xxt, (-1, self.num_features, self.num_features))
        return ops.sum(self.l2reg * ops.square(xxt - self.identity))

    def get_config(self):
        return {"num_features": self.num_features, "l2reg": self.l2reg}


def tnet(inputs, num_features):
    bias = keras.initializers.Constant(np.eye(num_features).flatten())
    x = conv_bn(inputs, 16)
    x = conv_bn(x, 32)
    x = layers.GlobalMaxPooling1D()(x)
    x = dense_bn(x, 16)
    x = layers.Dense(num_features * num_features, kernel_initializer="zeros", bias_initializer=bias,
                     activity_regularizer=OrthogonalRegularizer(num_features))(x)
    feat_T = layers.Reshape((num_features, num_features))(x)
    return layers.Dot(axes=(2, 1))([inputs, feat_T])  # E: SF132


inputs = keras.Input(shape=(NUM_POINTS, 3))
x = tnet(inputs, 3)
x = conv_bn(x, 16)
# wrong: x = conv_bn(x, 32)
x = conv_bn(x, 16)
x = tnet(x, 16)
x = conv_bn(x, 16)
x = conv_bn(x, 64)
x = layers.GlobalMaxPooling1D()(x)
x = dense_bn(x, 32)
x = layers.Dropout(0.3)(x)
outputs = layers.Dense(NUM_CLASSES, activation="softmax")(x)
model = keras.Model(inputs=inputs, outputs=outputs, name="pointnet")
model.compile(loss="sparse_categorical_crossentropy", optimizer=keras.optimizers.Adam(learning_rate=0.001),
              metrics=["sparse_categorical_accuracy"])
model.fit(train_dataset, epochs=1, verbose=0)
