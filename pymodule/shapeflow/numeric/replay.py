"""The replay script of a witness: a dozen lines that need TensorFlow and numpy, to attach to an issue.

Source of its graph and values: worker/witness.py.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

    Plain = Dict[str, Any]

_TEXT = '''"""{title}: {what}.

{about}
Found by `shapeflow numeric --confirm`. Needs TensorFlow {tensorflow} or later, and the two files beside it.
"""
import pathlib, sys
import numpy as np
import tensorflow.compat.v1 as tf

stem = pathlib.Path(__file__).resolve().with_suffix("")
with tf.Graph().as_default(), tf.Session() as session, np.load(str(stem) + ".npz") as values:
    tf.import_graph_def(tf.GraphDef.FromString(stem.with_suffix(".pb").read_bytes()), name="")
    # With its operand: TensorFlow may put other operations in the place of one that nobody else looks at.
    feeds = {{name + ":0": values[name] for name in values.files}}
    result, operand = session.run([{target!r}, {operand!r}], feeds)
result, operand = np.asarray(result, np.float64), np.asarray(operand, np.float64)
print({target!r}, "has", np.isnan(result).sum(), "NaN and", np.isinf(result).sum(), "inf of", result.size,
      "where", {operand!r}, "is from", operand.min(), "to", operand.max())
sys.exit(0 if np.isfinite(result).all() else 1)  # 1: it broke
'''


def write(folder: str, stem: str, suspect: Plain, answer: Plain, tensorflow: str) -> str:
    """STEM.py beside STEM.npz and STEM.pb; its path."""
    where = f" ({os.path.basename(suspect['file'])}:{suspect['line']})" if suspect.get("file") else ""
    what = f"gives {answer['what']}"
    if suspect["in_gradient"]:
        what = f"has a derivative that is {answer['what']}"
    text = _TEXT.format(title=_plain(f"{suspect['op']} {suspect['node']!r}{where}"), what=what,
                        about=_plain("\n".join(_about(answer))), target=answer["target"],
                        operand=answer["operand"],
                        tensorflow=".".join(tensorflow.split(".")[:2]))
    path = os.path.join(folder, stem + ".py")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def _about(answer: Plain) -> List[str]:
    return [f"  {name}: {kind}, {list(shape)}" for name, kind, shape in answer["externals"]] or ["  no input"]


def _plain(text: str) -> str:
    """Inside a docstring."""
    return text.replace("\\", "/").replace('"""', "'''")
