"""Shapes of what numpy makes of arrays whose content nobody knows: those that numpy gives to known ones."""
import textwrap

import pytest

np = pytest.importorskip("numpy")

from shapeflow.api import unknown_numpy  # noqa: E402
from shapeflow.api.unknown_package import Unknown  # noqa: E402

EXPRESSIONS = """
x.mean(axis=0) | x.sum() | x.max(-1) | x.argmax(1) | x.std((0, 1), keepdims=True) | x.transpose(2, 0, 1)
x.swapaxes(0, 2) | x.copy() | x.squeeze() | x.repeat(2, axis=0) | x.clip(0, 1) | x.cumsum(0) | x.dot(m)
x.T | np.mean(x, axis=0) | np.sum(x, 0, keepdims=True) | np.percentile(x, 50, axis=1) | np.argmax(x, -1)
np.transpose(x, (2, 0, 1)) | np.swapaxes(x, 0, 2) | np.moveaxis(x, -1, 0) | np.rollaxis(x, 2)
np.squeeze(x[None]) | np.expand_dims(x, 0) | np.tile(x, (2, 1, 1)) | np.pad(x, ((1, 1), (2, 2), (0, 0)))
np.flip(x, 1) | np.rot90(x) | np.roll(x, 1, 0) | np.repeat(x, 3, axis=2) | np.atleast_2d(x[0, 0])
np.broadcast_to(x, (5,) + x.shape) | np.zeros_like(x) | np.where(x > 0, x, 0) | np.nan_to_num(x)
np.clip(x, 0, 1) | np.round(x) | np.diff(x, axis=0) | np.concatenate([x, x], axis=2) | np.stack([x] * 4)
np.stack([x, x], axis=-1) | np.vstack([x, x]) | np.hstack([x, x]) | np.dstack([x, x]) | np.array([x, x, x])
np.array([[x, x], [x, x]]) | np.append(x, x, axis=0) | np.array((x,))
np.concatenate((x, np.ones((8, 6, 2))), 2) | np.split(x, 2, axis=0)[1] | np.array_split(x, 3)[2]
np.vstack([m, m]) | np.dot(x, m) | np.matmul(x, m) | x @ m | m @ m | np.einsum("ij,jk->ik", m, m)
np.tensordot(x, m, 1) | np.outer(m, m) | np.delete(x, 0, axis=2) | np.insert(x, 0, 0, axis=1)
np.take(x, [0, 1], axis=2) | np.fft.fft2(x) | np.cumsum(x) | np.meshgrid(m[0], m[1])[0]
np.linalg.norm(x, axis=2) | np.trace(m) | np.diag(m) | np.ravel(x) | np.float_power(x, 2) | np.exp(x)
np.maximum(x, 0) | np.add(x, m[0, 0]) | x / 255. | 1 - x | x * np.ones(4) | np.ones((1, 4)) + x | -x | x > 0
x - x.mean() | (x - np.mean(x, 0)) / np.std(x, 0) | x[:, 1:3] | x[1:-1:2] | x[..., ::-1] | x[..., 0]
x[None, 2] | np.hstack([m[0], m[1]]) | np.dstack([m, m, m]) | np.column_stack([m[0], m[0]]) | np.isfinite(x)
np.sqrt(x)[0]
"""
CASES = [expression.strip() for line in EXPRESSIONS.strip().splitlines() for expression in line.split("|")]


def known(shape, dtype="float64"):
    return Unknown("x")._shaped(shape, dtype)


@pytest.mark.parametrize("expression", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_shape_is_that_of_numpy(expression):
    arrays = {"np": np, "x": np.ones((8, 6, 4)), "m": np.ones((4, 4))}
    wanted = eval(expression, dict(arrays)).shape
    made = eval(expression, {"np": wrapped_numpy(), "x": known((8, 6, 4)), "m": known((4, 4))})
    assert made._sf_shape == wanted
    # Where a dim is not known, a dim that is known is the right one.
    partly = eval(expression, {"np": wrapped_numpy(), "x": known((None, 6, 4)), "m": known((4, 4))})
    shape = getattr(partly, "_sf_shape", None)
    assert shape is None or len(shape) == len(wanted) and all(
        dim in (None, other) for dim, other in zip(shape, wanted))


def wrapped_numpy():
    """numpy with makers as a check has them."""
    import types

    from shapeflow.api import unknown_arrays

    module = types.SimpleNamespace(
        **{name: getattr(np, name) for name in dir(np) if not name.startswith("_")})
    for name in (*unknown_arrays._MAKERS, *unknown_arrays._SHAPERS):
        if hasattr(np, name):
            setattr(module, name, unknown_arrays._around(getattr(np, name), name))
    return module


@pytest.mark.parametrize("call", [
    "np.unique(x)", "np.where(x)", "np.nonzero(x)", "np.repeat(x, n)", "x.compress(n)", "np.argwhere(x)",
    "np.delete(x, n, 0)", "np.pad(x, w)", "np.tile(x, w)", "np.split(x, n)[0]", "np.resize(x, n)",
    "np.squeeze(p)", "np.concatenate([x, u])", "np.mean(u)", "np.outer(big, big)"])
def test_what_the_content_decides_is_not_known(call):
    made = eval(call, {"np": wrapped_numpy(), "x": known((8, 6)), "n": known((8,), "int64"),
                       "u": Unknown("u"), "p": known((None, 4)), "big": known((10_000,)),
                       "w": known((2, 2), "int64")})
    assert getattr(made, "_sf_shape", None) is None


@pytest.mark.parametrize("rows, wanted", [
    (known((5,), "int64"), (5, 6)), (known((None,), "int64"), (None, 6)), (known((8,)) > 0, (None, 6)),
    (known((8,), None), (None, 6)), (known((8, 6)) > 0, None), (known((), "int64"), (6,)),
    (Unknown("i"), None),
    (Unknown("sklearn.KFold().split()[0][0]"), (None, 6)), (Unknown("np.permutation()"), (None, 6))])
def test_rows_by_something_unknown(rows, wanted):
    assert known((8, 6))[rows]._sf_shape == wanted


def test_how_many_parts_a_made_up_line_has_is_not_known():
    from shapeflow.api.unknown_text import UnknownText

    numbers = UnknownText("line of some words").split(" ")[1:]
    assert wrapped_numpy().asarray(numbers, dtype="float32")._sf_shape is None


def test_dtypes_are_known_where_all_are():
    assert np.argmax(known((3, 4)), 1)._sf_dtype == "int64"
    assert np.mean(known((3, 4), "float32"), 0)._sf_dtype == "float32"
    assert np.argmax(known((3, 4), None), 1)._sf_dtype is None
    assert np.isnan(known((3, 4)))._sf_dtype == np.isnan(known((3, 4), None))._sf_dtype == "bool"
    assert (known((3, 4)) > 0)._sf_dtype == (np.ones((3, 4)) > known((3, 4)))._sf_dtype == "bool"
    assert np.exp(known((3, 4), "int64"))._sf_dtype is None


def test_a_number_that_nobody_knows_decides_a_length():
    assert wrapped_numpy().arange(0, known((8,)).max(), 2)._sf_shape == (None,)


def test_a_mask_is_no_list_of_rows_of_a_real_array():
    real = np.ones((8, 3))
    assert real[known((8, 1)) > 0].shape == real[np.isnan(known((8, 1)))].shape == (3,)
    assert real[known((5,), "int64")].shape == (5, 3)


def test_what_is_deleted_is_asked_anew():
    x, places = known((40,)), np.arange(20)
    assert np.delete(x, places)._sf_shape == (20,)
    assert np.delete(x, places * 0)._sf_shape == (39,)


@pytest.mark.parametrize("shapes, wanted", [
    ([(3, 4), (4,)], (3, 4)), ([(3, 1), (4,)], (3, 4)), ([(None, 4), ()], (None, 4)), ([(None,), (5,)], (5,)),
    ([(None,), (1,)], (None,)), ([(3,), (4,)], None), ([(3,), None], None)])
def test_element_by_element(shapes, wanted):
    assert unknown_numpy.broadcast(shapes) == wanted


def test_frames_that_are_stacked_train_what_takes_them(tmp_path):
    """A program without its data and without OpenCV."""
    import subprocess
    import sys

    text = textwrap.dedent("""
        from collections import deque
        import cv2, numpy as np, tensorflow as tf
        frames = deque(maxlen=4)
        for name in ("a.png", "b.png", "c.png", "d.png"):
            frames.append(cv2.resize(cv2.cvtColor(cv2.imread(name), cv2.COLOR_BGR2GRAY), (84, 80)))
        state = np.stack(frames, axis=-1) / 255.
        batch = np.array([state - state.mean(axis=(0, 1))] * 8)
        net = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, strides=2), tf.keras.layers.Flatten()])
        out = net(batch)
        w = tf.zeros([out.shape[1], 5])
        print(tf.matmul(out, w))
        print(tf.matmul(out, tf.zeros([39 * 41 * 4 + 1, 5])))
        """)
    path = tmp_path / "main.py"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "--no-cache", str(path)],
                          capture_output=True, text=True)
    assert done.returncode == 1 and f"{path}:13:" in done.stdout, done
    assert done.stdout.count("error[") == 1
