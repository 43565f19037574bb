"""DeepLab: dilated convolutions beside each other on a ResNet, with a metric and a loss of its own."""
import keras
import numpy as np
from keras import layers

SIZE, CLASSES = 64, 4


def convolution_block(x, num_filters=16, kernel_size=3, dilation_rate=1, use_bias=False):
    x = layers.Conv2D(num_filters, kernel_size=kernel_size, dilation_rate=dilation_rate, padding="same",
                      use_bias=use_bias, kernel_initializer=keras.initializers.HeNormal())(x)
    return keras.ops.nn.relu(layers.BatchNormalization()(x))


def pyramid(dspp_input):
    dims = dspp_input.shape
    x = layers.AveragePooling2D(pool_size=(dims[-3], dims[-2]))(dspp_input)
    x = convolution_block(x, kernel_size=1, use_bias=True)
    out_pool = layers.UpSampling2D(size=(dims[-3] // x.shape[1], dims[-2] // x.shape[2]),
                                   interpolation="bilinear")(x)
    branches = [out_pool, convolution_block(dspp_input, kernel_size=1)]
    branches += [convolution_block(dspp_input, dilation_rate=rate) for rate in (2, 4)]
    return convolution_block(layers.Concatenate(axis=-1)(branches), kernel_size=1)


def deep_lab(image_size, num_classes):
    model_input = keras.Input(shape=(image_size, image_size, 3))
    preprocessed = keras.applications.resnet50.preprocess_input(model_input)
    resnet50 = keras.applications.ResNet50(weights=None, include_top=False, input_tensor=preprocessed)
    x = pyramid(resnet50.get_layer("conv4_block6_2_relu").output)
    # wrong: scale = image_size // 8 // x.shape[1]
    scale = image_size // 4 // x.shape[1]
    a = layers.UpSampling2D(size=(scale, scale), interpolation="bilinear")(x)
    b = convolution_block(resnet50.get_layer("conv2_block3_2_relu").output, num_filters=8, kernel_size=1)
    x = layers.Concatenate(axis=-1)([a, b])  # E: SF108
    x = convolution_block(convolution_block(x))
    x = layers.UpSampling2D(size=(image_size // x.shape[1], image_size // x.shape[2]),
                            interpolation="bilinear")(x)
    return keras.Model(model_input, layers.Conv2D(num_classes, kernel_size=(1, 1), padding="same")(x))


class UpdatedMeanIoU(keras.metrics.MeanIoU):
    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_true, keras.ops.argmax(y_pred, axis=-1), sample_weight)


def dice(y_true, y_pred):
    one_hot = keras.ops.one_hot(keras.ops.squeeze(keras.ops.cast(y_true, "int32"), -1), CLASSES)
    probs = keras.ops.softmax(y_pred)
    shared = keras.ops.sum(one_hot * probs, axis=[1, 2])
    return 1 - keras.ops.mean(2 * shared / (keras.ops.sum(one_hot + probs, axis=[1, 2]) + 1e-6))


model = deep_lab(SIZE, CLASSES)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=dice,
              metrics=["accuracy", UpdatedMeanIoU(num_classes=CLASSES)])
images = np.random.rand(8, SIZE, SIZE, 3).astype("float32")
masks = np.random.randint(0, CLASSES, (8, SIZE, SIZE, 1))
model.fit(images, masks, batch_size=4, epochs=1, verbose=0)
