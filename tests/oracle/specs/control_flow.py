"""Raw ops of control flow that need no function, and ops that act by running."""
from rawspec import op, t, v

KINDS = ["float32", "int32", "bool", "string", "int64"]


def some(r, least=0, most=3):
    return t(r.choice(KINDS), r.shape(least, most))


@op("NoOp", "ControlTrigger", "Timestamp")
def nothing(r, name):
    return {}


@op("Switch")
def switch(r, name):
    return dict(data=some(r), pred=v("bool", r.flag()))


@op("Merge")
def merge(r, name):
    kind, shape = r.choice(KINDS), r.shape(0, 3)
    shapes = [shape if r.random() < 0.7 else r.shape(0, 3) for _ in range(r.randint(1, 3))]
    return dict(inputs=[t(kind, s) for s in shapes])


@op("Enter")
def enter(r, name):
    return dict(data=some(r), frame_name="frame", is_constant=r.flag(), parallel_iterations=r.randint(1, 10))


@op("Exit", "NextIteration")
def leave(r, name):
    return dict(data=some(r))


@op("LoopCond")
def loop_cond(r, name):
    return dict(input=v("bool", r.flag()) if r.flag() else t("bool", []))


@op("FakeParam")
def fake_param(r, name):
    return dict(dtype=r.choice(["float32", "int32"]), shape=[None if r.random() < 0.2 else d for d in r.shape(0, 3)])


@op("ToBool")
def to_bool(r, name):
    return dict(input=some(r))


@op("DeviceIndex")
def device_index(r, name):
    return dict(device_names=["CPU", "GPU"][:r.randint(1, 2)])


@op("Assert")
def assert_(r, name):
    return dict(condition=v("bool", r.random() < 0.7), data=[some(r, 0, 2) if r.flag() else v("string", "a" * r.randint(0, 3))
                                                             for _ in range(r.randint(1, 3))], summarize=r.randint(-1, 4))


@op("Print")
def print_(r, name):
    return dict(input=some(r), data=[some(r, 0, 2) for _ in range(r.randint(0, 2))], message="", first_n=-1,
                summarize=r.randint(-1, 4))


@op("PrintV2")
def print_v2(r, name):
    return dict(input=v("string", "a"), output_stream="stderr", end="")


@op("SymbolicGradient", "RemoteCall", "For", "PyFunc", "PyFuncStateless", "EagerPyFunc", "Abort")
def not_drawn(r, name):
    return None
