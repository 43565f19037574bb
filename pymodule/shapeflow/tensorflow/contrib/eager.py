"""tf.contrib.eager: gradients of functions. Source: tensorflow/python/eager/backprop.py."""
from __future__ import annotations

from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.eager.backprop import GradientTape
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List

put(Variable, "tf.contrib.eager.Variable")


@export("tf.contrib.eager.implicit_value_and_gradients")
def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """Of all variables that the function reads."""
    def both(*args: object, **kwargs: object) -> Any:
        with GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError("Cannot differentiate a function that returns None; did you forget to return "
                             "a value from %s?" % f.__name__)
        # Which variables it reads is not recorded.
        variables = list(tape.watched_variables())
        return value, list(zip(tape.gradient(value, variables), variables)) if variables else \
            Opaque("tf.contrib.eager.implicit_gradients", [value])

    return both


@export("tf.contrib.eager.implicit_gradients")
def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    both = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


@export("tf.contrib.eager.value_and_gradients_function")
def value_and_gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """Of its arguments, or of those with the numbers `params`."""
    def both(*args: object, dy: object = None, **kwargs: object) -> Any:
        given: List[Any] = [framework_lib.convert_to_tensor(arg) for arg in args]
        wanted = [given[i] for i in params] if params is not None and all(
            isinstance(i, int) for i in params) else given
        with GradientTape() as tape:
            for tensor in wanted:
                tape.watch(tensor)
            value = f(*given, **kwargs)
        return value, tape.gradient(value, wanted, output_gradients=dy)

    return both


@export("tf.contrib.eager.gradients_function")
def gradients_function(f: Callable[..., Any], params: object = None) -> Callable[..., Any]:
    both = value_and_gradients_function(f, params)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]
