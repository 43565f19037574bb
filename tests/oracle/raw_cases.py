"""Cases of raw ops: one valid concrete call, the same partly hidden, and near misses of it.

A case is JSON, see rawspec.freeze. An argument is {"t": dtype, "shape"} (content is random), {"v": dtype,
"value"} (content is part of the case), {"node": n, "index": i}, a list of these, or an attr's plain value.
"as" of a tensor says how graph construction sees it: "?" (unknown rank), dims with None, or, for a v,
{"elements": [value or None...]}: a Pack of constants and placeholders.
"""
import copy

from cases import Draw
from rawspec import freeze, load, t, v

MOST = 5000  # elements of one tensor


def is_tensor(arg):
    return isinstance(arg, dict) and ("t" in arg or "v" in arg)


def tensors(args):
    """Every tensor argument, in order, also those in lists."""
    for value in args.values():
        for item in value if isinstance(value, list) else [value]:
            if is_tensor(item):
                yield item


def all_tensors(case):
    for _, args in case["nodes"]:
        yield from tensors(args)
    yield from tensors(case["args"])


def shape_of(arg):
    """The concrete shape; None when the nesting of a value is ragged."""
    if "shape" in arg:
        return arg["shape"]
    dims, value = [], arg["value"]
    while isinstance(value, list):
        dims.append(len(value))
        if any(isinstance(x, list) != isinstance(value[0], list) for x in value):
            return None
        value = value[0] if value else None
    return dims


def _count(shape):
    count = 1
    for d in shape:
        count *= d
    return count


# --- hidden -------------------------------------------------------------------------------------
def _weaken(r, dims):
    what = r.random()
    if what < 0.2:
        return "?"
    if what < 0.35:
        return [None] * len(dims)
    return [None if r.random() < 0.35 else d for d in dims]


def hidden(r, case):
    """The case with some of what is known of its inputs hidden; None when nothing can be."""
    case = copy.deepcopy(case)
    found = [arg for arg in all_tensors(case) if shape_of(arg) is not None]
    if not found:
        return None
    before = copy.deepcopy(case)
    for _ in range(4):
        for arg in found:
            dims = shape_of(arg)
            arg.pop("as", None)
            if "t" in arg:
                if r.random() < 0.7:
                    arg["as"] = _weaken(r, dims)
                    if arg["as"] == dims:
                        del arg["as"]
            elif r.random() < 0.5:
                what = r.random()
                if what < 0.5 and len(dims) == 1 and dims[0] and arg["v"] in ("int32", "int64"):
                    arg["as"] = {"elements": [None if r.flag() else x for x in arg["value"]]}
                elif what < 0.75:
                    arg["as"] = list(dims)
                else:
                    arg["as"] = _weaken(r, dims)
        if case != before:
            return case
    return None


# --- bent ---------------------------------------------------------------------------------------
def _bend_dims(r, dims):
    dims = list(dims)
    what = r.random()
    if what < 0.65 and dims:
        i = r.randrange(len(dims))
        dims[i] = max(0, r.choice([0, 1, 2, 3, 7, dims[i] + 1, dims[i] - 1]))
    elif what < 0.85:
        dims.insert(r.randint(0, len(dims)), r.choice([1, 1, 2, r.dim()]))
    elif dims:
        dims.pop(r.randrange(len(dims)))
    return dims


def _bend_number(r, x):
    return r.choice([-1, 0, 1, 2, x + 1, x - 1, -x, 7, 100, -2])


def _bend_scalar(r, x, allowed=()):
    if isinstance(x, bool):
        return not x
    if isinstance(x, int):
        return _bend_number(r, x)
    if isinstance(x, float):
        return r.choice([0.0, -1.0, 1.0, 2.0, x + 1, -x, 0.5])
    if isinstance(x, str):
        return r.choice(list(allowed) + ["", "x" + x]) if allowed and r.random() < 0.8 else \
            r.choice(["", "x" + x, x[:-1]])
    return x


def _places(value, at=()):
    """The places of the leaves of a nested list."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from _places(item, at + (i,))
    else:
        yield at


def _bend_tensor(r, arg):
    if r.random() < 0.06:
        kind = "t" if "t" in arg else "v"
        if arg[kind] in ("int32", "int64", "float32", "float64", "bool"):
            arg[kind] = r.choice(["float32", "int32", "int64", "float64", "bool"])
            return
    if "t" in arg:
        arg["shape"] = _bend_dims(r, arg["shape"])
        return
    places = list(_places(arg["value"]))
    if places and r.random() < 0.65:
        at = r.choice(places)
        if not at:
            arg["value"] = _bend_scalar(r, arg["value"])
        else:
            inner = arg["value"]
            for i in at[:-1]:
                inner = inner[i]
            inner[at[-1]] = _bend_scalar(r, inner[at[-1]])
        return
    arg.pop("shape", None)
    value = arg["value"]
    if isinstance(value, list) and r.flag():
        if value and r.flag():
            value.pop(r.randrange(len(value)))
        elif value:
            value.append(copy.deepcopy(r.choice(value)))
        else:
            arg["value"] = [1 if "int" in arg["v"] else 0.5] if arg["v"] != "string" else ["a"]
    elif isinstance(value, list) and len(value) == 1 and r.flag():
        arg["value"] = value[0]
    else:
        arg["value"] = [value]


def _bend_attr(r, value, spec):
    kind = spec["type"]
    if kind.startswith("list("):
        value = list(value)
        inner = {**spec, "type": kind[5:-1]}
        what = r.random()
        if value and what < 0.7:
            i = r.randrange(len(value))
            value[i] = _bend_attr(r, value[i], inner)
        elif value and what < 0.85:
            value.pop(r.randrange(len(value)))
        elif value:
            value.append(r.choice(value))
        elif kind in ("list(int)", "list(bool)"):
            value = [True if "bool" in kind else r.choice([0, 1, 2])]
        return value
    if kind == "type":
        return r.choice(spec["allowed"] or ["float32", "int32", "int64", "float64", "bool", "string"])
    if kind == "shape":
        if not isinstance(value, list):
            return [r.dim()]
        return r.choice([None, _bend_dims(r, [d or 0 for d in value]),
                         [None if r.flag() else d for d in value]])
    if kind in ("int", "float", "bool", "string"):
        return _bend_scalar(r, value, spec["allowed"] or ())
    return value


def _small(case):
    return all(shape_of(arg) is None or _count(shape_of(arg)) <= MOST for arg in all_tensors(case)) and \
        all(not isinstance(x, int) or x < 1000 for arg in all_tensors(case) if "v" in arg
            for x in _leaves(arg["value"]))


def _leaves(value):
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def bent(r, case, opdefs):
    """A near miss: one thing changed (now and then two); None when there is nothing to change."""
    for _ in range(10):
        near = copy.deepcopy(case)
        near["seed"] = r.randrange(1 << 30)
        for _ in range(1 if r.random() < 0.8 else 2):
            op, args = near["op"], near["args"]
            if near["nodes"] and r.random() < 0.3:
                op, args = r.choice(near["nodes"])
            places = [arg for arg in tensors(args) if arg.get("t") not in ("resource", "variant")]
            attrs = {a["name"]: a for a in opdefs[op]["attrs"]}
            given = [name for name, x in args.items() if name in attrs and not is_tensor(x)]
            unset = [name for name, a in attrs.items() if name not in args and a["default"] is not None
                     and not a["inferred"]]
            if places and (r.random() < 0.65 or not (given or unset)):
                _bend_tensor(r, r.choice(places))
            elif given and (r.random() < 0.85 or not unset):
                name = r.choice(given)
                args[name] = _bend_attr(r, args[name], attrs[name])
            elif unset:
                name = r.choice(unset)
                args[name] = _bend_attr(r, attrs[name]["default"], attrs[name])
        if {**near, "seed": 0} != {**case, "seed": 0} and _small(near):
            return near
    return None


# --- ops without a spec -------------------------------------------------------------------------
_LIKED = ["float32", "float32", "int32", "int64", "float64", "string", "bool"]


def _some_dtype(r, allowed):
    liked = [d for d in _LIKED if not allowed or d in allowed]
    if liked and r.random() < 0.85:
        return r.choice(liked)
    return r.choice([d for d in allowed or _LIKED if d not in ("resource", "variant")] or ["float32"])


def _some_attr(r, spec):
    kind = spec["type"]
    if kind.startswith("list("):
        inner = {**spec, "type": kind[5:-1], "minimum": None}
        return [_some_attr(r, inner) for _ in range(max(spec["minimum"] or 0, r.randint(1, 3)))]
    if kind == "type":
        return _some_dtype(r, spec["allowed"])
    if kind == "shape":
        return r.shape(0, 3)
    if kind == "int":
        return max(spec["minimum"] if spec["minimum"] is not None else 1, r.randint(1, 3))
    if kind == "float":
        return r.choice([0.5, 1.0, 2.0])
    if kind == "bool":
        return r.flag()
    if kind == "string":
        return r.choice(spec["allowed"] or ["a"])
    if kind == "tensor":
        return v("float32", [1.0, 2.0])
    return None


def generic(r, opdef):
    """A call drawn from the signature alone; None for what cannot be (functions)."""
    args, attrs = {}, {a["name"]: a for a in opdef["attrs"]}
    if any("func" in a["type"] for a in opdef["attrs"]):
        return None
    chosen = {}
    for name, spec in attrs.items():
        if spec["inferred"]:
            chosen[name] = _some_attr(r, spec)
        elif not spec["has_default"]:
            args[name] = chosen[name] = _some_attr(r, spec)
        elif r.random() < 0.25 and spec["type"] != "string":
            args[name] = _some_attr(r, spec)
    # Most ops that take several tensors want one shape, or one rank.
    shared = r.shape(0, 4)
    together = r.random()
    for port in opdef["inputs"]:
        def one(dtype):
            if dtype in ("resource", "variant"):
                return {"t": dtype, "shape": [], "low": None, "high": None}
            shape = shared if together < 0.4 else r.shape(len(shared), len(shared)) if together < 0.6 \
                else r.shape(0, 4)
            if dtype in ("int32", "int64") and r.random() < 0.4:
                shape = shape[:r.randint(0, 1)]
                return v(dtype, [r.randint(0, 3) for _ in range(shape[0])] if shape else r.randint(0, 3))
            return t(dtype, shape if r.random() < 0.8 else [], 0 if "int" in dtype else None)
        if port["type_list_attr"]:
            args[port["name"]] = [one(d) for d in chosen[port["type_list_attr"]]]
        else:
            dtype = chosen.get(port["type_attr"], args.get(port["type_attr"])) if port["type_attr"] \
                else port["dtype"]
            if dtype is None:
                dtype = attrs[port["type_attr"]]["default"]
            number = port["number_attr"]
            many = chosen.get(number) or (attrs[number]["default"] if number else None)
            args[port["name"]] = [one(dtype) for _ in range(many)] if number else one(dtype)
    return args


# --- all of it ----------------------------------------------------------------------------------
def draw(op, opdefs, seed, number):
    """Case `number` of an op: (its variants, has it a spec?); None when none can be drawn.

    A variant is {"case", "base": index of the concrete variant that it is a weakening of}.
    """
    r = Draw("%s/%s/%d" % (seed, op, number))
    spec = load().get(op)
    kwargs = spec[0](r, op) if spec else generic(r, opdefs[op])
    if kwargs is None:
        return None
    case = freeze(op, kwargs)
    case["seed"] = r.randrange(1 << 30)
    variants = [{"case": case, "base": 0}]

    def weaken(base, times):
        for _ in range(times):
            weak = hidden(r, variants[base]["case"])
            if weak is not None and all(weak != x["case"] for x in variants):
                variants.append({"case": weak, "base": base})

    weaken(0, 2)
    for _ in range(2):
        near = bent(r, case, opdefs)
        if near is not None:
            variants.append({"case": near, "base": len(variants)})
            if r.random() < 0.4:
                weaken(len(variants) - 1, 1)
    return variants
