"""Arguments of Keras 1 in the standalone Keras 2, which takes them still and says what they are called now.

tf.keras knows none of them. Source: keras/legacy/interfaces.py (2.3).
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Tuple

_NOW = {
    "init": "kernel_initializer", "inner_init": "recurrent_initializer", "beta_init": "beta_initializer",
    "gamma_init": "gamma_initializer", "W_regularizer": "kernel_regularizer",
    "U_regularizer": "recurrent_regularizer", "b_regularizer": "bias_regularizer",
    "W_constraint": "kernel_constraint", "U_constraint": "recurrent_constraint",
    "b_constraint": "bias_constraint", "bias": "use_bias", "inner_activation": "recurrent_activation",
    "dropout_W": "dropout", "dropout_U": "recurrent_dropout", "border_mode": "padding",
    "subsample": "strides", "subsample_length": "strides", "stride": "strides", "nb_filter": "filters",
    "filter_length": "kernel_size", "pool_length": "pool_size", "atrous_rate": "dilation_rate",
    "dim_ordering": "data_format", "p": "rate", "sigma": "stddev",
}
# What these layers call otherwise than the others.
_OF_KIND = {
    "Embedding": {"init": "embeddings_initializer", "W_regularizer": "embeddings_regularizer",
                  "W_constraint": "embeddings_constraint"},
    "PReLU": {"init": "alpha_initializer"},
    "LSTM": {"forget_bias_init": "unit_forget_bias"},
}
_DROPPED = ("consume_less", "mode")  # the latter of BatchNormalization
_ORDERS = {"tf": "channels_last", "th": "channels_first", "default": None}
_WITH_UNITS = ("Dense", "LSTM", "GRU", "SimpleRNN")  # their output_dim is called units
_TWO_SIZES = ("Conv2D", "Conv2DTranspose", "SeparableConv2D")


def modern(kind: str, args: Tuple[Any, ...],
           kwargs: Dict[str, Any]) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    """The arguments of a layer of this name, as Keras 2 calls them."""
    if "keras" not in sys.modules:
        return args, kwargs
    if kind in _TWO_SIZES and len(args) == 3 and all(type(one) is int for one in args):
        args = (args[0], args[1:])
    now = {**_NOW, **_OF_KIND.get(kind, {})}
    found = {now.get(name, name): value for name, value in kwargs.items()
             if name not in _DROPPED or kind not in ("BatchNormalization", *_WITH_UNITS)}
    if kind == "Embedding":
        found.pop("dropout", None)  # it was said to be no longer there, and left out
    if type(found.get("unit_forget_bias")) is str:
        found["unit_forget_bias"] = found["unit_forget_bias"] in ("one", "ones")
    if "nb_row" in found and "nb_col" in found:
        found["kernel_size"] = found.pop("nb_row"), found.pop("nb_col")
    if kind in _WITH_UNITS and "output_dim" in found:
        found["units"] = found.pop("output_dim")
    if "dim_ordering" in kwargs:
        found["data_format"] = _ORDERS.get(kwargs["dim_ordering"], kwargs["dim_ordering"])
    return args, found
