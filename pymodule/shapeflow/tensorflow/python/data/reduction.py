"""Dataset.reduce: a function run over the elements, one after the other."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.data import element_runs
from shapeflow.tensorflow.python.data.element_runs import content
from shapeflow.tensorflow.python.data.structure import Structure
from shapeflow.tensorflow.python.data.traced_function import Env, Function
from shapeflow.tensorflow.python.framework.op_builders import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EXACT = 1000  # elements up to which `reduce` follows their contents


def reduced(dataset: Any, initial_state: object, reduce_func: Any) -> Any:
    state = Structure.of(initial_state)
    pair = Structure((state.form, dataset._structure.form), state.leaves + dataset._structure.leaves)
    function = Function(reduce_func, pair)
    result = function.structure("reduce")
    if not _core.executing_eagerly():
        return result.pack([unknown(leaf.dtype, leaf.shape) for leaf in result.leaves])
    env = Env()
    bound = function.bind(env)
    now: Any = tuple(env.get(t) for t in state.tensors)
    done = 0
    for element, n in dataset._runs(env):
        exact = n is not None and done + n <= _EXACT and all(
            content(c) is not None for c in now)
        for _ in range(n if exact and n is not None else 1):
            now = function.run(now + element, bound)
        done += n or _EXACT
        if not exact:
            now = tuple(element_runs.component(c.dtype, c.shape) for c in now)
        if done > _EXACT:
            break
    return result.pack(now)


export("tf.data.experimental.reduce_dataset")(reduced)
