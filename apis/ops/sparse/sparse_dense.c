/* Sparse tensors together with dense ones, and reduced. Source: sparse_ops.cc,
 * sparse_to_dense_op.cc, sparse_tensor_dense_add_op.cc, sparse_dense_binary_op_shared.cc,
 * sparse_reduce_op.cc. */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/sparse/sparse_triple.h"

#define SF_1_13 SF_VERSION(1, 13)

static bool differ(SfDim a, SfDim b)
{
    return sf_dim_differs(a, b);
}

/* from and to dense */

static SfStatus want_default(SfInfer *c)
{
    return sf_triple_form(c, 3, 0, "default_value should be a scalar.");
}

/* Indices against output_shape, where their order is not looked at. */
static SfStatus check_inside(SfInfer *c, int length)
{
    if (length <= 0 || sf_shape_rank(sf_input(c, 0)) != 2) {
        return SF_OK;
    }
    for (int64_t k = 0; k < sf_common_elems(c, 0); k++) {
        const SfElem e = sf_common_elem(c, 0, k), d = sf_common_elem(c, 1, k % length);
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || d.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < d.u.i),
            SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(1),
            "Indices are not valid (out of bounds).  Shape: {0}",
            SF_SHAPE_ARG(sf_value_as_shape(sf_input_value(c, 1)))));
    }
    return SF_OK;
}

static SfStatus to_dense_kernel(SfInfer *c)
{
    const SfShape *indices = sf_input(c, 0), *values = sf_input(c, 2);
    const int rank = sf_shape_rank(indices);
    const SfDim dims = rank == 2 ? sf_shape_dim(indices, 1) : rank >= 0 ? 1 : SF_DIM_UNKNOWN;
    const SfDim entries = rank > 0 ? sf_shape_dim(indices, 0) : rank == 0 ? 1 : SF_DIM_UNKNOWN;
    const SfDim length = sf_shape_count(sf_input(c, 1));
    SF_TRY(sf_require_as(c, rank <= 2, SF_DIAG_RANK_AT_MOST, SF_INPUT(0), SF_THE_OP,
                         "sparse_indices should be a scalar, vector, or matrix, got shape {0}",
                         SF_SHAPE_ARG(indices)));
    SF_TRY(sf_require_equal(c, SF_INPUT(1), length, SF_INPUT(0), dims,
                            "output_shape has incorrect number of elements: {0} should be: {1}",
                            SF_DIM_ARG(length), SF_DIM_ARG(dims)));
    const SfDim given = sf_shape_count(values);
    SF_TRY(sf_require_as(c,
                         !sf_dim_is_known(entries) || sf_shape_rank(values) <= 0 ||
                             (sf_shape_rank(values) <= 1 && !differ(given, entries)),
                         SF_DIAG_DIM_EQUAL, SF_AXIS(2, 0), SF_INPUT(0),
                         "sparse_values has incorrect shape {0}, should be [] or [{1}]",
                         SF_SHAPE_ARG(values), SF_DIM_ARG(entries)));
    SF_TRY(want_default(c));
    SF_TRY(sf_require_ints(c, 1, 0, INT64_MAX, SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                           "Dimension {1} must be >= 0"));
    return sf_attr_bool(c, "validate_indices") ? sf_triple_ordered(c, 0, 1)
                                               : check_inside(c, (int)length);
}

static const SfMessage to_dense_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "output_shape must be rank 1, got shape {a.shape}"}, {0}};

/* SparseToDense: the shape that output_shape holds. */
static SfStatus infer_to_dense(SfInfer *c)
{
    const SfShape *out;
    if (sf_common_runs(c)) {
        SF_TRY(want_default(c));
    }
    SF_TRY(sf_want_shape_value(c, SF_INPUT(1), &out));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus dense_add_kernel(SfInfer *c)
{
    const SfShape *b = sf_input(c, 3);
    SF_TRY(sf_triple_form(c, 0, 2,
                          "Input a_indices should be a matrix but received shape: {a.shape}"));
    SF_TRY(sf_triple_vectors(
        c, 1, 2, "Inputs a_values and a_shape should be vectors but received shapes: {0} and {1}"));
    const SfDim rows = sf_input_dim(c, 0, 0), n = sf_input_dim(c, 1, 0);
    const SfDim columns = sf_input_dim(c, 0, 1), dims = sf_input_dim(c, 2, 0);
    SF_TRY(sf_require_as(c, !differ(rows, n) && !differ(columns, dims), SF_DIAG_DIM_EQUAL,
                         SF_AXIS(0, 0), SF_THE_OP, "Dimensions {0} and {1} are not compatible",
                         SF_DIM_ARG(differ(rows, n) ? rows : columns),
                         SF_DIM_ARG(differ(rows, n) ? n : dims)));
    SF_TRY(sf_require_as(c, !sf_shape_is_ranked(b) || !differ(dims, sf_shape_rank(b)),
                         SF_DIAG_MERGE_RANK, SF_INPUT(3), SF_AXIS(2, 0),
                         "Two operands have different ranks; received: {0} and {1}",
                         SF_DIM_ARG(dims), SF_INT_ARG(sf_shape_rank(b))));
    for (int i = 0; i < sf_shape_rank(b); i++) {
        const SfElem e = sf_common_elem(c, 2, i);
        const SfDim d = sf_shape_dim(b, i);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || !sf_dim_is_known(d) || e.u.i == d,
                             SF_DIAG_MERGE_DIM, SF_AXIS(3, i), SF_INPUT(2),
                             "Dimension {0} does not equal (no broadcasting is supported): sparse "
                             "side {1} vs dense side {2}",
                             SF_INT_ARG(i), SF_INT_ARG(e.u.i), SF_DIM_ARG(d)));
    }
    const int rank = sf_shape_rank(b);
    for (int64_t k = 0; rank > 0 && k < sf_common_elems(c, 0); k++) {
        const SfElem e = sf_common_elem(c, 0, k);
        const SfDim d = sf_shape_dim(b, (int)(k % rank));
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || !sf_dim_is_known(d) || (e.u.i >= 0 && e.u.i < d),
            SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_AXIS(3, (int)(k % rank)),
            "Sparse tensor has an invalid index on dimension {0}: a_indices({1},{0}) = {2}, dense "
            "tensor shape: {3}",
            SF_INT_ARG(k % rank), SF_INT_ARG(k / rank), SF_INT_ARG(e.u.i), SF_SHAPE_ARG(b)));
    }
    return SF_OK;
}

/* The dense side is broadcast to the sparse one, not the other way. */
static SfStatus cwise_shapes(SfInfer *c)
{
    const SfShape *dense = sf_input(c, 3);
    const SfValue *v = sf_input_value(c, 2);
    const SfDim rank = sf_triple_rank(c, 0);
    const int inner = sf_shape_rank(dense);
    if (inner < 0 || !sf_dim_is_known(rank)) {
        return SF_OK;
    }
    bool fits = inner <= rank;
    for (int i = 0; i < inner && fits && v; i++) {
        const SfElem e = sf_value_elem(v, rank - inner + i);
        const SfDim d = sf_shape_dim(dense, i);
        fits = e.kind != SF_ELEM_INT || !sf_dim_is_known(d) || d == e.u.i ||
               (d == 1 && e.u.i != 0) || (d == 0 && e.u.i == 1);
    }
    return sf_require_as(c, fits, SF_DIAG_BROADCAST, SF_INPUT(3), SF_INPUT(2),
                         "SparseDenseBinaryOpShared broadcasts dense to sparse only; got "
                         "incompatible shapes: [{0}] vs. {1}",
                         SF_TEXT_ARG(sf_triple_numbers(c, 2, ",")), SF_SHAPE_ARG(dense));
}

static SfStatus cwise_kernel(SfInfer *c)
{
    SF_TRY(sf_triple_form(c, 0, 2,
                          "Input sp_indices should be a matrix but received shape: {a.shape}"));
    SF_TRY(sf_triple_vectors(
        c, 1, 2,
        "Inputs sp_values and sp_shape should be vectors but received shapes: {0} and {1}"));
    const SfDim rows = sf_input_dim(c, 0, 0), n = sf_input_dim(c, 1, 0);
    const SfDim columns = sf_input_dim(c, 0, 1), dims = sf_input_dim(c, 2, 0);
    SF_TRY(sf_require_as(c, !sf_dim_is_known(dims) || dims != 0, SF_DIAG_DIM_VALUE, SF_INPUT(2),
                         SF_THE_OP, "The shape argument requires at least one element."));
    SF_TRY(sf_require_as(c, !differ(rows, n), SF_DIAG_DIM_EQUAL, SF_AXIS(1, 0), SF_AXIS(0, 0),
                         "The first dimension of values and indices should match. ({0} vs. {1})",
                         SF_DIM_ARG(n), SF_DIM_ARG(rows)));
    SF_TRY(sf_require_as(c, !differ(columns, dims), SF_DIAG_DIM_EQUAL, SF_AXIS(2, 0), SF_AXIS(0, 1),
                         "Number of dimensions must match second dimension of indices. Got {0} "
                         "dimensions, indices shape: {shape 0}",
                         SF_DIM_ARG(dims)));
    SF_TRY(sf_triple_sizes(c, 2));
    SF_TRY(cwise_shapes(c));
    /* An axis of one may meet an empty one, which has nothing at any index. */
    const bool nowhere = sf_dim_is_known(rows) && rows > 0 && sf_shape_count(sf_input(c, 3)) == 0;
    return sf_require_as(
        c, !nowhere && sf_triple_row_outside(c, 0, 2) < 0, SF_DIAG_INDEX_RANGE, SF_INPUT(0),
        SF_INPUT(2), "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape");
}

/* reducing */

static SfStatus reduce_kernel(SfInfer *c)
{
    const SfShape *axes = sf_input(c, 3);
    (void)sf_input_value(c, 3); /* the error context shows the axes, whatever fails */
    SF_TRY(sf_triple_form(c, 2, 1, "Expected input_shape to be a vector; got shape: {a.shape}"));
    SF_TRY(sf_require_as(c, sf_shape_rank(axes) <= 1, SF_DIAG_RANK_AT_MOST, SF_INPUT(3), SF_THE_OP,
                         "Expected reduction_axes to be a scalar or a vector; got shape: {0}",
                         SF_SHAPE_ARG(axes)));
    SF_TRY(sf_triple_sizes(c, 2));
    SF_TRY(sf_triple_check(c, 0, SF_TRIPLE_CREATED));
    const SfDim rank = sf_triple_rank(c, 0);
    return sf_require_ints(c, 3, -rank, rank, SF_DIAG_REDUCTION_AXIS, SF_INPUT(2),
                           "Invalid reduction dimension {1}, for input with {2} dimensions.");
}

/* Which axes go; false when they or the rank are not known. An axis counts modulo the rank, as
 * construction does; the kernel refuses what is out of range. */
static bool gone_axes(SfInfer *c, int64_t rank, bool gone[SF_RANK_MAX])
{
    const int64_t *axes;
    int n;
    if (rank <= 0 || rank > SF_RANK_MAX || !sf_common_ints(c, 3, &axes, &n)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const int64_t axis = axes[i] % rank;
        gone[axis < 0 ? axis + rank : axis] = true;
    }
    return true;
}

/* SparseReduceX: what is left of the shape; nothing is known before 1.13. */
static SfStatus infer_reduce(SfInfer *c)
{
    const SfDim rank = sf_triple_rank(c, 0);
    bool gone[SF_RANK_MAX] = {false};
    if (sf_version(c) < SF_1_13 || !gone_axes(c, rank, gone)) {
        return sf_set_output_unknown(c, 0);
    }
    for (int i = 0; i < rank; i++) {
        const SfElem e = sf_common_elem(c, 2, i);
        const bool left = !gone[i]; /* construction writes down only what is left */
        if (e.kind == SF_ELEM_INT && left && e.u.i < (sf_common_runs(c) ? 0 : -1)) {
            return sf_fail_with(c, SF_DIAG_SHAPE_ENTRY, SF_INPUT(2), SF_THE_OP,
                                "Dimension {0} must be >= 0", SF_INT_ARG(e.u.i));
        }
    }
    SfDim dims[SF_RANK_MAX];
    int left = 0;
    for (int i = 0; i < rank; i++) {
        if (!gone[i] || sf_attr_bool(c, "keep_dims")) {
            dims[left++] = gone[i] ? 1 : sf_elem_as_dim(sf_common_elem(c, 2, i));
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(left, dims));
}

/* SparseReduceXSparse: construction knows nothing; the rank follows from the axes. */
static SfStatus infer_reduce_sparse(SfInfer *c)
{
    const SfDim rank = sf_triple_rank(c, 0);
    bool gone[SF_RANK_MAX] = {false};
    SfDim left = SF_DIM_UNKNOWN;
    if (sf_attr_bool(c, "keep_dims")) {
        left = rank;
    } else if (gone_axes(c, rank, gone)) {
        left = 0;
        for (int i = 0; i < rank; i++) {
            left += !gone[i];
        }
    }
    return sf_triple_set_output(c, 0, 1, SF_DIM_UNKNOWN, left, sf_shape_vector(left));
}

/* table */

/* clang-format off */
#define T_NUMBER "T: " SF_NUMBERTYPE
#define T_REAL "T: " SF_REALTYPE
#define TRIPLE(p) p "_indices: int64, " p "_values: T, " p "_shape: int64"
#define TRIPLE_OUT "output_indices: int64, output_values: T, output_shape: int64"
#define CWISE(name) \
    SF_OP(name, .inputs = TRIPLE("sp") ", dense: T", .outputs = "output: T", .attrs = T_NUMBER, \
          .infer = SF_SHAPES("[n,?] ? ? ? -> [n]"), .kernel = cwise_kernel)
#define REDUCE(name, out, t, fn, g) \
    SF_OP(name, .inputs = TRIPLE("input") ", reduction_axes: int32", .outputs = out, \
          .attrs = "keep_dims: bool = false, " t, .infer = fn, .kernel = reduce_kernel, .grad = g)

static const SfOpDef ops[] = {
    SF_OP(SparseToDense,
          .inputs = "sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, "
                    "default_value: T",
          .outputs = "dense: T",
          .attrs = "validate_indices: bool = true, T: type, Tindices: {int32, int64}",
          .infer = infer_to_dense, .messages = to_dense_messages, .kernel = to_dense_kernel,
          .checks_last = true),
    SF_OP(SparseTensorDenseAdd,
          .inputs = "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T",
          .outputs = "output: T", .attrs = T_NUMBER ", Tindices: {int32, int64}",
          .infer = SF_SHAPES("? ? ? ? -> =3"), .kernel = dense_add_kernel),
    CWISE(SparseDenseCwiseAdd),
    CWISE(SparseDenseCwiseDiv),
    CWISE(SparseDenseCwiseMul),
    REDUCE(SparseReduceSum, "output: T", T_NUMBER, infer_reduce, SF_GRAD_FLOATS),
    REDUCE(SparseReduceMax, "output: T", T_REAL, infer_reduce, SF_GRAD_MISSING),
    REDUCE(SparseReduceSumSparse, TRIPLE_OUT, T_NUMBER, infer_reduce_sparse, SF_GRAD_MISSING),
    REDUCE(SparseReduceMaxSparse, TRIPLE_OUT, T_REAL, infer_reduce_sparse, SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_dense = {ops, SF_ARRAY_LEN(ops), "sparse_dense"};
