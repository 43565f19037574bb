"""A finding as a folder: the model, its numbers, a script per backend that replays it, and a report."""
from __future__ import annotations

import os
import re

from shapeflow.backends import configs, rendering
from shapeflow.worker_process import KERNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Sequence

    from shapeflow.backends.models import Case

    Plain = Dict[str, Any]

# A script is ten lines at most, to be pasted into the report of a bug: it names what this one model has.
_SCRIPT = """import os  # {message}
os.chdir(os.path.dirname(os.path.abspath(__file__)))
os.environ.update({environment})
import keras, numpy as np{imports}  # seen with {versions}
{unsafe}model = keras.models.model_from_json(open("model.json").read())
model.set_weights(list(np.load("weights.npz").values())){finish}
{names} = {converted}
{rest}"""
_UNSAFE = "keras.config.enable_unsafe_deserialization(); "  # of a model with code, which was trusted
# Normalization computes with what it takes from its weights here (see worker/running.py).
_FINISH = "; [one.finalize_state() for one in model.layers if hasattr(one, 'input_mean')]"
_IMPORTS = {"tensorflow": ", tensorflow as tf", "jax": ", jax", "torch": ", torch"}  # for gradients
_DATA = 'np.load("inputs.npz").values()'
_CONVERTED = f"map(keras.ops.convert_to_tensor, {_DATA})"
_FORWARD = """{take}
print(output.shape, output.dtype, "sum", output.sum(), output)
"""
_MEAN = 'keras.ops.mean(keras.losses.get("{loss}")({label}, {output}))'
_SUM = "sum(keras.ops.cast({mean}, 'float32') for label, output in zip([{labels}], {call}))"
_LOSS = 'print("loss", float({loss}))\n'
# By framework: how data are read, so that it notes what is done with them, and the gradient.
_BACKWARD = {
    "tensorflow": (f"map(tf.Variable, {_DATA})", """with tf.GradientTape() as tape:
    loss = {loss}
print(tape.gradient(loss, [{given}*model.trainable_weights]))
"""),
    "torch": (f"(torch.tensor(one, requires_grad=one.dtype.kind == 'f') for one in {_DATA})",
              """given = [{given}*[weight.value for weight in model.trainable_weights]]
print(torch.autograd.grad({loss}, given, allow_unused=True))
"""),
    "jax": (_CONVERTED, """weights, fixed = ([one.value for one in part] for part in ({trainable}, {fixed}))
slopes = jax.grad(lambda weights{more}: {loss}, tuple(range({count})))
print(slopes(weights{more}))
"""),
}
_VARIABLES = {"trainable": "model.trainable_variables", "fixed": "model.non_trainable_variables"}


def name_of(number: int, finding: Plain) -> str:
    words = (
        f"{number:05d}-{finding['class'] or finding['layer'] or 'model'}-{finding['phase']}-{finding['kind']}"
    )
    return re.sub(r"[^A-Za-z0-9_.-]", "_", words)


def script(case: Case, finding: Plain, backend: str, versions: Plain) -> str:
    """For a backend that has no gradients the forward phase is all that there is."""
    phase = finding["phase"]
    is_backward = phase == "backward" and backend in _BACKWARD
    inputs = [f"x{i}" for i in range(len(case.inputs))]
    labels = [f"y{i}" for i in range(len(case.labels))]
    call = _call(inputs, "stateless" if is_backward and backend == "jax" else "")
    several = configs.count_outputs(case.config) > 1
    loss = _loss(case.loss, labels, call, several)
    converted, rest = _CONVERTED, _LOSS.format(loss=loss)
    if is_backward:
        given = [name for name, array in zip(inputs, case.inputs) if array.dtype.kind == "f"]
        converted, form = _BACKWARD[backend]
        rest = form.format(loss=loss, given="".join(f"{name}, " for name in given),
                           more="".join(f", {name}" for name in given), count=1 + len(given), **_VARIABLES)
    elif phase != "loss":
        take = f"for output in map(keras.ops.convert_to_numpy, {call}):" if several else \
            f"output = keras.ops.convert_to_numpy({call})"
        rest = _FORWARD.format(take=take)
        rest = rest.replace("\nprint", "\n    print") if several else rest
    kernels = {"KERAS_BACKEND": backend, **KERNELS}
    return _SCRIPT.format(
        message=" ".join(finding["message"].split()), versions=rendering.versions_line(versions),
        environment=", ".join(f'{name}="{value}"' for name, value in kernels.items()),
        imports=_IMPORTS[backend] if is_backward else "", unsafe=_UNSAFE if case.trusted else "",
        finish=_FINISH if "Normalization" in configs.classes_of(case.config).values() else "",
        names=", ".join([*inputs, *labels]) + "," * (len(inputs) + len(labels) == 1),
        converted=converted, rest=rest)


def _call(inputs: Sequence[str], kind: str) -> str:
    given = inputs[0] if len(inputs) == 1 else f"[{', '.join(inputs)}]"
    if kind == "stateless":
        return f"model.stateless_call(weights, fixed, {given}, training=False)[0]"
    return f"model({given}, training=False)"


def _loss(loss: str, labels: Sequence[str], call: str, several: bool) -> str:
    if not several:
        return _MEAN.format(loss=loss, label=labels[0] if labels else "None", output=call)
    mean = _MEAN.format(loss=loss, label="label", output="output")
    return _SUM.format(mean=mean, labels=", ".join(labels), call=call)


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
