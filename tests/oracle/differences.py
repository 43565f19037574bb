"""Where we differ from TensorFlow 2.21 on purpose or by choice, with the reason. A line that no
longer holds fails the test (signatures) or never matches (calls)."""

_KERAS_2 = "tf.keras here is Keras 2's as scripts know it; TensorFlow 2.21 ships Keras 3"
_KERAS_1 = "tf.keras here has the parameters of 1.15; that of TensorFlow 2.21 is Keras 3"
_WIDER = "takes all that TensorFlow takes, and names its keywords"

# Name -> reason, by API version; 0: both.
SIGNATURES = {
    0: {
        **dict.fromkeys(["tf.Tensor.__%s__" % op for op in
                         "abs eq ge gt invert le lt ne neg".split()],
                        "called by operators only, never with a name"),
        **dict.fromkeys(["tf.einsum", "tf.linalg.einsum", "tf.meshgrid", "tf.function"], _WIDER),
        **dict.fromkeys(["tf.keras.initializers." + name for name in
                         "HeNormal HeUniform LecunNormal LecunUniform he_normal he_uniform "
                         "lecun_normal lecun_uniform".split()], _KERAS_2),
        **dict.fromkeys(["tf.initializers." + name for name in
                         "he_normal he_uniform lecun_normal lecun_uniform".split()], _KERAS_2),
        **dict.fromkeys(["tf.keras.preprocessing.image.load_img", "tf.keras.utils.load_img",
                         "tf.keras.utils.to_categorical", "tf.keras.utils.get_file",
                         "tf.keras.datasets.imdb.get_word_index",
                         "tf.keras.datasets.reuters.get_word_index"], _KERAS_2),
        "tf.py_function": "its arguments without defaults are those of 1.x; TensorFlow's None fails later",
        **dict.fromkeys(["tf.keras.Input", "tf.keras.layers.Input"], _KERAS_2),
        "tf.switch_case": "makes no node of its own to be named",
        "tf.sparse.maximum": "unmodelled: takes anything", "tf.sparse.minimum": "unmodelled: takes anything",
    },
    1: {
        **dict.fromkeys(["tf.keras.applications." + name for name in (
            "DenseNet121 DenseNet169 DenseNet201 InceptionResNetV2 InceptionV3 MobileNet MobileNetV2 "
            "ResNet101 ResNet101V2 ResNet152 ResNet152V2 ResNet50 ResNet50V2 VGG16 VGG19 Xception "
            "densenet.DenseNet121 densenet.DenseNet169 densenet.DenseNet201 "
            "inception_resnet_v2.InceptionResNetV2 "
            "inception_v3.InceptionV3 mobilenet.MobileNet mobilenet_v2.MobileNetV2 resnet.ResNet101 "
            "resnet.ResNet152 resnet.ResNet50 resnet50.ResNet50 resnet_v2.ResNet101V2 resnet_v2.ResNet152V2 "
            "resnet_v2.ResNet50V2 vgg16.VGG16 vgg19.VGG19 xception.Xception").split()], _KERAS_1),
        **dict.fromkeys(["tf.keras.backend." + name for name in
                         "foldl foldr map_fn rnn sparse_categorical_crossentropy".split()], _KERAS_1),
        **dict.fromkeys(["tf.keras.regularizers." + name for name in "l1 l2 l1_l2".split()], _KERAS_1),
        "tf.app.flags.FLAGS": "an object that is called by absl only",
        "tf.flags.FLAGS": "an object that is called by absl only",
        "tf.gfile.Walk": "the third argument is of tf.io.gfile.walk",
        "tf.nn.safe_embedding_lookup_sparse": "unmodelled: takes anything",
        "tf.sparse_maximum": "unmodelled: takes anything", "tf.sparse_minimum": "unmodelled: takes anything",
        "tf.summary.text": "takes what 1.x releases took besides",
        "tf.train.NewCheckpointReader": "one function is load_checkpoint too",
    },
    2: {
        **dict.fromkeys(
            ("tf.experimental.numpy." + name for name in
             "all amax amin any array_equal copy diag diagflat empty_like flip fliplr flipud full_like imag "
             "max mean min ones_like ptp real rot90 std tril triu vander var zeros_like".split()),
            "TensorFlow's signature is bound before ours, which passes on what numpy takes"),
        "tf.nn.sufficient_statistics": "one function serves 1.x and 2",
        "tf.sparse.add": "one function serves 1.x and 2",
    },
}

# (part of the call, part of the verdict, part of TensorFlow's message): reason.
CALLS = {
    ("tf.image.", "only they report", "contains no shape"): "an image of unknown rank is refused late",
    ("tf.image.central_crop", "only they report", "Had rank = None"): "the same",
    ("tf.image.", "only they report", "must be either 3 or 4"): "the same",
    ("tf.case([(p", "only we report", "Switch"): "as tf.cond(p",
    ("tf.cond(p", "only we report", "Switch"):
        "a predicate that is no scalar: cond_v2, which compat.v1 uses unless v2 behaviour is off, takes it",
    ("tf.image.", "less precise", ""):
        "of an image of unknown rank TensorFlow says rank 3; it may be 4",
    ("tf.image.rgb_to_grayscale", "only they report", "Tensordot"): "channels other than 3: not refused",
    ("tf.image.", "only they report", "must be > 0"): "an image without pixels: not refused",
    ("tf.tensordot", "is not IndexError", ""): "a scalar operand: ValueError instead of its own crash",
    ("tf.nn.conv3d", "", "must be rank 5"): "compat.v1 refuses what 2.x allows: several batch dimensions",
    ("tf.nn.softmax_cross_entropy", "less precise", ""): "the batch of a broadcast vector of labels",
    ("tf.nn.atrous_conv2d", "only they report", "partially known TensorShape"):
        "a filter of partly known shape fails in Python code",
    ("tf.assert_equal", "different", ""): "a tensor compared with itself makes an Assert, not a NoOp",
}

# (part of the call, part of the verdict, part of a message): reason; in eager mode.
EAGER_CALLS = {
    ("tf.image.", "only they report", "must be > 0"): "an image without pixels: not refused",
    ("tf.tensordot", "is not IndexError", ""): "a scalar operand: ValueError instead of its own crash",
    ("tf.image.rgb_to_grayscale", "only they report", "Matrix size"): "channels other than 3: not refused",
}
