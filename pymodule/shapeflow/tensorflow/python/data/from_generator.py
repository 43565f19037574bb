"""Dataset.from_generator: the user's generator really runs, one element at a time. Once loops of the program
take long, elements are drawn ahead, as prefetch() does: those that look alike are a run, and a generator that
has given nothing else for a while is endless.

Source: DatasetV2.from_generator; script_ops.py says which class an exception of it becomes.
"""
from __future__ import annotations

import time

from shapeflow import _core
from shapeflow.api.positions import ahead
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.data.element_runs import CONTENT, Element, Run, component
from shapeflow.tensorflow.python.data.structure import Leaf, Structure, declared, flatten, of_specs
from shapeflow.tensorflow.python.data.traced_function import Env
from shapeflow.tensorflow.python.framework import errors
from shapeflow.tensorflow.python.framework.error_report import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List, Tuple


def dataset(generator: Any, output_types: Any, output_shapes: Any, args: Any,
            signature: Any) -> Tuple[Structure, Callable[[Env], Iterator[Run]]]:
    if not callable(generator):
        raise TypeError("`generator` must be callable." if _core.get_version()[0] == "1" else
                        "`generator` must be a Python callable.")
    if signature is not None:
        structure = of_specs(signature)
    elif output_types is None:
        raise TypeError("Either `output_signature` or `output_types` must be specified.")
    else:
        structure = declared(output_types, output_shapes)
    given = tuple(args) if args is not None else ()

    def runs(env: Env) -> Iterator[Run]:
        values = [env.get(a) for a in given]
        arrays = [v.numpy() for v in values]
        _still_running()
        try:
            elements = iter(generator(*arrays))
        except Exception as e:
            raise _translated(e)

        def converted() -> Iterator[Element]:
            while True:
                _still_running()
                try:
                    value = next(elements)
                except StopIteration:
                    return
                except Exception as e:
                    raise _translated(e)
                yield _converted(value, structure)

        yield from _in_runs(converted())

    return structure, runs


def _in_runs(elements: Iterator[Element]) -> Iterator[Run]:
    """Each by itself, or with those after it that look alike."""
    for element in elements:
        while ahead.seconds:
            count, until = 1, time.thread_time() + ahead.seconds
            form, other, failure = _form(element), None, None
            try:
                for other in elements:
                    if _form(other) != form:
                        break
                    count, other = count + 1, None
                    if time.thread_time() > until:
                        yield _without_content(element), None
            except Ended:
                raise
            except Exception as e:  # it comes after the elements that came before it
                failure = e
            yield (element, count) if count == 1 else (_without_content(element), count)
            if failure is not None:
                raise failure
            if other is None:
                return
            element = other
        yield element, 1


def _form(element: Element) -> List[Any]:
    return [(leaf.dtype, str(leaf.shape)) if isinstance(leaf, _core.Tensor) else leaf for leaf in element]


def _without_content(element: Element) -> Element:
    return tuple(component(leaf.dtype, leaf.shape) if isinstance(leaf, _core.Tensor) else leaf
                 for leaf in element)


class Ended(Exception):
    """The program has ended: its generators are not asked again."""


_ended = False


def end(yes: bool) -> None:
    global _ended
    _ended = yes


def _still_running() -> None:
    if _ended:
        raise Ended


def _translated(e: Exception) -> Exception:
    """What tf.py_func makes of an exception; one of TensorFlow's own stays what it is."""
    if isinstance(e, errors.OpError):
        return e
    kinds = ((TypeError, errors.InvalidArgumentError), (ValueError, errors.InvalidArgumentError),
             (StopIteration, errors.OutOfRangeError), (MemoryError, errors.ResourceExhaustedError),
             (NotImplementedError, errors.UnimplementedError))
    kind = next((own for python, own in kinds if isinstance(e, python)), errors.UnknownError)
    made = kind(None, None, "%s: %s" % (type(e).__name__, e))
    made.__cause__ = e
    return made


def _converted(value: object, structure: Structure) -> Tuple[Any, ...]:
    import numpy as np

    items: List[Any] = flatten(value)
    if isinstance(value, list) and len(structure.leaves) > 1:
        items = value
    if len(items) != len(structure.leaves):
        raise _refused("TypeError", "`generator` yielded an element that did not match the expected "
                       "structure. The expected structure was {text}, but the yielded element was {text}.",
                       structure.types(), value)
    made = []
    for item, leaf in zip(items, structure.leaves):
        if isinstance(item, _core.Tensor):
            made.append(component(item.dtype, item.shape, _core.constant_value(item)))
            continue
        if is_unmodelled(item):
            made.append(component(leaf.dtype, leaf.shape))
            continue
        if type(leaf) is not Leaf and isinstance(item, leaf.cls):  # sparse or ragged
            made.append(component(item.dtype, item.shape if leaf.shape.is_compatible_with(item.shape)
                                  else leaf.shape))
            continue
        try:
            array = np.asarray(item)
            if array.dtype == object and leaf.dtype != _core.as_dtype("string"):
                raise ValueError
            if array.size <= CONTENT:
                c = component(leaf.dtype, None, item)
            else:
                c = component(leaf.dtype, list(array.shape))
        except (TypeError, ValueError):
            raise _refused("TypeError", "`generator` yielded an element that could not be converted "
                           "to the expected type. The expected type was {dtype}, but the yielded element "
                           "was {text}.", leaf.dtype.name, item) from None
        if not leaf.shape.is_compatible_with(c.shape):
            raise _refused("ValueError" if _core.get_version()[0] == "1" else "TypeError",
                           "`generator` yielded an element of shape {shape} where an element of shape "
                           "{shape} was expected.", array.shape, leaf.shape)
        made.append(c)
    return tuple(made)


def _refused(kind: str, text: str, *args: object) -> Exception:
    return fail("SF129", "{text}: " + text, kind, *args,
                error=lambda message: errors.InvalidArgumentError(None, None, message))
