"""What a generated layer may be: values for each parameter, by its name, and the rank that each layer takes.

The layers and their parameters are read from the signatures of the Keras that is installed; a parameter
that is not here keeps its default, and a layer whose required parameters are not here is not generated
(`unknown`).
"""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

ACTIVATIONS = (
    "linear",
    "relu",
    "relu6",
    "elu",
    "selu",
    "gelu",
    "sigmoid",
    "tanh",
    "softplus",
    "softsign",
    "swish",
    "hard_sigmoid",
    "mish",
    "exponential",
    "softmax",
    "leaky_relu",
    "log_softmax",
    "hard_tanh",
    "celu",
)
_FLAG = (True, False)
# Parameter -> values. Where a layer takes others than its name says, LAYERS has them.
PARAMETERS: Dict[str, Sequence[Any]] = {
    "units": (1, 2, 3, 5, 8),
    "filters": (1, 2, 4, 6),
    "kernel_size": (1, 2, 3, 4),
    "strides": (1, 2, 3),
    "padding": ("valid", "same"),
    "dilation_rate": (1, 2),
    "pool_size": (1, 2, 3),
    "groups": (1, 2),
    "data_format": ("channels_last", "channels_first"),
    "activation": ACTIVATIONS,
    "recurrent_activation": ("sigmoid", "hard_sigmoid", "tanh"),
    "use_bias": _FLAG,
    "epsilon": (1e-3, 1e-5, 0.1),
    "center": _FLAG,
    "scale": _FLAG,
    "depth_multiplier": (1, 2),
    "size": (1, 2, 3),
    "return_sequences": _FLAG,
    "go_backwards": _FLAG,
    "reset_after": _FLAG,
    "use_scale": _FLAG,
    "keepdims": _FLAG,
    "negative_slope": (0.0, 0.1, 0.3),
    "n": (1, 2, 3),
    "rate": (0.1, 0.5),
    "num_heads": (1, 2),
    "key_dim": (2, 3),
    "output_size": (1, 2, 3),
    "normalize": _FLAG,
    "interpolation": ("nearest", "bilinear"),
    "alpha": (0.3, 1.0, 2.0),
    "unroll": _FLAG,
}
# Layer -> {parameter: values}, beside or instead of those above; None: the default stays.
LAYERS: Dict[str, Dict[str, Optional[Sequence[Any]]]] = {
    "Conv1D": {"padding": ("valid", "same", "causal")},
    "ReLU": {"max_value": (None, 1.0, 6.0), "threshold": (0.0, 0.5)},
    "ZeroPadding1D": {"padding": (1, 2, [0, 1])},
    "ZeroPadding2D": {"padding": (1, 2, [[0, 1], [1, 2]])},
    "ZeroPadding3D": {"padding": (1, [[0, 1], [1, 0], [0, 0]])},
    "Cropping1D": {"cropping": (1, [0, 1])},
    "Cropping2D": {"cropping": (1, [[0, 1], [1, 0]])},
    "Cropping3D": {"cropping": (1, [[0, 1], [1, 0], [0, 0]])},
    "Rescaling": {"scale": (2.0, 0.5, -1.0), "offset": (0.0, 1.0)},
    "BatchNormalization": {"axis": (-1, 1)},
    "LayerNormalization": {"axis": (-1, [1]), "rms_scaling": None},
    "GroupNormalization": {"groups": (1, 2, -1)},
    "UnitNormalization": {"axis": (-1, 1)},
    "Softmax": {"axis": (-1, 1)},
    "Concatenate": {"axis": (-1, 1)},
    "Dot": {"axes": (1, 2, -1)},
    "ConvLSTM1D": {"padding": ("same",)},
    "ConvLSTM2D": {"padding": ("same",)},
    "ConvLSTM3D": {"padding": ("same",)},
    "UpSampling2D": {"interpolation": ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5")},
    "Resizing": {
        "height": (3, 6),
        "width": (4, 7),
        "interpolation": ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"),
        "data_format": ("channels_last",),
    },
    "CenterCrop": {"height": (1, 2, 3), "width": (1, 2, 3), "data_format": ("channels_last",)},
    "Normalization": {"mean": (0.5,), "variance": (2.0, 0.0)},
    "Discretization": {"bin_boundaries": ([-1.0, 0.0, 0.5],)},
    "PReLU": {"shared_axes": (None, [1])},
    "Masking": {"mask_value": (0.0,)},
    "SpectralNormalization": {},
    "Activation": {"activation": ACTIVATIONS},
    "Dropout": {},
    "GaussianNoise": {"stddev": (0.1,)},
    "GaussianDropout": {},
    "AlphaDropout": {},
    "ActivityRegularization": {},
}
MERGES = ("Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract")
ATTENTIONS = ("Attention", "AdditiveAttention")
RECURRENT = ("SimpleRNN", "LSTM", "GRU")
WRAPPERS = ("Bidirectional", "TimeDistributed", "SpectralNormalization")
# Not generated: random ones, those that read text or run code, bases, and what is made for its input below.
LEFT_OUT = re.compile(
    r"^(Rand.*|.*Cell|.*Cells|Lambda|.*Wrapper|.*Layer|Layer|RNN|AugMix|CutMix|MixUp|AutoContrast|Equalization|"
    r"ContrastLimited.*|MaxNumBoundingBoxes|Pipeline|Solarization|.*Lookup|TextVectorization|Hash.*|STFT.*|Mel.*|"
    r"CategoryEncoding|Embedding|ReversibleEmbedding|EinsumDense|MultiHeadAttention|GroupQueryAttention|Wrapper)$")
# With a default that says that data will be seen first.
_TOGETHER = {"Normalization": ("mean", "variance"), "Discretization": ("bin_boundaries",)}
_OF_SHAPE = ("target_shape", "dims", "layer")  # solved for, by `solved`


def ranks(name: str) -> Tuple[int, ...]:
    """Of the tensors that a layer takes, the batch included."""
    sized = re.search(r"([123])D(Transpose)?$", name)
    if sized:
        return (int(sized[1]) + 2 + name.startswith("ConvLSTM"),)
    if name in (*RECURRENT, *ATTENTIONS, "Bidirectional", "TimeDistributed", "Masking", "Dot"):
        return (3,)
    if name == "RepeatVector":
        return (2,)
    if name in ("Resizing", "CenterCrop"):
        return (4,)
    if name in ("Permute", "GroupNormalization", "SpectralNormalization"):
        return (3, 4)
    return (2, 3, 4, 5)


class Layer:
    """The values that each parameter may have, and those parameters that must be given."""

    def __init__(self, values: Mapping[str, Sequence[Any]], required: Sequence[str]) -> None:
        self.values = {name: list(choices) for name, choices in values.items()}
        self.required = tuple(required)


def of_signatures(signatures: Mapping[str, Sequence[Sequence[Any]]]) -> Tuple[Dict[str, Layer], List[str]]:
    """({name: Layer}, layers that are not generated though nothing leaves them out)."""
    known: Dict[str, Layer] = {}
    unknown = []
    for name, parameters in signatures.items():
        if LEFT_OUT.match(name):
            continue
        own = LAYERS.get(name, {})
        values: Dict[str, Sequence[Any]] = {}
        required = list(_TOGETHER.get(name, ()))
        for parameter, _, has_default in parameters:
            choices = own[parameter] if parameter in own else PARAMETERS.get(parameter)
            if choices is not None:
                values[parameter] = choices
                if not has_default:
                    required.append(parameter)
            elif not has_default and parameter not in _OF_SHAPE:
                unknown.append(name)
                break
        else:
            known[name] = Layer(values, required)
    return known, unknown


def shared(signatures: Sequence[Mapping[str, Sequence[Any]]]) -> Dict[str, List[Any]]:
    """The layers, and their parameters, that all of several releases of Keras have."""
    first, *others = signatures
    made = {}
    for name, parameters in first.items():
        if all(name in other for other in others):
            names = [{row[0] for row in other[name]} for other in others]
            made[name] = [row for row in parameters if all(row[0] in one for one in names)]
    return made


def factors(count: int, parts: int, choose: Any) -> List[int]:
    """Sizes whose product is `count`. `choose`: of a list, as random.choice."""
    sizes = []
    for _ in range(parts - 1):
        divisors = [size for size in range(1, min(count, 8) + 1) if count % size == 0]
        size = choose([d for d in divisors if d > 1] or divisors)
        sizes.append(size)
        count //= size
    return [*sizes, count]
