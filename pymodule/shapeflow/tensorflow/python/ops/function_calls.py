"""tf.raw_ops that call functions: If, While, Case, PartitionedCall... Their results are inferred through
the bodies that we hold, those of traced functions (tf.function's concrete ones), by object or by name.

Eager: the body that is taken runs. In a graph: each body is traced on what is known of the arguments; If and
Case join the branches, While is a fixpoint, so that a loop which changes a shape is not believed to keep it.
What can be traced is then built in the graph itself, as calls of a tf.function are, so that a run with other
shapes is inferred through it; an IdentityN bears the op's name. As in TensorFlow only a PartitionedCall
refuses, while a graph is built, what its body refuses.
Source: functional_ops.cc, kernels/functional_ops.cc; ShapeRefiner::InferShapesForFunction.
"""
from __future__ import annotations

import types
from typing import Any, Callable, Dict, List, Optional

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.tensorflow.python.eager.concrete_function import ConcreteFunction, named_function
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec
from shapeflow.tensorflow.python.ops import control_flow_ops
from shapeflow.tensorflow.python.util import nest

PASSES = 4  # over a loop's body, until its shapes are those that it began with
TURNS = 100  # of a loop in eager mode that changes no shape: what it counts is of no concern

Shapes = Optional[List[Any]]  # None: not known


def _held(given: object) -> Any:
    """The traced function that an attr names, or None."""
    return given if isinstance(given, ConcreteFunction) else named_function(given)


def _apply(function: Any, args: List[Any]) -> List[Any]:
    """What the body makes of these; what comes after the declared arguments was captured."""
    left = iter(args)

    def one(spec: object) -> Any:
        if isinstance(spec, _core.VariableBase):
            next(left)  # its handle
            return spec
        return next(left) if isinstance(spec, TensorSpec) else spec

    args, kwargs = nest.map_structure(one, function.structured_input_signature)
    with function.as_traced():
        made = function._function._python_function(*args, **kwargs)
    return [framework_lib.convert_to_tensor(t) for given in nest.flatten(made) for t in _components(given)]


def _components(given: object) -> List[Any]:
    """What stands for one result among those of the op."""
    if isinstance(given, framework_lib.SparseTensor):
        return [given.indices, given.values, given.dense_shape]
    if isinstance(given, framework_lib.IndexedSlices):
        return [t for t in (given.values, given.indices, given.dense_shape) if t is not None]
    return [] if given is None else [given]


def _or_none(make: Callable[[], object]) -> Any:
    """What `make` gives; None where it fails without a finding: what runs here is not what TensorFlow
    runs, which traced and converted the body once."""
    from shapeflow.tensorflow.python.data.traced_function import Undecided

    before = len(_core.findings())
    try:
        return make()
    except Undecided:
        return None
    except Exception:
        if len(_core.findings()) > before:
            raise
        return None


def _trace(function: Any, args: List[Any], shapes: Shapes, types: List[Any], loud: bool = False) -> Shapes:
    """The shapes of the results, in a graph of its own. `shapes`: instead of what the arguments are."""
    from shapeflow.tensorflow.python.data.traced_function import FunctionGraph, Undecided

    def argument(i: int, t: Any) -> Any:
        value = _core.constant_value(t) if shapes is None else None
        if value is not None:
            return op_builders.tf.constant(value, t.dtype)
        return op_builders.tf.placeholder(t.dtype, t.get_shape() if shapes is None else shapes[i])

    def results() -> Shapes:
        with FunctionGraph().as_default():
            made = _apply(function, [argument(i, t) for i, t in enumerate(args)])
            fits = [t.dtype.base_dtype for t in made] == types
            return [t.get_shape() for t in made] if fits else None

    if function is None:
        return None
    if loud:
        return _or_none(results) or _traced_before(function, types)
    try:
        with _core.mute():
            return results()
    except (Exception, Undecided):  # it may never run, or be traced otherwise
        return _traced_before(function, types)


def _traced_before(function: ConcreteFunction, types: List[Any]) -> Shapes:
    """Eager: what its own trace made of tensors of its signature; a body need not run twice. In a graph what
    fails here fails in the run."""
    if not _core.executing_eagerly():
        return None
    made = [t for t in nest.flatten(function._trace()[1]) if isinstance(t, _core.Tensor)]
    return [t.get_shape() for t in made] if [t.dtype.base_dtype for t in made] == types else None


def _join(a: Any, b: Any) -> _core.TensorShape:
    if a.ndims is None or a.ndims != b.ndims:
        return _core.TensorShape(None)
    return _core.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


def _branches(functions: List[Any], args: List[Any], types: List[Any]) -> Shapes:
    all_shapes: Shapes = None
    for function in functions:
        shapes = _trace(function, args, None, types)
        if shapes is None:
            return None
        all_shapes = shapes if all_shapes is None else [_join(a, b) for a, b in zip(all_shapes, shapes)]
    return all_shapes


def _loop(body: object, first: List[Any], args: List[Any]) -> Shapes:
    """The join over all turns; `first`: what a body of For takes before the loop's own. None where the
    body cannot be traced."""
    types = [t.dtype.base_dtype for t in args]
    shapes = [t.get_shape() for t in args]
    heads = [t.get_shape() for t in first]
    for _ in range(PASSES):
        after = _trace(body, first + args, heads + shapes, types)
        if after is None:
            return None
        joined = [_join(a, b) for a, b in zip(shapes, after)]
        if [str(s) for s in joined] == [str(s) for s in shapes]:
            return shapes
        shapes = joined
    return _anything(args)


def _anything(args: List[object]) -> List[Any]:
    return [_core.TensorShape(None)] * len(args)


def _tensors(values: Any) -> List[Any]:
    return [framework_lib.convert_to_tensor(v) for v in values]


def _known(t: object) -> Optional[Any]:
    return _core.constant_value(framework_lib.convert_to_tensor(t))


def _truth(pred: object) -> Optional[bool]:
    """If and While take any tensor: a number that is not 0, a string or a shape that is not empty."""
    t = framework_lib.convert_to_tensor(pred)
    shape = t.get_shape()
    if shape.ndims is None:
        return None
    if shape.ndims > 0:
        count = shape.num_elements()
        return None if count is None else count > 0
    value = _core.constant_value(t)
    return None if value is None else bool(value[()])


class _Call:
    """One of these ops: keyword arguments only, as all of tf.raw_ops."""

    def __init__(self, name: str, infer: Callable[..., Any]) -> None:
        self._raw: Any = _core.raw_op(name)
        self._infer = infer
        self.__name__ = self.__qualname__ = name
        self.__module__ = "tensorflow.python.ops.gen_functional_ops"
        self.__doc__ = self._raw.__doc__

    __signature__ = property(lambda self: self._raw.__signature__)

    def __get__(self, instance: object, owner: object) -> Any:
        """As a function in a class body."""
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return repr(self._raw)

    def __call__(self, *args: object, **kwargs: Any) -> Any:
        if args:
            return self._raw(*args, **kwargs)
        eager = _core.executing_eagerly()
        self._check(kwargs, eager)
        try:
            plan = self._infer(kwargs)
        except (KeyError, TypeError, ValueError):  # arguments that the op itself refuses, in its words
            plan = None
        if "branches" in kwargs:  # a list of functions is known by their names
            kwargs = {**kwargs, "branches": [getattr(f, "name", f) for f in kwargs["branches"]]}
        if plan is None:
            return self._raw(**kwargs)
        if eager and plan.run is not None:
            made = _checked(_or_none(plan.run), plan.types)
            return self._made(kwargs, plan, eager) if made is None else made
        if plan.strict and plan.shapes() is None:
            _trace(plan.strict, plan.args, None, plan.types, loud=True)
        if not eager and plan.shapes() is None:
            plan = self._hidden(kwargs) or plan
        if not eager and plan.inline is not None and plan.types and plan.shapes() is not None:
            made = _or_none(lambda: self._inlined(kwargs, plan))
            if made is not None:
                return made
        return self._made(kwargs, plan, eager)

    def _inlined(self, kwargs: Dict[str, Any], plan: "_Plan") -> Any:
        assert plan.inline is not None
        with framework_lib.name_scope(kwargs.get("name"), self.__name__) as scope:
            return op_builders.outputs("IdentityN", [plan.inline()], None, scope)

    def _hidden(self, kwargs: Dict[str, Any]) -> Optional["_Plan"]:
        """The same for arguments of which nothing is known: what fails for these shapes then fails where
        TensorFlow fails, in the run."""
        key = "args" if "args" in kwargs else "input"
        hidden = [op_builders.tf.placeholder_with_default(t, None) for t in _tensors(kwargs[key])]
        return self._infer({**kwargs, key: hidden})

    def _check(self, kwargs: Dict[str, Any], eager: bool) -> None:
        """A function is given as what traced it, or by name."""
        for key in ("f", "cond", "body", "then_branch", "else_branch"):
            given = kwargs.get(key)
            if given is None or key == "cond" and self.__name__ in ("If", "StatelessIf") or isinstance(
                    given, (str, bytes)) or hasattr(given, "name") or callable(given):
                continue
            if not eager:
                raise TypeError("Don't know how to convert %s to a func for argument %s" % (given, key))
            raise InvalidArgumentError(None, None, (
                "unable to set function value attribute from a %s object. If you think this is an error, "
                "please file an issue at https://github.com/tensorflow/tensorflow/issues/new"
                % type(given).__name__))

    def _made(self, kwargs: Dict[str, Any], plan: "_Plan", eager: bool) -> Any:
        shapes = plan.shapes()
        if shapes is not None and plan.declares and not kwargs.get("output_shapes"):
            kwargs = {**kwargs, "output_shapes": shapes}
        made = self._raw(**kwargs)
        outs = made if isinstance(made, (list, tuple)) else []
        if shapes is None or len(outs) != len(shapes):
            return made
        if eager:
            return [op_builders.unknown(t.dtype, s, self.__name__, plan.args, trusted=True)
                    for t, s in zip(outs, shapes)]
        for t, s in zip(outs, shapes):
            if t.get_shape().is_compatible_with(s):
                t.set_shape(s)
        return made


class _Plan:
    """What is known of one call."""

    def __init__(self, args: List[Any], types: Any, shapes: Callable[[], Shapes],
                 run: Optional[Callable[[], Any]] = None, inline: Optional[Callable[[], Any]] = None,
                 declares: bool = False, strict: Any = None) -> None:
        self.args = args
        self.types = [_core.as_dtype(t).base_dtype for t in types]
        self._shapes = shapes
        self._found: Any = False
        self.run = run  # eager: gives the results
        self.inline = inline  # the same in a graph
        self.declares = declares  # it has an attr output_shapes
        self.strict = strict  # the function that TensorFlow infers through while it builds

    def shapes(self) -> Shapes:
        if self._found is False:
            self._found = self._shapes()
        return self._found


def _checked(results: Any, types: List[Any]) -> Any:
    return results if results is not None and [t.dtype.base_dtype for t in results] == types else None


def _choice(functions: List[object], taken: Optional[int], args: List[Any], types: Any,
            choose: Any = None) -> Optional[_Plan]:
    held = [_held(f) for f in functions]
    wanted = held if taken is None else [held[taken]]
    if any(f is None for f in wanted):
        return None
    run = None if taken is None else lambda: _apply(wanted[0], args)
    base = [_core.as_dtype(t).base_dtype for t in types]
    inline = run or choose and (lambda: choose([lambda f=f: _apply(f, args) for f in wanted]))
    return _Plan(args, types, lambda: _branches(wanted, args, base), run, inline, True)


def _if(kwargs: Dict[str, object]) -> Optional[_Plan]:
    truth = _truth(kwargs["cond"])
    taken = None if truth is None else 0 if truth else 1
    pred = framework_lib.convert_to_tensor(kwargs["cond"])
    plain = pred.dtype.base_dtype == _core.as_dtype("bool") and pred.get_shape().ndims == 0
    choose = (lambda both: control_flow_ops.cond(pred, both[0], both[1], True)) if plain else None
    return _choice([kwargs["then_branch"], kwargs["else_branch"]], taken, _tensors(kwargs["input"]),
                   kwargs["Tout"], choose)


def _case(kwargs: Dict[str, Any]) -> Optional[_Plan]:
    functions, index = list(kwargs["branches"]), _known(kwargs["branch_index"])
    if not functions:
        return None
    taken = None if index is None else int(index) if 0 <= index < len(functions) else len(functions) - 1
    return _choice(functions, taken, _tensors(kwargs["input"]), kwargs["Tout"],
                   lambda all_of: control_flow_ops.switch_case(kwargs["branch_index"], all_of))


def _call(strict: bool, list_name: str = "args") -> Callable[[Dict[str, Any]], Optional[_Plan]]:
    def plan(kwargs: Dict[str, Any]) -> Optional[_Plan]:
        function, args = _held(kwargs["f"]), _tensors(kwargs[list_name])
        if function is None:
            return None
        base = [_core.as_dtype(t).base_dtype for t in kwargs["Tout"]]
        run = lambda: _apply(function, args)  # noqa: E731
        return _Plan(args, kwargs["Tout"], lambda: _trace(function, args, None, base), run, run, False,
                     function if strict else None)

    return plan


def _while(kwargs: Dict[str, object]) -> Optional[_Plan]:
    cond, body = _held(kwargs["cond"]), _held(kwargs["body"])
    args = _tensors(kwargs["input"])
    eager = _core.executing_eagerly()
    shapes = None if eager else _loop(body, [], args)

    def inline() -> Any:
        return control_flow_ops.while_loop(
            lambda *v: _apply(cond, list(v))[0], lambda *v: _apply(body, list(v)), args, shapes,
            return_same_structure=True)

    def run() -> Any:
        """From where the condition is not known, or nothing seems to end the loop: what may come yet."""
        values, turns = args, 0
        while turns < TURNS:
            goes_on = _truth(_apply(cond, values)[0])
            if goes_on is None:
                break
            if not goes_on:
                return values
            before, values = values, _apply(body, values)
            same = [str(t.get_shape()) for t in before] == [str(t.get_shape()) for t in values]
            turns = turns + 1 if same else 0
        after = _loop(body, [], values) or _anything(values)
        return [op_builders.unknown(t.dtype, s, "While", [t], trusted=True) for t, s in zip(values, after)]

    plain = shapes is not None and _is_test(cond, args, shapes)
    return _Plan(args, [t.dtype for t in args],
                 lambda: (_loop(body, [], args) if eager else shapes) or _anything(args),
                 run if cond and body else None, inline if plain else None, True)


def _is_test(cond: object, args: List[object], shapes: Shapes) -> bool:
    """Does it give what tf.while_loop takes? The op itself takes any tensor."""
    made = _trace(cond, args, shapes, [_core.as_dtype("bool")])
    return made is not None and len(made) == 1 and made[0].ndims == 0


def _for(kwargs: Dict[str, object]) -> Optional[_Plan]:
    body, args = _held(kwargs["body"]), _tensors(kwargs["input"])
    counter = _tensors([kwargs["start"]])
    return _Plan(args, [t.dtype for t in args], lambda: _loop(body, counter, args) or _anything(args))


for _name, _infer in {
        "If": _if, "StatelessIf": _if, "Case": _case, "StatelessCase": _case, "While": _while,
        "StatelessWhile": _while, "For": _for, "PartitionedCall": _call(True),
        "StatefulPartitionedCall": _call(True), "RemoteCall": _call(False)}.items():
    put(_Call(_name, _infer), "tf.raw_ops." + _name, v2=True)
