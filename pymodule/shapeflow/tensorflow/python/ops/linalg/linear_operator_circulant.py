"""tf.linalg.LinearOperatorCirculant, of one to three axes.

Source: tensorflow/python/ops/linalg/linear_operator_circulant.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept


class _Circulant(LinearOperator):
    """A matrix of shifted copies, given by its spectrum."""

    def __init__(self, spectrum: Any, block_depth: int, input_output_dtype: Any,
                 is_non_singular: Optional[bool], is_self_adjoint: Optional[bool],
                 is_positive_definite: Optional[bool], is_square: Optional[bool], name: str) -> None:
        parameters = {"spectrum": spectrum, "input_output_dtype": input_output_dtype,
                      "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square, "name": name}
        self._spectrum = kept(spectrum, "spectrum")
        self._block_depth = block_depth
        rank = self._spectrum.get_shape().ndims
        if rank is not None and rank < block_depth:
            raise ValueError("Argument `spectrum` must have at least %d dimensions. Received: %s." % (
                block_depth, self._spectrum))
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator. Expected "
                                 "argument `is_self_adjoint` to be True when `spectrum.dtype.is_complex` = "
                                 "True. Received: False.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square. Expected argument "
                             "`is_square` to be True. Received: False.")
        super().__init__(input_output_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         True, name, parameters)

    spectrum = property(lambda self: self._spectrum)
    block_depth = property(lambda self: self._block_depth)
    block_shape = property(lambda self: self._spectrum.get_shape()[-self._block_depth:])

    def _shape(self) -> Any:
        shape = self._spectrum.get_shape()
        if shape.ndims is None:
            return shape
        size = tf.Dimension(1)
        for dim in self.block_shape.dims:
            size = size * dim
        return shape[:-self._block_depth].concatenate([size, size])

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        return self._made(self._spectrum.get_shape())

    def _with(self, spectrum: object) -> _Circulant:
        return type(self)(**{**self._parameters, "spectrum": spectrum})

    def _linop_adjoint(self) -> _Circulant:
        return self._with(tf.conj(self._spectrum))

    def _linop_inverse(self) -> _Circulant:
        return self._with(1.0 / self._spectrum)

    def _linop_matmul(self, left: Any, right: Any) -> Any:
        if type(left) is not type(right):
            return super()._linop_matmul(left, right)
        return left._with(left.spectrum * right.spectrum)


@export("tf.linalg.LinearOperatorCirculant", "tf.contrib.linalg.LinearOperatorCirculant", v2=True)
class LinearOperatorCirculant(_Circulant):
    """Of vectors."""

    def __init__(self, spectrum: Any, input_output_dtype: Any = "complex64",
                 is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorCirculant") -> None:
        super().__init__(spectrum, 1, input_output_dtype, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)


@export("tf.linalg.LinearOperatorCirculant2D", "tf.contrib.linalg.LinearOperatorCirculant2D", v2=True)
class LinearOperatorCirculant2D(_Circulant):
    """Of planes."""

    def __init__(self, spectrum: Any, input_output_dtype: Any = "complex64",
                 is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorCirculant2D") -> None:
        super().__init__(spectrum, 2, input_output_dtype, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)


@export("tf.linalg.LinearOperatorCirculant3D", "tf.contrib.linalg.LinearOperatorCirculant3D", v2=True)
class LinearOperatorCirculant3D(_Circulant):
    """Of spaces."""

    def __init__(self, spectrum: Any, input_output_dtype: Any = "complex64",
                 is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorCirculant3D") -> None:
        super().__init__(spectrum, 3, input_output_dtype, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)
