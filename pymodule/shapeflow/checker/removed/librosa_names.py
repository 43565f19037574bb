"""librosa: arguments that 0.10 takes by keyword only, and librosa.output."""
from __future__ import annotations

from shapeflow.checker.removed.changes import positional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional

    from shapeflow.checker.removed.restore import Removed


def _by_keyword(*names: str) -> Callable[[Any, Dict[str, object]], Optional[str]]:
    """All positional arguments are keywords now."""
    def change(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
        if not args or len(args) > len(names):
            return None
        kwargs.update(zip(names, args))
        del args[:]
        return f"positional {names[0]}"

    return change


def _write(path: Any, y: object, sr: object, norm: bool = False) -> None:
    """Nobody hears it in a check."""
    with open(path, "wb") as stream:
        stream.write(b"")


def _fill_output(made: ModuleType) -> None:
    made.__dict__["write_wav"] = _write


def _complete_features(module: ModuleType, removed: Removed) -> None:
    for name in ("mfcc", "melspectrogram", "chroma_stft", "chroma_cqt", "spectral_centroid",
                 "spectral_contrast", "spectral_rolloff", "spectral_bandwidth", "tonnetz"):
        removed.retry(module, name, _by_keyword("y", "sr", "S"), "librosa")
    removed.retry(module, "zero_crossing_rate", positional("frame_length", "hop_length"), "librosa")


def _complete_filters(module: ModuleType, removed: Removed) -> None:
    removed.retry(module, "mel", _by_keyword("sr", "n_fft", "n_mels", "fmin", "fmax"), "librosa")


def _complete(module: ModuleType, removed: Removed) -> None:
    def resampled(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
        if len(args) != 3:
            return None
        kwargs.update(orig_sr=args[1], target_sr=args[2])
        del args[1:]
        return "positional orig_sr"

    removed.retry(module, "resample", resampled, "librosa")


PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {
    "librosa": _complete, "librosa.feature": _complete_features, "librosa.filters": _complete_filters}
GONE: Dict[str, Callable[[ModuleType], None]] = {"librosa.output": _fill_output}
