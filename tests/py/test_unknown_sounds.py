"""Sounds of which only some dims are known, and what librosa makes of them."""
import pytest

from command import report_of, write
from shapeflow.api import unknown_sounds
from shapeflow.api.unknown_package import Unknown

# Of real librosa 0.11.0: the expression and the shape, of 30,000 samples `y` and a spectrum `S` (513, 118).
SEEN = """\
feature.mfcc(y=y, sr=22050, n_mfcc=40)                      40 59
feature.mfcc(y=y)                                           20 59
feature.melspectrogram(y=y, n_mels=64, hop_length=256)      64 118
feature.chroma_stft(y=y)                                    12 59
feature.chroma_cqt(y=y)                                     12 59
feature.chroma_cens(y=y)                                    12 59
feature.spectral_contrast(y=y)                              7 59
feature.tonnetz(y=y)                                        6 59
feature.poly_features(y=y)                                  2 59
feature.spectral_centroid(y=y)                              1 59
feature.zero_crossing_rate(y)                               1 59
feature.rms(y=y)                                            1 59
feature.spectral_flatness(y=y)                              1 59
feature.mfcc(S=S, n_mfcc=13)                                13 118
feature.chroma_stft(S=S)                                    12 118
feature.spectral_contrast(S=S, sr=22050)                    7 118
feature.mfcc(y=two)                                         2 20 59
feature.delta(S)                                            513 118
stft(y, n_fft=1024)                                         513 118
stft(y)                                                     1025 59
amplitude_to_db(S)                                          513 118
util.fix_length(y, size=500)                                500
effects.pitch_shift(y, sr=22050, n_steps=2)                 30000
effects.preemphasis(y)                                      30000
"""
CASES = [(line[:60].strip(), tuple(map(int, line[60:].split()))) for line in SEEN.splitlines()]


class _Librosa:
    """What our facts say, with librosa's names."""

    def __init__(self, dotted="librosa"):
        self._dotted = dotted

    def __getattr__(self, name):
        return _Librosa(f"{self._dotted}.{name}")

    def __call__(self, *args, **kwargs):
        return unknown_sounds.facts(self._dotted, args, kwargs)[0]


def _asked(expression, samples, frames):
    y, S = Unknown("y")._shaped((samples,), "float32"), Unknown("S")._shaped((513, frames), "float32")
    two = Unknown("two")._shaped((2, samples), "float32")
    return eval(f"librosa.{expression}", {"librosa": _Librosa(), "y": y, "S": S, "two": two})


@pytest.mark.parametrize("expression, shape", CASES, ids=[case[0] for case in CASES])
def test_as_librosa(expression, shape):
    assert _asked(expression, 30000, 118) == shape
    unknown = _asked(expression, None, None)  # the rank stays, and no dim is told that is not so
    assert len(unknown) == len(shape) and all(one in (None, other) for one, other in zip(unknown, shape))
    of_nothing = unknown_sounds.facts("librosa." + expression.partition("(")[0], (Unknown("y"),), {})[0]
    assert of_nothing is None  # maybe of several channels


def test_what_is_not_padded_has_another_number_of_frames():
    y = Unknown("y")._shaped((30000,), "float32")
    assert unknown_sounds.facts("librosa.stft", (y,), {"center": False})[0] == (1025, None)
    assert unknown_sounds.facts("librosa.feature.mfcc", (), {"y": y, "n_mfcc": Unknown("n")})[0] == (None, 59)
    assert unknown_sounds.facts("librosa.beat.beat_track", (y,), {}) == (None, None)


def test_arguments_in_another_order_are_no_others():
    y = Unknown("y")._shaped((30000,), "float32")
    assert unknown_sounds.facts("librosa.feature.mfcc", (y, 22050, None, 13), {}) == (None, None)  # of 0.9
    assert unknown_sounds.facts("librosa.effects.pitch_shift", (), {"n_steps": 2, "y": y})[0] == (30000,)


def test_what_is_loaded_has_one_channel_and_a_rate():
    samples, rate = unknown_sounds.load("a.wav")
    assert (samples._sf_shape, rate) == ((None,), 22050)
    samples, rate = unknown_sounds.load("a.wav", sr=None, mono=False)
    assert samples._sf_shape is None and isinstance(rate, Unknown)
    assert unknown_sounds.load("a.wav", 8000)[1] == 8000


PROGRAM = """\
import glob
import librosa
import numpy as np
import tensorflow as tf
def features(path):
    sound, rate = librosa.load(path, sr=16000)
    return np.mean(librosa.feature.mfcc(y=sound, sr=rate, n_mfcc=%d).T, axis=0)
x = np.array([features(path) for path in glob.glob("sounds/*.wav")])
w = tf.zeros([40, 8])
tf.matmul(tf.cast(x, tf.float32), w)
"""


def test_a_program_that_takes_features_of_sounds(tmp_path):
    for rows, errors in ((40, []), (13, [10])):
        folder = tmp_path / str(rows)
        folder.mkdir()
        write(folder, train=PROGRAM % rows)
        report, done = report_of(folder)
        assert [f["primary"]["line"] for f in report["findings"]
                if f["severity"] == "error"] == errors, done.stdout
