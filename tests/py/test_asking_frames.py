"""What a line does with something unmodelled that it unpacks."""
import pytest

from shapeflow.api.unmodelled import Opaque


def pair(thing):
    a, b = thing
    return a, b


def starred(thing):
    a, b, *rest = thing
    return a, b


def nested(thing):
    (a, b), c = thing
    return a, b, c


def each(thing):
    return [item for item in thing]


@pytest.mark.parametrize("take, count", [(pair, 2), (starred, 2), (nested, 3), (each, 1), (list, 1)])
def test_something_unmodelled_has_as_many_elements_as_a_line_takes(take, count):
    found = take(Opaque("tf.something()"))
    assert len(found) == count and all(isinstance(item, Opaque) for item in found)
