"""tf.linalg.LinearOperator: a matrix that acts by its structure; only its shape counts here.

A subclass says its shape and keeps what it was made with in `parameters`. What is computed with it is
a tensor of the shape that follows, made of the tensors among those, so that gradients reach them. The
subclasses are asked for by their names: they import this module.
Source: tensorflow/python/ops/linalg/{linear_operator,property_hint_util}.py.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import like_shape, tf
from shapeflow.tensorflow.python.module.module import Module

_convert = framework_lib.convert_to_tensor


def kept(given: object, name: Optional[str] = None, dtype: object = None) -> Any:
    """A variable stays one, so that a later assignment counts; all else is a tensor."""
    return given if isinstance(given, _core.VariableBase) else _convert(given, dtype, name)


def broadcast(*shapes: Any) -> Any:
    """The shape to which all of them broadcast."""
    found = shapes[0]
    for shape in shapes[1:]:
        found = framework_lib.broadcast_static_shape(found, shape)
    return found


def _tensors(held: object) -> Iterator[Any]:
    if isinstance(held, LinearOperator):
        yield from held._operands()
    elif isinstance(held, (_core.Tensor, _core.VariableBase)):
        yield _convert(held)
    elif isinstance(held, (list, tuple)):
        for one in held:
            yield from _tensors(one)


@export("tf.linalg.LinearOperator", "tf.contrib.linalg.LinearOperator",
        "tensorflow.python.ops.linalg.linear_operator.LinearOperator", v2=True)
class LinearOperator(Module):
    """What all of them do: each method checks as TensorFlow's does and gives what has the right shape."""

    # The tensors among its parameters that have the axes of the batch, and how many axes follow those.
    _MATRIX_AXES: Dict[str, int] = {}

    def __init__(self, dtype: Any, graph_parents: Any = None, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None, name: Optional[str] = None,
                 parameters: Optional[Dict[str, Any]] = None) -> None:
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        super().__init__(name=name)
        self._name = name or type(self).__name__
        self._graph_parents = list(graph_parents or [])
        self._dtype = _core.as_dtype(dtype).base_dtype if dtype else dtype
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._is_square_set_or_implied_by_hints = is_square
        self._parameters = parameters or {}

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    graph_parents = property(lambda self: self._graph_parents)
    parameters = property(lambda self: dict(self._parameters))
    is_non_singular = property(lambda self: self._is_non_singular)
    is_self_adjoint = property(lambda self: self._is_self_adjoint)
    is_positive_definite = property(lambda self: self._is_positive_definite)
    shape = property(lambda self: self._shape())
    batch_shape = property(lambda self: self.shape[:-2])
    tensor_rank = property(lambda self: self.shape.ndims)
    H = property(lambda self: self.adjoint())

    @property
    def is_square(self) -> Optional[bool]:
        hint = self._is_square_set_or_implied_by_hints
        alike = self.domain_dimension == self.range_dimension
        if hint is False and alike:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return bool(alike) if hint is None and alike is not None else hint

    @property
    def domain_dimension(self) -> Any:
        return self._dimension(-1)

    @property
    def range_dimension(self) -> Any:
        return self._dimension(-2)

    def _dimension(self, axis: int) -> Any:
        shape = self.shape
        return tf.Dimension(None) if shape.ndims is None else shape.dims[axis]

    def _shape(self) -> Any:
        raise NotImplementedError("_shape is not implemented.")

    def _operands(self) -> List[Any]:
        """The tensors that the operator is made of."""
        return list(_tensors(list((self._parameters or vars(self)).values())))

    def _made(self, shape: object, *others: object, dtype: object = None) -> Any:
        """A tensor of that shape, computed from the operator and `others`."""
        return like_shape([*self._operands(), *others], dtype or self._dtype, shape)

    # The shape as tensors.

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        shape = self.shape
        if shape.is_fully_defined():
            return _convert(shape.as_list(), "int32")
        return self._made([shape.ndims], dtype="int32")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        shape = self.batch_shape
        if shape.is_fully_defined():
            return _convert(shape.as_list(), "int32")
        return self._made([shape.ndims], dtype="int32")

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        return tf.size(self.shape_tensor()) if self.tensor_rank is None else _convert(self.tensor_rank)

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        return self._dimension_tensor(self.domain_dimension)

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        return self._dimension_tensor(self.range_dimension)

    def _dimension_tensor(self, dimension: Any) -> Any:
        return self._made([], dtype="int32") if dimension.value is None else _convert(dimension.value)

    # The matrix applied.

    def _operand(self, given: object, name: str, matrix_axis: int, axis: int) -> Any:
        """`given` as a tensor, once its axis is known to fit that of the matrix."""
        x = _convert(given, None, name)
        if x.dtype.base_dtype != self._dtype:
            raise TypeError("Expected argument to have dtype %s.  Found: %s in tensor %s" % (
                self._dtype, x.dtype, x))
        shape = x.get_shape()
        if shape.ndims is not None:
            self._dimension(matrix_axis).assert_is_compatible_with(shape.dims[axis])
        return x

    def _applied(self, x: Any, axis: int, adjoint_arg: bool) -> Any:
        """The columns of `x` with that axis of the matrix above them."""
        given, own = x.get_shape(), self.shape
        if given.ndims is None or own.ndims is None:
            return self._made(None, x)
        batch = broadcast(own[:-2], given[:-2])
        return self._made(batch.concatenate([own.dims[axis], given.dims[-2 if adjoint_arg else -1]]), x)

    def _matmul(self, x: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._applied(x, -1 if adjoint else -2, adjoint_arg)

    def _solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._applied(rhs, -2 if adjoint else -1, adjoint_arg)

    def _matvec(self, x: object, adjoint: bool = False) -> Any:
        return tf.squeeze(self.matmul(tf.expand_dims(x, -1), adjoint=adjoint), -1)

    def _solvevec(self, rhs: object, adjoint: bool = False) -> Any:
        return tf.squeeze(self.solve(tf.expand_dims(rhs, -1), adjoint=adjoint), -1)

    def _joined(self, other: Any, adjoint: bool, adjoint_arg: bool, what: str) -> Any:
        """This operator and another one, each turned over where that is asked for."""
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if (right.range_dimension != left.domain_dimension) is True:
            raise ValueError("Operators are incompatible. Expected `%s` to have dimension {} but got {}."
                             .format(left.domain_dimension, right.range_dimension) % what)
        return left, right

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        if isinstance(x, LinearOperator):
            left, right = self._joined(x, adjoint, adjoint_arg, "x")
            return left._linop_matmul(left, right)
        x = self._operand(x, "x", -2 if adjoint else -1, -1 if adjoint_arg else -2)
        return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other: object) -> Any:
        return self.matmul(other)

    def matvec(self, x: object, adjoint: bool = False, name: str = "matvec") -> Any:
        return self._matvec(self._operand(x, "x", -2 if adjoint else -1, -1), adjoint=adjoint)

    def solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False,
              name: str = "solve") -> Any:
        self._check_solvable()
        if isinstance(rhs, LinearOperator):
            left, right = self._joined(rhs, adjoint, adjoint_arg, "rhs")
            return left._linop_solve(left, right)
        rhs = self._operand(rhs, "rhs", -1 if adjoint else -2, -1 if adjoint_arg else -2)
        return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs: object, adjoint: bool = False, name: str = "solve") -> Any:
        self._check_solvable()
        return self._solvevec(self._operand(rhs, "rhs", -1 if adjoint else -2, -1), adjoint=adjoint)

    def _check_solvable(self) -> None:
        for hint, kind in ((self.is_non_singular, "be singular"), (self.is_square, "not be square")):
            if hint is False:
                raise NotImplementedError("Exact solve not implemented for an operator that is expected to "
                                          + kind + ".")

    # Other operators made of it.

    def _linop_matmul(self, left: Any, right: Any) -> Any:

        if isinstance(right, tf.linalg.LinearOperatorIdentity):
            return left
        if isinstance(right, tf.linalg.LinearOperatorZeros):
            if not right.is_square or not left.is_square:
                raise ValueError("Matmul with non-square `LinearOperator`s or non-square "
                                 "`LinearOperatorZeros` not supported at this time.")
            return right
        return tf.linalg.LinearOperatorComposition([left, right], **_hints_of_product(left, right))

    def _linop_solve(self, left: Any, right: object) -> Any:

        if isinstance(right, tf.linalg.LinearOperatorIdentity):
            return left.inverse()
        return tf.linalg.LinearOperatorComposition([tf.linalg.LinearOperatorInversion(left), right],
                                         **_hints_of_product(left, right))

    def adjoint(self, name: str = "adjoint") -> Any:
        if self.is_self_adjoint is True:
            return self
        return self._linop_adjoint()

    def _linop_adjoint(self) -> Any:

        return tf.linalg.LinearOperatorAdjoint(self, **self._hints())

    def inverse(self, name: str = "inverse") -> Any:
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        return self._linop_inverse()

    def _linop_inverse(self) -> Any:

        return tf.linalg.LinearOperatorInversion(self, **self._hints())

    def cholesky(self, name: str = "cholesky") -> Any:
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: "
                             "Not a positive definite self adjoint matrix.")
        return self._linop_cholesky()

    def _linop_cholesky(self) -> Any:

        return tf.linalg.LinearOperatorLowerTriangular(tf.cholesky(self.to_dense()), is_non_singular=True,
                                             is_self_adjoint=False, is_square=True)

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _hints(self) -> Dict[str, Any]:
        return {"is_non_singular": self.is_non_singular, "is_self_adjoint": self.is_self_adjoint,
                "is_positive_definite": self.is_positive_definite, "is_square": self.is_square}

    # Tensors made of it.

    def _diag_shape(self) -> Any:
        """The batch, and the shorter side of the matrix."""
        shape = self.shape
        if shape.ndims is None:
            return shape
        sides = [dim.value for dim in shape.dims[-2:]]
        same = self.domain_dimension if sides[0] == sides[1] else None
        return shape[:-2].concatenate([same if None in sides or same is not None else min(sides)])

    def _to_dense(self) -> Any:
        return self._made(self.shape)

    def _diag_part(self) -> Any:
        return self._made(self._diag_shape())

    def _determinant(self) -> Any:
        return self._made(self.batch_shape)

    def _log_abs_determinant(self) -> Any:
        return self._made(self.batch_shape)

    def _trace(self) -> Any:
        return self._made(self.batch_shape)

    def _eigvals(self) -> Any:
        return self._made(self._diag_shape())

    def _cond(self) -> Any:
        return self._made(self.batch_shape, dtype=self._dtype.real_dtype)

    def _add_to_tensor(self, x: object) -> Any:
        return self.to_dense() + x

    def to_dense(self, name: str = "to_dense") -> Any:
        return self._to_dense()

    def diag_part(self, name: str = "diag_part") -> Any:
        return self._diag_part()

    def trace(self, name: str = "trace") -> Any:
        return self._trace()

    def determinant(self, name: str = "det") -> Any:
        self._check_determinable()
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        self._check_determinable()
        return self._log_abs_determinant()

    def _check_determinable(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square.")

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        x = _convert(x, None, "x")
        if x.dtype.base_dtype != self._dtype:
            raise TypeError("Expected argument to have dtype %s.  Found: %s in tensor %s" % (
                self._dtype, x.dtype, x))
        return self._add_to_tensor(x)

    def eigvals(self, name: str = "eigvals") -> Any:
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return self._eigvals()

    def cond(self, name: str = "cond") -> Any:
        return self._cond()

    # Values decide these: nothing is known of them.

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        return self._assert_non_singular()

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        return self._assert_positive_definite()

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        return self._assert_self_adjoint()

    def _assert_non_singular(self) -> Any:
        return _nothing()

    def _assert_positive_definite(self) -> Any:
        return _nothing()

    def _assert_self_adjoint(self) -> Any:
        return _nothing()

    def __getitem__(self, slices: object) -> Any:
        """The same operator of a part of the batch: each parameter is cut as the batch is."""
        given = slices if isinstance(slices, tuple) else (slices,)
        cut = dict(self._parameters)
        rank = self.batch_shape.ndims
        for name, own_axes in self._MATRIX_AXES.items():
            parameter = cut[name]
            if parameter is not None:
                parameter = _convert(parameter)
                if rank is None or parameter.get_shape().ndims != rank + own_axes:
                    break
                cut[name] = parameter[given + (slice(None),) * own_axes]
        else:
            if self._MATRIX_AXES:
                return type(self)(**cut)
        batch = like_shape(self._operands(), self._dtype, self.batch_shape)
        return _Part(self, batch[slices].get_shape())

    def __sf_dispatch__(self, dotted: str, function: object, args: Any, kwargs: Any) -> Any:
        """What TensorFlow's functions of matrices make of an operator; the core asks."""

        return _of_functions(dotted, args, kwargs)


class _Part(LinearOperator):
    """Part of the batch of an operator that has none of the parameters for each member of it."""

    def __init__(self, whole: LinearOperator, batch_shape: Any) -> None:
        super().__init__(whole.dtype, name=whole.name, parameters={"operator": whole}, **whole._hints())
        self._own_shape = batch_shape.concatenate(whole.shape[-2:])

    def _shape(self) -> Any:
        return self._own_shape


def _nothing() -> Any:
    return None if _core.executing_eagerly() else tf.no_op()


def product_is_square(left: Any, right: Any) -> Optional[bool]:
    """What two hints say of the product; None when they say nothing."""
    one, other = left.is_square, right.is_square
    if one and other:
        return True
    if one is False and other is False:
        rows, columns = left.range_dimension, right.domain_dimension
        return None if (rows == columns) is None else bool(rows == columns)
    return False if one is not None and other is not None and one != other else None


def product_is_non_singular(left: Any, right: Any) -> Optional[bool]:
    if left.is_non_singular is False or right.is_non_singular is False:
        return False
    both: Optional[bool] = left.is_non_singular and right.is_non_singular
    return both


def _hints_of_product(left: object, right: object) -> Dict[str, Any]:
    square = product_is_square(left, right)
    if square is False:
        return {"is_non_singular": False, "is_self_adjoint": False, "is_positive_definite": False,
                "is_square": False}
    return {"is_non_singular": product_is_non_singular(left, right) if square else None, "is_square": square}


def _of_functions(dotted: str, args: Any, kwargs: Dict[str, Any]) -> Any:
    """NotImplemented for a function that takes no operators."""
    handler = _HANDLERS.get(dotted.rpartition(".")[2])
    return NotImplemented if handler is None else handler(*args, **kwargs)


def _matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
            adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False,
            output_type: object = None, grad_a: bool = False, grad_b: bool = False,
            name: Optional[str] = None) -> Any:
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if not isinstance(a, LinearOperator):
        return tf.linalg.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))
    return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)


def _solve(matrix: object, rhs: object, adjoint: bool = False, name: Optional[str] = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint)


def _inverse(input: Any, adjoint: bool = False, name: Optional[str] = None) -> Any:
    found = input.inverse()
    return found.adjoint() if adjoint else found


def _logdet(matrix: Any, name: Optional[str] = None) -> Any:
    if matrix.is_positive_definite and matrix.is_self_adjoint:
        return matrix.log_abs_determinant()
    raise ValueError("Expected matrix to be self-adjoint positive definite.")


_HANDLERS: Dict[str, Callable[..., object]] = {
    "matmul": _matmul, "solve": _solve, "matrix_solve": _solve, "inv": _inverse, "matrix_inverse": _inverse,
    "logdet": _logdet, "adjoint": lambda matrix, name=None: matrix.adjoint(),
    "cholesky": lambda input, name=None: input.cholesky(),
    "diag_part": lambda input, name=None, **rest: input.diag_part(),
    "matrix_diag_part": lambda input, name=None, **rest: input.diag_part(),
    "det": lambda input, name=None: input.determinant(),
    "matrix_determinant": lambda input, name=None: input.determinant(),
    "trace": lambda x, name=None: x.trace()}
