"""The shape bugs: each operator yields, for one program, every place where it can plant its bug.

An operator is a generator over a `mutate.Program`; a `Plant` is what it writes where. They know
TensorFlow's names only as far as a programmer who mistypes knows them.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Iterator, List, NamedTuple, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from mutate import Program

Edits = List[Tuple[int, int, str]]


class Plant(NamedTuple):
    kind: str
    line: int
    what: str
    edits: Edits


def called(node: ast.AST) -> str:
    """`reshape` of `tf.reshape(...)`, else an empty text."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.attr
        if isinstance(node.func, ast.Name):
            return node.func.id
    return ""


def calls(program: "Program") -> Iterator[Tuple[ast.Call, str]]:
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call):
            yield node, called(node)


def integer(node: Optional[ast.AST]) -> Optional[int]:
    """The value of an integer literal, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def replaced(program: "Program", kind: str, node: ast.AST, new: str) -> Plant:
    old = " ".join(program.text_of(node).split())
    shown = " ".join(new.split())
    start, end = program.span(node)
    return Plant(kind, node.lineno, f"{_short(old)} -> {_short(shown)}", [(start, end, new)])


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def swapped(program: "Program", kind: str, a: ast.AST, b: ast.AST) -> Plant:
    text_a, text_b = program.text_of(a), program.text_of(b)
    what = f"{_short(' '.join(text_a.split()))} <-> {_short(' '.join(text_b.split()))}"
    return Plant(kind, a.lineno, what, [(*program.span(a), text_b), (*program.span(b), text_a)])


def around(program: "Program", node: ast.AST) -> Iterator[Tuple[ast.Call, str, Optional[str]]]:
    """The calls that `node` is an argument of, innermost first, each with its name and the keyword."""
    child, parent = node, program.parents.get(node)
    keyword: Optional[str] = None
    while parent is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, ast.keyword):
            keyword = parent.arg
        elif isinstance(parent, ast.Call):
            if child is not parent.func:
                yield parent, called(parent), keyword
            keyword = None
        child, parent = parent, program.parents.get(parent)


# --- numbers -----------------------------------------------------------------------------------
_NOT_DIMS = {
    "epochs",
    "verbose",
    "seed",
    "random_state",
    "axis",
    "axes",
    "perm",
    "num_epochs",
    "name",
    "buffer_size",
}
_NOT_OF = {
    "RandomState",
    "default_rng",
    "set_seed",
    "set_random_seed",
    "shuffle",
    "transpose",
    "print",
    "range",
    "expand_dims",
    "squeeze",
    "permute_dims",
    "seed",
}
_DATA = {
    "rand",
    "randn",
    "randint",
    "random",
    "normal",
    "uniform",
    "arange",
    "eye",
    "zeros",
    "ones",
    "linspace",
    "random_sample",
    "standard_normal",
    "integers",
    "full",
    "tile",
    "repeat",
}
_LAYERS = {
    "Dense",
    "LSTM",
    "GRU",
    "SimpleRNN",
    "Embedding",
    "TimeDistributed",
    "MultiHeadAttention",
    "LSTMCell",
    "GRUCell",
    "dense",
}


def _number_kind(program: "Program", node: ast.AST) -> Optional[str]:
    """What a number stands for, by the call it is written in; None when it is no dimension."""
    for call, name, keyword in around(program, node):
        if keyword in _NOT_DIMS or name in _NOT_OF:
            return None
        if keyword in ("batch_size",) or name in ("batch", "padded_batch"):
            return "batch size"
        if (
            keyword in ("strides", "dilations", "dilation_rate", "ksize", "pool_size", "kernel_size")
            or "Pool" in name
            or "pool" in name
        ):
            return "kernel or stride"
        if name.startswith("Conv") or name.startswith("conv"):
            return "layer size" if node in call.args[:1] or keyword == "filters" else "kernel or stride"
        if name in ("reshape", "Reshape"):
            return "reshape"
        if name in _LAYERS:
            return "layer size"
        if (
            name in _DATA
            and isinstance(call.func, ast.Attribute)
            and program.text_of(call.func).split(".")[0] in ("np", "numpy", "rng")
        ):
            return "data size"
        if name in ("placeholder", "Input", "TensorSpec", "InputLayer"):
            return "input shape"
        if name in ("Variable", "get_variable", "add_weight"):
            return "variable shape"
        if name in ("one_hot", "to_categorical"):
            return "number of classes"
        if (
            name
            in (
                "reduce_mean",
                "reduce_sum",
                "reduce_max",
                "argmax",
                "softmax",
                "concat",
                "stack",
                "mean",
                "sum",
                "gather",
                "unstack",
                "split",
                "cumsum",
                "norm",
            )
            and node in call.args[1:]
        ):
            return None
    parent = program.parents.get(node)
    while isinstance(parent, (ast.Slice, ast.Tuple, ast.BinOp, ast.UnaryOp)):
        above = program.parents.get(parent)
        if isinstance(parent, ast.Tuple) and not isinstance(above, ast.Subscript):
            break
        parent = above
    return "slice" if isinstance(parent, ast.Subscript) else "dimension"


def _named_kind(program: "Program", node: ast.AST) -> Optional[str]:
    """What a number stands for by the name that it is given."""
    parent = program.parents.get(node)
    targets: List[ast.AST] = []
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, ast.Tuple):
        above = program.parents.get(parent)
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Tuple):
            targets = [above.targets[0].elts[parent.elts.index(node)]]
    name = next((t.id.lower() for t in targets if isinstance(t, ast.Name)), "")
    if "batch" in name:
        return "batch size"
    return "data size" if re.search("sample|count|rows|points|series_length|^split$", name) else None


def _other_numbers(value: int) -> List[int]:
    candidates = [value + 1, value - 1, value * 2]
    if value >= 4 and value % 2 == 0:
        candidates.append(value // 2)
    return [n for n in candidates if n >= 1 and n != value]


def numbers(program: "Program") -> Iterator[Plant]:
    """A literal dimension one more, one less, twice or half."""
    for node in ast.walk(program.tree):
        value = integer(node)
        parent = program.parents.get(node)
        if value is None or value < 1 or isinstance(parent, ast.UnaryOp):
            continue
        kind = _named_kind(program, node) or _number_kind(program, node)
        if kind is not None:
            for other in _other_numbers(value):
                yield replaced(program, kind, node, str(other))


def _int_names(program: "Program") -> List[str]:
    """Names that the module sets to an integer, once."""
    names: List[str] = []
    for node in program.tree.body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts))
            names += [t.id for t, v in pairs if isinstance(t, ast.Name) and integer(v) is not None]
    return names


def wrong_names(program: "Program") -> Iterator[Plant]:
    """A named size replaced by another one, or off by one."""
    names = _int_names(program)
    for node in ast.walk(program.tree):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id in names
            and _number_kind(program, node) is not None
        ):
            for other in names:
                if other != node.id:
                    yield replaced(program, "wrong name", node, other)
            yield replaced(program, "off by one", node, f"({node.id} + 1)")


# --- axes --------------------------------------------------------------------------------------
_AXIS_AT = {
    "concat": 1,
    "stack": 1,
    "unstack": 1,
    "expand_dims": 1,
    "squeeze": 1,
    "softmax": 1,
    "argmax": 1,
    "argmin": 1,
    "reduce_mean": 1,
    "reduce_sum": 1,
    "reduce_max": 1,
    "reduce_min": 1,
    "split": 2,
    "cumsum": 1,
    "mean": 1,
    "sum": 1,
    "concatenate": 1,
    "max": 1,
    "moments": 1,
    "l2_normalize": 1,
    "log_softmax": 1,
    "gather": 2,
    "norm": 1,
    "repeat": 2,
    "reverse": 1,
    "vstack": 1,
}


def _axes_of(call: ast.Call, name: str) -> Iterator[ast.AST]:
    at = _AXIS_AT.get(name)
    # `x.mean(1)` of an array counts from one argument less.
    if at is not None and len(call.args) > at:
        yield call.args[at]
    for keyword in call.keywords:
        if keyword.arg in ("axis", "axes", "dim"):
            yield keyword.value


def axes(program: "Program") -> Iterator[Plant]:
    """An axis one off, or lost."""
    for call, name in calls(program):
        for node in _axes_of(call, name):
            kind = "concat axis" if "oncat" in name else "axis"
            parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
            for part in parts:
                value = integer(part)
                if value is not None:
                    for other in (value + 1, value - 1):
                        yield replaced(program, kind, part, str(other))
        for keyword in call.keywords:
            if keyword.arg in (
                "axis",
                "keepdims",
                "keep_dims",
                "transpose_b",
                "transpose_a",
                "drop_remainder",
                "return_sequences",
                "output_shape",
                "batch_shape",
            ):
                yield _without_keyword(program, call, keyword)


def _without_keyword(program: "Program", call: ast.Call, keyword: ast.keyword) -> Plant:
    """`f(x, axis=1)` -> `f(x)`: the comma before it, or after it, goes too."""
    start, end = program.span(keyword.value)
    start = program.text.rindex(keyword.arg or "", 0, start)
    what = f"{keyword.arg}={_short(program.text_of(keyword.value))} dropped"
    before = program.text[:start].rstrip()
    if before.endswith(","):
        start = len(before) - 1
    else:
        after = re.match(r"\s*,\s*", program.text[end:])
        end += after.end() if after else 0
    return Plant("keyword lost", keyword.value.lineno, what, [(start, end, "")])


def flags(program: "Program") -> Iterator[Plant]:
    """True for False, and a transpose_b where there was none."""
    flipped = {
        "keepdims",
        "keep_dims",
        "transpose_a",
        "transpose_b",
        "return_sequences",
        "return_state",
        "drop_remainder",
        "include_top",
        "batch_first",
        "time_major",
        "use_bias",
        "adjoint_b",
    }
    for call, name in calls(program):
        given = set()
        for keyword in call.keywords:
            given.add(keyword.arg)
            value = keyword.value
            if keyword.arg in flipped and isinstance(value, ast.Constant) and isinstance(value.value, bool):
                yield replaced(program, "flag", value, str(not value.value))
        if name == "matmul" and len(call.args) == 2 and not given & {"transpose_a", "transpose_b"}:
            for flag in ("transpose_a", "transpose_b"):
                at = program.span(call)[1] - 1
                yield Plant(
                    "transpose added",
                    call.lineno,
                    f"{flag}=True in {_short(program.text_of(call))}",
                    [(at, at, f", {flag}=True")],
                )


def perms(program: "Program") -> Iterator[Plant]:
    """Two entries of a permutation swapped."""
    for call, name in calls(program):
        if name not in ("transpose", "Permute"):
            continue
        lists = [k.value for k in call.keywords if k.arg == "perm"] + list(call.args)
        for node in lists:
            if isinstance(node, (ast.List, ast.Tuple)):
                for i in range(len(node.elts)):
                    for j in range(i + 1, len(node.elts)):
                        yield swapped(program, "permutation", node.elts[i], node.elts[j])


# --- what is left out, or put in ---------------------------------------------------------------
_WRAPPERS = {
    "transpose": "transpose lost",
    "matrix_transpose": "transpose lost",
    "expand_dims": "expand_dims lost",
    "squeeze": "squeeze lost",
    "reshape": "reshape lost",
    "one_hot": "one_hot lost",
    "to_categorical": "one_hot lost",
    "flatten": "flatten lost",
    "reduce_mean": "reduction lost",
    "reduce_sum": "reduction lost",
    "reduce_max": "reduction lost",
    "pad": "pad lost",
    "tile": "tile lost",
    "batch": "batch lost",
    "argmax": "argmax lost",
    "max_pool": "pool lost",
    "stack": "stack lost",
    "gather": "gather lost",
    "resize": "resize lost",
}
_METHODS = {"transpose", "reshape", "batch", "flatten", "squeeze", "unbatch", "repeat"}


def lost_calls(program: "Program") -> Iterator[Plant]:
    """`f(x, ...)` -> `x`, `x.f(...)` -> `x`."""
    for call, name in calls(program):
        if name not in _WRAPPERS and name not in _METHODS:
            continue
        func = call.func
        module = isinstance(func, ast.Attribute) and program.text_of(func.value) in (
            "tf",
            "np",
            "keras.utils",
            "tf.nn",
            "tf.image",
            "tf.keras.utils",
            "utils",
            "tf.linalg",
            "keras.ops",
            "ops",
            "tf.math",
            "tf.layers",
        )
        if module or isinstance(func, ast.Name):
            if call.args and name in _WRAPPERS:
                yield replaced(program, _WRAPPERS[name], call, program.text_of(call.args[0]))
        elif isinstance(func, ast.Attribute) and name in _METHODS:
            yield replaced(program, _WRAPPERS.get(name, name + " lost"), call, program.text_of(func.value))
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Attribute) and node.attr == "T" and isinstance(node.ctx, ast.Load):
            yield replaced(program, "transpose lost", node, program.text_of(node.value))


_SHAPERS = {
    "Flatten",
    "Reshape",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "MaxPooling1D",
    "MaxPooling2D",
    "AveragePooling2D",
    "UpSampling2D",
    "RepeatVector",
    "Permute",
    "ZeroPadding2D",
    "Cropping2D",
    "TimeDistributed",
    "Embedding",
    "Dense",
    "Conv2D",
    "LSTM",
    "GRU",
    "Conv1D",
    "Conv2DTranspose",
    "MaxPool2D",
    "Bidirectional",
    "UpSampling1D",
}


def lost_layers(program: "Program") -> Iterator[Plant]:
    """A layer left out: of a list of layers, of a chain of calls, of an `add`."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.List) and len(node.elts) > 1:
            for item in node.elts:
                if called(item) in _SHAPERS:
                    start, end = program.span(item)
                    after = re.match(r"\s*,[ \t]*", program.text[end:])
                    if after:
                        end += after.end()
                    what = f"{_short(program.text_of(item))} left out"
                    yield Plant("layer lost", item.lineno, what, [(start, end, "")])
        elif isinstance(node, ast.Call) and called(node.func) in _SHAPERS and len(node.args) == 1:
            yield replaced(program, "layer lost", node, program.text_of(node.args[0]))
        elif (
            isinstance(node, ast.Expr)
            and called(node.value) == "add"
            and node.value.args
            and called(node.value.args[0]) in _SHAPERS
        ):
            yield replaced(program, "layer lost", node, "pass")


def lost_statements(program: "Program") -> Iterator[Plant]:
    """`x = f(x)` left out."""
    for node in ast.walk(program.tree):
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, (ast.Call, ast.Subscript))
        ):
            name = node.targets[0].id
            used = [n for n in ast.walk(node.value) if isinstance(n, ast.Name) and n.id == name]
            if used:
                yield replaced(program, "step left out", node, "pass")


def added(program: "Program") -> Iterator[Plant]:
    """A one_hot too many, an expand_dims too many, on the labels of a loss or of fit."""
    for call, name in calls(program):
        for keyword in call.keywords:
            if keyword.arg == "labels":
                text = program.text_of(keyword.value)
                yield replaced(
                    program, "one_hot added", keyword.value, f"tf.one_hot(tf.cast({text}, tf.int32), 4)"
                )
                yield replaced(program, "expand_dims added", keyword.value, f"tf.expand_dims({text}, -1)")
        if name == "fit" and len(call.args) > 1 and isinstance(call.args[1], ast.Name):
            text = program.text_of(call.args[1])
            yield replaced(program, "expand_dims added", call.args[1], f"{text}[:, None]")
            yield replaced(program, "data shorter", call.args[1], f"{text}[:-1]")


# --- arguments, losses, shapes -----------------------------------------------------------------
_SWAPS = {
    "matmul",
    "fit",
    "evaluate",
    "from_tensor_slices",
    "conv2d",
    "tensordot",
    "reshape",
    "train_on_batch",
    "embedding_lookup",
    "gather",
    "where",
    "MeanSquaredError",
    "add",
    "subtract",
    "divide",
    "dot",
    "full",
    "update_state",
    "concat",
    "einsum",
}


def swapped_arguments(program: "Program") -> Iterator[Plant]:
    """Two neighbouring positional arguments, the operands of @, two values of a feed."""
    for call, name in calls(program):
        own = isinstance(call.func, ast.Name)
        if (name in _SWAPS or own or name.startswith("loss")) and name not in (
            "range",
            "zip",
            "print",
            "slice",
        ):
            for a, b in zip(call.args, call.args[1:]):
                if program.text_of(a) != program.text_of(b):
                    yield swapped(program, "arguments swapped", a, b)
        for keyword in call.keywords:
            if keyword.arg == "feed_dict" and isinstance(keyword.value, ast.Dict):
                yield from _swapped_feeds(program, keyword.value)
    for node in ast.walk(program.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield swapped(program, "arguments swapped", node.left, node.right)
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and "feed" in program.text_of(node.targets[0])
        ):
            yield from _swapped_feeds(program, node.value)


def _swapped_feeds(program: "Program", node: ast.Dict) -> Iterator[Plant]:
    for a, b in zip(node.values, node.values[1:]):
        if program.text_of(a) != program.text_of(b):
            yield swapped(program, "feeds swapped", a, b)


_RENAMES = {
    "sparse_categorical_crossentropy": ["categorical_crossentropy", "binary_crossentropy"],
    "categorical_crossentropy": ["sparse_categorical_crossentropy"],
    "binary_crossentropy": ["categorical_crossentropy", "sparse_categorical_crossentropy"],
    "SparseCategoricalCrossentropy": ["CategoricalCrossentropy"],
    "CategoricalCrossentropy": ["SparseCategoricalCrossentropy"],
    "BinaryCrossentropy": ["SparseCategoricalCrossentropy"],
    "sparse_softmax_cross_entropy_with_logits": [
        "softmax_cross_entropy_with_logits",
        "sigmoid_cross_entropy_with_logits",
    ],
    "softmax_cross_entropy_with_logits": ["sparse_softmax_cross_entropy_with_logits"],
    "softmax_cross_entropy_with_logits_v2": ["sparse_softmax_cross_entropy_with_logits"],
    "mse": ["sparse_categorical_crossentropy"],
    "sigmoid_cross_entropy_with_logits": ["sparse_softmax_cross_entropy_with_logits"],
    "same": ["valid"],
    "valid": ["same"],
    "SAME": ["VALID"],
    "VALID": ["SAME"],
    "accuracy": ["sparse_categorical_accuracy", "categorical_accuracy"],
    "matmul": ["multiply"],
    "stack": ["concat"],
    "concat": ["stack"],
    "Concatenate": ["Add"],
    "Add": ["Concatenate"],
    "concatenate": ["add"],
    "GlobalAveragePooling1D": ["GlobalAveragePooling2D"],
    "GlobalAveragePooling2D": ["GlobalMaxPooling1D"],
    "Conv2D": ["Conv1D", "Conv2DTranspose"],
    "Conv2DTranspose": ["Conv2D"],
    "Conv1D": ["Conv2D"],
    "MaxPooling2D": ["MaxPooling1D"],
    "MaxPooling1D": ["MaxPooling2D"],
    "UpSampling2D": ["UpSampling1D", "MaxPooling2D"],
    "reduce_mean": ["identity"],
    "reduce_sum": ["identity"],
    "SparseCategoricalAccuracy": ["CategoricalAccuracy"],
    "CategoricalAccuracy": ["SparseCategoricalAccuracy"],
    "embedding_lookup": ["matmul"],
}


def wrong_functions(program: "Program") -> Iterator[Plant]:
    """The sister of a loss, a padding, a merge: the other name, the same arguments."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if any(name == "print" for _, name, _ in around(program, node)):
                continue
            for other in _RENAMES.get(node.value, ()):
                kind = "padding" if node.value.lower() in ("same", "valid") else "loss or metric"
                yield replaced(program, kind, node, f'"{other}"')
        elif isinstance(node, ast.Attribute) and isinstance(program.parents.get(node), ast.Call):
            for other in _RENAMES.get(node.attr, ()):
                start, end = program.span(node)
                kind = "loss or metric" if re.search("entropy|ccuracy", node.attr) else "sister function"
                yield Plant(
                    kind, node.lineno, f"{node.attr} -> {other}", [(end - len(node.attr), end, other)]
                )


_NO_SHAPES = {"zip", "print", "format", "transpose", "Permute", "isinstance", "randint"}


def swapped_dims(program: "Program") -> Iterator[Plant]:
    """Two neighbouring entries of a shape swapped, one left out, one put in front; -1 made 1."""
    for node in ast.walk(program.tree):
        if not isinstance(node, (ast.List, ast.Tuple)) or not isinstance(node.ctx, ast.Load):
            continue
        chain = list(around(program, node))
        if not chain or chain[0][2] in (
            "strides",
            "ksize",
            "axis",
            "axes",
            "perm",
            "metrics",
            "loss",
            "inputs",
            "outputs",
        ):
            continue
        _, name, keyword = chain[0]
        shape = name in (
            "reshape",
            "Reshape",
            "zeros",
            "ones",
            "fill",
            "placeholder",
            "random_normal",
            "normal",
            "truncated_normal",
            "uniform",
            "random_uniform",
            "Input",
            "TensorSpec",
            "tile",
            "broadcast_to",
            "set_shape",
            "ensure_shape",
        ) or keyword in ("shape", "target_shape", "input_shape", "size")
        sizes = all(
            integer(e) is not None
            or isinstance(e, (ast.Name, ast.BinOp))
            or isinstance(e, ast.Constant)
            and e.value is None
            for e in node.elts
        )
        if not (shape and sizes) or name in _NO_SHAPES:
            continue
        for a, b in zip(node.elts, node.elts[1:]):
            if program.text_of(a) != program.text_of(b):
                yield swapped(program, "dims swapped", a, b)
        if len(node.elts) > 1:
            for gone in node.elts:
                kept = [program.text_of(e) for e in node.elts if e is not gone]
                yield replaced(program, "dim left out", node, _like(node, kept))
        texts = [program.text_of(e) for e in node.elts]
        yield replaced(program, "dim added", node, _like(node, ["1"] + texts))
        for element in node.elts:
            if integer(element) == -1:
                yield replaced(program, "reshape", element, "1")


def _like(node: ast.AST, texts: Sequence[str]) -> str:
    inner = ", ".join(texts)
    return f"[{inner}]" if isinstance(node, ast.List) else f"({inner},)"


def subscripts(program: "Program") -> Iterator[Plant]:
    """`x[:, 0]` -> `x[0]`, `x[a:b]` -> `x[a]`, `x[:, None]` -> `x`."""
    for node in ast.walk(program.tree):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        index = node.slice
        if isinstance(index, ast.Tuple):
            if len(index.elts) > 1:
                yield replaced(
                    program,
                    "index",
                    node,
                    f"{program.text_of(node.value)}[{program.text_of(index.elts[-1])}]",
                )
                yield swapped(program, "index", index.elts[0], index.elts[1])
            if any(isinstance(e, ast.Constant) and e.value is None for e in index.elts):
                yield replaced(program, "index", node, program.text_of(node.value))
        elif isinstance(index, ast.Slice) and index.lower is not None:
            yield replaced(
                program, "index", node, f"{program.text_of(node.value)}[{program.text_of(index.lower)}]"
            )


OPERATORS = (
    numbers,
    wrong_names,
    axes,
    flags,
    perms,
    lost_calls,
    lost_layers,
    lost_statements,
    added,
    swapped_arguments,
    wrong_functions,
    swapped_dims,
    subscripts,
)
