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
PARAMETERS: Dict[str, Sequence[object]] = {
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
    "output_padding": (None, 0, 1),
    "unit_forget_bias": _FLAG,
    "return_state": _FLAG,
    "zero_output_for_mask": _FLAG,
    "value_dim": (None, 2),
    "use_gate": _FLAG,
    "sliding_window": (None, 2),
    "lora_rank": (None, 1),
    "renorm": _FLAG,
    "invert": _FLAG,
    "mask_zero": _FLAG,
    "input_dim": (4, 8),
    "output_dim": (1, 3, 4),
    "num_bins": (3, 7),
    "output_mode": ("int", "one_hot", "multi_hot", "count"),
    # Of those that change images; the random ones do nothing in inference.
    "value_range": ([0, 1], [0, 255], [-1, 1]),
    "factor": (0.2,),
    "x_factor": (0.2,),
    "y_factor": (0.2,),
    "height_factor": (0.2,),
    "width_factor": (0.2,),
    "fill_value": (0.0, 0.5),
    "window": ("hann", "hamming", None),
}
# The policy of a layer, which all have: what it computes in, and what its weights are.
DTYPES = ("float32", "float16", "bfloat16", "float64", "mixed_float16", "mixed_bfloat16")
# Layer -> {parameter: values}, beside or instead of those above; None: the default stays.
# Through exponential, rounding grows from step to step of a recurrent layer: that is no finding.
_STEPS: Dict[str, Optional[Sequence[object]]] = {
    "activation": tuple(name for name in ACTIVATIONS if name != "exponential")}
LAYERS: Dict[str, Dict[str, Optional[Sequence[object]]]] = {
    "SimpleRNN": _STEPS,
    "GRU": _STEPS,
    "LSTM": _STEPS,
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
    "GroupNormalization": {"groups": (1, 2, -1), "axis": (-1, 1)},
    "RMSNormalization": {"axis": (-1, 1)},
    "UnitNormalization": {"axis": (-1, 1)},
    "Softmax": {"axis": (-1, 1)},
    "Concatenate": {"axis": (-1, 1)},
    "Dot": {"axes": (1, 2, -1)},
    "ConvLSTM1D": {**_STEPS, "padding": ("same",)},
    "ConvLSTM2D": {**_STEPS, "padding": ("same",)},
    "ConvLSTM3D": {**_STEPS, "padding": ("same",)},
    "UpSampling2D": {"interpolation": ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5")},
    "Resizing": {
        "height": (3, 6),
        "width": (4, 7),
        "interpolation": ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"),
        "data_format": ("channels_last",),
        "crop_to_aspect_ratio": _FLAG,
        "pad_to_aspect_ratio": _FLAG,
        "antialias": _FLAG,
    },
    "CenterCrop": {"height": (1, 2, 3), "width": (1, 2, 3), "data_format": ("channels_last",)},
    "Normalization": {"mean": (0.5,), "variance": (2.0, 0.0)},
    "Attention": {"score_mode": ("dot", "concat")},
    "EinsumDense": {"bias_axes": None},  # see `solved`
    "MultiHeadAttention": {"output_shape": (None, 3), "attention_axes": (None, [1])},
    "GroupQueryAttention": {
        "head_dim": (2, 3), "num_query_heads": (2, 4), "num_key_value_heads": (1, 2)},
    "ReversibleEmbedding": {"tie_weights": _FLAG, "logit_soft_cap": (None, 2.0)},
    "CategoryEncoding": {"num_tokens": (4, 8), "output_mode": ("one_hot", "multi_hot", "count")},
    "IntegerLookup": {
        "vocabulary": ([1, 3, 4],), "num_oov_indices": (1, 2), "mask_token": (None, 0)},
    "Hashing": {"salt": (None, 7), "output_mode": ("int", "one_hot", "multi_hot", "count")},
    "HashedCrossing": {"output_mode": ("int", "one_hot")},
    "STFTSpectrogram": {
        "mode": ("log", "magnitude", "psd", "real", "imag", "angle", "stft"),
        "frame_length": (4,), "frame_step": (2, 3), "fft_length": (4, 8), "periodic": _FLAG,
        "scaling": ("density", "spectrum"), "expand_dims": _FLAG, "data_format": ("channels_last",)},
    "MelSpectrogram": {
        "fft_length": (8, 16), "sequence_stride": (2, 4), "sampling_rate": (100,), "num_mel_bins": (2, 4),
        "min_freq": (5.0,), "max_freq": (None, 40.0), "power_to_db": _FLAG},
    "Equalization": {"bins": (4, 256)},
    "ContrastLimitedAdaptiveHistogramEqualization": {
        "clip_limit": (4.0, 1.0), "tile_grid_size": ([2, 2],)},
    "Solarization": {"addition_factor": (0.0,), "threshold_factor": (0.0,)},
    "RandomCrop": {"height": (2, 3), "width": (2, 3)},
    "RandomPosterization": {"factor": (4,)},
    "RandomErasing": {"scale": None},
    "RandomElasticTransform": {"scale": None},
    "RandomPerspective": {"scale": None},
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
# --- how layers are called ----------------------------------------------------------------------------------
MERGES = ("Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract")
ATTENTIONS = ("Attention", "AdditiveAttention")
QUERIES = ("MultiHeadAttention", "GroupQueryAttention")  # of a query and a value
RECURRENT = ("SimpleRNN", "LSTM", "GRU")
CELLS = ("SimpleRNNCell", "LSTMCell", "GRUCell")
WRAPPERS = ("Bidirectional", "TimeDistributed", "SpectralNormalization")
# They read whole numbers, of an input that is made for them, smaller than any of their sizes.
INDICES = ("Embedding", "ReversibleEmbedding", "CategoryEncoding", "IntegerLookup", "Hashing",
           "HashedCrossing")
IMAGES = re.compile(r"(Rand.*|AutoContrast|Equalization|ContrastLimited.*|Solarization|Resizing|CenterCrop)$")
# Layers that are not generated, and why.
LEFT_OUT = {
    "they run code that a config does not hold": (
        "Lambda", "FlaxLayer", "JaxLayer", "TFSMLayer", "TorchModuleWrapper"),
    "they read text": ("StringLookup", "TextVectorization"),
    "they are bases of others, or stand for them": ("Layer", "Wrapper", "InputLayer", "Pipeline"),
    "they mix samples with labels or boxes, and have no other input": (
        "CutMix", "MixUp", "MaxNumBoundingBoxes"),
}
WITHIN = (*CELLS, "StackedRNNCells")  # generated as the cells of RNN
_LEFT_OUT = {name for names in LEFT_OUT.values() for name in names}
# With a default that says that data will be seen first, or one that is too large for small models.
_TOGETHER = {
    "Normalization": ("mean", "variance"),
    "Discretization": ("bin_boundaries",),
    "IntegerLookup": ("vocabulary",),
    "Rescaling": ("scale", "offset"),  # its config has both
    "STFTSpectrogram": ("frame_length", "frame_step", "fft_length", "window"),  # windows need SciPy
    "MelSpectrogram": ("fft_length", "sequence_stride", "sampling_rate", "num_mel_bins", "min_freq"),
    "ContrastLimitedAdaptiveHistogramEqualization": ("tile_grid_size",),
}
# Flags that exclude each other, which Keras says only when the layer runs.
EXCLUDING = {"Resizing": ("crop_to_aspect_ratio", "pad_to_aspect_ratio")}
_OF_SHAPE = ("target_shape", "dims", "layer", "cell", "equation", "output_shape")  # solved for, by `solved`


def ranks(name: str) -> Tuple[int, ...]:
    """Of the tensors that a layer takes, the batch included."""
    sized = re.search(r"([123])D(Transpose)?$", name)
    if sized:
        return (int(sized[1]) + 2 + name.startswith("ConvLSTM"),)
    if name in (*RECURRENT, *ATTENTIONS, *QUERIES):
        return (3,)
    if name in ("RNN", "Bidirectional", "Masking", "Dot", "STFTSpectrogram"):
        return (3,)
    if name in ("RepeatVector", "MelSpectrogram", "CategoryEncoding", "HashedCrossing"):
        return (2,)
    if name in ("Embedding", "ReversibleEmbedding", "IntegerLookup", "Hashing"):
        return (2, 3)
    if IMAGES.match(name):
        return (4,)
    if name in ("Permute", "GroupNormalization", "SpectralNormalization", "TimeDistributed"):
        return (3, 4)
    return (2, 3, 4, 5)


def takes(name: str) -> int:
    """How many tensors."""
    return 2 if name in (*MERGES, *ATTENTIONS, *QUERIES, "HashedCrossing") else 1


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
        if name in _LEFT_OUT or name in WITHIN:
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
            known[name] = Layer({**values, "dtype": DTYPES}, required)
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
