"""Optimizer steps: a variable, slots and a gradient of one shape, and scalars."""
from rawspec import op, out, t, v

from shapeflow import _core

BOTH = ("GradientDescent", "ProximalGradientDescent", "Momentum", "Adam", "AdaMax", "Adagrad", "AdagradV2",
        "AdagradDA", "ProximalAdagrad", "Adadelta", "RMSProp", "CenteredRMSProp", "Ftrl", "FtrlV2", "AddSign",
        "PowerSign")
SPARSE = ("ProximalGradientDescent", "Momentum", "Adagrad", "AdagradV2", "AdagradDA", "ProximalAdagrad",
          "Adadelta", "RMSProp", "CenteredRMSProp", "Ftrl", "FtrlV2")
REFS = ["Apply" + n for n in BOTH] + ["SparseApply" + n for n in SPARSE]
RESOURCES = (["Resource" + n for n in REFS] + ["ResourceApplyKerasMomentum", "ResourceApplyAdamWithAmsgrad",
                                               "ResourceSparseApplyKerasMomentum"])


def variable(r, is_ref, shape, low=0.5, high=1.5):
    """A variable and the call that gives it a content. Without names of their own all would be one."""
    if is_ref:
        ref = out("VariableV2", shape=shape, dtype="float32")
        return ref, out("Assign", ref=ref, value=t("float32", shape, low, high))
    handle = out("VarHandleOp", shape=shape, dtype="float32", shared_name="v%d" % r.randrange(10 ** 9))
    return handle, out("AssignVariableOp", resource=handle, value=t("float32", shape, low, high))


@op(*REFS, *RESOURCES)
def step(r, name):
    sparse = "Sparse" in name
    shape = [r.dim() for _ in range(r.randint(1, 3))] if sparse else r.shape(0, 3)
    n = r.dim()
    args, first = {}, []
    for port in _core.op_info(name)["inputs"]:
        key = port["name"]
        if port["is_ref"] or (port["dtype"] and port["dtype"].name == "resource"):
            args[key], made = variable(r, port["is_ref"], shape)
            first.append(made)
        elif key in ("grad", "delta"):
            args[key] = t("float32", [n] + shape[1:] if sparse else shape, -1, 1)
        elif key == "indices":
            args[key] = v("int32", [r.randrange(shape[0]) for _ in range(n)], [n])
        elif key == "global_step":
            args[key] = v("int64", r.randint(1, 5))
        elif key == "lr_power":
            args[key] = v("float32", -0.5)
        else:
            args[key] = v("float32", r.choice([0.1, 0.5]))
    for attr in _core.op_info(name)["attrs"]:
        if attr["type"] == "bool" and attr["has_default"] and attr["name"] != "update_slots":
            args[attr["name"]] = r.flag()
    return dict(args, do=first)
