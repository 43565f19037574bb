"""PixelCNN: convolutions with masked kernels, residual blocks of layers, sampling pixel by pixel."""
import keras
import numpy as np
from keras import layers, ops

input_shape = (14, 14, 1)
data = (np.random.rand(48, *input_shape) > 0.33).astype(int)


class PixelConvLayer(layers.Layer):
    def __init__(self, mask_type, **kwargs):
        super().__init__()
        self.mask_type = mask_type
        self.conv = layers.Conv2D(**kwargs)

    def build(self, input_shape):
        self.conv.build(input_shape)
        kernel_shape = ops.shape(self.conv.kernel)
        self.mask = np.zeros(shape=kernel_shape)
        self.mask[: kernel_shape[0] // 2, ...] = 1.0
        self.mask[kernel_shape[0] // 2, : kernel_shape[1] // 2, ...] = 1.0
        if self.mask_type == "B":
            self.mask[kernel_shape[0] // 2, kernel_shape[1] // 2, ...] = 1.0

    def call(self, inputs):
        self.conv.kernel.assign(self.conv.kernel * self.mask)
        return self.conv(inputs)


class ResidualBlock(keras.layers.Layer):
    def __init__(self, filters, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = layers.Conv2D(filters=filters, kernel_size=1, activation="relu")
        self.pixel_conv = PixelConvLayer(mask_type="B", filters=filters // 2, kernel_size=3,
                                         activation="relu", padding="same")
        # wrong: self.conv2 = layers.Conv2D(filters=filters // 2, kernel_size=1, activation="relu")
        self.conv2 = layers.Conv2D(filters=filters, kernel_size=1, activation="relu")

    def call(self, inputs):
        x = self.conv2(self.pixel_conv(self.conv1(inputs)))
        return keras.layers.add([inputs, x])  # E: SF107


inputs = keras.Input(shape=input_shape)
x = PixelConvLayer(mask_type="A", filters=16, kernel_size=7, activation="relu", padding="same")(inputs)
for _ in range(2):
    x = ResidualBlock(filters=16)(x)
x = PixelConvLayer(mask_type="B", filters=16, kernel_size=1, strides=1, activation="relu", padding="valid")(x)
out = keras.layers.Conv2D(filters=1, kernel_size=1, strides=1, activation="sigmoid", padding="valid")(x)
pixel_cnn = keras.Model(inputs, out)
pixel_cnn.compile(optimizer=keras.optimizers.Adam(learning_rate=0.0005), loss="binary_crossentropy")
pixel_cnn.fit(x=data, y=data, batch_size=16, epochs=1, validation_split=0.25, verbose=0)
pixels = np.zeros(shape=(2,) + pixel_cnn.input_shape[1:])
batch, rows, cols, channels = pixels.shape
for row in range(2):
    for col in range(cols):
        for channel in range(channels):
            probs = pixel_cnn.predict(pixels, verbose=0)[:, row, col, channel]
            pixels[:, row, col, channel] = ops.ceil(probs - keras.random.uniform(probs.shape))
