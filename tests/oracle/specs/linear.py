"""Raw ops of linear algebra: products, decompositions, solvers, bands and diagonals."""
from rawspec import op, t, v

SOLVABLE = ("float32", "float64")


@op("MatMul", "SparseMatMul")
def matmul(r, name):
    m, k, n = r.dim(), r.dim(), r.dim()
    ta, tb = r.flag(), r.flag()
    return dict(a=t("float32", [k, m] if ta else [m, k]), b=t("float32", [n, k] if tb else [k, n]),
                transpose_a=ta, transpose_b=tb)


@op("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_matmul(r, name):
    m, k, n, batch = r.dim(), r.dim(), r.dim(), r.shape(0, 2)
    ta, tb = r.flag(), r.flag()
    other = batch if name == "BatchMatMul" else \
        [d if r.random() < 0.7 else 1 for d in batch][r.randint(0, len(batch)) if r.flag() else 0:]
    case = dict(x=t("float32", batch + ([k, m] if ta else [m, k])),
                y=t("float32", other + ([n, k] if tb else [k, n])), adj_x=ta, adj_y=tb)
    return dict(case, Tout="float32") if name == "BatchMatMulV3" else case


@op("SparseTensorDenseMatMul")
def sparse_dense(r, name):
    m, k, n, count = r.dim(), r.dim(), r.dim(), r.randint(0, 3)
    ta, tb = r.flag(), r.flag()
    return dict(a_indices=v("int64", [[0, 0]] * count, [count, 2]), a_values=t("float32", [count]),
                a_shape=v("int64", [k, m] if ta else [m, k]), b=t("float32", [n, k] if tb else [k, n]),
                adjoint_a=ta, adjoint_b=tb)


@op("Cross")
def cross(r, name):
    s = r.shape(0, 3) + [3]
    return dict(a=t("float32", s), b=t("float32", s))


@op("Einsum")
def einsum(r, name):
    equation = r.choice(["ij,jk->ik", "ij,jk->ki", "bij,bjk->bik", "ij->ji", "ij->", "i,j->ij", "ii->i",
                         "ij->i", "...ij,...jk->...ik", "b...i,ij->b...j", "abc,cd->abd", "i,i->",
                         "...i->...", "ij,ij->ij", "abc->cab"])
    sizes = {label: r.dim() for label in equation if label.isalpha()}
    dots = r.shape(0, 2)

    def operand(term):
        head, found, tail = term.partition("...")
        return [sizes[x] for x in head] + (dots if found else []) + [sizes[x] for x in tail]
    return dict(inputs=[t("float32", operand(x)) for x in equation.partition("->")[0].split(",")],
                equation=equation)


# --- decompositions and solvers -----------------------------------------------------------------------
@op("MatrixInverse", "MatrixDeterminant", "LogMatrixDeterminant", "MatrixSquareRoot", "Lu",
    "MatrixExponential", "SelfAdjointEig")
def square(r, name):
    n = r.dim()
    return dict(input=t(r.choice(SOLVABLE), r.shape(0, 2) + [n, n]))


@op("MatrixLogarithm")
def logarithm(r, name):
    n = r.dim()
    return dict(input=t("complex64", r.shape(0, 2) + [n, n]))


@op("Cholesky")
def cholesky(r, name):
    """A positive matrix that all content has: [[x]] with x > 0."""
    return dict(input=t("float32", r.shape(0, 2) + [1, 1], 1, 2))


@op("CholeskyGrad")
def cholesky_grad(r, name):
    n, batch = r.dim(), r.shape(0, 2)
    return dict(l=t("float32", batch + [n, n], 1, 2), grad=t("float32", batch + [n, n]))


@op("SelfAdjointEigV2")
def eig_v2(r, name):
    n = r.dim()
    return dict(input=t("float32", r.shape(0, 2) + [n, n]), compute_v=r.flag())


@op("Eig")
def eig(r, name):
    n = r.dim()
    return dict(input=t("float32", r.shape(0, 2) + [n, n]), compute_v=r.flag(), Tout="complex64")


@op("Qr")
def qr(r, name):
    return dict(input=t("float32", r.shape(2, 4)), full_matrices=r.flag())


@op("Svd")
def svd(r, name):
    return dict(input=t("float32", r.shape(2, 4)), compute_uv=r.flag(), full_matrices=r.flag())


@op("MatrixSolve", "MatrixTriangularSolve")
def solve(r, name):
    n, batch = r.dim(), r.shape(0, 2)
    case = dict(matrix=t("float32", batch + [n, n], 1, 9), rhs=t("float32", batch + [n, r.dim()]),
                adjoint=r.flag())
    return dict(case, lower=r.flag()) if "Tri" in name else case


@op("BandedTriangularSolve")
def banded(r, name):
    n, batch = r.dim(), r.shape(0, 2)
    return dict(matrix=t("float32", batch + [r.randint(1, n), n], 1, 9),
                rhs=t("float32", batch + [n, r.dim()]), lower=r.flag(), adjoint=r.flag())


@op("MatrixSolveLs")
def solve_ls(r, name):
    m, batch = r.dim(), r.shape(0, 2)
    return dict(matrix=t("float32", batch + [m, r.dim()]), rhs=t("float32", batch + [m, r.dim()]),
                l2_regularizer=v("float64", 0.1), fast=r.flag())


@op("TridiagonalSolve")
def tridiagonal_solve(r, name):
    m, batch = r.dim(), r.shape(0, 2)
    return dict(diagonals=t("float32", batch + [3, m], 1, 9), rhs=t("float32", batch + [m, r.dim()]),
                partial_pivoting=r.flag())


@op("TridiagonalMatMul")
def tridiagonal_matmul(r, name):
    m, batch = r.dim(), r.shape(0, 2)
    return dict(superdiag=t("float32", batch + [1, m]), maindiag=t("float32", batch + [1, m]),
                subdiag=t("float32", batch + [1, m]), rhs=t("float32", batch + [m, r.dim()]))


# --- bands and diagonals ------------------------------------------------------------------------------
@op("MatrixBandPart")
def band_part(r, name):
    s = r.shape(2, 4)
    index = r.choice(("int32", "int64"))
    return dict(input=t("float32", s), num_lower=v(index, r.randint(-1, s[-2])),
                num_upper=v(index, r.randint(-1, s[-1])))


@op("MatrixDiag")
def diag(r, name):
    return dict(diagonal=t("float32", r.shape(1, 3)))


@op("MatrixDiagPart")
def diag_part(r, name):
    return dict(input=t("float32", r.shape(2, 4)))


@op("MatrixSetDiag")
def set_diag(r, name):
    s = r.shape(2, 4)
    return dict(input=t("float32", s), diagonal=t("float32", s[:-2] + [min(s[-2:])]))


def _band(r, rows, columns):
    """(k of the case, number of diagonals, their length)."""
    low = r.randint(1 - rows, columns - 1)
    high = r.randint(low, columns - 1) if r.flag() else low
    length = min(rows + min(high, 0), columns - max(low, 0))
    one = [low] if r.flag() else low
    return v("int32", one if low == high and r.flag() else [low, high]), high - low + 1, length


def _align(r, name):
    align = r.choice(("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"))
    return dict(align=align) if "V3" in name else {}


@op("MatrixDiagV2", "MatrixDiagV3")
def diag_band(r, name):
    rows, columns, batch = r.dim(), r.dim(), r.shape(0, 2)
    k, n, length = _band(r, rows, columns)
    size = lambda d: v("int32", d if r.flag() else -1)  # noqa: E731
    return dict(diagonal=t("float32", batch + ([n, length] if n > 1 else [length])), k=k,
                num_rows=size(rows), num_cols=size(columns), padding_value=t("float32", []),
                **_align(r, name))


@op("MatrixDiagPartV2", "MatrixDiagPartV3")
def diag_part_band(r, name):
    rows, columns = r.dim(), r.dim()
    return dict(input=t("float32", r.shape(0, 2) + [rows, columns]), k=_band(r, rows, columns)[0],
                padding_value=t("float32", []), **_align(r, name))


@op("MatrixSetDiagV2", "MatrixSetDiagV3")
def set_diag_band(r, name):
    rows, columns, batch = r.dim(), r.dim(), r.shape(0, 2)
    k, n, length = _band(r, rows, columns)
    return dict(input=t("float32", batch + [rows, columns]),
                diagonal=t("float32", batch + ([n, length] if n > 1 else [length])), k=k, **_align(r, name))


@op("Diag")
def tensor_diag(r, name):
    return dict(diagonal=t("float32", r.shape(1, 3)))


@op("DiagPart")
def tensor_diag_part(r, name):
    s = r.shape(1, 2)
    return dict(input=t("float32", s + s))
