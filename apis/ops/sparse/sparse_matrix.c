/* CSR sparse matrices: a variant stands for a matrix, or a batch of them, whose dtype and shape are
 * kept beside it; behind a placeholder they are unknown (TensorFlow refuses what it does not know
 * while a graph is built; here it stays unknown).
 * Source: sparse_csr_matrix_ops.cc and the kernels in core/kernels/sparse. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"

enum { TRANSPOSES = 1 }; /* variant */

/* the matrix behind a variant */

/* The shape that an int64 vector holds, or its length alone. */
static const SfShape *held_shape(SfInfer *c, int i)
{
    const SfValue *v = sf_input_value(c, i);
    if (v && sf_shape_rank(sf_value_shape(v)) == 1) {
        return sf_value_as_shape(v);
    }
    const SfShape *s = sf_input(c, i);
    const SfDim n = sf_shape_rank(s) == 1 ? sf_shape_dim(s, 0) : SF_DIM_UNKNOWN;
    return sf_shape_of_rank(sf_dim_is_known(n) && n <= SF_RANK_MAX ? (int)n : -1);
}

static SfStatus set_output_matrix(SfInfer *c, SfDtype dtype, const SfShape *s)
{
    return sf_common_keep(c, (SfKept){.known = true, .dtype = sf_dtype_base(dtype), .shape = s});
}

static const SfShape *transposed(const SfShape *s)
{
    const int rank = sf_shape_rank(s);
    if (rank < 2) {
        return s;
    }
    const SfDim rows = sf_shape_dim(s, -2), columns = sf_shape_dim(s, -1);
    const SfShape *out = sf_shape_replace(s, rank - 2, columns);
    return out ? sf_shape_replace(out, rank - 1, rows) : NULL;
}

/* [batch..., rows of a, columns of b], of either of unknown rank: unknown. */
static const SfShape *product(const SfShape *a, const SfShape *b)
{
    const int rank = sf_shape_rank(a);
    if (rank < 2 || sf_shape_rank(b) < 2) {
        return sf_shape_unknown();
    }
    const SfShape *batch = sf_shape_broadcast(sf_shape_slice(a, 0, rank - 2),
                                              sf_shape_slice(b, 0, sf_shape_rank(b) - 2), NULL);
    if (!batch || sf_shape_is_bottom(batch)) {
        return batch ? sf_shape_unknown() : NULL;
    }
    return sf_shape_concat(batch, sf_shape_matrix(sf_shape_dim(a, -2), sf_shape_dim(b, -1)));
}

/* The matrix of a variant input, of `least` to 3 axes. */
static SfStatus want_matrix(SfInfer *c, int i, int least, const SfShape **out)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    *out = sf_common_kept(c, i).shape;
    const int rank = sf_shape_rank(*out);
    if (rank >= 0 && rank < least) {
        return sf_fail(c, SF_DIAG_RANK_AT_LEAST, SF_INPUT(i), SF_THE_OP, SF_RANK_ARG(least),
                       SF_RANK_ARG(rank));
    }
    return rank > 3 ? sf_fail(c, SF_DIAG_RANK_AT_MOST, SF_INPUT(i), SF_THE_OP, SF_RANK_ARG(3),
                              SF_RANK_ARG(rank))
                    : SF_OK;
}

/* The kernel: the dtype of matrix i is attr type. {0}: the matrix's, {1}: the attr. */
static SfStatus want_type(SfInfer *c, int i, const char *message)
{
    const SfKept m = sf_common_kept(c, i);
    const SfDtype asked = sf_attr_type(c, "type");
    return sf_require_as(c, !sf_common_runs(c) || !m.known || m.dtype == asked, SF_DIAG_RUN_REFUSED,
                         SF_INPUT(i), SF_ATTR("type"), message, SF_DTYPE_ARG(m.dtype),
                         SF_DTYPE_ARG(asked));
}

/* making */

static const SfMessage dense_messages[] = {
    {SF_ON(RANK_AT_MOST), .text = "params must have rank == 2 or 3; but saw shape: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "indices must be a matrix, but saw shape: {a.shape}"},
    {SF_ON(DIM_EQUAL),
     .text =
         "indices.shape[1] must be equal to the rank of params, but saw: {dim 1 1} vs. {rank 0}"},
    {0}};

/* Every index names a place of the matrix. */
static SfStatus dense_kernel(SfInfer *c)
{
    const SfShape *s = sf_input(c, 0);
    const int64_t rank = sf_shape_rank(s);
    const SfValue *v = sf_input_value(c, 1);
    for (int64_t i = 0; v && sf_shape_is_known(s) && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < sf_shape_dim(s, (int)(i % rank))),
            SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_INPUT(0),
            "indices[{0}] does not index into param shape {1}, node name: {op}",
            SF_INT_ARG(i / rank), SF_SHAPE_ARG(s)));
    }
    return SF_OK;
}

static SfStatus infer_from_dense(SfInfer *c)
{
    const SfShape *dense = sf_input(c, 0), *indices = sf_input(c, 1);
    const int rank = sf_shape_rank(dense);
    sf_kernel_messages(c, dense_messages);
    SF_TRY(sf_require_as(
        c, rank < 0 || (rank >= 2 && rank <= 3), SF_DIAG_RANK_AT_MOST, SF_INPUT(0), SF_THE_OP,
        "Invalid rank of dense: {0}.  Expected a known rank of either 2 or 3.", SF_INT_ARG(rank)));
    SF_TRY(sf_require_rank(c, 1, 2, "indices must be a matrix; but its rank is not 2: {0}",
                           SF_INT_ARG(sf_shape_rank(indices))));
    const SfDim columns = sf_shape_dim(indices, 1);
    SF_TRY(sf_require_as(c, rank < 0 || !sf_dim_is_known(columns) || columns == rank,
                         SF_DIAG_DIM_EQUAL, SF_AXIS(1, 1), SF_INPUT(0),
                         "indices.shape[1] must match rank of dense; saw: {0} vs. {1}",
                         SF_DIM_ARG(columns), SF_INT_ARG(rank)));
    if (rank >= 0) {
        SF_TRY(sf_ask_kernel(c, dense_kernel));
    }
    return set_output_matrix(c, sf_input_dtype(c, 0), dense);
}

/* ValidateSparseTensor, with the message of construction or of the kernel. */
static SfStatus want_sparse(SfInfer *c)
{
    const bool run = sf_common_runs(c);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, NULL));
    const SfDim rows = sf_input_dim(c, 0, 0), n = sf_input_dim(c, 1, 0);
    const SfDim columns = sf_input_dim(c, 0, 1), dims = sf_input_dim(c, 2, 0);
    SF_TRY(
        sf_require_equal(c, SF_AXIS(0, 0), rows, SF_AXIS(1, 0), n,
                         run ? "Number of elements in indices ({0}) and values ({1}) do not match"
                             : "Number of elements in index ({0}) and values ({1}) do not match.",
                         SF_DIM_ARG(rows), SF_DIM_ARG(n)));
    return sf_require_equal(c, SF_AXIS(0, 1), columns, SF_AXIS(2, 0), dims,
                            "Index rank ({0}) and shape rank ({1}) do not match{2}",
                            SF_DIM_ARG(columns), SF_DIM_ARG(dims), SF_TEXT_ARG(run ? "" : "."));
}

static SfStatus want_two_or_three(SfInfer *c, SfPlace place, SfDim rank)
{
    return sf_require_as(c, !sf_dim_is_known(rank) || rank == 2 || rank == 3, SF_DIAG_RANK_AT_MOST,
                         place, SF_THE_OP,
                         sf_common_runs(c) && place.index == 0 && sf_input_count(c) > 1
                             ? "SparseTensor must have rank 2 or 3; but indices has rank: {0}"
                             : "Invalid rank: {0}.  Expected a known rank of either 2 or 3.",
                         SF_DIM_ARG(rank));
}

/* "[1, 0]": row i of the indices. */
static const char *index_text(SfInfer *c, int64_t i, int rank)
{
    enum { EACH = 24 };
    const size_t room = (size_t)rank * EACH + 3;
    char *text = sf_scratch(c, room);
    int at = text ? snprintf(text, room, "[") : 0;
    for (int axis = 0; text && axis < rank; axis++) {
        const SfElem e = sf_common_elem(c, 0, i * rank + axis);
        at += snprintf(text + at, room - (size_t)at, "%s%" PRId64 "%s", axis > 0 ? ", " : "",
                       e.kind == SF_ELEM_INT ? e.u.i : 0, axis == rank - 1 ? "]" : "");
    }
    return text ? text : "";
}

/* Every index names a place of the matrix. */
static SfStatus sparse_kernel(SfInfer *c)
{
    const SfShape *s = held_shape(c, 2);
    const int rank = sf_shape_rank(s);
    const int64_t n = rank > 0 ? sf_common_elems(c, 0) / rank : 0;
    for (int64_t i = 0; i < n; i++) {
        for (int axis = 0; axis < rank; axis++) {
            const SfElem e = sf_common_elem(c, 0, i * rank + axis);
            const SfElem size = sf_common_elem(c, 2, axis); /* -1 is no unknown here */
            const SfDim d = sf_shape_dim(s, axis);
            SF_TRY(sf_require_as(c,
                                 e.kind != SF_ELEM_INT ||
                                     (e.u.i >= 0 && (!sf_dim_is_known(d) || e.u.i < d) &&
                                      (size.kind != SF_ELEM_INT || e.u.i < size.u.i)),
                                 SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(2),
                                 "Sparse index tuple indices[{0}, :] = {1} is out of bounds",
                                 SF_INT_ARG(i), SF_TEXT_ARG(index_text(c, i, rank))));
        }
    }
    return SF_OK;
}

/* The rows of indices tell the rank too. */
static const SfShape *sparse_shape(SfInfer *c)
{
    const SfShape *s = held_shape(c, 2);
    const SfDim rank = sf_input_dim(c, 0, 1);
    return !s || sf_shape_is_ranked(s) || !sf_dim_is_known(rank) ? s : sf_shape_of_rank((int)rank);
}

static SfStatus infer_from_sparse(SfInfer *c)
{
    SF_TRY(want_sparse(c));
    SF_TRY(want_two_or_three(c, SF_INPUT(0), sf_input_dim(c, 0, 1)));
    SF_TRY(want_two_or_three(c, SF_INPUT(2), sf_input_dim(c, 2, 0)));
    if (sf_common_runs(c)) {
        SF_TRY(sparse_kernel(c));
    }
    return set_output_matrix(c, sf_input_dtype(c, 1), sparse_shape(c));
}

static SfStatus infer_zeros(SfInfer *c)
{
    SF_TRY(sf_want_shape_value(c, SF_INPUT(0), NULL));
    SF_TRY(want_two_or_three(c, SF_INPUT(0), sf_input_dim(c, 0, 0)));
    return set_output_matrix(c, sf_attr_type(c, "type"), held_shape(c, 0));
}

/* taking apart */

static SfStatus infer_to_dense(SfInfer *c)
{
    const SfShape *m;
    SF_TRY(want_matrix(c, 0, 0, &m));
    SF_TRY(want_type(c, 0, "Asked for a CSRSparseMatrix of type {1} but saw dtype: {0}"));
    return sf_set_output_shape(c, 0, m);
}

static SfStatus infer_to_sparse(SfInfer *c)
{
    const SfShape *m;
    SF_TRY(want_matrix(c, 0, 0, &m));
    SF_TRY(want_type(c, 0, "Expected a CSRSparseMatrix of type {1} but saw type: {0}"));
    const SfDim rank = sf_shape_is_ranked(m) ? sf_shape_rank(m) : SF_DIM_UNKNOWN;
    SF_TRY(sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, rank));
    SF_TRY(sf_set_output_vector(c, 1, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 2, rank);
}

static SfStatus components_kernel(SfInfer *c, const void *data)
{
    const SfShape *m = data;
    const SfDim batch = sf_shape_rank(m) == 3   ? sf_shape_dim(m, 0)
                        : sf_shape_rank(m) == 2 ? 1
                                                : SF_DIM_UNKNOWN;
    int64_t index;
    return sf_require_as(
        c, !sf_input_int(c, 1, &index) || !sf_dim_is_known(batch) || (index >= 0 && index < batch),
        SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_INPUT(0), "index ({0}) not in [0, {1})",
        SF_INT_ARG(index), SF_DIM_ARG(batch));
}

/* CSRSparseMatrixComponents: one matrix of the batch. */
static SfStatus infer_components(SfInfer *c)
{
    const SfShape *m;
    SF_TRY(want_matrix(c, 0, 2, &m));
    SF_TRY(sf_require_rank(
        c, 1, 0, sf_common_runs(c) ? "index should be a scalar" : "index must be a scalar."));
    SF_TRY(want_type(c, 0, "dtype of input is not equal to 'type': {0} vs. {1}"));
    SF_TRY(sf_kernel_check(c, components_kernel, m));
    SF_TRY(sf_set_output_vector(c, 0, sf_dim_add(sf_shape_dim(m, -2), 1)));
    SF_TRY(sf_set_output_vector(c, 1, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 2, SF_DIM_UNKNOWN);
}

static SfStatus infer_nnz(SfInfer *c)
{
    const SfShape *m;
    SF_TRY(want_matrix(c, 0, 2, &m));
    return sf_shape_is_ranked(m) ? sf_set_output_shape(c, 0, sf_common_batch(m, 2))
                                 : sf_set_output_unknown(c, 0);
}

/* computing */

static SfStatus want_one_flag(SfInfer *c, const char *adjoint, const char *transpose)
{
    return sf_require_as(c, !sf_attr_bool(c, adjoint) || !sf_attr_bool(c, transpose),
                         SF_DIAG_OP_SHAPE, SF_ATTR(adjoint), SF_ATTR(transpose),
                         "Only one of {0} and {1} may be true.", SF_TEXT_ARG(adjoint),
                         SF_TEXT_ARG(transpose));
}

static SfStatus want_flags(SfInfer *c)
{
    SF_TRY(want_one_flag(c, "adjoint_a", "transpose_a"));
    return want_one_flag(c, "adjoint_b", "transpose_b");
}

static bool turned(const SfInfer *c, char which)
{
    return which == 'a' ? sf_attr_bool(c, "transpose_a") || sf_attr_bool(c, "adjoint_a")
                        : sf_attr_bool(c, "transpose_b") || sf_attr_bool(c, "adjoint_b");
}

/* {0} {1}: the matrices; {2} {3}: their ranks; {4} {5}: their batch sizes. */
static int matmul_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const SfKept second = sf_common_kept(c, 1);
    const SfShape *a = sf_common_kept(c, 0).shape,
                  *b = second.known ? second.shape : sf_input(c, 1);
    out[0] = SF_SHAPE_ARG(a);
    out[1] = SF_SHAPE_ARG(b);
    out[2] = SF_INT_ARG(sf_shape_rank(a));
    out[3] = SF_INT_ARG(sf_shape_rank(b));
    out[4] = SF_DIM_ARG(sf_shape_dim(a, 0));
    out[5] = SF_DIM_ARG(sf_shape_dim(b, 0));
    return 6;
}

static const SfMessage matmul_messages[] = {
    {SF_ON(DIM_EQUAL), .args = matmul_args,
     .text = "Inner product dimensions of A and B do not agree. Shapes are: {0} vs. {1}"},
    {SF_ON(MERGE_RANK), .args = matmul_args,
     .text = "Ranks of a and b must match, saw: {2} vs. {3}."},
    {SF_ON(MERGE_DIM), .args = matmul_args,
     .text = "Batch sizes of a and b must match, saw: {4} vs. {5}."},
    {0}};
static const SfMessage sparse_matmul_messages[] = {
    {SF_ON(DIM_EQUAL), .args = matmul_args,
     .text = "Inner product dimensions of A and B do not agree.  Shapes are: {0} vs. {1}"},
    {0}};

static SfStatus matmul_kernel(SfInfer *c, const void *data)
{
    const SfKept a = sf_common_kept(c, 0);
    const SfDtype t = sf_input_dtype(c, 1);
    SF_TRY(want_flags(c));
    return sf_require_as(c, !a.known || a.dtype == t, SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                         "Input types don't match.  a.dtype == {0} vs. b.dtype == {1}",
                         SF_DTYPE_ARG(a.dtype), SF_DTYPE_ARG(t));
}

/* SparseMatrixMatMul: a sparse by a dense matrix, a dense result. */
static SfStatus infer_matmul(SfInfer *c)
{
    const SfShape *a, *b, *batch;
    SF_TRY(sf_common_kernel_first(c, matmul_kernel, NULL));
    sf_kernel_messages(c, matmul_messages);
    SF_TRY(want_matrix(c, 0, 2, &a));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 3, &b));
    SF_TRY(want_flags(c));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_common_batch(a, 2), SF_INPUT(1), sf_common_batch(b, 2),
                         &batch));
    SF_TRY(sf_want_equal(c, SF_INPUT(0), sf_shape_dim(a, turned(c, 'a') ? -2 : -1),
                         SF_AXIS(1, turned(c, 'b') ? -1 : -2),
                         sf_shape_dim(b, turned(c, 'b') ? -1 : -2), NULL));
    SF_TRY(sf_common_kernel_last(c, matmul_kernel, NULL));
    const SfDim rows = sf_shape_dim(a, turned(c, 'a') ? -1 : -2);
    const SfDim columns = sf_shape_dim(b, turned(c, 'b') ? -2 : -1);
    const SfShape *m = sf_attr_bool(c, "transpose_output") ? sf_shape_matrix(columns, rows)
                                                           : sf_shape_matrix(rows, columns);
    return sf_set_output_shape(c, 0, m ? sf_shape_concat(batch, m) : NULL);
}

/* SparseMatrixSparseMatMul: the batches broadcast. */
static SfStatus infer_sparse_matmul(SfInfer *c)
{
    const SfShape *a, *b;
    int axis;
    sf_kernel_messages(c, sparse_matmul_messages);
    SF_TRY(want_matrix(c, 0, 2, &a));
    SF_TRY(want_matrix(c, 1, 2, &b));
    SF_TRY(want_flags(c));
    if (sf_shape_rank(a) == 3 && sf_shape_rank(b) == 3) {
        const SfShape *both =
            sf_shape_broadcast(sf_common_batch(a, 2), sf_common_batch(b, 2), &axis);
        if (both && sf_shape_is_bottom(both)) {
            return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_INPUT(0), SF_INPUT(1),
                           SF_DIM_ARG(sf_shape_dim(a, 0)), SF_DIM_ARG(sf_shape_dim(b, 0)));
        }
    }
    SF_TRY(sf_want_equal(c, SF_INPUT(0), sf_shape_dim(a, turned(c, 'a') ? -2 : -1), SF_INPUT(1),
                         sf_shape_dim(b, turned(c, 'b') ? -1 : -2), NULL));
    SF_TRY(want_type(c, 0, "dtype of a is not equal to 'type': {0} vs. {1}"));
    SF_TRY(want_type(c, 1, "dtype of b is not equal to 'type': {0} vs. {1}"));
    a = turned(c, 'a') ? transposed(a) : a;
    b = turned(c, 'b') ? transposed(b) : b;
    return set_output_matrix(c, sf_attr_type(c, "type"), a && b ? product(a, b) : NULL);
}

/* SparseMatrixMul: by a scalar, or one number a matrix of the batch. */
static SfStatus infer_mul(SfInfer *c)
{
    static const char message[] = "b must be a scalar or shaped [batch_size, 1, 1]";
    const SfShape *a, *b;
    SF_TRY(want_matrix(c, 0, 0, &a));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 3, &b));
    const int rank = sf_shape_rank(b);
    SF_TRY(sf_require_as(c, rank != 3 || sf_shape_may_have_rank(a, 3), SF_DIAG_NOT_IMPLEMENTED,
                         SF_INPUT(1), SF_INPUT(0), "rank of b is 3 but rank of a is not."));
    if (rank == 1 || rank == 2) {
        return sf_fail_with(c, SF_DIAG_NOT_IMPLEMENTED, SF_INPUT(1), SF_THE_OP, message);
    }
    for (int i = 1; rank == 3 && i < 3; i++) {
        if (sf_dim_differs(sf_shape_dim(b, i), 1)) {
            return sf_fail_with(c, SF_DIAG_NOT_IMPLEMENTED, SF_AXIS(1, i), SF_THE_OP, message);
        }
    }
    if (rank == 3) {
        SF_TRY(sf_want_equal(c, SF_INPUT(0), sf_shape_dim(a, 0), SF_AXIS(1, 0), sf_shape_dim(b, 0),
                             NULL));
    }
    return set_output_matrix(c, sf_input_dtype(c, 1), a);
}

static SfStatus want_two(SfInfer *c)
{
    const SfShape *a, *b, *both;
    SF_TRY(want_matrix(c, 0, 2, &a));
    SF_TRY(want_matrix(c, 1, 2, &b));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), a, SF_INPUT(1), b, &both));
    return set_output_matrix(c,
                             sf_op_attr_index(sf_op_sig(c), "type") >= 0 ? sf_attr_type(c, "type")
                                                                         : sf_attr_type(c, "T"),
                             both);
}

static SfStatus infer_add(SfInfer *c)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    return want_two(c);
}

static SfStatus infer_one(SfInfer *c)
{
    const SfShape *m;
    SF_TRY(want_matrix(c, 0, 2, &m));
    const bool turns = sf_op_variant(c) == TRANSPOSES;
    SF_TRY(want_type(c, 0, "dtype of input is not equal to 'type': {0} vs. {1}"));
    return set_output_matrix(c, sf_attr_type(c, "type"), turns ? transposed(m) : m);
}

static const SfMessage square_messages[] = {
    {SF_ON(DIM_EQUAL), SF_WITH(0), .text = "sparse matrix must be square; got: {0} != {1}"},
    {SF_ON(DIM_EQUAL), .text = "permutation must have the same number of elements in each batch as "
                               "the number of rows in sparse matrix; got: {1} != {0}"},
    {0}};

static SfStatus want_square(SfInfer *c, const SfShape **m, SfDim *n)
{
    sf_kernel_messages(c, square_messages);
    SF_TRY(want_matrix(c, 0, 2, m));
    return sf_want_equal(c, SF_INPUT(0), sf_shape_dim(*m, -2), SF_INPUT(0), sf_shape_dim(*m, -1),
                         n);
}

/* SparseMatrixOrderingAMD: a permutation of the rows of each matrix. */
static SfStatus infer_ordering(SfInfer *c)
{
    const SfShape *m;
    SfDim n;
    SF_TRY(want_square(c, &m, &n));
    return sf_shape_is_ranked(m)
               ? sf_set_output_shape(c, 0,
                                     sf_shape_concat(sf_common_batch(m, 2), sf_shape_vector(n)))
               : sf_set_output_unknown(c, 0);
}

static SfStatus cholesky_kernel(SfInfer *c, const void *data)
{
    const SfShape *m = data;
    const int rank = sf_shape_rank(m), given = sf_shape_rank(sf_input(c, 1));
    return sf_require_as(
        c, rank < 0 || given < 0 || rank == given + 1, SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(0),
        "sparse matrix must have the same rank as permutation; got: {0} != {1} + 1.",
        SF_INT_ARG(rank), SF_INT_ARG(given));
}

static SfStatus infer_cholesky(SfInfer *c)
{
    const SfShape *m, *permutation;
    SfDim n;
    SF_TRY(want_square(c, &m, &n));
    if (sf_common_runs(c)) {
        SF_TRY(cholesky_kernel(c, m));
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 2, &permutation));
    SF_TRY(sf_want_equal(c, SF_INPUT(0), n, SF_AXIS(1, -1), sf_shape_dim(permutation, -1), NULL));
    SF_TRY(sf_kernel_check(c, cholesky_kernel, m));
    SF_TRY(want_type(c, 0, "Asked for a CSRSparseMatrix of type {1} but saw dtype: {0}"));
    return set_output_matrix(c, sf_attr_type(c, "type"), m);
}

/* table */

/* clang-format off */
#define TYPES "{float, double, complex64, complex128}"
#define FLAGS "transpose_a: bool = false, transpose_b: bool = false, " \
    "adjoint_a: bool = false, adjoint_b: bool = false"

static const SfOpDef ops[] = {
    SF_OP(DenseToCSRSparseMatrix, .inputs = "dense_input: T, indices: int64",
          .outputs = "sparse_output: variant", .attrs = "T: " TYPES, .infer = infer_from_dense),
    SF_OP(SparseTensorToCSRSparseMatrix, .inputs = "indices: int64, values: T, dense_shape: int64",
          .outputs = "sparse_matrix: variant", .attrs = "T: " TYPES, .traits = SF_OP_ASK_KERNEL,
          .infer = infer_from_sparse),
    SF_OP(SparseMatrixZeros, .inputs = "dense_shape: int64", .outputs = "sparse_matrix: variant",
          .attrs = "type: " TYPES, .infer = infer_zeros, .grad = SF_GRAD_NONE),
    SF_OP(CSRSparseMatrixToDense, .inputs = "sparse_input: variant",
          .outputs = "dense_output: type", .attrs = "type: " TYPES, .traits = SF_OP_ASK_KERNEL,
          .infer = infer_to_dense,
          .grad = SF_GRAD_INPUTS(1)),
    SF_OP(CSRSparseMatrixToSparseTensor, .inputs = "sparse_matrix: variant",
          .outputs = "indices: int64, values: type, dense_shape: int64", .attrs = "type: " TYPES,
          .traits = SF_OP_ASK_KERNEL, .infer = infer_to_sparse, .grad = SF_GRAD_INPUTS(1)),
    SF_OP(CSRSparseMatrixComponents, .inputs = "csr_sparse_matrix: variant, index: int32",
          .outputs = "row_ptrs: int32, col_inds: int32, values: type", .attrs = "type: " TYPES,
          .traits = SF_OP_ASK_KERNEL, .infer = infer_components, .grad = SF_GRAD_MISSING),
    SF_OP(SparseMatrixNNZ, .inputs = "sparse_matrix: variant", .outputs = "nnz: int32",
          .attrs = "", .infer = infer_nnz, .grad = SF_GRAD_NONE),
    SF_OP(SparseMatrixMatMul, .inputs = "a: variant, b: T", .outputs = "output: T",
          .attrs = "T: type, " FLAGS ", transpose_output: bool = false, "
                   "conjugate_output: bool = false",
          .infer = infer_matmul, .grad = SF_GRAD_INPUTS(3)),
    SF_OP(SparseMatrixSparseMatMul, .inputs = "a: variant, b: variant", .outputs = "c: variant",
          .attrs = "type: " TYPES ", " FLAGS, .traits = SF_OP_ASK_KERNEL,
          .infer = infer_sparse_matmul,
          .grad = SF_GRAD_INPUTS(3)),
    SF_OP(SparseMatrixMul, .inputs = "a: variant, b: T", .outputs = "output: variant",
          .attrs = "T: type", .infer = infer_mul, .grad = SF_GRAD_INPUTS(3)),
    SF_OP(SparseMatrixAdd, .inputs = "a: variant, b: variant, alpha: T, beta: T",
          .outputs = "c: variant", .attrs = "T: " TYPES, .infer = infer_add,
          .grad = SF_GRAD_INPUTS(3)),
    SF_OP(SparseMatrixTranspose, .inputs = "input: variant", .outputs = "output: variant",
          .attrs = "conjugate: bool = false, type: " TYPES, .traits = SF_OP_ASK_KERNEL,
          .infer = infer_one,
          .grad = SF_GRAD_INPUTS(1), .variant = TRANSPOSES),
    SF_OP(SparseMatrixSoftmax, .inputs = "logits: variant", .outputs = "softmax: variant",
          .attrs = "type: {float, double}", .traits = SF_OP_ASK_KERNEL, .infer = infer_one,
          .grad = SF_GRAD_INPUTS(1)),
    SF_OP(SparseMatrixSoftmaxGrad, .inputs = "softmax: variant, grad_softmax: variant",
          .outputs = "gradient: variant", .attrs = "type: {float, double}", .infer = want_two,
          .grad = SF_GRAD_MISSING),
    SF_OP(SparseMatrixOrderingAMD, .inputs = "input: variant", .outputs = "output: int32",
          .attrs = "", .infer = infer_ordering, .grad = SF_GRAD_MISSING),
    SF_OP(SparseMatrixSparseCholesky, .inputs = "input: variant, permutation: int32",
          .outputs = "output: variant", .attrs = "type: " TYPES, .traits = SF_OP_ASK_KERNEL,
          .infer = infer_cholesky,
          .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_matrix = {ops, SF_ARRAY_LEN(ops), "sparse_matrix"};
