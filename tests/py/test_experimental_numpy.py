"""tf.experimental.numpy: shape, dtype and value of results, as TensorFlow 2.21 says."""
import numpy as np
import pytest


def is_value(made, expected, dtype):
    return made.dtype.name == dtype and np.array_equal(np.asarray(made), expected)


@pytest.mark.parametrize("name, given, expected, dtype", [
    ("subtract", (5, 3), 2, "int64"), ("multiply", ([1, 2], [3, 4]), [3, 8], "int64"),
    ("maximum", (3, 4), 4, "int64"), ("equal", (1, 2), False, "bool"),
    ("less", ([1, 3], 2), [True, False], "bool"),
    ("max", ([1, 2, 3],), 3, "int64"), ("mean", ([1.0, 3.0],), 2, "float64"), ("prod", ([2, 3],), 6, "int64"),
    ("argmin", ([3, 1, 2],), 1, "int64"), ("cumsum", ([1, 2, 3],), [1, 3, 6], "int64"),
    ("isnan", ([1.0, np.nan],), [False, True], "bool"), ("ones", ((2,),), [1, 1], "float64"),
    ("tri", (2,), [[1, 0], [1, 1]], "float64"), ("clip", ([1, 5, 9], 2, 6), [2, 5, 6], "int64"),
    ("linspace", (0, 1, 3), [0, 0.5, 1], "float64"), ("sort", ([3, 1],), [1, 3], "int64"),
    ("nonzero", ([0, 1, 2],), [[1, 2]], "int64"), ("bitwise_not", ([1],), [-2], "int64"),
    ("select", ([[True, False], [False, True]], [[1, 2], [3, 4]], 9), [1, 4], "int64"),
    ("compress", ([True, False], [1, 2]), [1], "int64"), ("vdot", ([1, 2], [3, 4]), 11, "int64"),
    ("angle", ([-1.0, 1.0],), np.float32([np.pi, 0]), "float32"), ("flatten", ([[1], [2]],), [1, 2], "int64"),
])
def test_a_result_has_numpys_value(tf2, name, given, expected, dtype):
    made = getattr(tf2.experimental.numpy, name)(*given)
    if isinstance(made, list):
        made, expected = made[0], expected[0]
    assert is_value(made, expected, dtype)


def test_what_is_not_known_has_no_value(tf2):
    tnp = tf2.experimental.numpy
    drawn = tf2.random.uniform([3])
    for made in (tnp.subtract(drawn, 1), tnp.max(drawn), tnp.random.uniform(3, 4)):
        assert tf2.get_static_value(made) is None
    assert tnp.compress([True, False, True], drawn).shape.as_list() in ([2], [None])


def test_pythons_numbers_give_way(tf2):
    tnp = tf2.experimental.numpy
    whole, half = tf2.constant([1, 2]), tf2.constant([1.0, 2.0])
    made = [tnp.add(whole, 42), tnp.add(whole, 4.5), tnp.add(half, 4.5), tnp.maximum(half, 0),
            tnp.stack([half, [1.0, 2.0]]), tnp.select([whole > 1], [whole], 9), tnp.add(whole, np.float32(1)),
            tnp.add(tf2.cast(whole, "int8"), 1)]
    assert [one.dtype.name for one in made] == ["int32", "float64", "float32", "float32", "float32", "int32",
                                                "float64", "int8"]


def test_lists_and_facts(tf2):
    tnp = tf2.experimental.numpy
    quotient, rest = tnp.divmod([3, 7], 2)
    assert is_value(quotient, [1, 3], "int64") and is_value(rest, [1, 1], "int64")
    assert [one.shape for one in tnp.broadcast_arrays([1, 2], [[1], [2]])] == [[2, 2], [2, 2]]
    assert len(tnp.diag_indices(3)) == 2
    assert tnp.isrealobj([1.0]) and not tnp.iscomplexobj([1.0])
    with pytest.raises(ValueError, match="condlist must have length equal"):
        tnp.select([True], [])


def test_arrays_have_tensorflows_names(tf2):
    tnp = tf2.experimental.numpy
    assert tnp.flip(m=[1, 2]).numpy().tolist() == [2, 1]
    assert tnp.copy(a=[1, 2]).numpy().tolist() == [1, 2]
    assert bool(tnp.array_equal(a1=[1], a2=[1]))
    assert tnp.mean(a=[[1., 2.]], axis=1, keepdims=True).numpy().tolist() == [[1.5]]
