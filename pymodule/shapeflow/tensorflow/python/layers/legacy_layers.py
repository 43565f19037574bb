"""tf.layers under the names of TensorFlow 2's own files, which tf_slim and its like import.

Source: tensorflow/python/keras/legacy_tf_layers/{convolutional,core,pooling}.py.
"""
from __future__ import annotations

from shapeflow.api import registry
from shapeflow.api.registry import put

_PATH = "tensorflow.python.keras.legacy_tf_layers."
_NAMES = {
    "convolutional": "Conv1D Conv2D Conv3D Conv2DTranspose Conv3DTranspose SeparableConv1D "
                     "SeparableConv2D conv1d conv2d conv3d conv2d_transpose conv3d_transpose "
                     "separable_conv1d separable_conv2d",
    "core": "Dense Dropout Flatten dense dropout flatten",
    "pooling": "AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D "
               "average_pooling1d average_pooling2d average_pooling3d max_pooling1d max_pooling2d "
               "max_pooling3d",
}
_ALIASES = {"Conv1D": "Convolution1D", "Conv2D": "Convolution2D", "Conv3D": "Convolution3D",
            "Conv2DTranspose": "Convolution2DTranspose", "Conv3DTranspose": "Convolution3DTranspose",
            "SeparableConv2D": "SeparableConvolution2D"}

for _module, _names in _NAMES.items():
    for _name in _names.split():
        _found = registry.find("tf.layers." + _name, 1)
        if _found is not registry.MISSING:
            put(_found, _PATH + _module + "." + _name, v2=True)
            if _name in _ALIASES:
                put(_found, _PATH + _module + "." + _ALIASES[_name], v2=True)
