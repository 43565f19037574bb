/* Rows of products and matrix ops; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase matmul[] = {
    ROW("",                                  "[2,3] [3,4]",   "[2,4]"),
    ROW("",                                  "[n,3] [3,4]",   "[n,4]"),
    ROW("",                                  "[?,3] [?,?]",   "[?,?]"),
    ROW("",                                  "[2,n] [n,4]",   "[2,4]"),
    ROW("transpose_a=true",                  "[3,2] [3,4]",   "[2,4]"),
    ROW("transpose_b=true",                  "[2,3] [4,3]",   "[2,4]"),
    ROW("transpose_a=true,transpose_b=true", "[3,n] [4,3]",   "[n,4]"),
    ROW("",                                  "? [3,4]",       "[?,4]"),
    ROW("",                                  "? ?",           "[?,?]"),
    ROW("",                                  "! [3,4]",       "!"),
    ROW("",                                  "[2,3] [4,5]",   "SF101 a.1 b.0"),
    ROW("transpose_a=true",                  "[2,3] [4,5]",   "SF101 a.0 b.0"),
    ROW("",                                  "[3] [3,4]",     "SF102 a"),
    ROW("",                                  "[2,3] [3]",     "SF102 b"),
    ROW("",                                  "[2,n] [n+1,4]", "deferred SF101 a.1 b.0 / [2,4]"),
};
SF_OPS_TEST(linalg, matmul, "MatMul", "SparseMatMul")

static const SfOpCase matmul_run[] = {
    ROW("@phase=run",               "[2,3] [4,5]", "SF114 a.1 b.0 'Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]'"),
    ROW("@phase=run",               "[3] [3,4]",   "SF102 a 'In[0] is not a matrix'"),
    ROW("@phase=run,@version=2.21", "[3] [3,4]",   "SF102 a 'In[0] ndims must be >= 2'"),
};
SF_OP_TEST(MatMul, matmul_run)

static const SfOpCase sparse_matmul_run[] = {
    ROW("@phase=run", "[2,3] [4,5]", "SF114 a.1 b.0 'Matrix size incompatible: a: [2,3], b: [4,5]'"),
};
SF_OP_TEST(SparseMatMul, sparse_matmul_run)

static const SfOpCase batch_matmul[] = {
    ROW("",                         "[2,3,4] [2,4,5]", "[2,3,5]"),
    ROW("",                         "[n,3,4] [n,4,5]", "[n,3,5]"),
    ROW("",                         "[3,4] [4,5]",     "[3,5]"),
    ROW("adj_x=true",               "[n,4,3] [n,4,5]", "[n,3,5]"),
    ROW("adj_y=true",               "[n,3,4] [n,5,4]", "[n,3,5]"),
    ROW("",                         "? [2,4,5]",       "[2,?,5]"),
    ROW("",                         "[?,3,4] ?",       "[?,3,?]"),
    ROW("",                         "? ?",             "?"),
    ROW("",                         "! [2,4,5]",       "!"),
    ROW("",                         "[2,3,4] [3,4,5]", "SF107 a.0 b.0"),
    ROW("",                         "[1,3,4] [2,4,5]", "SF107 a.0 b.0"),
    ROW("",                         "[2,3,4] [4,5]",   "SF108 a b"),
    ROW("",                         "[2,3,4] [2,3,5]", "SF101 a.2 b.1"),
    ROW("",                         "[3] [3]",         "SF103 a"),
    ROW("@phase=run", "[2,3,4] [3,4,5]",
        "SF107 a.0 b.0 'In[0].dim(0) and In[1].dim(0) must be the same: [2,3,4] vs [3,4,5]'"),
    ROW("@phase=run",               "[2,3,4] [2,3,5]", "SF114 a.2 b.1 'In[0] mismatch In[1] shape: 4 vs. 3: [2,3,4] [2,3,5] 0 0'"),
    ROW("@phase=run,@version=2.21", "[2,3,4] [2,3,5]", "SF114 a.2 b.1 'Matrix size-incompatible: In[0]: [2,3,4], In[1]: [2,3,5] 0 0'"),
    ROW("@phase=run",               "[2,3,4] [4,5]",   "SF108 a b 'In[0] and In[1] has different ndims: [2,3,4] vs. [4,5]'"),
};
SF_OP_TEST(BatchMatMul, batch_matmul)

static const SfOpCase batch_matmul_v2[] = {
    ROW("",           "[2,3,4] [2,4,5]",   "[2,3,5]"),
    ROW("",           "[2,3,4] [4,5]",     "[2,3,5]"),
    ROW("",           "[1,3,4] [n,4,5]",   "[n,3,5]"),
    ROW("adj_y=true", "[7,1,3,4] [2,5,4]", "[7,2,3,5]"),
    ROW("",           "? [2,4,5]",         "?"),
    ROW("",           "[3,4] ?",           "?"),
    ROW("",           "! [2,4,5]",         "!"),
    ROW("",           "[2,3,4] [3,4,5]",   "SF101 a.0 b.0"),
    ROW("",           "[2,3,4] [2,3,5]",   "SF101 a.2 b.1"),
    ROW("",           "[3] [3]",           "SF103 a"),
    ROW("@phase=run", "[2,3,4] [3,4,5]",   "SF101 a.0 b.0 'In[0] and In[1] must have compatible batch dimensions: [2,3,4] vs. [3,4,5]'"),
    ROW("@phase=run", "[3] [3]",           "SF103 a 'In[0] ndims must be >= 2: 1'"),
};
SF_OP_TEST(BatchMatMulV2, batch_matmul_v2)

static const SfOpCase batch_matmul_v3[] = {
    ROW("Tout=float", "[2,3,4]:float [4,5]:float",   "[2,3,5]"),
    ROW("Tout=float", "[n,3,4]:float [?,4,5]:float", "[?,3,5]"),
    ROW("Tout=float", "?:float [2,4,5]:float",       "?"),
    ROW("Tout=float", "! [2,4,5]:float",             "!"),
    ROW("Tout=float", "[2,3,4]:float [2,3,5]:float", "SF101 a.2 b.1"),
};
SF_OP_TEST(BatchMatMulV3, batch_matmul_v3)

static const SfOpCase sparse_dense[] = {
    ROW("",               "[5,2] [5] {3,4} [4,7]",   "[3,7]"),
    ROW("",               "[m,2] [m] {n,4} [4,7]",   "[n,7]"),
    ROW("",               "[5,2] [5] [2] [4,?]",     "[?,?]"),
    ROW("adjoint_a=true", "[5,2] [5] {3,4} [3,7]",   "[4,7]"),
    ROW("adjoint_b=true", "[5,2] [5] {3,4} [7,4]",   "[3,7]"),
    ROW("",               "? ? ? ?",                 "[?,?]"),
    ROW("",               "! [5] {3,4} [4,7]",       "!"),
    ROW("",               "[5,2] [5] {3,4} [5,7]",   "SF101 c d.0"),
    ROW("",               "[5,2] [5] {3,4,5} [5,7]", "SF102 c"),
    ROW("",               "[5] [5] {3,4} [4,7]",     "SF102 a"),
    ROW("",               "[5,2] [5,1] {3,4} [4,7]", "SF102 b"),
    ROW("@phase=run", "[5,2] [5] {3,4} [5,7]",
        "SF114 c d.0 'Cannot multiply A and B because inner dimension does not match: 4 vs. 5.  Did you forget a'"),
};
SF_OP_TEST(SparseTensorDenseMatMul, sparse_dense)

static const SfOpCase cross[] = {
    ROW("", "[n,3] [n,3]", "[n,3]"),
    ROW("", "[2,3] [2,3]", "[2,3]"),
    ROW("", "[?,3] [2,?]", "[2,3]"),
    ROW("", "? [2,3]",     "[2,3]"),
    ROW("", "? ?",         "?"),
    ROW("", "! [2,3]",     "!"),
    ROW("", "[2,4] [2,4]", "SF106 a.1"),
    ROW("", "[2,3] [3,3]", "SF107 a.0 b.0"),
    ROW("", "[] []",       "SF103 a"),
};
SF_OP_TEST(Cross, cross)

static const SfOpCase einsum[] = {
    ROW("equation='ij,jk->ik'",          "[2,3] [3,4]",       "[2,4]"),
    ROW("equation='ij,jk->ik'",          "[n,3] [?,4]",       "[n,4]"),
    ROW("equation='ij,jk->ik'",          "? [3,4]",           "[?,4]"),
    ROW("equation='ij->'",               "[2,3]",             "[]"),
    ROW("equation='ij->ji'",             "[n,?]",             "[?,n]"),
    ROW("equation='ii->i'",              "[3,?]",             "[3]"),
    ROW("equation='...ij,...jk->...ik'", "[7,2,3] [3,4]",     "[7,2,4]"),
    ROW("equation='...ij->...ji'",       "[2,3,n]",           "[2,n,3]"),
    ROW("equation='...ij->...ji'",       "?",                 "?"),
    ROW("equation='i...j->...ij'",       "[2,3,4,5]",         "[3,4,2,5]"),
    ROW("equation='ij...->...ij'",       "[2,3]",             "[2,3]"),
    ROW("equation='ij,jk->ik'",          "! [3,4]",           "!"),
    ROW("equation='ij,jk->ik'",          "[2,3] [4,4]",       "SF101 a.1 b.0"),
    ROW("equation='ii->i'",              "[3,4]",             "SF101 a.0 a.1"),
    ROW("equation='...ij,...jk->...ik'", "[7,2,3] [5,3,4]",   "SF101 a b"),
    ROW("equation='ij,jk'",              "[2,3] [3,4]",       "SF128 @equation 'Expecting exactly one'"),
    ROW("equation='ij,jk->ik'",          "[2,3,4] [3,4]",     "SF102 a @equation"),
    ROW("equation='i...j->ij'",          "[2]",               "SF103 a @equation"),
    ROW("equation='ij,jk->ikz'",         "[2,3] [3,4]",       "SF128 @equation 'Einsum output subscripts for equation'"),
    ROW("equation='ij->ij'",             "[2,3] [3,4]",       "SF128 @equation 'Expected 1 inputs for equation ij->ij but got: 2'"),
    ROW("equation='i.j->ij'", "[2,3]",
        "SF128 @equation 'Expected at most one ellipsis (...), but found 1 periods (.) in the input subscript: i.j'"),
    ROW("equation='ij...->ij'",          "[2,3,4]",           "SF105 @equation"),
    ROW("equation='ij,jk,kl->il'",       "[2,3] [3,4] [4,5]", "SF128 @equation 'Expecting 1 or 2 input subscripts in equation'"),
};
SF_OP_TEST(Einsum, einsum)

static const SfOpCase square[] = {
    ROW("",           "[2,3,3]", "[2,3,3]"),
    ROW("",           "[n,m,m]", "[n,m,m]"),
    ROW("",           "[2,?,4]", "[2,4,4]"),
    ROW("",           "?",       "?"),
    ROW("",           "!",       "!"),
    ROW("",           "[2,3,4]", "SF101 a.1 a.2"),
    ROW("",           "[3]",     "SF103 a"),
    ROW("@phase=run", "[2,3,4]", "SF101 a.1 a.2 'Input matrix must be square.'"),
};
SF_OPS_TEST(linalg, square, "MatrixInverse", "MatrixExponential", "MatrixSquareRoot", "Cholesky")

static const SfOpCase logarithm[] = {
    ROW("", "[2,3,3]", "[2,3,3]"),
    ROW("", "[2,?,4]", "[2,4,4]"),
    ROW("", "?",       "?"),
    ROW("", "!",       "!"),
    ROW("", "[3,4]",   "SF101 a.0 a.1"),
};
SF_OP_TEST(MatrixLogarithm, logarithm)

static const SfOpCase cholesky_grad[] = {
    ROW("", "[n,3,3] [n,3,3]", "[n,3,3]"),
    ROW("", "[2,3,3] [2,3,3]", "[2,3,3]"),
    ROW("", "[2,?,4] [2,4,4]", "[2,4,4]"),
    ROW("", "? ?",             "?"),
    ROW("", "! [3,3]",         "!"),
    ROW("", "[3,4] [3,3]",     "SF101 a.0 a.1"),
    ROW("", "[3,3] [3,4]",     "deferred SF128 a b 'Inputs (L and grad) must have the same shape.' / [3,3]"),
};
SF_OP_TEST(CholeskyGrad, cholesky_grad)

static const SfOpCase determinant[] = {
    ROW("", "[n,3,3]", "[n]"),
    ROW("", "[2,3,3]", "[2]"),
    ROW("", "[2,?,4]", "[2]"),
    ROW("", "?",       "?"),
    ROW("", "!",       "!"),
    ROW("", "[2,3,4]", "SF101 a.2 a.1"),
    ROW("", "[3]",     "SF103 a"),
};
SF_OP_TEST(MatrixDeterminant, determinant)

static const SfOpCase log_determinant[] = {
    ROW("", "[n,3,3]", "[n] [n]"),
    ROW("", "[2,3,3]", "[2] [2]"),
    ROW("", "[2,?,4]", "[2] [2]"),
    ROW("", "?",       "? ?"),
    ROW("", "!",       "! !"),
    ROW("", "[2,3,4]", "SF101 a.2 a.1"),
};
SF_OP_TEST(LogMatrixDeterminant, log_determinant)

static const SfOpCase eig[] = {
    ROW("",                "[n,3,3]", "[n,3] [n,3,3]"),
    ROW("", "[2,3,3]", "[2,3] [2,3,3]"),
    ROW("compute_v=false", "[n,3,3]", "[n,3] []"),
    ROW("",                "[2,?,4]", "[2,4] [2,4,4]"),
    ROW("",                "?",       "? ?"),
    ROW("",                "!",       "! !"),
    ROW("",                "[2,3,4]", "SF101 a.1 a.2"),
};
SF_OP_TEST(SelfAdjointEigV2, eig)

static const SfOpCase eig_v1[] = {
    ROW("", "[n,3,3]", "[n,4,3]"),
    ROW("", "[2,3,3]", "[2,4,3]"),
    ROW("", "[?,?]",   "[?,?]"),
    ROW("", "?",       "?"),
    ROW("", "!",       "!"),
    ROW("", "[3,4]",   "SF101 a.0 a.1"),
};
SF_OP_TEST(SelfAdjointEig, eig_v1)

static const SfOpCase general_eig[] = {
    ROW("Tout=complex64",                 "[n,3,3]", "[n,3] [n,3,3]"),
    ROW("Tout=complex64", "[2,3,3]", "[2,3] [2,3,3]"),
    ROW("Tout=complex64,compute_v=false", "[n,3,3]", "[n,3] []"),
    ROW("Tout=complex64",                 "[2,?,4]", "[2,4] [2,4,4]"),
    ROW("Tout=complex64",                 "?",       "? ?"),
    ROW("Tout=complex64",                 "!",       "! !"),
    ROW("Tout=complex64",                 "[3,4]",   "SF101 a.0 a.1"),
};
SF_OP_TEST(Eig, general_eig)

static const SfOpCase lu[] = {
    ROW("", "[n,3,3]", "[n,3,3] [n,3]"),
    ROW("", "[2,3,3]", "[2,3,3] [2,3]"),
    ROW("", "[2,?,4]", "[2,4,4] [2,4]"),
    ROW("", "?",       "? ?"),
    ROW("", "!",       "! !"),
    ROW("", "[3,4]",   "SF101 a.0 a.1"),
};
SF_OP_TEST(Lu, lu)

static const SfOpCase qr[] = {
    ROW("",                   "[2,3,4]", "[2,3,3] [2,3,4]"),
    ROW("",                   "[2,4,3]", "[2,4,3] [2,3,3]"),
    ROW("full_matrices=true", "[2,4,3]", "[2,4,4] [2,4,3]"),
    ROW("",                   "[n,m,m]", "[n,m,m] [n,m,m]"),
    ROW("",                   "[2,?,3]", "[2,?,?] [2,?,3]"),
    ROW("",                   "?",       "? ?"),
    ROW("",                   "!",       "! !"),
    ROW("",                   "[3]",     "SF103 a"),
};
SF_OP_TEST(Qr, qr)

static const SfOpCase svd[] = {
    ROW("",                   "[2,3,4]", "[2,3] [2,3,3] [2,4,3]"),
    ROW("full_matrices=true", "[2,3,4]", "[2,3] [2,3,3] [2,4,4]"),
    ROW("compute_uv=false",   "[2,3,4]", "[2,3] [] []"),
    ROW("",                   "[n,m,m]", "[n,m] [n,m,m] [n,m,m]"),
    ROW("",                   "[2,?,4]", "[2,?] [2,?,?] [2,4,?]"),
    ROW("",                   "?",       "? ? ?"),
    ROW("",                   "!",       "! ! !"),
    ROW("",                   "[3]",     "SF103 a"),
};
SF_OP_TEST(Svd, svd)

static const SfOpCase solve[] = {
    ROW("",           "[2,3,3] [2,3,5]", "[2,3,5]"),
    ROW("",           "[n,3,3] [n,3,?]", "[n,3,?]"),
    ROW("",           "[?,?] [3,5]",     "[3,5]"),
    ROW("",           "? [3,5]",         "[3,5]"),
    ROW("",           "[3,3] ?",         "[3,?]"),
    ROW("",           "? ?",             "?"),
    ROW("",           "! [3,5]",         "!"),
    ROW("",           "[2,3,3] [2,4,5]", "SF101 a.1 b.1"),
    ROW("",           "[2,3,3] [3,3,5]", "SF107 a.0 b.0"),
    ROW("",           "[2,3,4] [2,3,5]", "SF101 a.1 a.2"),
    ROW("",           "[3,3] [3]",       "SF103 b"),
    ROW("@phase=run", "[2,3,3] [2,4,5]", "SF101 a.1 b.1 'Input matrix and rhs are incompatible.'"),
};
SF_OP_TEST(MatrixSolve, solve)

static const SfOpCase solve_ls[] = {
    ROW("", "[2,4,3] [2,4,5] 0.0", "[2,3,5]"),
    ROW("", "[n,4,?] [n,4,5] []",  "[n,?,5]"),
    ROW("", "? ? ?",               "?"),
    ROW("", "! [2,4,5] []",        "!"),
    ROW("", "[2,4,3] [2,3,5] []",  "SF101 a.1 b.1"),
    ROW("", "[4,3] [4,5] [1]",     "SF102 c"),
};
SF_OP_TEST(MatrixSolveLs, solve_ls)

static const SfOpCase triangular[] = {
    ROW("",              "[2,3,3] [2,3,5]", "[2,3,5]"),
    ROW("",              "[n,3,3] [n,3,?]", "[n,3,?]"),
    ROW("",              "? ?",             "?"),
    ROW("",              "! [3,5]",         "!"),
    ROW("",              "[2,3,3] [3,5]",   "SF108 a b"),
    ROW("@version=2.21", "[2,3,3] [3,5]",   "[2,3,5]"),
    ROW("@version=2.21", "[2,3,3] [3,3,5]", "SF101 a.0 b.0"),
    ROW("",              "[2,3,3] [2,4,5]", "SF101 a.1 b.1"),
};
SF_OP_TEST(MatrixTriangularSolve, triangular)

static const SfOpCase banded[] = {
    ROW("", "[2,3,5] [2,5,4]", "[2,5,4]"),
    ROW("", "[n,3,5] [?,4]",   "[n,5,4]"),
    ROW("", "? ?",             "?"),
    ROW("", "! [5,4]",         "!"),
    ROW("", "[3,5] [4,4]",     "SF101 a.1 b.0"),
    ROW("", "[2,3,5] [3,5,4]", "SF101 a.0 b.0"),
    ROW("", "[1,6,0,1] [1,6,1,1]", "SF128 a.2 'Number of bands must be positive, but is 0'"),
};
SF_OP_TEST(BandedTriangularSolve, banded)

static const SfOpCase tridiagonal_solve[] = {
    ROW("", "[2,3,5] [2,5,4]", "[2,5,4]"),
    ROW("", "[n,?,5] [n,?,?]", "[n,5,?]"),
    ROW("", "? ?",             "?"),
    ROW("", "! [5,4]",         "!"),
    ROW("", "[2,4,5] [2,5,4]", "SF106 a.1"),
    ROW("", "[2,3,5] [2,4,4]", "SF101 a.2 b.1"),
};
SF_OP_TEST(TridiagonalSolve, tridiagonal_solve)

static const SfOpCase tridiagonal_matmul[] = {
    ROW("", "[2,1,5] [2,1,5] [2,1,5] [2,5,4]", "[2,5,4]"),
    ROW("", "[n,1,?] ? ? [n,5,4]",             "[n,5,4]"),
    ROW("", "? ? ? ?",                         "?"),
    ROW("", "! [1,5] [1,5] [5,4]",             "!"),
    ROW("", "[2,1,5] [2,1,4] [2,1,5] [2,5,4]", "SF107 a.2 b.2"),
    ROW("", "[2,2,5] [2,2,5] [2,2,5] [2,5,4]", "SF106 a.1"),
};
SF_OP_TEST(TridiagonalMatMul, tridiagonal_matmul)

static const SfOpCase band_part[] = {
    ROW("",           "[n,3,4] 1 1", "[n,3,4]"),
    ROW("", "[2,3,4] 1 1", "[2,3,4]"),
    ROW("",           "[2,?] 1 1",   "[2,?]"),
    ROW("",           "? 1 1",       "?"),
    ROW("",           "! 1 1",       "!"),
    ROW("",           "[3] 1 1",     "deferred SF128 a / [3]"),
    ROW("@phase=run", "[2,3] 5 1",   "SF128 b a.0 'num_lower must be negative or less or equal to number of rows (2) got: 5'"),
    ROW("@phase=run", "[2,3] 1 5",   "SF128 c a.1 'num_upper must be negative or less or equal to number of columns (3) got: 5'"),
    ROW("@phase=run", "[3] 1 1",     "SF128 a 'input must be at least 2-dim, received shape: [3]'"),
};
SF_OP_TEST(MatrixBandPart, band_part)

static const SfOpCase diag_vectors[] = {
    ROW("", "[n,3]", "[n,3,3]"),
    ROW("", "[2,3]", "[2,3,3]"),
    ROW("", "[2,?]", "[2,?,?]"),
    ROW("", "[n]",   "[n,n]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
    ROW("", "[]",    "SF103 a"),
};
SF_OP_TEST(MatrixDiag, diag_vectors)

static const SfOpCase diag_part[] = {
    ROW("", "[n,3,4]", "[n,3]"),
    ROW("", "[2,3,4]", "[2,3]"),
    ROW("", "[n,m,m]", "[n,m]"),
    ROW("", "[2,?,4]", "[2,?]"),
    ROW("", "?",       "?"),
    ROW("", "!",       "!"),
    ROW("", "[3]",     "SF103 a"),
};
SF_OP_TEST(MatrixDiagPart, diag_part)

static const SfOpCase set_diag[] = {
    ROW("",           "[n,3,4] [n,3]", "[n,3,4]"),
    ROW("", "[2,3,4] [2,3]", "[2,3,4]"),
    ROW("",           "[2,?,4] [2,3]", "[2,?,4]"),
    ROW("",           "? [2,3]",       "[2,?,?]"),
    ROW("",           "[2,3,4] ?",     "[2,3,4]"),
    ROW("",           "! [2,3]",       "!"),
    ROW("",           "[2,3,4] [2,4]", "SF101 a.1 b.1"),
    ROW("@phase=run", "[2,3,4] [3,3]",
        "SF128 b a 'Either first dimensions of diagonal'"),
    ROW("",           "[2,3,4] [3]",   "SF102 b"),
    ROW("",           "[3] [3]",       "SF103 a"),
};
SF_OP_TEST(MatrixSetDiag, set_diag)

static const SfOpCase diag_v2[] = {
    ROW("", "[n,3] 0 -1 -1 0.0",        "[n,3,3]"),
    ROW("", "[n,m] 0 -1 -1 0.0",        "[n,m,m]"),
    ROW("", "[2,3] 1 -1 -1 0.0",        "[2,4,4]"),
    ROW("", "[2,3] -1 -1 -1 0.0",       "[2,4,4]"),
    ROW("", "[n,2,3] {-1,0} -1 -1 0.0", "[n,3,3]"),
    ROW("", "[2,3,3] {-1,1} -1 -1 0.0", "[2,3,3]"),
    ROW("", "[2,3] {-1,0} 3 -1 0.0",    "[3,3]"),
    ROW("", "[2,3] 0 5 3 0.0",          "[2,5,3]"),
    ROW("", "[2,3] []:int32 -1 -1 0.0", "?"),
    ROW("", "[2,3] 0 []:int32 -1 0.0",  "[2,?,3]"),
    ROW("", "? 0 -1 -1 0.0",            "?"),
    ROW("", "? ? ? ? ?",                "?"),
    ROW("", "! 0 -1 -1 0.0",            "!"),
    ROW("", "[2,3] 0 5 4 0.0",
        "SF128 c d 'num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the'"),
    ROW("", "[2,3] 0 2 3 0.0",          "SF128 c a 'num_rows is too small'"),
    ROW("", "[2,3] 0 3 2 0.0",          "SF128 d a 'num_cols is too small.'"),
    ROW("", "[2,3] {1,0} -1 -1 0.0",    "SF128 b 'lower_diag_index is greater than upper_diag_index'"),
    ROW("", "[2,3] {0,1,2} -1 -1 0.0",  "SF128 b 'diag_index must be a vector with one or two elements. It has 3 elements.'"),
    ROW("", "[3,3] {0,1} -1 -1 0.0",    "SF128 a.0 b 'The number of rows of `diagonal` doesn'"),
    ROW("", "[] 0 -1 -1 0.0",           "SF103 a"),
    ROW("", "[2,3] 0 [1] -1 0.0",       "SF102 c"),
};
SF_OPS_TEST(linalg, diag_v2, "MatrixDiagV2", "MatrixDiagV3")

static const SfOpCase diag_part_v2[] = {
    ROW("", "[n,3,4] 0 0.0",        "[n,3]"),
    ROW("", "[2,3,4] 1 0.0",        "[2,3]"),
    ROW("", "[2,3,4] {-1,1} 0.0",   "[2,3,3]"),
    ROW("", "[2,3,4] []:int32 0.0", "?"),
    ROW("", "[2,?,4] 0 0.0",        "[2,?]"),
    ROW("", "? 0 0.0",              "?"),
    ROW("", "! 0 0.0",              "!"),
    ROW("", "[2,3,4] 7 0.0",        "SF128 b a 'lower_diag_index is out of bound.'"),
    ROW("", "[2,3,4] {0,7} 0.0",    "SF128 b a 'upper_diag_index is out of bound.'"),
    ROW("", "[3] 0 0.0",            "SF103 a"),
};
SF_OPS_TEST(linalg, diag_part_v2, "MatrixDiagPartV2", "MatrixDiagPartV3")

static const SfOpCase set_diag_v2[] = {
    ROW("",           "[n,3,4] [n,3] 0",        "[n,3,4]"),
    ROW("",           "[2,3,4] [2,3,3] {-1,1}", "[2,3,4]"),
    ROW("",           "[2,3,4] [2,3] []:int32", "[2,3,4]"),
    ROW("",           "[2,?,4] [2,3] 0",        "[2,?,4]"),
    ROW("",           "? [2,3] 0",              "[2,?,?]"),
    ROW("",           "! [2,3] 0",              "!"),
    ROW("",           "[2,3,4] [2,3] 7",        "SF128 c a 'lower_diag_index is out of bound.'"),
    ROW("",           "[2,3,4] [2,3,3] 0",      "SF102 b"),
    ROW("@phase=run", "[2,3,4] [3,3] 0",
        "SF128 b a 'Either first dimensions of diagonal'"),
    ROW("",           "[3] [3] 0",              "SF103 a"),
};
SF_OPS_TEST(linalg, set_diag_v2, "MatrixSetDiagV2", "MatrixSetDiagV3")

static const SfOpCase diag[] = {
    ROW("", "[n,3]", "[n,3,n,3]"),
    ROW("", "[2,3]", "[2,3,2,3]"),
    ROW("", "[?]",   "[?,?]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
    ROW("", "[]",    "SF103 a"),
};
SF_OP_TEST(Diag, diag)

static const SfOpCase diag_part_whole[] = {
    ROW("",           "[n,3,n,3]", "[n,3]"),
    ROW("", "[2,3,2,3]", "[2,3]"),
    ROW("",           "[2,?,?,3]", "[2,3]"),
    ROW("",           "?",         "?"),
    ROW("",           "!",         "!"),
    ROW("",           "[2,3,2,4]", "SF101 a.1 a.3"),
    ROW("",           "[2,3,2]",   "SF128 a 'Input must have even and non-zero rank, input rank is 3'"),
    ROW("",           "[]",        "SF128 a 'Input must have even and non-zero rank, input rank is 0'"),
    ROW("@phase=run", "[2,3]",     "SF101 a.0 a.1 'Invalid shape [2,3]: dimensions 0 and 1 do not match.'"),
};
SF_OP_TEST(DiagPart, diag_part_whole)

/* clang-format on */

/* Ops of old graph files infer as what replaced them, and are refused by their kernels only. */
static const SfOpCase batch_square[] = {
    ROW("", "[b,3,3]", "[b,3,3]"),
    ROW("", "[?,n,n]", "[?,n,n]"),
    ROW("", "?", "?"),
    ROW("", "[2,3,3]", "[2,3,3]"),
    ROW("", "[2,3]", "deferred SF101 a.0 a.1 / ?"),
    ROW("", "[3]", "deferred SF103 a / ?"),
};
SF_OPS_TEST(batch_square, batch_square, "BatchCholesky", "BatchMatrixInverse")

static const SfOpCase batch_shapes[] = {
    ROW("", "[b,3,3]", "[b]"),
    ROW("", "[2,3,3]", "[2]"),
    ROW("", "?", "?"),
    ROW("", "[2,3]", "deferred SF101 a.1 a.0 / ?"),
};
SF_OP_TEST(BatchMatrixDeterminant, batch_shapes)

static const SfOpCase batch_eig[] = {
    ROW("", "[b,3,3]", "[b,4,3]"),
    ROW("", "[2,3,3]", "[2,4,3]"),
    ROW("", "?", "?"),
    ROW("", "[2,3]", "deferred SF101 a.0 a.1 / ?"),
    ROW("", "[1,9223372036854775807,9223372036854775807]", "[1,?,9223372036854775807]"),
};
SF_OP_TEST(BatchSelfAdjointEig, batch_eig)

static const SfOpCase batch_eig_v2[] = {
    ROW("", "[b,3,3]", "[b,3] [b,3,3]"),
    ROW("", "[2,3,3]", "[2,3] [2,3,3]"),
    ROW("", "?", "? ?"),
    ROW("", "[2,3]", "deferred SF101 a.0 a.1 / ? ?"),
};
SF_OP_TEST(BatchSelfAdjointEigV2, batch_eig_v2)

static const SfOpCase batch_svd[] = {
    ROW("", "[b,3,4]", "[b,3] [b,3,3] [b,4,3]"),
    ROW("", "[2,3,4]", "[2,3] [2,3,3] [2,4,3]"),
    ROW("full_matrices=true", "[b,3,4]", "[b,3] [b,3,3] [b,4,4]"),
    ROW("", "?", "? ? ?"),
    ROW("", "[3]", "deferred SF103 a / ? ? ?"),
};
SF_OP_TEST(BatchSvd, batch_svd)

static const SfOpCase batch_solve[] = {
    ROW("", "[b,3,3] [b,3,2]", "[b,3,2]"),
    ROW("", "[2,3,3] [2,3,2]", "[2,3,2]"),
    ROW("", "? [2,3,2]", "[2,3,2]"),
    ROW("", "? ?", "?"),
    ROW("", "[3,3] [4,2]", "deferred SF101 a.0 b.0 / ?"),
    ROW("", "[3,4] [3,2]", "deferred SF101 a.0 a.1 / ?"),
};
SF_OPS_TEST(batch_solve, batch_solve, "BatchMatrixSolve", "BatchMatrixTriangularSolve")

static const SfOpCase batch_solve_ls[] = {
    ROW("", "[b,3,4] [b,3,2] []", "[b,4,2]"),
    ROW("", "[2,3,4] [2,3,2] []", "[2,4,2]"),
    ROW("", "? ? ?", "?"),
    ROW("", "[3,4] [4,2] []", "deferred SF101 a.0 b.0 / ?"),
};
SF_OP_TEST(BatchMatrixSolveLs, batch_solve_ls)

static const SfOpCase batch_band[] = {
    ROW("", "[b,3,4] 1 2", "[b,3,4]"),
    ROW("", "[2,3,4] 1 2", "[2,3,4]"),
    ROW("", "? [] []", "?"),
    ROW("@phase=run", "[3,4] 4 2", "SF128 b a.0"),
};
SF_OP_TEST(BatchMatrixBandPart, batch_band)

static const SfOpCase batch_diag[] = {
    ROW("", "[b,3]", "[b,3,3]"),
    ROW("", "[2,3]", "[2,3,3]"),
    ROW("", "?", "?"),
    ROW("", "[]", "deferred SF103 a / ?"),
};
SF_OP_TEST(BatchMatrixDiag, batch_diag)

static const SfOpCase batch_diag_part[] = {
    ROW("", "[b,3,4]", "[b,3]"),
    ROW("", "[2,3,4]", "[2,3]"),
    ROW("", "?", "?"),
    ROW("", "[3]", "deferred SF103 a / ?"),
};
SF_OP_TEST(BatchMatrixDiagPart, batch_diag_part)

static const SfOpCase batch_set_diag[] = {
    ROW("", "[b,3,4] [b,3]", "[b,3,4]"),
    ROW("", "[2,3,4] [2,3]", "[2,3,4]"),
    ROW("", "? ?", "?"),
    ROW("", "[3,4] [4]", "deferred SF128 b a / ?"),
};
SF_OP_TEST(BatchMatrixSetDiag, batch_set_diag)

/* The kernels' own words, and what only they refuse. */
/* clang-format off */
static const SfOpCase solve_kernel[] = {
    ROW("@phase=eager,@version=2.21", "[3] [3,1]",         "SF103 a 'Input tensor 0 must have rank >= 2, got 1'"),
    ROW("@phase=eager,@version=2.21", "[4,5,5] [1,4,5,3]", "SF108 a b 'All input tensors must have the same rank.'"),
    ROW("@phase=eager,@version=2.21", "[3,5,5] [7,5,3]",   "SF107 a.0 b.0 'All input tensors must have the same outer dimensions.'"),
    ROW("@phase=eager,@version=2.21", "[2,1] [1,6]",       "SF101 'First input (lhs) must be a square matrix.'"),
    ROW("@phase=eager,@version=2.21", "[2,2] [3,6]",       "SF101 'Input matrix and rhs are incompatible.'"),
};
SF_OP_TEST(MatrixSolve, solve_kernel)

static const SfOpCase triangular_kernel[] = {
    ROW("@phase=eager,@version=2.21", "[2,1,2] [1,5]",   "SF101 'In[0] matrices in the last dimensions must be square (2 =/= 1)'"),
    ROW("@phase=eager,@version=2.21", "[2,2] [6]",       "SF103 b 'In[1] ndims must be >= 2: 1'"),
    ROW("@phase=eager,@version=2.21", "[3,5,5] [2,5,4]", "SF101 'In[0] and In[1] must have compatible batch dimensions: [3,5,5] vs. [2,5,4]'"),
    ROW("lower=false,@phase=eager,@version=2.21", "[3,2,2] [3,7,5]", "SF101 'In[0] mismatch In[1] shape: 2 vs. 7: [3,2,2] [3,7,5] 0 0'"),
};
SF_OP_TEST(MatrixTriangularSolve, triangular_kernel)

static const SfOpCase banded_kernel[] = {
    ROW("",             "[4,2] [2,3]", "SF128 a.0 a.1 'Number of bands 4 cannot exceed the size of the matrix 2'"),
    ROW("@phase=eager", "[4,2] [2,3]", "[2,3]"),
    ROW("@phase=eager", "[0,2] [2,3]", "SF128 a 'In[0] must not be an empty tensor'"),
    ROW("@phase=eager", "[1,2] [2,0]", "SF128 b 'In[1] must not be an empty tensor'"),
    ROW("",             "[1,2] [2,0]", "deferred SF128 b 'In[1] must not be an empty tensor' / [2,0]"),
};
SF_OP_TEST(BandedTriangularSolve, banded_kernel)

static const SfOpCase eig_kernel[] = {
    ROW("Tout=complex128", "[3,3]:float", "deferred SF128 @Tout a 'Invalid output dtype 18 vs 8' / [3] [3,3]"),
};
SF_OP_TEST(Eig, eig_kernel)

static const SfOpCase pivoting[] = {
    ROW("partial_pivoting=false,perturb_singular=true", "[3,3] [3,4]",
        "deferred SF128 'Setting perturb_singular requires also setting partial_pivoting.' / [3,4]"),
    ROW("@phase=eager", "[7,3] [3,4]", "SF106 'Expected diagonals to be provided as a matrix with 3 rows, got 7 rows.'"),
    ROW("@phase=eager", "[3,3] [5,4]", "SF101 'Expected the same number of left-hand sides and right-hand sides, got 3 and 5.'"),
};
SF_OP_TEST(TridiagonalSolve, pivoting)

static const SfOpCase tridiagonal_kernel[] = {
    ROW("@phase=eager", "[1,6] [1,2] [1,6] [6,4]", "SF128 b d 'Invalid main diagonal shape.'"),
};
SF_OP_TEST(TridiagonalMatMul, tridiagonal_kernel)

static const SfOpCase band_part_kernel[] = {
    ROW("", "[4,5] 7 1",           "deferred SF128 b a.0 'num_lower must be negative or less or equal to number of rows (4) got: 7' / [4,5]"),
    ROW("", "[4,5] 1 [1]:int64",   "deferred SF102 c 'num_upper must be scalar, got shape [1]' / [4,5]"),
};
SF_OP_TEST(MatrixBandPart, band_part_kernel)

static const SfOpCase set_diag_kernel[] = {
    ROW("", "[7,1,6] [4,1] 0",   "deferred SF128 b a 'Expected diagonal shape: [7,1]' / [7,1,6]"),
    ROW("@phase=eager", "[6,4] [3,4] {-1,2}", "SF128 b c 'The number of diagonals provided in `diag` is not consistent with'"),
    ROW("@phase=eager", "[1,5] [1] 7",        "SF128 c a 'lower_diag_index is out of bound: 7 It must be between -1 and 5'"),
    ROW("@phase=eager", "[2,3] [2] {1,0}",    "SF128 c 'lower_diag_index must not be larger than upper_diag_index: 1 > 0'"),
    ROW("@phase=eager", "[2,3] [2] {1,2,3}",  "SF128 c 'diag_index must have only one or two elements, received 3 elements.'"),
    ROW("@phase=eager", "[5] [3] 0",          "SF103 a 'input must be at least 2-dim, received shape: [5]'"),
};
SF_OPS_TEST(set_diag, set_diag_kernel, "MatrixSetDiagV2", "MatrixSetDiagV3")

static const SfOpCase diag_part_kernel[] = {
    ROW("@phase=eager", "[6,2,5,1] {2,3} []", "SF128 b a 'lower_diag_index is out of bound: 2. It must be between -5 and 1'"),
    ROW("@phase=eager", "[6,3] -3 [2]",       "SF128 c 'Padding must be scalar.'"),
};
SF_OPS_TEST(diag_part, diag_part_kernel, "MatrixDiagPartV2", "MatrixDiagPartV3")

static const SfOpCase diag_band_kernel[] = {
    ROW("@phase=eager", "[5,4,3] {0,3} 3 5 [1]", "SF102 e 'padding_value must be a scalar'"),
    ROW("@phase=eager", "[2,1] {2,4} -1 5 0.0",  "SF128 'The number of diagonals provided in the input does not match'"),
    ROW("@phase=eager", "[2,3] 0 0 3 0.0",       "SF128 'The number of rows is too small.'"),
};
SF_OPS_TEST(diag_band, diag_band_kernel, "MatrixDiagV2", "MatrixDiagV3")

static const SfOpCase sparse_dense_kernel[] = {
    ROW("",             "[1,2] [2] {2,3} [3,4]",   "deferred SF128 a.0 b.0 'Number of rows of a_indices does not match number of entries in a_values' / [2,4]"),
    ROW("@phase=eager", "[1,2] [1] {3,6} [6,2,1]", "SF102 d"),
    ROW("@phase=eager", "[1,2] [1] {3,6,7} [6,2]", "SF102 c"),
};
SF_OP_TEST(SparseTensorDenseMatMul, sparse_dense_kernel)

static const SfOpCase cross_kernel[] = {
    ROW("@phase=eager", "[2] [2]",     "SF134 'Cross-products are only defined for 3-element vectors.'"),
    ROW("@phase=eager", "[2,3] [1,3]", "SF107 'Both inputs must be of same shape: [2,3] vs. [1,3]'"),
};
SF_OP_TEST(Cross, cross_kernel)

static const SfOpCase einsum_kernel[] = {
    ROW("equation='ij->ij',@phase=eager",   "[2]",   "SF102 'Expected input 0 to have rank 2 but got: 1'"),
    ROW("equation='ii->i',@phase=eager",    "[2,3]", "SF101 'Expected dimension 2 at axis 1 of the input shaped [2,3] but got dimension 3'"),
    ROW("equation='...i->..'",              "( [2,1,6] )", "SF128 @equation 'Expected at most one ellipsis'"),
    ROW("equation='...i->..',@phase=eager", "( [2,1,6] )", "?"),
};
SF_OP_TEST(Einsum, einsum_kernel)
/* clang-format on */

static const SfOpCase batch_cholesky_grad[] = {
    ROW("", "[2,3,3] [2,3,3]", "[2,3,3]"),
    ROW("", "[?,3,3] [2,3,3]", "[?,3,3]"),
    ROW("", "? ?", "?"),
    ROW("", "[3] [3]", "deferred SF103 a 'Input tensor 0 must have rank >= 2, got 1' / ?"),
    ROW("", "[2,3,3] [3,3]", "deferred SF108 'All input tensors must have the same rank.' / ?"),
    ROW("", "[3,3] [3,2]",
        "deferred SF128 a b 'Inputs (L and grad) must have the same shape.' / ?"),
};
SF_OP_TEST(BatchCholeskyGrad, batch_cholesky_grad)
