"""Which public names real TensorFlow has: 1.8, 1.15 (with contrib) and 2.21.

`_names.gz` holds a line for each name: its kind (m module, c class, f function, o other), the
versions that have it (1 = 1.8, 2 = 1.15, 4 = 2.21; added), and the name without "tf.".
"""
import gzip
import os
from typing import Dict, List, Tuple

from shapeflow import _core

_table: Dict[str, Tuple[str, int]] = {}

# Public before 1.0, gone in 1.0 (release notes of TensorFlow 1.0).
_BEFORE_1_0 = frozenset(
    """sub mul neg pack unpack batch_matmul select complex_abs inv listdiff sparse_concat
    initialize_all_variables all_variables initialize_variables initialize_local_variables
    merge_summary merge_all_summaries scalar_summary image_summary histogram_summary audio_summary
    batch_cholesky batch_cholesky_solve batch_fft batch_fft2d batch_fft3d batch_ifft batch_ifft2d
    batch_ifft3d batch_matrix_band_part batch_matrix_determinant batch_matrix_diag
    batch_matrix_diag_part batch_matrix_inverse batch_matrix_set_diag batch_matrix_solve
    batch_matrix_solve_ls batch_matrix_transpose batch_matrix_triangular_solve batch_self_adjoint_eig
    batch_self_adjoint_eigvals batch_svd train.SummaryWriter train.summary_iterator
    nn.rnn nn.dynamic_rnn nn.state_saving_rnn nn.bidirectional_rnn nn.seq2seq nn.rnn_cell
    nn.deprecated_flipped_softmax_cross_entropy_with_logits create_partitioned_variables
    user_ops contrib.ctc contrib.tensor_bundle contrib.linear_optimizer""".split())
# Public in some 1.x before 1.8 and gone since.
_BEFORE_1_8 = frozenset(
    """contrib.keras contrib.deprecated contrib.util contrib.learn contrib.seq2seq
    contrib.rnn.core_rnn_cell contrib.rnn.core_rnn contrib.rnn.python arg_max arg_min
    contrib.layers.python contrib.legacy_seq2seq.python""".split())


def _load() -> Dict[str, Tuple[str, int]]:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_names.gz")
    with gzip.open(path, "rt", encoding="ascii") as f:
        for line in f:
            _table["tf." + line[3:-1]] = (line[0], int(line[1]))
    return _table


def table() -> Dict[str, Tuple[str, int]]:
    """Every name with its kind and version mask."""
    return _table or _load()


def emulated() -> Tuple[int, int]:
    """The emulated version as (major, minor)."""
    parts = _core.get_version().split(".")
    return int(parts[0]), int("".join(c for c in parts[1] if c.isdigit()) or 0)


def kind(dotted: str, version: int) -> str:
    """"m", "c", "f", "o", or "" when that TensorFlow has no such public name."""
    entry = table().get(dotted)
    major, minor = emulated()
    if version == 2:
        return entry[0] if entry and entry[1] & 4 else ""
    if entry:
        mask = entry[1]
        if major == 1 and minor < 13:
            # 1.9 to 1.12 lie between two lists: a name of either may exist there.
            wanted = 1 if minor <= 8 else 3
        else:
            wanted = 2
        # Older versions than the oldest list: what 1.15 still has (contrib came and went).
        if mask & wanted or (minor < 8 and dotted.startswith("tf.contrib") and mask & 3):
            return entry[0]
    if dotted.startswith("tf.contrib.") and dotted.count(".") > 3:
        # The lists stop at four components here; what lies deeper is taken on trust.
        head, _, last = dotted.rpartition(".")
        return ("c" if last[:1].isupper() else "f") if kind(head, version) == "m" else ""
    short = dotted[3:]
    if major < 1 and (short in _BEFORE_1_0 or short.split(".")[0] in ("batch_fft",)):
        return "f"
    if major < 2 and minor < 8 and short in _BEFORE_1_8:
        return "m"
    return ""


def below(dotted: str, version: int) -> List[str]:
    """The public names directly below a namespace, for dir()."""
    prefix = dotted + "."
    raw_of_2 = dotted == "tf.raw_ops" and emulated()[0] >= 2  # the same ones in tf.compat.v1
    mask = 4 if version == 2 or raw_of_2 else 3
    return sorted({name[len(prefix):] for name, (_, m) in table().items()
                   if m & mask and name.startswith(prefix) and "." not in name[len(prefix):]})
