/* Reductions over segments: rows of data that share an id. What their kernels ask of constant ids
 * is known while a graph is built, and so is the number of rows that comes out.
 * Source: tensorflow/core/kernels/segment_reduction_ops_impl.h. */
#include <stdlib.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* ids */

#define NO_SCALAR_COUNT "num_segments should be a scalar, not shape {a.shape}"

/* Data rows [start, end) that one segment picks by `indices`. */
static SfStatus check_picked(SfInfer *c, const int64_t *indices, int start, int end)
{
    const SfDim rows = sf_input_dim(c, 0, 0);
    for (int i = start; i < end; i++) {
        SF_TRY(sf_require_as(c, indices[i] >= 0 && indices[i] < sf_dim_upper(rows),
                             SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_AXIS(0, 0),
                             "Bad: indices[{0}] == {1} out of range [0, {2})", SF_INT_ARG(i),
                             SF_INT_ARG(indices[i]), SF_DIM_ARG(rows)));
    }
    return SF_OK;
}

/* Checks sorted ids segment by segment, in the order of the kernels. `rows` come out (-1: one
 * past the last id); `indices` may be NULL. */
static SfStatus check_sorted(SfInfer *c, int input, int64_t rows, const int64_t *indices)
{
    const int64_t *ids;
    int n;
    if (!sf_common_ints(c, input, &ids, &n) || n == 0) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, rows < 0 || ids[n - 1] < rows, SF_INPUT(input),
                     "segment ids must be < num_segments"));
    if (rows < 0) {
        rows = ids[n - 1] < 0 ? 0 : sf_dim_add(ids[n - 1], 1);
    }
    /* Past int64, too: TensorFlow's number wraps to a negative one. */
    SF_TRY(sf_expect(c, rows > 0, SF_INPUT(input), "segment ids must be >= 0"));
    for (int start = 0, end = 1; end <= n; end++) {
        if (end < n && ids[end] == ids[start]) {
            continue;
        }
        SF_TRY(sf_expect(c, end >= n || ids[end] >= ids[start], SF_INPUT(input),
                         "segment ids are not increasing"));
        SF_TRY(sf_expect(c, ids[start] >= 0 && ids[start] < rows, SF_INPUT(input),
                         "Segment id {0} out of range [0, {1}), possibly because 'segment_ids' "
                         "input is not sorted.",
                         SF_INT_ARG(ids[start]), SF_INT_ARG(rows)));
        if (indices) {
            SF_TRY(check_picked(c, indices, start, end));
        }
        start = end;
    }
    return SF_OK;
}

/* One row for each id up to the last, which is the largest. */
static SfDim segment_count(SfInfer *c, int input)
{
    const SfValue *ids = sf_input_value(c, input);
    if (!ids) {
        return SF_DIM_UNKNOWN;
    }
    const int64_t n = sf_value_count(ids);
    const SfElem last = n > 0 ? sf_value_elem(ids, n - 1) : sf_elem_int(-1);
    return last.kind == SF_ELEM_INT && last.u.i >= -1 && last.u.i < INT64_MAX ? last.u.i + 1
                                                                              : SF_DIM_UNKNOWN;
}

/* sorted ids */

static const SfCheck segment_checks[] = {
    {SF_RANK_AT_LEAST(0, 1), .text = "input must be at least rank 1"},
    {SF_IS_VECTOR(1), .text = "{a.name} should be a vector."},
    {SF_DIMS_EQUAL(0, 0, 1, 0), SF_AS(OP_SHAPE),
     .text = "segment_ids should be the same size as dimension 0 of input."},
    {0}};

static SfStatus segment_kernel(SfInfer *c, const void *data)
{
    SF_TRY(sf_check(c, data));
    return check_sorted(c, 1, -1, NULL);
}

/* SegmentSum...: sorted ids, one for each row. */
static SfStatus infer_segment(SfInfer *c)
{
    const SfShape *data;
    SF_TRY(sf_common_kernel_first(c, segment_kernel, segment_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &data));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_common_kernel_last(c, segment_kernel, segment_checks));
    return sf_set_output_shape(c, 0, sf_shape_replace(data, 0, segment_count(c, 1)));
}

/* ids in any order */

static SfStatus check_ids(SfInfer *c, int64_t rows)
{
    const SfValue *ids = sf_input_value(c, 1);
    if (sf_dim_lower(sf_shape_count(sf_input(c, 0))) < 1) {
        return SF_OK; /* without data the kernel does not check the ids */
    }
    for (int64_t i = 0; ids && i < sf_value_count(ids); i++) {
        const SfElem e = sf_value_elem(ids, i);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || e.u.i < rows, SF_DIAG_INDEX_RANGE,
                             SF_INPUT(1), SF_INPUT(2),
                             "segment_ids{0} = {1} is out of range [0, {2})",
                             SF_TEXT_ARG(sf_common_place_text(c, sf_value_shape(ids), i)),
                             SF_INT_ARG(e.u.i), SF_INT_ARG(rows)));
    }
    return SF_OK;
}

static const SfMessage unsorted_messages[] = {
    {.text = "data.shape = {shape 0} does not start with segment_ids.shape = {shape 1}"}, {0}};

static SfStatus unsorted_kernel(SfInfer *c)
{
    int64_t rows;
    SF_TRY(sf_require_rank(c, 2, 0, NO_SCALAR_COUNT));
    sf_kernel_messages(c, unsorted_messages);
    SF_TRY(
        sf_common_prefix(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), NULL, NULL));
    sf_kernel_messages(c, NULL);
    if (!sf_input_int(c, 2, &rows)) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, rows >= 0, SF_INPUT(2), "Input num_segments == {0} must not be negative.",
                     SF_INT_ARG(rows)));
    return check_ids(c, rows);
}

/* UnsortedSegmentSum...: num_segments rows, and what data has beyond the axes of the ids, which
 * come in any order. (SegmentSumV2... have the same shapes; their kernels are XLA's alone, and take
 * what they get.) */
static SfStatus infer_numbered(SfInfer *c)
{
    const SfShape *ids = sf_input(c, 1);
    const SfShape *data;
    SfDim n;
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    if (!sf_shape_is_ranked(ids)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_common_prefix(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), ids, &data, NULL));
    SF_TRY(sf_common_dim_value(c, 2, &n));
    const SfShape *rest = sf_common_rest(data, sf_shape_rank(ids));
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_shape_vector(n), rest));
}

/* picked rows */

/* clang-format off */
#define PICKED_CHECKS                                                                              \
    {SF_IS_VECTOR(1), .text = "{a.name} should be a vector."},                                     \
    {SF_IS_VECTOR(2), .text = "{a.name} should be a vector."}
#define PAIRS_CHECK                                                                                \
    {SF_DIMS_EQUAL(2, 0, 1, 0), SF_AS(MERGE_DIM),                                                  \
     .text = "segment_ids and indices should have same size."}
/* clang-format on */
static const SfCheck sparse_checks[] = {
    {SF_IS_SCALAR(3), .text = NO_SCALAR_COUNT},
    {SF_INT_AT_LEAST(3, 0), SF_AS(OP_SHAPE), .text = "segment ids must be >= 0"},
    PICKED_CHECKS,
    PAIRS_CHECK,
    {0}};

static SfStatus sparse_kernel(SfInfer *c)
{
    const int64_t *indices;
    int64_t rows = -1;
    int n;
    if (sf_input_count(c) == 4 && !sf_input_int(c, 3, &rows)) {
        return SF_OK; /* the number of rows is unknown */
    }
    return check_sorted(c, 2, rows, sf_common_ints(c, 1, &indices, &n) ? indices : NULL);
}

/* What all of them want: data of rank 1 at least, indices, and as many ids. Gradients compare the
 * two the other way round. */
static SfStatus want_picked(SfInfer *c, bool gradient, const SfShape **data)
{
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, data));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    if (gradient) {
        return sf_want_merge(c, SF_INPUT(2), sf_input(c, 2), SF_INPUT(1), sf_input(c, 1), NULL);
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(2)));
    return sf_want_merge(c, SF_INPUT(1), sf_input(c, 1), SF_INPUT(2), sf_input(c, 2), NULL);
}

/* A number of rows given as a scalar. */
static SfStatus want_rows(SfInfer *c, SfDim *rows)
{
    int64_t n;
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_expect(c, !sf_input_int(c, 3, &n) || n >= 0, SF_INPUT(3),
                     "Cannot specify a negative value for {a.name}"));
    return sf_common_dim_value(c, 3, rows);
}

/* SparseSegmentSum...: rows picked by `indices`, then summed by sorted ids. A fourth input says how
 * many rows come out. */
static SfStatus infer_sparse_segment(SfInfer *c)
{
    const SfShape *data;
    SfDim rows;
    SF_TRY(want_picked(c, false, &data));
    if (sf_input_count(c) == 4) {
        SF_TRY(want_rows(c, &rows));
    } else {
        rows = segment_count(c, 2);
    }
    return sf_set_output_shape(c, 0, sf_shape_replace(data, 0, rows));
}

/* gradients of picked rows */

/* Ids of rows that the gradient has, indices of rows that data had. */
static SfStatus check_gradient_rows(SfInfer *c, int64_t rows)
{
    const SfDim segments = sf_input_dim(c, 0, 0);
    const int64_t *indices, *ids;
    int n, m;
    const bool has_indices = sf_common_ints(c, 1, &indices, &n);
    SF_TRY(sf_require_as(
        c, !sf_common_ints(c, 2, &ids, &m) || m <= 0 || sf_dim_upper(segments) > ids[m - 1],
        SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_AXIS(0, 0), "Invalid number of segments"));
    for (int i = 0; has_indices && i < n; i++) {
        SF_TRY(sf_require_as(c, indices[i] >= 0 && indices[i] < rows, SF_DIAG_INDEX_RANGE,
                             SF_INPUT(1), SF_INPUT(3), "Index {0} out of range [0, {1}).",
                             SF_INT_ARG(indices[i]), SF_INT_ARG(rows)));
    }
    for (int i = 0; sf_dim_is_known(segments) && sf_common_ints(c, 2, &ids, &m) && i < m; i++) {
        SF_TRY(sf_require_as(c, ids[i] >= 0 && ids[i] < segments, SF_DIAG_INDEX_RANGE, SF_INPUT(2),
                             SF_AXIS(0, 0), "Segment id {0} out of range [0, {1}).",
                             SF_INT_ARG(ids[i]), SF_DIM_ARG(segments)));
    }
    return SF_OK;
}

static const SfCheck gradient_checks[] = {
    PICKED_CHECKS,
    {SF_IS_SCALAR(3), .text = "{a.name} should be a scalar."},
    PAIRS_CHECK,
    {SF_INT_AT_LEAST(3, 0), SF_AS(OP_SHAPE), .text = "Expected a non-negative size, got {1}"},
    {SF_RANK_AT_LEAST(0, 1), .text = "Index must be less than 0, got 0"},
    {0}};

static SfStatus sparse_gradient_kernel(SfInfer *c, const void *data)
{
    int64_t rows;
    SF_TRY(sf_check(c, data));
    /* Of no rows the kernel looks at nothing more, and what is not known may be 0. */
    return !sf_input_int(c, 3, &rows) || rows == 0 ? SF_OK : check_gradient_rows(c, rows);
}

static SfStatus infer_sparse_gradient(SfInfer *c)
{
    const SfShape *data;
    SfDim rows;
    SF_TRY(sf_common_kernel_first(c, sparse_gradient_kernel, gradient_checks));
    SF_TRY(want_picked(c, true, &data));
    SF_TRY(want_rows(c, &rows));
    SF_TRY(sf_common_kernel_last(c, sparse_gradient_kernel, gradient_checks));
    return sf_set_output_shape(c, 0, sf_shape_replace(data, 0, rows));
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How many different numbers an input holds. */
static SfDim distinct(SfInfer *c, int input)
{
    const int64_t *items;
    int n;
    if (!sf_common_ints(c, input, &items, &n)) {
        return SF_DIM_UNKNOWN;
    }
    int64_t *sorted = sf_scratch(c, ((size_t)n + 1) * sizeof *sorted);
    if (!sorted) {
        return SF_DIM_UNKNOWN;
    }
    memcpy(sorted, items, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    int found = 0;
    for (int i = 0; i < n; i++) {
        found += i == 0 || sorted[i] != sorted[i - 1];
    }
    return found;
}

/* SparseSegmentSumGradV2...: a row for each index that occurs, and those indices in order. */
static SfStatus infer_sparse_gradient_v2(SfInfer *c)
{
    const SfShape *data;
    SF_TRY(sf_common_kernel_first(c, sparse_gradient_kernel, gradient_checks));
    SF_TRY(want_picked(c, true, &data));
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_common_kernel_last(c, sparse_gradient_kernel, gradient_checks));
    const SfElem given = sf_common_elem(c, 3, 0);
    const SfDim rows = given.kind != SF_ELEM_INT ? SF_DIM_UNKNOWN /* none, if it is 0 */
                       : given.u.i == 0          ? 0
                                                 : distinct(c, 1);
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_replace(data, 0, rows)));
    return sf_set_output_vector(c, 1, rows);
}

/* rows */

#define SEGMENT(name, types, ...)                                                                  \
    SF_OP(name, .inputs = "data: T, segment_ids: Tindices", .outputs = "output: T",                \
          .attrs = "T: " types ", Tindices: " SF_INDEX, .infer = infer_segment,                    \
          .cost = sf_common_cost_input, __VA_ARGS__)
#define UNSORTED_BY(name, types, index, kernel_, grad_, ...)                                       \
    SF_OP(name, .inputs = "data: T, segment_ids: Tindices, num_segments: Tnumsegments",            \
          .outputs = "output: T",                                                                  \
          .attrs = "T: " types ", Tindices: " index ", Tnumsegments: " SF_INDEX " = int32",        \
          .infer = infer_numbered, .kernel = (kernel_), .cost = sf_common_cost_input,              \
          .grad = (grad_), __VA_ARGS__)
#define UNSORTED(name, types, index, ...)                                                          \
    UNSORTED_BY(name, types, index, unsorted_kernel, SF_GRAD_FLOATS, __VA_ARGS__)
#define PICKED         ": T, indices: Tidx, segment_ids: Tsegmentids"
#define INDEX_ATTR(of) ", " of ": " SF_INDEX " = int32"
#define SPARSE(name, types, ...)                                                                   \
    SF_OP(name, .inputs = "data" PICKED, .outputs = "output: T",                                   \
          .attrs = "T: " types INDEX_ATTR("Tidx")                                                  \
              INDEX_ATTR("Tsegmentids") ", sparse_gradient: bool = false",                         \
          .infer = infer_sparse_segment, .checks = sparse_checks, .kernel = sparse_kernel,         \
          __VA_ARGS__)
#define SPARSE_WITH_NUM(name, types)                                                               \
    SF_OP(name, .inputs = "data" PICKED ", num_segments: Tnumsegments", .outputs = "output: T",    \
          .attrs = "T: " types INDEX_ATTR("Tidx") INDEX_ATTR("Tnumsegments")                       \
              INDEX_ATTR("Tsegmentids") ", sparse_gradient: bool = false",                         \
          .infer = infer_sparse_segment, .checks = sparse_checks, .kernel = sparse_kernel)
#define GRADIENT(name, rows, out, infer_)                                                          \
    SF_OP(name, .inputs = "grad" PICKED ", " rows ": int32", .outputs = out,                       \
          .attrs = "T: " SF_FLOATS INDEX_ATTR("Tidx") INDEX_ATTR("Tsegmentids"),                   \
          .infer = (infer_), .grad = SF_GRAD_MISSING)
#define SPARSE_GRAD(name) GRADIENT(name, "output_dim0", "output: T", infer_sparse_gradient)
#define SPARSE_GRAD_V2(name)                                                                       \
    GRADIENT(name, "dense_output_dim0", "output: T, sorted_unique_indices: Tidx",                  \
             infer_sparse_gradient_v2)

/* clang-format off */
static const SfOpDef ops[] = {
    SEGMENT(SegmentSum,  SF_NUMBERTYPE, .range = sf_range_segment_sum),
    SEGMENT(SegmentMean, SF_NUMBERTYPE, .range = sf_range_or_zero),
    SEGMENT(SegmentProd, SF_NUMBERTYPE),
    SEGMENT(SegmentMax,  SF_REALTYPE, .range = sf_range_or_zero),
    SEGMENT(SegmentMin,  SF_REALTYPE, .range = sf_range_or_zero),
    UNSORTED_BY(SegmentSumV2,  SF_NUMBERTYPE, SF_INDEX, NULL, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentProdV2, SF_NUMBERTYPE, SF_INDEX, NULL, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentMaxV2,  SF_REALTYPE,   SF_INDEX, NULL, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentMinV2,  SF_REALTYPE,   SF_INDEX, NULL, SF_GRAD_MISSING),
    UNSORTED(UnsortedSegmentSum,  SF_NUMBERTYPE, SF_INDEX16, .range = sf_range_segment_sum),
    UNSORTED(UnsortedSegmentProd, SF_NUMBERTYPE, SF_INDEX),
    UNSORTED(UnsortedSegmentMax,  SF_REALTYPE,   SF_INDEX),
    UNSORTED(UnsortedSegmentMin,  SF_REALTYPE,   SF_INDEX),
    SPARSE(SparseSegmentSum,   SF_REALTYPE, .range = sf_range_segment_sum),
    SPARSE(SparseSegmentMean,  SF_FLOATS),
    SPARSE(SparseSegmentSqrtN, SF_FLOATS),
    SPARSE_WITH_NUM(SparseSegmentSumWithNumSegments,   SF_REALTYPE),
    SPARSE_WITH_NUM(SparseSegmentMeanWithNumSegments,  SF_FLOATS),
    SPARSE_WITH_NUM(SparseSegmentSqrtNWithNumSegments, SF_FLOATS),
    SPARSE_GRAD(SparseSegmentSumGrad),
    SPARSE_GRAD(SparseSegmentMeanGrad),
    SPARSE_GRAD(SparseSegmentSqrtNGrad),
    SPARSE_GRAD_V2(SparseSegmentSumGradV2),
    SPARSE_GRAD_V2(SparseSegmentMeanGradV2),
    SPARSE_GRAD_V2(SparseSegmentSqrtNGradV2),
};
/* clang-format on */
const SfOpTable sf_ops_segment = {ops, SF_ARRAY_LEN(ops), "segment"};
