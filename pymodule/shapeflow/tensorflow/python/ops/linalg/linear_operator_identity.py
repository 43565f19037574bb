"""tf.linalg.LinearOperatorIdentity and its multiples.

Source: tensorflow/python/ops/linalg/linear_operator_identity.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept


def count_of(given: object, name: str) -> Any:
    """A number of rows or columns as a dimension; errors are TensorFlow's."""
    tensor = framework_lib.convert_to_tensor(given)
    if not tensor.dtype.is_integer:
        raise TypeError("Argument %s must be integer type.  Found: %s" % (name, tensor))
    static = framework_lib.constant_value(tensor)
    if static is not None and static.ndim != 0:
        raise ValueError("Argument %s must be a 0-D Tensor.  Found: %s" % (name, static))
    if static is not None and static < 0:
        raise ValueError("Argument %s must be non-negative.  Found: %s" % (name, static))
    return tf.Dimension(None if static is None else int(static))


def batch_of(given: object) -> _core.TensorShape:
    """The argument `batch_shape` as a shape."""
    if given is None:
        return _core.TensorShape([])
    if isinstance(given, _core.TensorShape):
        return given
    tensor = framework_lib.convert_to_tensor(given, "int32" if isinstance(given, (list, tuple)) else None)
    if not tensor.dtype.is_integer:
        raise TypeError("Argument batch_shape must be integer type.  Found: %s" % tensor)
    if tensor.get_shape().ndims not in (None, 1):
        raise ValueError("Argument batch_shape must be a 1-D Tensor.  Found: %s"
                         % framework_lib.constant_value(tensor))
    static = framework_lib.constant_value(tensor)
    if static is not None and (static < 0).any():
        raise ValueError("Argument batch_shape must be non-negative.  Found:%s" % static)
    return framework_lib.constant_value_as_shape(tensor)


@export("tf.linalg.LinearOperatorIdentity", "tf.contrib.linalg.LinearOperatorIdentity", v2=True)
class LinearOperatorIdentity(LinearOperator):
    """Ones on the diagonal."""

    def __init__(self, num_rows: Any, batch_shape: Any = None, dtype: Any = None,
                 is_non_singular: bool = True, is_self_adjoint: bool = True,
                 is_positive_definite: bool = True, is_square: bool = True,
                 assert_proper_shapes: bool = False, name: str = "LinearOperatorIdentity") -> None:
        parameters = {"num_rows": num_rows, "batch_shape": batch_shape, "dtype": dtype,
                      "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square,
                      "assert_proper_shapes": assert_proper_shapes, "name": name}
        for hint, word in ((is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"),
                           (is_positive_definite, "positive-definite"), (is_square, "square")):
            if not hint:
                raise ValueError("An identity operator is always %s." % word)
        super().__init__(dtype or "float32", None, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name, parameters)
        rows = count_of(num_rows, "num_rows")
        self._own_shape = batch_of(batch_shape).concatenate([rows, rows])

    def _shape(self) -> _core.TensorShape:
        return self._own_shape

    def _linop_adjoint(self) -> LinearOperatorIdentity:
        return self

    _linop_inverse = _linop_adjoint

    def _linop_cholesky(self) -> LinearOperatorIdentity:
        return LinearOperatorIdentity(**self._parameters)

    def _linop_matmul(self, left: object, right: object) -> Any:
        return right

    _linop_solve = _linop_matmul


@export("tf.linalg.LinearOperatorScaledIdentity", "tf.contrib.linalg.LinearOperatorScaledIdentity", v2=True)
class LinearOperatorScaledIdentity(LinearOperator):
    """The same number all along the diagonal."""

    def __init__(self, num_rows: Any, multiplier: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = True, assert_proper_shapes: bool = False,
                 name: str = "LinearOperatorScaledIdentity") -> None:
        parameters = {"num_rows": num_rows, "multiplier": multiplier, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "assert_proper_shapes": assert_proper_shapes, "name": name}
        self._multiplier = kept(multiplier, "multiplier")
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        super().__init__(self._multiplier.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name, parameters)
        self._rows = count_of(num_rows, "num_rows")

    _MATRIX_AXES = {"multiplier": 0}
    multiplier = property(lambda self: self._multiplier)

    def _shape(self) -> Any:
        return self._multiplier.get_shape().concatenate([self._rows, self._rows])

    def _with(self, multiplier: object) -> LinearOperatorScaledIdentity:
        return LinearOperatorScaledIdentity(self._parameters["num_rows"], multiplier, **self._hints())

    def _linop_adjoint(self) -> LinearOperatorScaledIdentity:
        return self._with(tf.conj(self._multiplier))

    def _linop_inverse(self) -> LinearOperatorScaledIdentity:
        return self._with(1.0 / self._multiplier)

    def _linop_cholesky(self) -> LinearOperatorScaledIdentity:
        return self._with(tf.sqrt(self._multiplier))
