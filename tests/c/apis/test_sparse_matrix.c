/* Rows of CSR sparse matrices; expectations asked of TensorFlow 2.21. What stands behind a variant comes from its
 * producer: here the inputs are bare variants, so it is unknown (tests/py/test_raw_handles.py has the rest). */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,@version=2.21,"

static const SfOpCase from_dense[] = {
    ROW("", "[3,4] {{0,0},{2,3}}:int64", "[]:variant"),
    ROW("", "[?,3,4] [5,3]:int64", "[]"),
    ROW("", "? ?:int64", "[]"),
    ROW("", "[3] [1,1]:int64", "SF105 a 'Invalid rank of dense: 1.'"),
    ROW("", "[3,4] [2]:int64", "SF102 b 'indices must be a matrix; but its rank is not 2: 1'"),
    ROW("", "[3,4] [2,3]:int64", "SF101 b.1 a 'must match rank of dense; saw: 3 vs. 2'"),
    ROW("", "[3,4] {{0,4}}:int64", "deferred SF117 b a 'does not index into param shape' / []"),
};
SF_OP_TEST(DenseToCSRSparseMatrix, from_dense)

static const SfOpCase from_sparse[] = {
    ROW("", "{{0,1}}:int64 [1] {2,3}:int64", "[]:variant"),
    ROW("", "[?,3]:int64 [?] [3]:int64", "[]"),
    ROW("", "?:int64 ? ?:int64", "[]"),
    ROW("", "[2,2]:int64 [3] [2]:int64", "SF101 a.0 b.0"),
    ROW("", "[2,2]:int64 [2] [3]:int64", "SF101 a.1 c.0"),
    ROW("", "[2,1]:int64 [2] [1]:int64", "SF105 a"),
    ROW("", "{{0,3}}:int64 [1] {2,3}:int64",
        "deferred SF117 a c 'Sparse index tuple indices[0, :] = [0, 3] is out of bounds' / []"),
};
SF_OP_TEST(SparseTensorToCSRSparseMatrix, from_sparse)

static const SfOpCase zeros[] = {
    ROW("type=float", "{2,3}:int64", "[]:variant"),
    ROW("type=float", "[3]:int64", "[]"),
    /* TensorFlow refuses a length that construction does not know; a run knows it */
    ROW("type=float", "[?]:int64", "[]"),
    ROW("type=float", "?:int64", "[]"),
    ROW("type=float", "{2}:int64", "SF105 a 'Invalid rank: 1.'"),
};
SF_OP_TEST(SparseMatrixZeros, zeros)

static const SfOpCase to_dense[] = {
    ROW("type=float", "[]", "?:float"),
    ROW("type=float", "?", "?"),
    ROW("type=float", "[1]", "SF102 a"),
};
SF_OP_TEST(CSRSparseMatrixToDense, to_dense)

static const SfOpCase to_sparse[] = {
    ROW("type=float", "[]", "[?,?]:int64 [?]:float [?]:int64"),
    ROW("type=float", "?", "[?,?] [?] [?]"),
    ROW("type=float", "[2]", "SF102 a"),
};
SF_OP_TEST(CSRSparseMatrixToSparseTensor, to_sparse)

static const SfOpCase components[] = {
    ROW("type=float", "[] 0", "[?]:int32 [?]:int32 [?]:float"),
    ROW("type=float", "? ?:int32", "[?] [?] [?]"),
    ROW("type=float", "[] [1]:int32", "SF102 b 'index must be a scalar.'"),
};
SF_OP_TEST(CSRSparseMatrixComponents, components)

static const SfOpCase matmul[] = {
    ROW("", "[] [3,4]", "[?,4]"),
    ROW("transpose_b=true", "[] [3,4]", "[?,3]"),
    ROW("transpose_output=true", "[] [2,3,n]", "[2,n,?]"),
    ROW("", "? ?", "?"),
    ROW("", "[] [3]", "SF103 b"),
    ROW("transpose_a=true,adjoint_a=true", "[] [3,4]",
        "SF128 @adjoint_a @transpose_a 'Only one of adjoint_a and transpose_a may be true.'"),
};
SF_OP_TEST(SparseMatrixMatMul, matmul)

static const SfOpCase sparse_matmul[] = {
    ROW("type=float", "[] []", "[]:variant"),
    ROW("type=float", "? ?", "[]"),
    ROW("type=float", "[1] []", "SF102 a"),
    ROW("type=float,transpose_b=true,adjoint_b=true", "[] []", "SF128 @adjoint_b @transpose_b"),
};
SF_OP_TEST(SparseMatrixSparseMatMul, sparse_matmul)

static const SfOpCase mul[] = {
    ROW("", "[] []", "[]:variant"),
    ROW("", "[] [?,1,1]", "[]"),
    ROW("", "? ?", "[]"),
    ROW("", "[] [2]", "SF131 b 'b must be a scalar or shaped [batch_size, 1, 1]'"),
    ROW("", "[] [2,2,1]", "SF131 b.1"),
};
SF_OP_TEST(SparseMatrixMul, mul)

static const SfOpCase add[] = {
    ROW("", "[] [] []:float []:float", "[]:variant"),
    ROW("", "? ? ? ?", "[]"),
    ROW("", "[] [] [1] []", "SF102 c"),
};
SF_OP_TEST(SparseMatrixAdd, add)

static const SfOpCase one[] = {
    ROW("type=float", "[]", "[]:variant"),
    ROW("type=float", "?", "[]"),
    ROW("type=float", "[1]", "SF102 a"),
};
SF_OPS_TEST(sparse_one, one, "SparseMatrixTranspose", "SparseMatrixSoftmax")

static const SfOpCase softmax_grad[] = {
    ROW("type=float", "[] []", "[]:variant"),
    ROW("type=float", "? ?", "[]"),
    ROW("type=float", "[] [1]", "SF102 b"),
};
SF_OP_TEST(SparseMatrixSoftmaxGrad, softmax_grad)

static const SfOpCase counted[] = {
    ROW("", "[]", "?:int32"),
    ROW("", "?", "?"),
    ROW("", "[1]", "SF102 a"),
};
SF_OPS_TEST(sparse_counted, counted, "SparseMatrixNNZ", "SparseMatrixOrderingAMD")

static const SfOpCase cholesky[] = {
    ROW("type=float", "[] [3]:int32", "[]:variant"),
    ROW("type=float", "[] [?,3]:int32", "[]"),
    ROW("type=float", "? ?:int32", "[]"),
    ROW("type=float", "[] []:int32", "SF103 b"),
};
SF_OP_TEST(SparseMatrixSparseCholesky, cholesky)
