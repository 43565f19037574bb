"""Every allocation of Python's that may fail in turn: an exception, never a crash, and the next call
works. (The allocations of core are swept by its own C tests.)"""
import numpy as np
import pytest

from core_support import api, mode, placeholder
from shapeflow import _core as c

_testcapi = pytest.importorskip("_testcapi")
if not hasattr(_testcapi, "set_nomemory"):
    pytest.skip("this Python cannot fail allocations", allow_module_level=True)


def sweep(act, limit=400):
    """Fails the n-th allocation and all after it, n = 1, 2... until `act` gets through."""
    act()
    for n in range(limit):
        _testcapi.set_nomemory(n)
        try:
            act()
            done = True
        except MemoryError:
            done = False
        except BaseException:  # noqa: BLE001  (whatever the interpreter makes of it)
            done = False
        finally:
            _testcapi.remove_mem_hooks()
        if done:
            act()
            return n
    return limit


ACTS = {
    "convert": lambda: c.convert_to_tensor([[1, 2], [3, 4]], name="k"),
    "operator": lambda: placeholder([2, 3]) * 2.0,
    "slice": lambda: placeholder([2, 3])[0, 1:],
    "call": lambda: api("tf.reshape")(placeholder([4]), shape=[2, 2]),
    "raw": lambda: c.raw_op("TopKV2")(input=placeholder([2, 3]), k=1),
    "make_op": lambda: c.make_op("ConcatV2", [[placeholder([2]), placeholder([2])], 0]).node_def,
    "shape": lambda: str(c.TensorShape([1, None]).merge_with([1, 2]).dims),
    "text": lambda: repr(placeholder([2])) + str(placeholder([2]).op),
    "scopes": lambda: scopes(),
    "operations": lambda: [op.outputs for op in c.default_graph().get_operations()],
    "frames": lambda: c.user_frames(),
    "graph": lambda: c.Graph().get_operations(),
    "info": lambda: c.op_info("MatMul"),
}


def scopes():
    g = c.default_graph()
    with g.name_scope("s"), g.device("/gpu:0"), g.control_dependencies([placeholder([1])]):
        return placeholder([1])


@pytest.mark.parametrize("name", ACTS)
def test_sweep(name):
    with mode("1.15.0", eager=False):
        sweep(ACTS[name])
        assert c.default_graph()._verify() is None


def test_sweep_of_errors():
    def act():
        x = placeholder([2, 3])
        try:
            api("tf.matmul")(x, x)
        except ValueError:
            pass
        c.clear_findings()

    with mode("1.15.0", eager=False):
        sweep(act)


def test_sweep_of_runs():
    with mode("1.15.0", eager=False):
        x = placeholder([None, 3])
        y = api("tf.nn.softmax")(x)
        s = c.SessionCore(c.default_graph())
        feed = {x: np.zeros((2, 3), np.float32)}

        def act():
            return s.run({"a": [y, (x, "x:0")], "b": y.op}, feed)

        sweep(act)
        assert act()["a"][0].shape == (2, 3)


def test_sweep_of_eager():
    with mode("2.15.0", eager=True):
        x = c.convert_to_tensor([[1.0, 2.0]])
        # Not repr(): numpy's printing crashes CPython 3.11 itself (PyContextVar_Set) here.
        sweep(lambda: ((x * 2 + 1).numpy(), list(x), x[0].shape, x.ref()))
