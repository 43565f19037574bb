/* Reductions over segments: rows of data that share an id. What their kernels ask of constant ids
 * is known while a graph is built, and so is the number of rows that comes out.
 * Source: tensorflow/core/kernels/segment_reduction_ops_impl.h. */
#include <stdlib.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"

/* ids */

/* An input that is a vector or a scalar, in the kernel's message. */
static SfStatus check_vector(SfInfer *c, int input, const char *name)
{
    const SfShape *s = sf_input(c, input);
    return sf_require_as(c, !sf_shape_is_ranked(s) || sf_shape_rank(s) == 1, SF_DIAG_RANK_EXACT,
                         SF_INPUT(input), SF_THE_OP, "{0} should be a vector.", SF_TEXT_ARG(name));
}

static SfStatus check_num_segments(SfInfer *c, int input)
{
    const SfShape *s = sf_input(c, input);
    return sf_require_as(c, !sf_shape_is_ranked(s) || sf_shape_rank(s) == 0, SF_DIAG_RANK_EXACT,
                         SF_INPUT(input), SF_THE_OP,
                         "num_segments should be a scalar, not shape {0}", SF_SHAPE_ARG(s));
}

static SfStatus fail_negative(SfInfer *c, int input)
{
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(input), SF_THE_OP,
                        "segment ids must be >= 0");
}

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

/* Sorted ids, segment by segment, as the kernels walk through them. `rows` come out (-1: one past
 * the last id); `indices` may be NULL. */
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
    if (rows <= 0) { /* past int64 too: TensorFlow's number is negative then */
        return fail_negative(c, input);
    }
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

/* [rows] + data without its first axis. */
static SfStatus set_output_rows(SfInfer *c, SfDim rows, const SfShape *data)
{
    if (!sf_shape_is_ranked(data)) {
        return sf_set_output_unknown(c, 0);
    }
    return sf_set_output_shape(c, 0, sf_shape_replace(data, 0, rows));
}

/* sorted ids */

static SfStatus segment_kernel(SfInfer *c, const void *data)
{
    const SfShape *in = sf_input(c, 0);
    (void)data;
    SF_TRY(sf_require_as(c, sf_shape_rank(in) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "input must be at least rank 1"));
    SF_TRY(check_vector(c, 1, "segment_ids"));
    SF_TRY(sf_require_as(c, sf_dim_compatible(sf_shape_dim(in, 0), sf_input_dim(c, 1, 0)),
                         SF_DIAG_OP_SHAPE, SF_AXIS(0, 0), SF_AXIS(1, 0),
                         "segment_ids should be the same size as dimension 0 of input."));
    return check_sorted(c, 1, -1, NULL);
}

/* SegmentSum...: sorted ids, one for each row. */
static SfStatus infer_segment(SfInfer *c)
{
    const SfShape *data;
    SF_TRY(sf_common_kernel_first(c, segment_kernel, NULL));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &data));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_common_kernel_last(c, segment_kernel, NULL));
    return set_output_rows(c, segment_count(c, 1), data);
}

/* ids in any order */

/* "[0,2]": the place of element i of the ids; nothing for a scalar. */
static const char *place_of(SfInfer *c, const SfShape *s, int64_t i)
{
    SfDim at[SF_RANK_MAX];
    for (int axis = sf_shape_rank(s) - 1; axis >= 0; axis--) {
        const SfDim d = sf_shape_dim(s, axis);
        at[axis] = d > 0 ? i % d : 0;
        i /= d > 0 ? d : 1;
    }
    const SfShape *place = sf_shape_make(sf_shape_rank(s), at);
    return !place || sf_shape_rank(s) == 0 ? "" : sf_shape_text(c, place);
}

static SfStatus check_ids(SfInfer *c, int64_t rows)
{
    const SfValue *ids = sf_input_value(c, 1);
    if (sf_dim_lower(sf_shape_count(sf_input(c, 0))) < 1) {
        return SF_OK; /* of no data nobody asks where it goes */
    }
    for (int64_t i = 0; ids && i < sf_value_count(ids); i++) {
        const SfElem e = sf_value_elem(ids, i);
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || e.u.i < rows, SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_INPUT(2),
            "segment_ids{0} = {1} is out of range [0, {2})",
            SF_TEXT_ARG(place_of(c, sf_value_shape(ids), i)), SF_INT_ARG(e.u.i), SF_INT_ARG(rows)));
    }
    return SF_OK;
}

static const SfMessage unsorted_messages[] = {
    {SF_ON(DIM_EQUAL),
     .text = "data.shape = {shape 0} does not start with segment_ids.shape = {shape 1}"},
    {SF_ON(RANK_AT_LEAST),
     .text = "data.shape = {shape 0} does not start with segment_ids.shape = {shape 1}"},
    {0}};

static SfStatus unsorted_kernel(SfInfer *c, const void *data)
{
    int64_t rows;
    (void)data;
    SF_TRY(check_num_segments(c, 2));
    sf_kernel_messages(c, unsorted_messages);
    SF_TRY(
        sf_common_prefix(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), NULL, NULL));
    sf_kernel_messages(c, NULL);
    if (!sf_input_int(c, 2, &rows)) {
        return SF_OK;
    }
    return rows < 0
               ? sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_THE_OP,
                              "Input num_segments == {0} must not be negative.", SF_INT_ARG(rows))
               : check_ids(c, rows);
}

/* num_segments rows, and what data has beyond the axes of the ids. */
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
    if (!sf_shape_is_ranked(data)) {
        return sf_set_output_unknown(c, 0);
    }
    return sf_set_output_shape(
        c, 0,
        sf_shape_concat(sf_shape_vector(n),
                        sf_shape_slice(data, sf_shape_rank(ids), sf_shape_rank(data))));
}

/* UnsortedSegmentSum...: ids in any order, for the leading axes of data. (SegmentSumV2... have the
 * same shapes; their kernels are XLA's alone, and take what they get.) */
static SfStatus infer_unsorted(SfInfer *c)
{
    SF_TRY(sf_common_kernel_first(c, unsorted_kernel, NULL));
    SF_TRY(infer_numbered(c));
    return sf_common_kernel_last(c, unsorted_kernel, NULL);
}

/* picked rows */

static SfStatus check_pairs(SfInfer *c)
{
    return sf_require_as(c, sf_shape_compatible(sf_input(c, 1), sf_input(c, 2)), SF_DIAG_MERGE_DIM,
                         SF_AXIS(2, 0), SF_AXIS(1, 0),
                         "segment_ids and indices should have same size.");
}

static SfStatus sparse_kernel(SfInfer *c, const void *data)
{
    const int64_t *indices;
    int64_t rows = -1;
    int n;
    (void)data;
    if (sf_input_count(c) == 4) {
        SF_TRY(check_num_segments(c, 3));
        if (sf_input_int(c, 3, &rows) && rows < 0) {
            return fail_negative(c, 3);
        }
    }
    SF_TRY(check_vector(c, 1, "indices"));
    SF_TRY(check_vector(c, 2, "segment_ids"));
    SF_TRY(check_pairs(c));
    if (sf_input_count(c) == 4 && rows < 0) {
        return SF_OK; /* nobody knows how many rows */
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
static SfStatus want_rows(SfInfer *c, const char *name, SfDim *rows)
{
    int64_t n;
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_expect(c, !sf_input_int(c, 3, &n) || n >= 0, SF_INPUT(3),
                     "Cannot specify a negative value for {0}", SF_TEXT_ARG(name)));
    return sf_common_dim_value(c, 3, rows);
}

/* SparseSegmentSum...: rows picked by `indices`, then summed by sorted ids. A fourth input says how
 * many rows come out. */
static SfStatus infer_sparse_segment(SfInfer *c)
{
    const SfShape *data;
    SfDim rows;
    SF_TRY(sf_common_kernel_first(c, sparse_kernel, NULL));
    SF_TRY(want_picked(c, false, &data));
    if (sf_input_count(c) == 4) {
        SF_TRY(want_rows(c, "num_segments", &rows));
    } else {
        rows = segment_count(c, 2);
    }
    SF_TRY(sf_common_kernel_last(c, sparse_kernel, NULL));
    return set_output_rows(c, rows, data);
}

/* gradients of picked rows */

/* Ids of rows that the gradient has, indices of rows that data had. */
static SfStatus check_gradient_rows(SfInfer *c, int64_t rows)
{
    const SfDim segments = sf_input_dim(c, 0, 0);
    const int64_t *indices;
    const int64_t *ids;
    int n;
    int m;
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
                             SF_INT_ARG(ids[i]), SF_INT_ARG(segments)));
    }
    return SF_OK;
}

/* `data` is the name of the fourth input. */
static SfStatus sparse_gradient_kernel(SfInfer *c, const void *data)
{
    int64_t rows = -1;
    SF_TRY(check_vector(c, 1, "indices"));
    SF_TRY(check_vector(c, 2, "segment_ids"));
    SF_TRY(sf_require_as(c,
                         !sf_shape_is_ranked(sf_input(c, 3)) || sf_shape_rank(sf_input(c, 3)) == 0,
                         SF_DIAG_RANK_EXACT, SF_INPUT(3), SF_THE_OP, "{0} should be a scalar.",
                         SF_TEXT_ARG((const char *)data)));
    SF_TRY(check_pairs(c));
    SF_TRY(sf_expect(c, !sf_input_int(c, 3, &rows) || rows >= 0, SF_INPUT(3),
                     "Expected a non-negative size, got {0}", SF_INT_ARG(rows)));
    SF_TRY(sf_require_as(c, sf_shape_rank(sf_input(c, 0)) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0),
                         SF_THE_OP, "Index must be less than 0, got 0"));
    /* Of no rows the kernel looks at nothing more, and what is not known may be 0. */
    return rows <= 0 ? SF_OK : check_gradient_rows(c, rows);
}

static SfStatus infer_sparse_gradient(SfInfer *c)
{
    static const char *const name = "output_dim0";
    const SfShape *data;
    SfDim rows;
    SF_TRY(sf_common_kernel_first(c, sparse_gradient_kernel, name));
    SF_TRY(want_picked(c, true, &data));
    SF_TRY(want_rows(c, name, &rows));
    SF_TRY(sf_common_kernel_last(c, sparse_gradient_kernel, name));
    return set_output_rows(c, rows, data);
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
    static const char *const name = "dense_output_dim0";
    const SfShape *data;
    SF_TRY(sf_common_kernel_first(c, sparse_gradient_kernel, name));
    SF_TRY(want_picked(c, true, &data));
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_common_kernel_last(c, sparse_gradient_kernel, name));
    const SfElem given = sf_common_elem(c, 3, 0);
    const SfDim rows = given.kind != SF_ELEM_INT ? SF_DIM_UNKNOWN /* none, if it is 0 */
                       : given.u.i == 0          ? 0
                                                 : distinct(c, 1);
    SF_TRY(set_output_rows(c, rows, data));
    return sf_set_output_vector(c, 1, rows);
}

/* rows */

#define SEGMENT(name, types)                                                                       \
    SF_OP(name, .inputs = "data: T, segment_ids: Tindices", .outputs = "output: T",                \
          .attrs = "T: " types ", Tindices: " SF_INDEX, .infer = infer_segment,                    \
          .cost = sf_common_cost_input)
#define UNSORTED_BY(name, types, index, infer_, grad_)                                             \
    SF_OP(name, .inputs = "data: T, segment_ids: Tindices, num_segments: Tnumsegments",            \
          .outputs = "output: T",                                                                  \
          .attrs = "T: " types ", Tindices: " index ", Tnumsegments: " SF_INDEX " = int32",        \
          .infer = (infer_), .cost = sf_common_cost_input, .grad = (grad_))
#define UNSORTED(name, types, index) UNSORTED_BY(name, types, index, infer_unsorted, SF_GRAD_FLOATS)
#define SPARSE(name, types)                                                                        \
    SF_OP(name, .inputs = "data: T, indices: Tidx, segment_ids: Tsegmentids",                      \
          .outputs = "output: T",                                                                  \
          .attrs = "T: " types ", Tidx: " SF_INDEX " = int32, Tsegmentids: " SF_INDEX              \
                   " = int32, sparse_gradient: bool = false",                                      \
          .infer = infer_sparse_segment)
#define SPARSE_WITH_NUM(name, types)                                                               \
    SF_OP(name,                                                                                    \
          .inputs = "data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "             \
                    "Tnumsegments",                                                                \
          .outputs = "output: T",                                                                  \
          .attrs = "T: " types ", Tidx: " SF_INDEX " = int32, Tnumsegments: " SF_INDEX             \
                   " = int32, Tsegmentids: " SF_INDEX " = int32, sparse_gradient: bool = false",   \
          .infer = infer_sparse_segment)
#define SPARSE_GRAD(name)                                                                          \
    SF_OP(name, .inputs = "grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32",  \
          .outputs = "output: T",                                                                  \
          .attrs =                                                                                 \
              "T: " SF_FLOATS ", Tidx: " SF_INDEX " = int32, Tsegmentids: " SF_INDEX " = int32",   \
          .infer = infer_sparse_gradient, .grad = SF_GRAD_MISSING)

#define SPARSE_GRAD_V2(name)                                                                       \
    SF_OP(name,                                                                                    \
          .inputs = "grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: int32",  \
          .outputs = "output: T, sorted_unique_indices: Tidx",                                     \
          .attrs =                                                                                 \
              "T: " SF_FLOATS ", Tidx: " SF_INDEX " = int32, Tsegmentids: " SF_INDEX " = int32",   \
          .infer = infer_sparse_gradient_v2, .grad = SF_GRAD_MISSING)

/* clang-format off */
static const SfOpDef ops[] = {
    SEGMENT(SegmentSum,  SF_NUMBERTYPE),
    SEGMENT(SegmentMean, SF_NUMBERTYPE),
    SEGMENT(SegmentProd, SF_NUMBERTYPE),
    SEGMENT(SegmentMax,  SF_REALTYPE),
    SEGMENT(SegmentMin,  SF_REALTYPE),
    UNSORTED_BY(SegmentSumV2,  SF_NUMBERTYPE, SF_INDEX, infer_numbered, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentProdV2, SF_NUMBERTYPE, SF_INDEX, infer_numbered, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentMaxV2,  SF_REALTYPE,   SF_INDEX, infer_numbered, SF_GRAD_MISSING),
    UNSORTED_BY(SegmentMinV2,  SF_REALTYPE,   SF_INDEX, infer_numbered, SF_GRAD_MISSING),
    UNSORTED(UnsortedSegmentSum,  SF_NUMBERTYPE, SF_INDEX16),
    UNSORTED(UnsortedSegmentProd, SF_NUMBERTYPE, SF_INDEX),
    UNSORTED(UnsortedSegmentMax,  SF_REALTYPE,   SF_INDEX),
    UNSORTED(UnsortedSegmentMin,  SF_REALTYPE,   SF_INDEX),
    SPARSE(SparseSegmentSum,   SF_REALTYPE),
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
