/* Sets along the last axis, dense or sparse: the groups are all axes but the last. Source:
 * set_ops.cc, set_kernels.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/sparse/sparse_triple.h"

/* The groups are all axes but the last, and of the same number in both sets. */
static SfStatus set_output_sets(SfInfer *c, SfDim rank)
{
    return sf_triple_set_output(c, 0, 1, SF_DIM_UNKNOWN, rank, sf_shape_vector(rank));
}

static SfDim set_rank(const SfShape *s)
{
    return sf_shape_is_ranked(s) ? sf_shape_rank(s) : SF_DIM_UNKNOWN;
}

/* what the kernels say */

static bool has_upper(const char *text)
{
    while (*text && (*text < 'A' || *text > 'Z')) {
        text++;
    }
    return *text;
}

/* Upper case is taken as well. */
static SfStatus want_operation(SfInfer *c)
{
    const char *is = sf_attr_string(c, "set_operation");
    return sf_require(c, sf_common_is_among(is, "a-b b-a intersection union") || has_upper(is),
                      SF_ATTR("set_operation"), "Invalid set_operation {0}.", SF_TEXT_ARG(is));
}

static SfStatus want_groups(SfInfer *c, int a, const SfShape *of_a, int b, const SfShape *of_b)
{
    const int ra = sf_shape_rank(of_a), rb = sf_shape_rank(of_b);
    if (ra < 1 || rb < 1) {
        return SF_OK;
    }
    const SfShape *ga = sf_shape_slice(of_a, 0, ra - 1), *gb = sf_shape_slice(of_b, 0, rb - 1);
    SF_TRY_ALLOC(ga && gb);
    return sf_require_as(c, sf_shape_compatible(ga, gb), SF_DIAG_MERGE_DIM, SF_INPUT(b),
                         SF_INPUT(a), "Mismatched shapes {0} vs {1}", SF_SHAPE_ARG(ga),
                         SF_SHAPE_ARG(gb));
}

static SfStatus want_group_rank(SfInfer *c, int i, const SfShape *s)
{
    const int rank = sf_shape_rank(s);
    return sf_require_as(c, rank < 0 || rank >= 2, SF_DIAG_RANK_AT_LEAST, SF_INPUT(i), SF_THE_OP,
                         "Shape {0} has rank {1} < 2", SF_SHAPE_ARG(s), SF_INT_ARG(rank));
}

/* What the shape input `i` of a sparse set holds, or `rank` alone. */
static const SfShape *held_shape(SfInfer *c, int i, SfDim rank)
{
    const SfValue *v = sf_input_value(c, i);
    if (v && sf_shape_rank(sf_value_shape(v)) == 1) {
        return sf_value_as_shape(v);
    }
    return sf_shape_of_rank(sf_dim_is_known(rank) && rank <= SF_RANK_MAX ? (int)rank : -1);
}

static SfStatus want_set_rank(SfInfer *c, int i)
{
    const SfDim rank = sf_triple_rank(c, i);
    return sf_require_as(c, !sf_dim_is_known(rank) || rank >= 2, SF_DIAG_RANK_AT_LEAST,
                         SF_INPUT(i + 2), SF_THE_OP, "Invalid rank {0}.", SF_DIM_ARG(rank));
}

/* The kernels make a TensorShape of what the shape input holds. */
static SfStatus want_few_dims(SfInfer *c, int i)
{
    const SfDim rank = sf_triple_rank(c, i);
    return sf_require(c, !sf_dim_is_known(rank) || rank <= SF_RANK_MAX, SF_INPUT(i + 2),
                      "Too many dimensions in tensor");
}

static SfStatus sparse_set(SfInfer *c, int i)
{
    SF_TRY(sf_triple_check(c, i, SF_TRIPLE_CREATED));
    SF_TRY(want_few_dims(c, i));
    SF_TRY(sf_triple_sizes(c, i + 2));
    if (sf_attr_bool(c, "validate_indices")) {
        SF_TRY(sf_triple_ordered(c, i, i + 2));
    }
    return want_set_rank(c, i);
}

static SfStatus dense_kernel(SfInfer *c)
{
    SF_TRY(want_operation(c));
    SF_TRY(want_group_rank(c, 0, sf_input(c, 0)));
    SF_TRY(want_group_rank(c, 1, sf_input(c, 1)));
    return want_groups(c, 0, sf_input(c, 0), 1, sf_input(c, 1));
}

static SfStatus mixed_kernel(SfInfer *c)
{
    SF_TRY(want_operation(c));
    SF_TRY(sparse_set(c, 1));
    SF_TRY(want_group_rank(c, 0, sf_input(c, 0)));
    return want_groups(c, 0, sf_input(c, 0), 3, held_shape(c, 3, sf_triple_rank(c, 1)));
}

static SfStatus sparse_kernel(SfInfer *c)
{
    SF_TRY(want_operation(c));
    SF_TRY(sparse_set(c, 0));
    SF_TRY(sparse_set(c, 3));
    return want_groups(c, 2, held_shape(c, 2, sf_triple_rank(c, 0)), 5,
                       held_shape(c, 5, sf_triple_rank(c, 3)));
}

static SfStatus size_kernel(SfInfer *c)
{
    SF_TRY(sf_triple_form(c, 2, 1, "Shape must be a 1D tensor."));
    SF_TRY(want_few_dims(c, 0));
    SF_TRY(sf_triple_sizes(c, 2));
    SF_TRY(sf_triple_check(c, 0, SF_TRIPLE_CREATED));
    if (sf_attr_bool(c, "validate_indices")) {
        SF_TRY(sf_triple_ordered(c, 0, 2));
    }
    return want_set_rank(c, 0);
}

/* inference */

static SfStatus infer_sets_dense(SfInfer *c)
{
    const SfShape *a, *b;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &a));
    const SfDim ra = set_rank(a), rb = set_rank(sf_input(c, 1));
    if (!sf_dim_is_known(ra)) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, NULL));
    } else if (sf_dim_is_known(rb)) {
        SF_TRY(sf_want_rank(c, SF_INPUT(1), (int)ra, &b));
        const SfShape *groups = sf_shape_slice(a, 0, -1);
        SF_TRY(sf_want_merge(c, SF_INPUT(0), groups, SF_INPUT(1), sf_shape_slice(b, 0, -1), NULL));
    }
    return set_output_sets(c, sf_dim_is_known(ra) ? ra : rb);
}

/* ValidateSparseTensor, with its messages; the rank through `rank`. */
static SfStatus set_triple(SfInfer *c, int i, SfDim *rank)
{
    SfTriple t;
    SF_TRY(sf_triple_want(c, i, &t));
    const SfDim rows = sf_shape_dim(t.indices, 0), n = sf_shape_dim(t.values, 0);
    const SfDim columns = sf_shape_dim(t.indices, 1), dims = sf_shape_dim(t.shape, 0);
    SF_TRY(sf_require_equal(c, SF_AXIS(i, 0), rows, SF_AXIS(i + 1, 0), n,
                            "Number of elements in index ({0}) and values ({1}) do not match.",
                            SF_DIM_ARG(rows), SF_DIM_ARG(n)));
    SF_TRY(sf_require_equal(c, SF_AXIS(i, 1), columns, SF_AXIS(i + 2, 0), dims,
                            "Index rank ({0}) and shape rank ({1}) do not match.",
                            SF_DIM_ARG(columns), SF_DIM_ARG(dims)));
    return sf_want_equal(c, SF_AXIS(i, 1), columns, SF_AXIS(i + 2, 0), dims, rank);
}

static SfStatus infer_sets_mixed(SfInfer *c)
{
    const SfShape *a;
    SfDim rank;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &a));
    SF_TRY(set_triple(c, 1, &rank));
    if (sf_shape_is_ranked(a)) {
        SF_TRY(sf_want_dim(c, SF_AXIS(3, 0), sf_shape_rank(a)));
        rank = sf_shape_rank(a);
    }
    return set_output_sets(c, rank);
}

static SfStatus infer_sets_sparse(SfInfer *c)
{
    SfDim a, b;
    SF_TRY(set_triple(c, 0, &a));
    SF_TRY(set_triple(c, 3, &b));
    const SfDim both = sf_dim_meet(a, b);
    return set_output_sets(c, both == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : both);
}

/* SetSize: a count for each group. */
static SfStatus infer_size(SfInfer *c)
{
    const SfShape *s = held_shape(c, 2, sf_input_dim(c, 2, 0));
    return sf_shape_rank(s) >= 1
               ? sf_set_output_shape(c, 0, sf_shape_slice(s, 0, sf_shape_rank(s) - 1))
               : sf_set_output_unknown(c, 0);
}

/* table */

/* clang-format off */
#define TRIPLE(p) p "_indices: int64, " p "_values: T, " p "_shape: int64"
#define SETS "set_operation: string, " SET_T
#define SET_T "validate_indices: bool = true, T: {int8, int16, int32, int64, uint8, uint16, string}"
#define SET_OUT "result_indices: int64, result_values: T, result_shape: int64"

static const SfOpDef ops[] = {
    SF_OP(DenseToDenseSetOperation, .inputs = "set1: T, set2: T", .outputs = SET_OUT,
          .attrs = SETS, .infer = infer_sets_dense, .kernel = dense_kernel, .grad = SF_GRAD_NONE),
    SF_OP(DenseToSparseSetOperation, .inputs = "set1: T, " TRIPLE("set2"), .outputs = SET_OUT,
          .attrs = SETS, .infer = infer_sets_mixed, .kernel = mixed_kernel, .grad = SF_GRAD_NONE),
    SF_OP(SparseToSparseSetOperation, .inputs = TRIPLE("set1") ", " TRIPLE("set2"),
          .outputs = SET_OUT, .attrs = SETS, .infer = infer_sets_sparse,
          .kernel = sparse_kernel, .grad = SF_GRAD_NONE),
    SF_OP(SetSize, .inputs = TRIPLE("set"), .outputs = "size: int32", .attrs = SET_T,
          .infer = infer_size, .kernel = size_kernel, .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_set = {ops, SF_ARRAY_LEN(ops), "set"};
