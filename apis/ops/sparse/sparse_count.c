/* Counting integers: of a dense, a sparse or a ragged tensor, into a sparse matrix of counts or a
 * dense one with `size` columns. A sparse result has rank 1 for one axis and 2 for more. Source:
 * count_ops.cc, bincount_op.cc, math_ops.cc. */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/sparse/sparse_triple.h"

static SfStatus set_output_counts(SfInfer *c, SfDim rank)
{
    SF_TRY(sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, rank));
    SF_TRY(sf_set_output_vector(c, 1, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 2, rank);
}

/* Weights without elements are none. */
static SfStatus want_weights(SfInfer *c, int weights, int values, const char *what,
                             const char *shapes)
{
    const SfShape *w = sf_input(c, weights), *v = sf_input(c, values);
    const SfDim n = sf_shape_count(w);
    if (sf_dim_lower(n) == 0 || sf_shape_compatible(w, v)) {
        return SF_OK;
    }
    return sf_fail_with(
        c, SF_DIAG_MERGE_DIM, SF_INPUT(weights), SF_INPUT(values),
        "Weights and {0} must have the same shape. Weight shape: {1}; {2} shape: {3}",
        SF_TEXT_ARG(what), SF_SHAPE_ARG(w), SF_TEXT_ARG(shapes), SF_SHAPE_ARG(v));
}

/* dense */

static const SfCheck dense_checks[] = {
    {SF_RANK_AT_LEAST(0, 1), SF_AS(RUN_REFUSED),
     .text = "Input must be a 1 or 2-dimensional tensor. Got: {a.shape}"},
    {SF_RANK_AT_MOST(0, 2), SF_AS(RUN_REFUSED),
     .text = "Input must be a 1 or 2-dimensional tensor. Got: {a.shape}"},
    {SF_INTS_AT_LEAST(0, 0), .text = "Input values must all be non-negative"},
    {0}};

static SfStatus dense_kernel(SfInfer *c)
{
    const bool empty = sf_shape_rank(sf_input(c, 0)) == 2 && sf_input_dim(c, 0, 0) == 0;
    return sf_require(c, !empty || sf_version(c) < SF_VERSION(2, 12), SF_INPUT(0),
                      "Invalid input: Shapes dimension cannot be 0.");
}

static const SfMessage dense_messages[] = {
    {SF_ON_MERGE, .text = "Weights and data must have the same shape. Weight shape: {shape 1}; "
                          "data shape: {shape 0}"},
    {0}};

/* DenseCountSparseOutput: a row of counts for each row of values. */
static SfStatus infer_dense(SfInfer *c)
{
    const SfShape *s = sf_input(c, 0);
    /* Without elements they count as not given; where the count is unknown TensorFlow assumes
     * that there are some, and a run may refute it. */
    if (sf_dim_lower(sf_shape_count(sf_input(c, 1))) > 0) {
        SF_TRY(sf_want_merge(c, SF_INPUT(1), sf_input(c, 1), SF_INPUT(0), s, &s));
    }
    return set_output_counts(c, sf_shape_is_ranked(s) ? sf_shape_rank(s) : SF_DIM_UNKNOWN);
}

/* sparse */

static const SfCheck form_checks[] = {
    {SF_IS_MATRIX(0), .text = "Input indices must be a 2-dimensional tensor. Got: {a.shape}"},
    {SF_IS_VECTOR(1), .text = "Input values must be a vector. Got: {a.shape}"},
    {SF_IS_VECTOR(2), .text = "Input shape must be a vector. Got: {a.shape}"},
    {0}};

/* Every known index is inside the shape, when that is known too. */
static SfStatus want_inside(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0), *sizes = sf_input_value(c, 2);
    const int64_t rank = sizes ? sf_value_count(sizes) : 0;
    for (int64_t i = 0; v && rank > 0 && i < sf_value_count(v); i++) {
        const SfElem at = sf_value_elem(v, i), size = sf_value_elem(sizes, i % rank);
        SF_TRY(sf_require_as(
            c,
            at.kind != SF_ELEM_INT || size.kind != SF_ELEM_INT ||
                (at.u.i >= 0 && at.u.i < size.u.i),
            SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(2),
            "Invalid index value at {0}: dimension {1} has value {2} which is not in [0, {3}) (as "
            "given by dense shape Tensor<type: int64 shape: [{4}] values: {5}>",
            SF_INT_ARG(i / rank), SF_INT_ARG(i % rank), SF_INT_ARG(at.u.i), SF_INT_ARG(size.u.i),
            SF_INT_ARG(rank), SF_TEXT_ARG(sf_triple_numbers(c, 2, " "))));
    }
    return SF_OK;
}

static SfStatus sparse_kernel(SfInfer *c)
{
    const SfShape *indices = sf_input(c, 0);
    SF_TRY(sf_check(c, form_checks));
    const SfDim rows = sf_shape_dim(indices, 0), columns = sf_shape_dim(indices, 1);
    const SfDim n = sf_shape_count(sf_input(c, 1)), dims = sf_shape_count(sf_input(c, 2));
    SF_TRY(sf_require_equal(
        c, SF_INPUT(1), n, SF_AXIS(0, 0), rows,
        "Number of values must match first dimension of indices.Got {0} values, indices shape: {1}",
        SF_DIM_ARG(n), SF_SHAPE_ARG(indices)));
    SF_TRY(sf_require_equal(c, SF_INPUT(2), dims, SF_AXIS(0, 1), columns,
                            "Number of dimensions must match second dimension of indices.Got {0} "
                            "dimensions, indices shape: {1}",
                            SF_DIM_ARG(dims), SF_SHAPE_ARG(indices)));
    SF_TRY(
        sf_require(c, dims != 0, SF_INPUT(2), "The shape argument requires at least one element."));
    SF_TRY(want_weights(c, 3, 1, "values", "values"));
    return want_inside(c);
}

/* SparseCountSparseOutput: the first axis of several is the batch. */
static SfStatus infer_sparse(SfInfer *c)
{
    const SfShape *indices;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &indices));
    const SfDim columns = sf_shape_dim(indices, 1);
    return set_output_counts(c, sf_dim_is_known(columns) && columns > 2 ? 2 : columns);
}

/* ragged */

/* Splits of values that are counted: 0 first, their number last. */
static SfStatus want_splits(SfInfer *c, int64_t least, const char *message)
{
    const SfValue *v = sf_input_value(c, 0);
    const SfDim n = sf_shape_count(sf_input(c, 0)), values = sf_shape_count(sf_input(c, 1));
    SF_TRY(sf_require(c, !sf_dim_is_known(n) || n >= least, SF_INPUT(0), message));
    const SfElem first = sf_common_elem(c, 0, 0);
    const SfElem last = v && sf_dim_is_known(n) ? sf_value_elem(v, n - 1) : sf_elem_unknown();
    SF_TRY(sf_require(c, first.kind != SF_ELEM_INT || first.u.i == 0, SF_INPUT(0),
                      "Splits must start with 0, not with {0}", SF_INT_ARG(first.u.i)));
    return sf_require_as(c,
                         last.kind != SF_ELEM_INT || !sf_dim_is_known(values) || last.u.i == values,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_INPUT(1),
                         "Splits must end with the number of values, got {0} instead of {1}",
                         SF_INT_ARG(last.u.i), SF_DIM_ARG(values));
}

static SfStatus ragged_kernel(SfInfer *c)
{
    SF_TRY(want_weights(c, 2, 1, "values", "values"));
    return want_splits(c, 2, "Must provide at least 2 elements for the splits argument");
}

static SfStatus infer_ragged(SfInfer *c)
{
    if (sf_phase(c) != SF_PHASE_BUILD) {
        return set_output_counts(c, 2);
    }
    /* Construction adds the ragged axis to the values' rank, but the kernel always makes matrices:
     * where they differ nothing is known. */
    return set_output_counts(c, sf_shape_rank(sf_input(c, 1)) == 1 ? 2 : SF_DIM_UNKNOWN);
}

/* into a dense matrix */

/* The number of columns, a scalar that is not negative. */
static SfStatus want_size(SfInfer *c, int input, SfDim *size)
{
    int64_t n;
    *size = SF_DIM_UNKNOWN;
    SF_TRY(sf_want_scalar(c, SF_INPUT(input)));
    if (!sf_input_int(c, input, &n)) {
        return SF_OK;
    }
    *size = n;
    return sf_expect(c, n >= 0, SF_INPUT(input), "size ({0}) must be non-negative", SF_INT_ARG(n));
}

static SfStatus sparse_bincount_kernel(SfInfer *c)
{
    SF_TRY(sf_triple_inside(c, 0));
    /* The rows of a matrix read what weights they need; of a vector each value has its own. */
    const SfDim values = sf_shape_count(sf_input(c, 1)), weights = sf_shape_count(sf_input(c, 4));
    const bool one = sf_dim_is_known(values) && sf_dim_differs(weights, 0) && weights != values &&
                     sf_shape_count(sf_input(c, 2)) == 1;
    return sf_require_as(c, !one || sf_attr_bool(c, "binary_output"), SF_DIAG_DIM_EQUAL,
                         SF_INPUT(4), SF_INPUT(1),
                         "Input indices and weights must have the same size.");
}

static SfStatus size_kernel(SfInfer *c)
{
    return sf_want_scalar(c, SF_INPUT(3));
}

/* SparseBincount: [size], or a row of that for each row of a sparse matrix. */
static SfStatus infer_sparse_bincount(SfInfer *c)
{
    SfDim size = SF_DIM_UNKNOWN;
    if (sf_common_runs(c) || sf_input_value(c, 3)) {
        SF_TRY(want_size(c, 3, &size));
    } else { /* construction does not look at a size that it doesn't know */
        SF_TRY(sf_ask_kernel(c, size_kernel));
    }
    SF_TRY(sf_ask_kernel(c, sparse_bincount_kernel));
    const SfDim rank = sf_shape_count(sf_input(c, 2));
    SF_TRY(sf_expect(c,
                     sf_phase(c) != SF_PHASE_BUILD || !sf_dim_is_known(size) ||
                         !sf_input_value(c, 2) || !sf_dim_is_known(rank) || rank == 1 || rank == 2,
                     SF_INPUT(2), "Input must be less than rank 2"));
    return rank == 1   ? sf_set_output_vector(c, 0, size)
           : rank == 2 ? sf_set_output_matrix(c, 0, sf_elem_as_dim(sf_common_elem(c, 2, 0)), size)
                       : sf_set_output_unknown(c, 0);
}

static SfStatus ragged_bincount_kernel(SfInfer *c)
{
    SfDim size;
    SF_TRY(want_size(c, 2, &size));
    return want_splits(c, 1, "Splits must be non-empty");
}

/* RaggedBincount: a row of counts for each row; construction looks at nothing. */
static SfStatus infer_ragged_bincount(SfInfer *c)
{
    int64_t size;
    const bool known = sf_input_int(c, 2, &size) && size >= 0;
    const SfDim n = sf_shape_count(sf_input(c, 0));
    const SfDim rows = n == 0 ? SF_DIM_UNKNOWN : sf_dim_sub(n, 1);
    return sf_set_output_matrix(c, 0, rows == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : rows,
                                known ? size : SF_DIM_UNKNOWN);
}

/* table */

/* clang-format off */
#define COUNTS \
    .outputs = "output_indices: int64, output_values: output_type, output_dense_shape: int64", \
    .attrs = "T: {int32, int64}, minlength: int >= -1 = -1, maxlength: int >= -1 = -1, " \
             "binary_output: bool, output_type: {int32, int64, float, double}", \
    .grad = SF_GRAD_MISSING
#define BINS \
    .outputs = "output: T", \
    .attrs = "Tidx: {int32, int64}, T: {int32, int64, float, double}, binary_output: bool = " \
    "false", \
    .grad = SF_GRAD_MISSING

static const SfOpDef ops[] = {
    SF_OP(DenseCountSparseOutput, .inputs = "values: T, weights: output_type", COUNTS,
          .infer = infer_dense, .messages = dense_messages, .checks = dense_checks,
          .kernel = dense_kernel, .checks_last = true),
    SF_OP(SparseCountSparseOutput,
          .inputs = "indices: int64, values: T, dense_shape: int64, weights: output_type", COUNTS,
          .infer = infer_sparse, .kernel = sparse_kernel),
    SF_OP(RaggedCountSparseOutput, .inputs = "splits: int64, values: T, weights: output_type",
          COUNTS, .infer = infer_ragged, .kernel = ragged_kernel),
    SF_OP(SparseBincount,
          .inputs = "indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T",
          BINS, .infer = infer_sparse_bincount),
    SF_OP(RaggedBincount, .inputs = "splits: int64, values: Tidx, size: Tidx, weights: T", BINS,
          .infer = infer_ragged_bincount, .kernel = ragged_bincount_kernel),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_count = {ops, SF_ARRAY_LEN(ops), "sparse_count"};
