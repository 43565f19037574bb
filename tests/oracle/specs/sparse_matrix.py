"""Raw ops of CSR sparse matrices."""
from rawspec import op, out, t, v


def shape(r, rank=None):
    return [r.randint(1, 4) for _ in range(rank or r.randint(2, 3))]


def dense(r, dims):
    places = [[0] * len(dims), [d - 1 for d in dims]]
    if places[0] == places[1]:
        places.pop()
    return dict(dense_input=t("float32", dims), indices=v("int64", places))


def matrix(r, dims):
    if r.flag():
        return out("DenseToCSRSparseMatrix", **dense(r, dims))
    return out("SparseTensorToCSRSparseMatrix", indices=v("int64", [[0] * len(dims)]), values=t("float32", [1]),
               dense_shape=v("int64", dims))


@op("DenseToCSRSparseMatrix")
def from_dense(r, name):
    return dense(r, shape(r))


@op("SparseTensorToCSRSparseMatrix")
def from_sparse(r, name):
    dims = shape(r)
    return dict(indices=v("int64", [[0] * len(dims)]), values=t("float32", [1]), dense_shape=v("int64", dims))


@op("SparseMatrixZeros")
def zeros(r, name):
    return dict(dense_shape=v("int64", shape(r)), type="float32")


@op("CSRSparseMatrixToDense")
def to_dense(r, name):
    return dict(sparse_input=matrix(r, shape(r)), type="float32")


@op("CSRSparseMatrixToSparseTensor")
def to_sparse(r, name):
    return dict(sparse_matrix=matrix(r, shape(r)), type="float32")


@op("CSRSparseMatrixComponents")
def components(r, name):
    dims = shape(r)
    return dict(csr_sparse_matrix=matrix(r, dims), index=v("int32", r.randrange(dims[0]) if len(dims) == 3 else 0),
                type="float32")


@op("SparseMatrixNNZ")
def nnz(r, name):
    return dict(sparse_matrix=matrix(r, shape(r)))


def flags(r):
    def one(which):
        kind = r.choice([None, None, "transpose_", "adjoint_"])
        return ({kind + which: True} if kind else {}), bool(kind)
    a, ta = one("a")
    b, tb = one("b")
    return dict(**a, **b), ta, tb


@op("SparseMatrixMatMul")
def matmul(r, name):
    batch = [r.randint(1, 3)] if r.flag() else []
    m, k, n = (r.randint(1, 4) for _ in range(3))
    attrs, ta, tb = flags(r)
    return dict(a=matrix(r, batch + ([k, m] if ta else [m, k])), b=t("float32", batch + ([n, k] if tb else [k, n])),
                **attrs, transpose_output=r.flag(), conjugate_output=False)


@op("SparseMatrixSparseMatMul")
def sparse_matmul(r, name):
    batch = [r.randint(1, 3)] if r.flag() else []
    m, k, n = (r.randint(1, 4) for _ in range(3))
    attrs, ta, tb = flags(r)
    return dict(a=matrix(r, batch + ([k, m] if ta else [m, k])), b=matrix(r, batch + ([n, k] if tb else [k, n])),
                type="float32", **attrs)


@op("SparseMatrixMul")
def mul(r, name):
    dims = shape(r)
    return dict(a=matrix(r, dims), b=t("float32", [dims[0], 1, 1] if len(dims) == 3 and r.flag() else []))


@op("SparseMatrixAdd")
def add(r, name):
    dims = shape(r)
    return dict(a=matrix(r, dims), b=matrix(r, dims), alpha=t("float32", []), beta=t("float32", []))


@op("SparseMatrixTranspose")
def transpose(r, name):
    return dict(input=matrix(r, shape(r)), conjugate=r.flag(), type="float32")


@op("SparseMatrixSoftmax")
def softmax(r, name):
    return dict(logits=matrix(r, shape(r)), type="float32")


@op("SparseMatrixSoftmaxGrad")
def softmax_grad(r, name):
    dims = shape(r)
    return dict(softmax=matrix(r, dims), grad_softmax=matrix(r, dims), type="float32")


@op("SparseMatrixOrderingAMD")
def ordering(r, name):
    n = r.randint(1, 4)
    return dict(input=matrix(r, [n, n] if r.flag() else [2, n, n]))


@op("SparseMatrixSparseCholesky")
def cholesky(r, name):
    n = r.randint(1, 4)
    diagonal = out("SparseTensorToCSRSparseMatrix", indices=v("int64", [[i, i] for i in range(n)]),
                   values=t("float32", [n], low=1, high=2), dense_shape=v("int64", [n, n]))
    return dict(input=diagonal, permutation=v("int32", list(range(n))), type="float32")
