"""A finding as a folder: the model, its numbers, a script per backend that replays it, and a report."""
from __future__ import annotations

import os
import re

from shapeflow.backends import rendering
from shapeflow.worker_process import KERNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

    from shapeflow.backends.models import Case

    Plain = Dict[str, Any]

_SCRIPT = '''"""{message}
Seen with {versions}. Replays it with Keras and {backend} alone: prints sums of what was computed."""
import os
os.environ["KERAS_BACKEND"] = "{backend}"
os.environ.update({kernels})  # as in the campaign
import keras
import numpy as np
here = os.path.dirname(os.path.abspath(__file__))
data, stored = np.load(here + "/inputs.npz"), np.load(here + "/weights.npz")
model = keras.models.model_from_json(open(here + "/model.json").read())
model.set_weights([stored[f"w{{i}}"] for i in range(len(stored.files))])
x = [keras.ops.convert_to_tensor(data[f"x{{i}}"]) for i in range(len(model.inputs))]
{rest}'''
_FORWARD = '''outputs = model(x if len(x) > 1 else x[0], training=False)
for output in map(keras.ops.convert_to_numpy, outputs if isinstance(outputs, list) else [outputs]):
    print(output.shape, output.dtype, "sum", output.sum(), "\\n", output)
'''
_TOTAL = '''    y = model(x if len(x) > 1 else x[0], training=False)
    y = y if isinstance(y, list) else [y]
    each = [keras.ops.mean(keras.losses.get("{loss}")(data[f"y{{i}}"], one)) for i, one in enumerate(y)]
    return sum(keras.ops.cast(one, "float32") for one in each)
'''
_LOSS = "def loss(x):\n" + _TOTAL + 'print("loss", float(loss(x)))\n'
_SLOPES = {
    "tensorflow": """import tensorflow as tf
with tf.GradientTape() as tape:
    tape.watch(x)
    total = loss(x)
slopes = tape.gradient(total, x + model.trainable_weights)
""",
    "torch": """import torch
x = [one.detach().requires_grad_(one.dtype.is_floating_point) for one in x]
given = [one for one in x if one.requires_grad] + [v.value for v in model.trainable_weights]
slopes = torch.autograd.grad(loss(x), given, allow_unused=True)
""",
    "jax": '''import jax
weights = [v.value for v in model.trainable_weights]
slopes = sum(jax.grad(loss, argnums=(0, 1))(x, weights), [])
''',
}
_BACKWARD = '''def loss(x, weights=()):
  with keras.StatelessScope(list(zip(model.trainable_weights, weights))):
''' + _TOTAL + '''{slopes}for slope in slopes:
    print(None if slope is None else keras.ops.convert_to_numpy(slope))
'''


def name_of(number: int, finding: Plain) -> str:
    words = (
        f"{number:05d}-{finding['class'] or finding['layer'] or 'model'}-{finding['phase']}-{finding['kind']}"
    )
    return re.sub(r"[^A-Za-z0-9_.-]", "_", words)


def script(case: Case, finding: Plain, backend: str, versions: Plain) -> str:
    """For a backend that has no gradients the forward phase is all that there is."""
    loss = case.loss
    if finding["phase"] == "loss":
        rest = _LOSS.format(loss=loss)
    elif finding["phase"] == "backward" and backend in _SLOPES:
        rest = _BACKWARD.format(loss=loss, slopes=_SLOPES[backend])
    else:
        rest = _FORWARD
    message = finding["message"].replace("\\", "/").replace('"', "'")
    seen = rendering.versions_line(versions)
    return _SCRIPT.format(message=message, versions=seen, backend=backend, kernels=KERNELS, rest=rest)


def files(case: Case, finding: Plain, document: Plain) -> Dict[str, bytes]:
    """{name: content} of the finding's folder."""
    made = {}
    for name in ("model.json", "inputs.npz", "weights.npz"):
        with open(os.path.join(case.folder, name), "rb") as stream:
            made[name] = stream.read()
    labels = dict.fromkeys([*finding["backends"], *finding["against"]])
    texts = {"report.txt": rendering.text(document) + "\n", "report.json": rendering.as_json(document) + "\n",
             "report.html": rendering.rendered(document, "html")}
    for backend in {label.partition(":")[0] for label in labels}:
        texts[f"replay_{backend}.py"] = script(case, finding, backend, document["versions"])
    return {**made, **{name: text.encode() for name, text in texts.items()}}


def write(folder: str, content: Dict[str, bytes]) -> str:
    """The folder of the finding. Raises OSError: the disk may be full."""
    os.makedirs(folder, exist_ok=True)
    for name, data in content.items():
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(data)
    return folder
