"""Random graphs of the operations that have ranges, with the interval of each tensor as shapeflow has it.

A graph is plain data, so that real TensorFlow can run it in another process (numeric_server.py): its items in
order. One that is fed has shape, dtype, lo, hi, flags; a constant has "constant"; an operation op, args
(name -> number of a tensor, or a list of them), attrs and `claims`: [lo, hi, flags] of each output. Tensors
are counted as they come.
"""
import numpy as np

import shapeflow as sf
from shapeflow import _core

NAN, PINF, NINF, ZERO, INTEGERS = 1, 2, 4, 8, 16
FLOATS = ["float32"] * 5 + ["float64", "float16", "float16", "bfloat16"]
# All are numbers of every dtype: few bits, and none too large for float16.
ENDS = [0.0, 0.0, 1.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.00390625, 0.125, 10.0, 88.0, 100.0, 255.0, 2.0 ** -14,
        4096.0, 60928.0, 1.5, 0.984375, -0.5, -2.0, -10.0, -88.0, -104.0, -60928.0, 6.0, 20.0, -20.0]
WIDE = [2.0 ** -126, 2.0 ** -100, 2.0 ** 100, -2.0 ** 100, 2.0 ** 127, -2.0 ** 127, 2.0 ** 60, 2.0 ** -60,
        2.0 ** -130, -2.0 ** -131]  # the last two are subnormal in float32 and bfloat16

UNARY = {"x": ("Abs Neg Sign Reciprocal Inv Square Round Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Asin Acos "
               "Atan Sinh Cosh Tanh Asinh Sigmoid Erf Erfc Floor Ceil Rint IsNan IsInf IsFinite Tan Acosh "
               "Atanh Lgamma Digamma ZerosLike OnesLike").split(),
         "features": "Softplus Softsign Relu Relu6 Elu Selu LeakyRelu".split(),
         "input": "Identity Snapshot StopGradient".split(), "logits": ["Softmax", "LogSoftmax"],
         "t": ["L2Loss"]}
BINARY = ("Add AddV2 Sub Mul Div RealDiv FloorMod DivNoNan Pow Maximum Minimum SquaredDifference FloorDiv "
          "Mod Atan2 Xlogy Xdivy").split()
COMPARE = "Less LessEqual Greater GreaterEqual Equal NotEqual".split()
REDUCE = "Sum Mean Prod Max Min EuclideanNorm".split()


class Draw:
    """One graph as it is drawn."""

    def __init__(self, rng):
        self.rng = rng
        self.graph = _core.Graph()
        self.tensors, self.items, self.facts = [], [], []
        self.rows, self.columns = int(rng.choice([1, 2, 3, 5])), int(rng.choice([1, 2, 3, 4]))
        self.dtype = str(rng.choice(FLOATS))

    def choose(self, items):
        return items[int(self.rng.integers(len(items)))]

    # sources
    def add_source(self, tensor, **source):
        self.tensors.append(tensor)
        self.items.append(source)
        return len(self.tensors) - 1

    def constant(self, values, dtype):
        array = np.asarray(values, "float64" if dtype == "bfloat16" else dtype)
        return self.add_source(sf.constant(array, dtype), constant=array.tolist(), dtype=dtype,
                               shape=list(array.shape))

    def ends(self):
        wide = self.dtype in ("float32", "float64", "bfloat16") and self.rng.random() < 0.15
        of = ENDS + WIDE if wide else ENDS
        lo, hi = sorted([self.choose(of), self.choose(of)])
        return lo, hi

    def fed(self):
        shape = self.choose([[self.rows, self.columns]] * 4 + [[1, self.columns], [self.rows, 1], []])
        lo, hi = self.ends()
        flags = ZERO if lo <= 0 <= hi and (lo == hi or self.rng.random() < 0.8) else 0
        flags |= INTEGERS if lo == round(lo) and hi == round(hi) and self.rng.random() < 0.3 else 0
        if self.rng.random() < 0.08:
            flags |= int(self.rng.integers(1, 8))
        tensor = sf.compat.v1.placeholder(self.dtype, shape)
        self.facts.append((tensor.op.name, 0, lo, hi, flags))
        return self.add_source(tensor, dtype=self.dtype, shape=shape, lo=lo, hi=hi, flags=flags)

    # operations
    def pick(self, dtype=None, least_rank=0):
        """One of the tensors, a late one rather."""
        fits = [i for i, t in enumerate(self.tensors) if t.dtype.name == (dtype or self.dtype)
                and t.shape.is_fully_defined() and t.shape.ndims >= least_rank]
        if not fits:
            return None
        late = fits[-3:] if self.rng.random() < 0.6 else fits
        return self.choose(late)

    def add(self, op, args, **attrs):
        if any(a is None for a in args.values()):
            return None
        given = {k: [self.tensors[i] for i in v] if isinstance(v, list) else self.tensors[v]
                 for k, v in args.items()}
        try:
            made = getattr(sf.raw_ops, op)(**given, **attrs)
        except (ValueError, TypeError):
            return None
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        first = len(self.tensors)
        self.tensors += made
        self.items.append({"op": op, "args": args, "attrs": attrs, "outputs": len(made),
                           "name": made[0].op.name})
        return first

    def axes(self, tensor):
        rank = self.tensors[tensor].shape.ndims
        return self.constant(self.choose([[a] for a in range(rank)] + [list(range(rank))]), "int32")

    def mask(self):
        return self.add(self.choose(COMPARE), {"x": self.pick(), "y": self.pick()})

    def step(self):
        kind = self.choose(list(STEPS))
        STEPS[kind](self)

    def unary(self):
        name = self.choose([n for n, ops in UNARY.items() for _ in ops])
        rank = 1 if name == "logits" else 0
        self.add(self.choose(UNARY[name]), {name: self.pick(least_rank=rank)})

    def binary(self):
        self.add(self.choose(BINARY), {"x": self.pick(), "y": self.pick()})

    def with_constant(self):
        x, k = self.pick(), self.constant(self.ends()[self.rng.integers(2)], self.dtype)
        x, k = (x, k) if self.rng.random() < 0.6 else (k, x)
        self.add(self.choose(BINARY), {"x": x, "y": k})

    def reduce(self):
        x = self.pick(least_rank=1)
        if x is not None:
            self.add(self.choose(REDUCE), {"input": x, "axis": self.axes(x)},
                     keep_dims=bool(self.rng.random() < 0.6))

    def centred(self):
        """x - max(x), x - mean(x), exp(x) / sum(exp(x)): what relations are for."""
        x = self.pick(least_rank=1)
        if x is None:
            return
        axes = self.axes(x)
        if self.rng.random() < 0.5:
            most = self.add(self.choose(["Max", "Mean", "Min"]), {"input": x, "axis": axes}, keep_dims=True)
            x = self.add(self.choose(["Sub", "SquaredDifference"]), {"x": x, "y": most})
        if x is not None and self.rng.random() < 0.7:
            x = self.add(self.choose(["Exp", "Abs", "Square"]),
                         {"x": x})
        if x is not None:
            total = self.add("Sum", {"input": x, "axis": axes}, keep_dims=True)
            self.add(self.choose(["RealDiv", "DivNoNan", "Sub"]), {"x": x, "y": total})

    def average(self):
        v, x = self.pick(), self.pick()
        part = self.constant(self.choose([0.0, 0.125, 0.5, 1.0]), self.dtype)
        if v is None or x is None:
            return
        if self.rng.random() < 0.5:
            away = self.add("Sub", {"x": v, "y": x})
            self.add("Sub", {"x": v, "y": self.add("Mul", {"x": away, "y": part})})
        else:
            away = self.add("Sub", {"x": x, "y": v})
            self.add("AddV2", {"x": v, "y": self.add("Mul", {"x": part, "y": away})})

    def select(self):
        x = self.pick()
        k = self.constant(self.choose([0.0, 1.0, 0.5]), self.dtype)
        mask = self.add(self.choose(COMPARE), {"x": x, "y": k}) if x is not None else None
        y = self.add(self.choose(["Log", "Sqrt", "Reciprocal", "Neg", "Square"]), {"x": x})
        self.add("SelectV2", {"condition": mask, "t": y, "e": self.pick()})

    def select_any(self):
        self.add("SelectV2", {"condition": self.mask(), "t": self.pick(), "e": self.pick()})

    def clip(self):
        lo, hi = self.ends()
        self.add("ClipByValue", {"t": self.pick(), "clip_value_min": self.constant(lo, self.dtype),
                                 "clip_value_max": self.constant(hi, self.dtype)})

    def move(self):
        x = self.pick(least_rank=1)
        if x is None:
            return
        rank = self.tensors[x].shape.ndims
        op = self.choose(["Transpose", "ExpandDims", "ReverseV2", "Tile", "ConcatV2", "PadV2", "Pad", "Pack",
                          "GatherV2", "Slice", "AddN", "Cumsum", "Squeeze", "StridedSlice", "BroadcastTo"])
        integers = self.constant
        if op == "Transpose":
            self.add(op, {"x": x, "perm": integers(list(reversed(range(rank))), "int32")})
        elif op == "ExpandDims":
            self.add(op, {"input": x, "axis": integers(0, "int32")})
        elif op == "ReverseV2":
            self.add(op, {"tensor": x, "axis": integers([0], "int32")})
        elif op == "Tile":
            self.add(op, {"input": x, "multiples": integers([2] + [1] * (rank - 1), "int32")})
        elif op == "ConcatV2":
            self.add(op, {"values": [x, self.pick(least_rank=1)], "axis": integers(0, "int32")})
        elif op == "Pad":
            self.add(op, {"input": x, "paddings": integers([[1, 0]] * rank, "int32")})
        elif op == "PadV2":
            self.add(op, {"input": x, "paddings": integers([[1, 0]] * rank, "int32"),
                          "constant_values": integers(self.choose([0.0, 1.0, -2.0]), self.dtype)})
        elif op in ("Pack", "AddN"):
            other = x if self.rng.random() < 0.3 else self.pick()
            self.add(op, {"values" if op == "Pack" else "inputs": [x, other]})
        elif op == "GatherV2":
            self.add(op, {"params": x, "indices": integers([0, 0], "int32"), "axis": integers(0, "int32")})
        elif op == "Slice":
            self.add(op, {"input": x, "begin": integers([0] * rank, "int32"),
                          "size": integers([1] * rank, "int32")})
        elif op == "StridedSlice":
            self.add(op, {"input": x, "begin": integers([0], "int32"), "end": integers([1], "int32"),
                          "strides": integers([1], "int32")}, shrink_axis_mask=1)
        elif op == "Cumsum":
            self.add(op, {"x": x, "axis": integers(0, "int32")})
        elif op == "BroadcastTo":
            shape = integers([2] + self.tensors[x].shape.as_list(), "int32")
            self.add(op, {"input": x, "shape": shape})
        else:
            self.add(op, {"input": x})

    def product(self):
        a, b = self.pick(least_rank=2), self.pick(least_rank=2)
        if a is None or b is None:
            return
        if self.tensors[a].shape.ndims == self.tensors[b].shape.ndims == 2:
            self.add("MatMul", {"a": a, "b": b}, transpose_b=bool(self.rng.random() < 0.7))

    def layer(self):
        """Of images: convolution, pooling, batch norm; losses."""
        x = self.pick(least_rank=2)
        if x is None or self.tensors[x].shape.ndims != 2 or self.dtype == "float64":
            return
        rows, columns = self.tensors[x].shape.as_list()
        op = self.choose(["Conv2D", "AvgPool", "MaxPool", "BiasAdd", "SoftmaxCrossEntropyWithLogits"])
        if op == "BiasAdd":
            bias = self.fed()
            if self.tensors[bias].shape.ndims == 1:
                self.add(op, {"value": x, "bias": bias})
        elif op == "SoftmaxCrossEntropyWithLogits":
            labels = self.pick(least_rank=2)
            labels = self.add("Softmax", {"logits": x}) if self.rng.random() < 0.5 else labels
            self.add(op, {"features": x, "labels": labels})
        else:
            shape = self.constant([1, rows, columns, 1], "int32")
            image = self.add("Reshape", {"tensor": x, "shape": shape})
            if op == "Conv2D":
                shape = self.constant([rows, columns, 1, 1], "int32")
                kernel = self.add("Reshape", {"tensor": x, "shape": shape})
                self.add(op, {"input": image, "filter": kernel}, strides=[1, 1, 1, 1],
                         padding=self.choose(["SAME", "VALID"]))
            else:
                self.add(op, {"value" if op == "AvgPool" else "input": image}, ksize=[1, 2, 1, 1],
                         strides=[1, 1, 1, 1], padding=self.choose(["SAME", "VALID"]))

    def cast(self):
        to = self.choose(["float32", "float64", "float16", "bfloat16", "int32", "int64", "bool"])
        y = self.add("Cast", {"x": self.pick()}, DstT=_core.as_dtype(to))
        if y is not None:
            self.items[-1]["attrs"] = {"DstT": to}
            back = self.add("Cast", {"x": y}, DstT=_core.as_dtype(self.dtype))
            if back is not None:
                self.items[-1]["attrs"] = {"DstT": self.dtype}

    def parts(self):
        """What is joined, computed with and cut again: each part has the bounds of what it came from."""
        a, b = self.pick(least_rank=2), self.pick(least_rank=2)
        if a is None or b is None or self.tensors[a].shape.ndims != 2 or self.tensors[b].shape.ndims != 2:
            return
        integers, axis = self.constant, int(self.rng.integers(2))
        joined = self.add("ConcatV2", {"values": [a, b], "axis": integers(axis, "int32")})
        if joined is None:
            return
        sizes = [self.tensors[t].shape.as_list()[axis] for t in (a, b)]
        if self.rng.random() < 0.6:
            if self.rng.random() < 0.5:
                joined = self.add(self.choose(["Square", "Neg", "Exp", "Sigmoid"]), {"x": joined})
            else:
                joined = self.add(self.choose(["Mul", "AddV2", "Maximum"]),
                                  {"x": joined, "y": self.constant(self.ends()[0], self.dtype)})
        if joined is None or not sum(sizes):
            return
        if self.rng.random() < 0.3:
            joined = self.add("Transpose", {"x": joined, "perm": integers([1, 0], "int32")})
            axis = 1 - axis
        elif self.rng.random() < 0.3:
            joined = self.add("ExpandDims", {"input": joined, "axis": integers(0, "int32")})
            axis += 1
        rank = self.tensors[joined].shape.ndims
        way = self.choose(["SplitV", "Slice", "StridedSlice", "GatherV2", "Unpack", "Shrink"])
        if way == "SplitV":
            self.add(way, {"value": joined, "size_splits": integers(sizes, "int32"),
                           "axis": integers(axis, "int32")}, num_split=2)
        elif way == "Slice":
            begin, size = [0] * rank, [-1] * rank
            begin[axis] = int(self.rng.integers(sum(sizes)))
            size[axis] = int(self.rng.integers(1, sum(sizes) - begin[axis] + 1))
            self.add(way, {"input": joined, "begin": integers(begin, "int32"),
                           "size": integers(size, "int32")})
        elif way == "GatherV2":
            index = int(self.rng.integers(sum(sizes)))
            self.add(way, {"params": joined, "indices": integers([index], "int32"),
                           "axis": integers(axis, "int32")})
        elif way == "Unpack":
            self.add(way, {"value": joined}, num=sum(sizes), axis=axis)
        else:
            begin, end, strides = [0] * rank, [0] * rank, [1] * rank
            begin[axis] = int(self.rng.integers(-sum(sizes), sum(sizes)))
            end[axis] = int(self.rng.integers(-sum(sizes), sum(sizes) + 1))
            strides[axis] = self.choose([1, 1, 2, -1])
            whole = (1 << rank) - 1 & ~(1 << axis)
            masks = {"begin_mask": whole, "end_mask": whole}
            if way == "Shrink":
                strides[axis] = 1
                masks["shrink_axis_mask"] = 1 << axis
            self.add("StridedSlice", {"input": joined, "begin": integers(begin, "int32"),
                                      "end": integers(end, "int32"), "strides": integers(strides, "int32")},
                     **masks)

    def masked(self):
        """x + cast(x == 0) * k, x * m + (1 - m) * y, the elements of x above k."""
        x, y = self.pick(), self.pick()
        if x is None or y is None:
            return
        k = self.constant(self.choose([0.0, 0.0, 1.0, 0.5]), self.dtype)
        truth = self.add(self.choose(COMPARE), {"x": x, "y": k})
        if self.rng.random() < 0.2 and self.tensors[x].shape.ndims == 2:
            flat = self.constant([-1], "int32")
            self.add("GatherV2", {
                "params": self.add("Reshape", {"tensor": x, "shape": flat}),
                "indices": self.add("Reshape", {"tensor": self.add("Where", {"condition": self.add(
                    "Reshape", {"tensor": truth, "shape": flat})}), "shape": flat}),
                "axis": self.constant(0, "int32")})
            return
        mask = self.add("Cast", {"x": truth}, DstT=_core.as_dtype(self.dtype))
        self.items[-1]["attrs"] = {"DstT": self.dtype}
        one = self.constant(1.0, self.dtype)
        if self.rng.random() < 0.5:
            eps = self.constant(self.choose([0.125, 1.0, 2.0 ** -14]), self.dtype)
            self.add("AddV2", {"x": x, "y": self.add("Mul", {"x": mask, "y": eps})})
        else:
            rest = self.add("Mul", {"x": self.add("Sub", {"x": one, "y": mask}), "y": y})
            self.add("AddV2", {"x": self.add("Mul", {"x": x, "y": mask}), "y": rest})

    def blend(self):
        """p * x + (1 - p) * y, and sums in which a term comes again."""
        x, y, p = self.pick(), self.pick(), self.pick()
        if x is None or y is None or p is None:
            return
        one = self.constant(self.choose([1.0, 1.0, 0.5]), self.dtype)
        if self.rng.random() < 0.5:
            p = self.add("Sigmoid", {"x": p}) if self.rng.random() < 0.7 else p
            rest = self.add("Mul", {"x": self.add("Sub", {"x": one, "y": p}), "y": y})
            self.add("AddV2", {"x": rest, "y": self.add("Mul", {"x": x, "y": p})})
            return
        part = self.add("Mul", {"x": x, "y": self.constant(self.choose([0.5, 2.0, -1.0]), self.dtype)})
        total = self.add(self.choose(["AddV2", "Sub"]), {"x": part, "y": self.choose([y, one])})
        if total is not None:
            self.add(self.choose(["AddV2", "Sub"]), {"x": total, "y": x})

    def scattered(self):
        """Rows of x that are written, or added to, some of them twice."""
        x = self.pick(least_rank=2)
        if x is None or self.tensors[x].shape.ndims != 2 or not self.tensors[x].shape.as_list()[0]:
            return
        rows = self.tensors[x].shape.as_list()[0]
        places = self.constant([[int(self.rng.integers(rows))] for _ in range(rows)], "int32")
        shape = self.tensors[x].shape.as_list()
        y = self.choose([i for i, t in enumerate(self.tensors) if t.dtype.name == self.dtype
                         and t.shape.ndims == 2 and t.shape.as_list() == shape])
        way = self.choose(["Update", "Add", "Sub", "Min", "Max", "Nd"])
        if way == "Nd":
            self.add("ScatterNd", {"indices": places, "updates": y, "shape": self.constant(shape, "int32")})
        else:
            self.add("TensorScatter" + way, {"tensor": x, "indices": places, "updates": y})

    def diagonals(self):
        """Rows of x as diagonals of matrices, or of some that are there, and cut out of them again."""
        x = self.pick(least_rank=2)
        if x is None or self.tensors[x].shape.ndims != 2 or 0 in self.tensors[x].shape.as_list():
            return
        zero, other = (self.constant(k, "int32") for k in (0, self.choose([-1, 1])))
        any_size, padding = self.constant(-1, "int32"), self.constant(self.ends()[0], self.dtype)
        made = self.add("MatrixDiagV3", {"diagonal": x, "k": self.choose([zero, other]), "num_rows": any_size,
                                         "num_cols": any_size, "padding_value": padding})
        if made is not None and self.rng.random() < 0.5:
            drawn = self.add("MatrixDiagPartV3", {"input": made, "k": zero, "padding_value": padding})
            doubled = drawn and self.add("Mul", {"x": drawn, "y": padding})
            made = doubled and self.add("MatrixSetDiagV3", {"input": made, "diagonal": doubled, "k": zero})
        if made is not None:
            self.add("MatrixDiagPartV3", {"input": made, "k": self.choose([zero, other]),
                                          "padding_value": padding})

    def one_hot(self):
        on, off = self.constant(self.ends()[1], self.dtype), self.constant(0.0, self.dtype)
        indices, depth = self.constant([0, 1, 5], "int32"), self.constant(self.columns, "int32")
        self.add("OneHot", {"indices": indices, "depth": depth, "on_value": on, "off_value": off})


    def picked(self):
        """The elements of x at some places, as a sum of its products with one_hot rows."""
        x = self.pick(least_rank=2)
        if x is None or self.tensors[x].shape.ndims != 2:
            return
        rows, columns = self.tensors[x].shape.as_list()
        if self.rng.random() < 0.5:
            places = self.add(self.choose(["ArgMax", "ArgMin"]),
                              {"input": x, "dimension": self.constant(self.choose([1, -1]), "int32")})
        else:
            places = self.constant([int(self.rng.integers(-1, columns + 2)) for _ in range(rows)], "int32")
        one, zero = self.constant(1.0, self.dtype), self.constant(0.0, self.dtype)
        hot = places and self.add("OneHot", {"indices": places, "depth": self.constant(columns, "int32"),
                                             "on_value": one, "off_value": zero})
        terms = hot and self.add("Mul", {"x": hot, "y": x})
        if terms:
            axis = self.constant(self.choose([[1], [-1], [0]]), "int32")
            self.add("Sum", {"input": terms, "axis": axis})


STEPS = {name: getattr(Draw, name) for name in (
    "unary binary with_constant reduce centred average select select_any clip move product layer cast "
    "one_hot parts masked blend picked scattered diagonals"
).split()}
WEIGHTS = {"unary": 5, "binary": 4, "with_constant": 4, "reduce": 2, "move": 2}
STEPS = {f"{name} {i}": f for name, f in STEPS.items() for i in range(WEIGHTS.get(name, 1))}


def draw(seed, steps=10):
    """One graph, with what shapeflow claims of each tensor."""
    d = Draw(np.random.default_rng(seed))
    with d.graph.as_default():
        for _ in range(3):
            d.fed()
        for _ in range(steps):
            d.step()
    claims = {}
    for name, output, lo, hi, flags in _core.intervals(d.graph, d.facts):
        claims.setdefault(name, {})[output] = [lo, hi, flags]
    for item in d.items:
        if "op" in item:
            mine = claims[item.pop("name")]
            item["claims"] = [mine[k] for k in range(item["outputs"])]
    return {"seed": seed, "items": d.items}
