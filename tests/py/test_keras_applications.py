"""tf.keras.applications of TensorFlow 1: layers and parameters are those of TensorFlow 1.15."""
import numpy as np
import pytest

from command import lines, shapeflow, write

# Network: name of its model, parameters, trainable ones, layers; as TensorFlow 1.15.0 has them.
NETWORKS = [
    ("VGG16", "vgg16", 138357544, 138357544, 23),
    ("VGG19", "vgg19", 143667240, 143667240, 26),
    ("ResNet50", "resnet50", 25636712, 25583592, 177),
    ("ResNet101", "resnet101", 44707176, 44601832, 347),
    ("ResNet152", "resnet152", 60419944, 60268520, 517),
    ("ResNet50V2", "resnet50v2", 25613800, 25568360, 192),
    ("ResNet101V2", "resnet101v2", 44675560, 44577896, 379),
    ("ResNet152V2", "resnet152v2", 60380648, 60236904, 566),
    ("InceptionV3", "inception_v3", 23851784, 23817352, 313),
    ("Xception", "xception", 22910480, 22855952, 134),
    ("MobileNet", "mobilenet_1.00_224", 4253864, 4231976, 93),
    ("MobileNetV2", "mobilenetv2_1.00_224", 3538984, 3504872, 157),
    ("DenseNet121", "densenet121", 8062504, 7978856, 429),
    ("DenseNet169", "densenet169", 14307880, 14149480, 597),
    ("DenseNet201", "densenet201", 20242984, 20013928, 709),
    ("InceptionResNetV2", "inception_resnet_v2", 55873736, 55813192, 782),
]
# The output without its top, and a layer inside with its shape.
INNER = [
    ("VGG16", (7, 7, 512), "block3_conv3", (56, 56, 256)),
    ("VGG19", (7, 7, 512), "block5_conv4", (14, 14, 512)),
    ("ResNet50", (7, 7, 2048), "conv4_block6_out", (14, 14, 1024)),
    ("ResNet50V2", (7, 7, 2048), "conv3_block4_out", (14, 14, 512)),
    ("MobileNet", (7, 7, 1024), "conv_pw_11_relu", (14, 14, 512)),
    ("MobileNetV2", (7, 7, 1280), "block_13_expand_relu", (14, 14, 576)),
    ("DenseNet121", (7, 7, 1024), "pool4_conv", (14, 14, 512)),
    ("InceptionV3", (5, 5, 2048), "mixed7", (12, 12, 768)),
    ("Xception", (7, 7, 2048), "block13_pool", (7, 7, 1024)),
    ("InceptionResNetV2", (5, 5, 1536), "block17_20", (12, 12, 1088))]


@pytest.mark.parametrize("network, name, parameters, trainable, count", NETWORKS)
def test_layers_and_parameters(tf, network, name, parameters, trainable, count):
    model = getattr(tf.keras.applications, network)(weights=None)
    assert (model.name, model.count_params(), len(model.layers)) == (name, parameters, count)
    assert sum(int(np.prod(w.shape.as_list())) for w in model.trainable_weights) == trainable
    assert model.output_shape == (None, 1000) and model.layers[0].name == "input_1"


@pytest.mark.parametrize("network, output, inner, shape", INNER)
def test_shapes_inside(tf, network, output, inner, shape):
    model = getattr(tf.keras.applications, network)(include_top=False, input_shape=(224, 224, 3))
    assert model.output_shape == (None, *output) and model.get_layer(inner).output_shape == (None, *shape)
    pooled = getattr(tf.keras.applications, network)(include_top=False, pooling="max")
    assert pooled.output_shape == (None, output[-1])


@pytest.mark.parametrize("options, message", [
    ({"weights": "somewhere"}, "The `weights` argument should be either `None`"),
    ({"classes": 7}, "`classes` should be 1000"),
    ({"input_shape": (200, 200, 3)}, r"`input_shape` should be \(224, 224, 3\)"),
    ({"input_shape": (20, 20, 3), "include_top": False}, "Input size must be at least 32x32"),
    ({"input_shape": (64, 64, 1), "include_top": False}, "The input must have 3 channels"),
    ({"input_shape": (64, 64), "include_top": False}, "must be a tuple of three integers"),
    ({"input_shape": (None, None, 3), "weights": None}, "you should specify a static `input_shape`"),
])
def test_wrong_arguments_are_refused_in_keras_words(tf, options, message):
    with pytest.raises(ValueError, match=message):
        tf.keras.applications.VGG16(**options)


TRANSFER = """import numpy as np
from keras import backend as K
from keras.applications.resnet50 import ResNet50, preprocess_input
from keras.layers import Dense, Flatten
from keras.models import Model
base = ResNet50(weights='imagenet', include_top=False, input_shape=(224, 224, 3))
for layer in base.layers:
    layer.trainable = False
out = Dense(5, activation='softmax')(Flatten()(base.output))
model = Model(inputs=base.input, outputs=out)
model.compile('adam', 'categorical_crossentropy')
images = preprocess_input(np.zeros([4, 224, 224, 3]))
model.fit(images, np.zeros([4, 5]))
last = base.get_layer('conv5_block3_out').output
weights = K.mean(K.gradients(model.output[:, 1], last)[0], axis=(0, 1, 2))
of_image = K.function([model.input], [weights, last[0]])
of_channels, features = of_image([images[:1]])
assert of_channels.shape == (2048,) and features.shape == (7, 7, 2048)
model.fit(images, np.zeros([4, 6]))
"""


def test_transfer_learning(tmp_path):
    write(tmp_path, train=TRANSFER)
    options = ("--no-suggestions", "--no-cache", "--format", "concise", "--tf-version", "1.15.0")
    done = shapeflow(tmp_path, "check", *options, "train.py")
    assert lines(done) == [("train.py", 19, "SF108")], done.stdout + done.stderr
