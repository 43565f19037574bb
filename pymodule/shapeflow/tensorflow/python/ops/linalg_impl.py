"""tf.linalg: what TensorFlow composes of decompositions.

Source: tensorflow/python/ops/linalg/linalg_impl.py, linalg_ops.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, tf, unknown

_convert = framework_lib.convert_to_tensor


@export("tf.linalg.expm", v2=True)
def matrix_exponential(input: object, name: Optional[str] = None) -> Any:
    """Of square matrices, their shape."""
    given = _convert(input)
    dims = given.get_shape()
    if dims.ndims is not None and dims.as_list()[-2:].count(0) == 2:
        return given
    return op("MatrixSolve", [given, given], None, name or "matrix_exponential")


def _check_matrix(matrix: Any) -> None:
    if not matrix.dtype.is_floating:
        raise TypeError("Input `a` must have `float`-like `dtype` (saw {}).".format(matrix.dtype.name))
    rank = matrix.get_shape().ndims
    if rank is not None and rank < 2:
        raise ValueError("Input `a` must have at least 2 dimensions (saw: {}).".format(rank))


@export("tf.linalg.pinv", v2=True)
def pinv(a: object, rcond: object = None, validate_args: bool = False, name: Optional[str] = None) -> Any:
    """The last two axes swapped."""
    a = _convert(a)
    _check_matrix(a)
    return tf.matrix_transpose(a, name=name or "pinv")


@export("tf.linalg.matrix_rank", v2=True)
def matrix_rank(a: object, tol: object = None, validate_args: bool = False,
                name: Optional[str] = None) -> Any:
    """One int32 for each matrix."""
    a = _convert(a)
    _check_matrix(a)
    values = tf.linalg.svd(a, compute_uv=False)
    return tf.reduce_sum(tf.cast(values > 0, "int32"), axis=-1, name=name or "matrix_rank")


@export("tf.linalg.lu_solve", v2=True)
def lu_solve(lower_upper: Any, perm: object, rhs: Any, validate_args: bool = False,
             name: Optional[str] = None) -> Any:
    lower_upper, rhs = _convert(lower_upper), _convert(rhs)
    if rhs.get_shape().ndims == 2 and lower_upper.get_shape().ndims == 2:
        rhs = tf.gather(rhs, _convert(perm), axis=-2)
    return tf.matrix_triangular_solve(lower_upper, rhs, lower=False, name=name or "lu_solve")


@export("tf.linalg.lu_matrix_inverse", v2=True)
def lu_matrix_inverse(lower_upper: object, perm: object, validate_args: bool = False,
                      name: Optional[str] = None) -> Any:
    return tf.matrix_inverse(_convert(lower_upper), name=name or "lu_matrix_inverse")


@export("tf.linalg.lu_reconstruct", v2=True)
def lu_reconstruct(lower_upper: object, perm: object, validate_args: bool = False,
                   name: Optional[str] = None) -> Any:
    lower_upper = _convert(lower_upper)
    return tf.matmul(lower_upper, lower_upper, name=name or "lu_reconstruct")


@export("tf.linalg.eigh_tridiagonal", v2=True)
def eigh_tridiagonal(alpha: Any, beta: Any, eigvals_only: bool = True, select: str = "a",
                     select_range: object = None,
                     tol: object = None, name: Optional[str] = None) -> Any:
    """The eigenvalues of a symmetric matrix of two diagonals, all of them when none are selected."""
    alpha = _convert(alpha)
    beta = _convert(beta, alpha.dtype)
    size = alpha.get_shape().as_list()[0] if alpha.get_shape().ndims == 1 else None
    real = {"complex64": "float32", "complex128": "float64"}.get(alpha.dtype.name, alpha.dtype)
    count = size
    if select == "i" and isinstance(select_range, (list, tuple)):
        count = select_range[1] - select_range[0] + 1
    elif select != "a":
        count = None
    values = unknown(real, [count], name, [alpha, beta], trusted=True)
    return values if eigvals_only else (values, unknown(alpha.dtype, [size, count], name, [alpha, beta],
                                                        trusted=True))


def _diagonals(diagonals: Any, form: str, what: str) -> Any:
    """One tensor whose rows are the three diagonals."""
    if form == "matrix":
        whole = _convert(diagonals)
        return tf.stack([whole[..., 0, :], tf.matrix_diag_part(whole), whole[..., 0, :]], axis=-2)
    if form == "sequence":
        above, main, below = (_convert(one) for one in diagonals)
        size = main.get_shape().as_list()[-1] if main.get_shape().ndims else None

        def padded(one: Any, at_end: bool) -> Any:
            length = one.get_shape().as_list()[-1] if one.get_shape().ndims else None
            if size is None or length is None or length == size:
                return one
            edge = [[0, 0]] * (one.get_shape().ndims - 1) + [[0, 1] if at_end else [1, 0]]
            return tf.pad(one, edge)

        return tf.stack([padded(above, True), main, padded(below, False)], axis=-2)
    if form != "compact":
        raise ValueError("Unrecognized diagonals_format: {}".format(form))
    return _convert(diagonals)


@export("tf.linalg.tridiagonal_solve", v2=True)
def tridiagonal_solve(diagonals: Any, rhs: Any, diagonals_format: str = "compact",
                      transpose_rhs: bool = False,
                      conjugate_rhs: bool = False, name: Optional[str] = None, partial_pivoting: bool = True,
                      perturb_singular: bool = False) -> Any:
    diagonals = _diagonals(diagonals, diagonals_format, "tridiagonal_solve")
    rhs = _convert(rhs, diagonals.dtype)
    rank = diagonals.get_shape().ndims
    vector = rank is not None and rhs.get_shape().ndims == rank - 1
    if vector and (transpose_rhs or conjugate_rhs and False):
        raise ValueError("transpose_rhs is not supported when rhs is vector")
    sides = tf.expand_dims(rhs, -1) if vector else tf.matrix_transpose(rhs) if transpose_rhs else rhs
    solved = op("TridiagonalSolve", [diagonals, sides], {"partial_pivoting": partial_pivoting,
                                                         "perturb_singular": perturb_singular}, name)
    return tf.squeeze(solved, -1) if vector else solved


@export("tf.linalg.tridiagonal_matmul", v2=True)
def tridiagonal_matmul(diagonals: object, rhs: object, diagonals_format: str = "compact",
                       name: Optional[str] = None) -> Any:
    whole = _diagonals(diagonals, diagonals_format, "tridiagonal_matmul")
    rows = [whole[..., i:i + 1, :] for i in range(3)]
    return op("TridiagonalMatMul", [*rows, _convert(rhs, whole.dtype)], None, name)
