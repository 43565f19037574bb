"""Sounds that are not known, read and changed by librosa: of what shape the arrays are, where the program
says it. `librosa.feature.mfcc(y=y, sr=sr, n_mfcc=40)` has the shape (40, frames).

Source: the documentation of librosa 0.11; tests/py/test_unknown_sounds.py has what its functions give.
"""
from __future__ import annotations

from shapeflow.api.unknown_package import Unknown
from shapeflow.api.unknown_shapes import of_dims, of_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, Optional, Tuple

    from shapeflow.api.unknown_shapes import Shape

    Arguments = Dict[str, object]
    Dim = Optional[int]

_RATE = 22050  # of librosa.load, in samples a second, when none is asked for
_HOP = 512  # samples from one frame to the next


def _number(given: Arguments, name: str, default: int) -> Dim:
    """None: nobody knows."""
    dims = of_dims([given.get(name, default)])
    return None if dims is None else dims[0]


def _frames(length: Dim, hop: Dim, given: Arguments) -> Dim:
    """One more than there are hops in a sound, which is padded at both ends unless the program refuses."""
    is_padded = given.get("center", True) is True
    return 1 + length // hop if is_padded and length is not None and hop else None


def _of_rows(name: str, rows: int, more: int = 0) -> Callable[[Arguments], Shape]:
    """(rows, frames): as many rows as the argument says, and `more`; of several channels after theirs."""
    def shape(given: Arguments) -> Shape:
        is_spectrum = given.get("S") is not None
        source = of_value(given.get("S" if is_spectrum else "y"))
        if not source or is_spectrum and len(source) < 2:
            return None  # maybe of several channels
        frames = source[-1] if is_spectrum else _frames(source[-1], _number(given, "hop_length", _HOP), given)
        said = _number(given, name, rows) if name else rows
        return (*source[:-2 if is_spectrum else -1], None if said is None else said + more, frames)

    return shape


def _stft(given: Arguments) -> Shape:
    source, size = of_value(given.get("y")), _number(given, "n_fft", 2048)
    if not source:
        return None
    window = _number(given, "win_length", size) if size is not None else None
    hop = _number(given, "hop_length", window // 4) if window is not None else None
    return (*source[:-1], None if size is None else 1 + size // 2, _frames(source[-1], hop, given))


def _same(given: Arguments) -> Shape:
    return next((of_value(given[name]) for name in ("y", "S", "data") if name in given), None)


def _with_length(given: Arguments) -> Shape:
    """Of fix_length: the last axis, or the one that is named."""
    shape, axis = of_value(given.get("data")), given.get("axis", -1)
    if not shape or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        return None
    dims = list(shape)
    dims[axis] = _number(given, "size", 0)
    return tuple(dims)


def _other_length(given: Arguments) -> Shape:
    shape = of_value(given.get("y"))
    return shape and (*shape[:-1], None)


_SOUND, _SPECTRUM = ("y", "sr", "S"), ("S", "ref", "amin", "top_db")
# By name: the function's first parameters, and what shape it makes. Of a call with more than these by
# position, as librosa took them before 0.10, nobody knows.
FUNCTIONS: Dict[str, Tuple[Tuple[str, ...], Callable[[Arguments], Shape]]] = {
    "librosa.stft": (("y", "n_fft", "hop_length", "win_length"), _stft),
    "librosa.resample": (("y", "orig_sr", "target_sr"), _other_length),
    "librosa.effects.time_stretch": (("y", "rate"), _other_length),
    "librosa.effects.pitch_shift": (("y", "sr", "n_steps"), _same),
    "librosa.effects.preemphasis": (("y", "coef"), _same),
    "librosa.util.fix_length": (("data", "size"), _with_length),
    "librosa.util.normalize": (("S", "norm", "axis"), _same),
    "librosa.feature.delta": (("data", "width", "order"), _same),
    **{"librosa." + name: (_SPECTRUM, _same) for name in (
        "amplitude_to_db", "db_to_amplitude", "power_to_db", "db_to_power")},
    **{"librosa.feature." + name: (_SOUND, _of_rows(argument, rows, more)) for name, argument, rows, more in (
        ("mfcc", "n_mfcc", 20, 0), ("melspectrogram", "n_mels", 128, 0), ("chroma_stft", "n_chroma", 12, 0),
        ("chroma_cqt", "n_chroma", 12, 0), ("chroma_cens", "n_chroma", 12, 0),
        ("spectral_contrast", "n_bands", 6, 1), ("tonnetz", "", 6, 0), ("poly_features", "order", 1, 1),
        ("spectral_centroid", "", 1, 0), ("spectral_bandwidth", "", 1, 0), ("spectral_rolloff", "", 1, 0))},
    **{"librosa.feature." + name: (parameters, _of_rows("", 1)) for name, parameters in (
        ("zero_crossing_rate", ("y", "frame_length", "hop_length")), ("rms", ("y", "S")),
        ("spectral_flatness", ("y", "S")))},
}
# Where the functions of these modules are defined: librosa 0.10 and later look them up there each time.
_PUBLIC = {"librosa.core.audio": "librosa", "librosa.core.spectrum": "librosa",
           "librosa.feature.spectral": "librosa.feature", "librosa.feature.utils": "librosa.feature",
           "librosa.util.utils": "librosa.util"}
_SYNONYMS = {"S_db": "S", "S_power": "S"}


def facts(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> Tuple[Shape, Optional[str]]:
    """Shape and dtype of what a function makes of something unknown; both None: nobody knows."""
    module, _, function = name.rpartition(".")
    found = FUNCTIONS.get(f"{_PUBLIC.get(module, module)}.{function}")
    if found is None or len(args) > len(found[0]):
        return None, None
    parameters, shape_of = found
    given = dict(zip(parameters, args))
    given.update((_SYNONYMS.get(key, key), value) for key, value in kwargs.items())
    return shape_of(given), None



def load(path: object, sr: object = _RATE, mono: object = True, *more: object,
         **kwargs: object) -> Tuple[Unknown, object]:
    """librosa.load of a file of which nothing is known: samples and their rate in Hz."""
    samples = Unknown("librosa.load()[0]")
    if mono is True:
        samples._shaped((None,), "float32")
    return samples, Unknown("librosa.load()[1]")._shaped((), None) if sr is None else sr
