/* Ops that search, count and make sequences: Unique, Where, OneHot, Range. */
#include <math.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* Unique */

static const SfMessage unique_messages[] = {
    {SF_ON(RANK_EXACT), .text = "unique expects a 1D vector."}, {0}};
static const SfMessage list_diff_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} should be a 1D vector."}, {0}};

/* Unique, UniqueWithCounts: how many there are is content. */
static SfStatus infer_unique(SfInfer *c)
{
    sf_kernel_messages(c, unique_messages);
    if (sf_output_count(c) == 2 || sf_common_runs(c)) {
        SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    }
    SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
    SF_TRY(sf_set_output_same(c, 1, 0));
    return sf_output_count(c) < 3 ? SF_OK : sf_set_output_vector(c, 2, SF_DIM_UNKNOWN);
}

static void set_output_vector(SfInfer *c, int output, const SfElem *elems, int64_t n)
{
    sf_fold_set_output_value(c, output,
                             sf_value_make(sf_output_dtype(c, output), sf_shape_vector(n), elems));
}

/* The index of `e` among the first n; n when it is new, -1 when an unknown element makes that
 * uncertain. */
static int64_t find(const SfElem *list, int64_t n, SfElem e)
{
    for (int64_t i = 0; i < n; i++) {
        bool same;
        if (!sf_elem_same(list[i], e, &same)) {
            return -1;
        }
        if (same) {
            return i;
        }
    }
    return n;
}

static void fold_unique(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const int64_t n = !x || !sf_value_is_exact(x) ? -1 : sf_value_count(x);
    if (n < 0 || n > 1024) { /* quadratic */
        return;
    }
    SfElem *all = sf_scratch(c, (size_t)(3 * n + 1) * sizeof *all);
    int64_t found = 0;
    for (int64_t i = 0; all && i < n; i++) {
        SfElem *index = all + n;
        SfElem *counts = all + 2 * n;
        const int64_t at = find(all, found, sf_value_elem(x, i));
        if (at < 0) {
            return;
        }
        if (at == found) {
            all[found] = sf_value_elem(x, i);
            counts[found++] = sf_elem_int(0);
        }
        counts[at].u.i++;
        index[i] = sf_elem_int(at);
    }
    if (all) {
        set_output_vector(c, 0, all, found);
        set_output_vector(c, 1, all + n, n);
        if (sf_output_count(c) == 3) {
            set_output_vector(c, 2, all + 2 * n, found);
        }
    }
}

/* UniqueV2: the unique slices along an axis; [] is the only axis of a vector. */
static SfStatus infer_unique_v2(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    const SfValue *axes = sf_input_value(c, 1);
    if (axes && !sf_common_runs(c) && !sf_value_is_exact(axes)) {
        axes = NULL; /* construction looks at constants only */
    }
    const int64_t length = sf_common_runs(c) ? sf_common_length(sf_input(c, 1))
                           : !axes           ? -1
                                             : sf_value_count(axes);
    int64_t axis = 0;
    SF_TRY(sf_expect(c, !axes || sf_shape_rank(sf_value_shape(axes)) == 1, SF_INPUT(1),
                     "axis expects a 1D vector."));
    SF_TRY(
        sf_expect(c, length != 0 || rank < 0 || rank == 1, SF_INPUT(0), "x expects a 1D vector."));
    SF_TRY(sf_expect(c, length <= 1 || rank < 0, SF_INPUT(1),
                     "axis does not support input tensors larger than 1 elements."));
    const bool known = length == 0 || sf_input_int(c, 1, &axis);
    SF_TRY(sf_require_as(c, !known || rank < 0 || (axis >= -rank && axis < rank),
                         SF_DIAG_AXIS_RANGE, SF_INPUT(1), SF_INPUT(0),
                         "axis expects to be in the range [{0}, {1})", SF_INT_ARG(-rank),
                         SF_INT_ARG(rank)));
    const SfShape *out = sf_shape_of_rank(rank);
    SfDim n = SF_DIM_UNKNOWN;
    if (known && rank >= 0) {
        n = sf_shape_dim(x, (int)axis);
        out = sf_shape_replace(x, (int)axis, SF_DIM_UNKNOWN);
    }
    SF_TRY(sf_set_output_shape(c, 0, out));
    SF_TRY(sf_set_output_vector(c, 1, n));
    return sf_output_count(c) < 3 ? SF_OK : sf_set_output_vector(c, 2, SF_DIM_UNKNOWN);
}

static void fold_unique_v2(SfInfer *c)
{
    if (sf_shape_rank(sf_input(c, 0)) == 1) {
        fold_unique(c);
    }
}

/* ListDiff: what x has and y has not. */
static SfStatus infer_list_diff(SfInfer *c)
{
    sf_kernel_messages(c, list_diff_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 1, SF_DIM_UNKNOWN);
}

static void fold_list_diff(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *y = sf_input_value(c, 1);
    if (!x || !y || !sf_value_is_exact(x) || !sf_value_is_exact(y) || sf_value_count(x) > 256 ||
        sf_value_count(y) > 256) {
        return;
    }
    const int64_t n = sf_value_count(x);
    SfElem *out = sf_scratch(c, (size_t)(2 * n + 1) * sizeof *out);
    int64_t left = 0;
    for (int64_t i = 0; out && i < n; i++) {
        const SfElem e = sf_value_elem(x, i);
        const int64_t at = find(sf_value_elems(y), sf_value_count(y), e);
        if (at < 0) {
            return;
        }
        if (at == sf_value_count(y)) {
            out[left] = e;
            out[n + left++] = sf_elem_int(i);
        }
    }
    if (out) {
        set_output_vector(c, 0, out, left);
        set_output_vector(c, 1, out + n, left);
    }
}

/* Where */

/* Where: the coordinates of what is true. */
static SfStatus infer_where(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    SF_TRY(sf_require_as(c, rank != 0 || !sf_common_runs(c), SF_DIAG_RANK_AT_LEAST, SF_INPUT(0),
                         SF_THE_OP, "WhereOp : Unhandled input dimensions: 0"));
    return sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, rank < 0 ? SF_DIM_UNKNOWN : rank);
}

static bool is_true(SfElem e, bool *yes)
{
    *yes = e.kind == SF_ELEM_INT ? e.u.i != 0 : e.u.f != 0;
    return e.kind == SF_ELEM_INT || e.kind == SF_ELEM_FLOAT;
}

static void fold_where(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    int64_t steps[SF_FOLD_RANK];
    if (!x || !sf_fold_strides(sf_value_shape(x), steps)) {
        return;
    }
    const int rank = sf_shape_rank(sf_value_shape(x));
    const int64_t n = sf_value_count(x);
    SfElem *out = sf_scratch(c, (size_t)(n * rank + 1) * sizeof *out);
    int64_t rows = 0;
    for (int64_t i = 0; out && i < n; i++) {
        bool yes;
        int64_t at = i;
        if (!is_true(sf_value_elem(x, i), &yes)) {
            return;
        }
        for (int axis = 0; yes && axis < rank; axis++) {
            out[rows * rank + axis] = sf_elem_int(at / steps[axis]);
            at %= steps[axis];
        }
        rows += yes;
    }
    if (out) {
        sf_fold_set_output_value(
            c, 0, sf_value_make(sf_output_dtype(c, 0), sf_shape_matrix(rows, rank), out));
    }
}

/* OneHot */

static int one_hot_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    int64_t depth = 0;
    (void)sf_input_int(c, 1, &depth);
    out[0] = SF_INT_ARG(sf_shape_rank(sf_input(c, 0)) + 1);
    out[1] = SF_INT_ARG(depth);
    return 2;
}

static const SfMessage one_hot_messages[] = {
    {SF_ON(AXIS_RANGE), .args = one_hot_args,
     .text = "Expected axis to be -1 or between [0, {0}).  But received: {attr axis}"},
    {SF_ON(OP_SHAPE), .args = one_hot_args, .text = "depth must be non-negative, got: {1}"},
    {0}};

static SfStatus check_one_hot(SfInfer *c)
{
    for (int i = 1; i < 4; i++) {
        SF_TRY(sf_require_rank(c, i, 0, "{a.name} must be a scalar, but got: {a.shape}"));
    }
    return SF_OK;
}

/* OneHot: a new axis of size depth. */
static SfStatus infer_one_hot(SfInfer *c)
{
    const int64_t axis = sf_attr_int(c, "axis");
    const SfShape *indices = sf_input(c, 0);
    const int rank = sf_shape_rank(indices) + 1;
    SfDim depth;
    sf_kernel_messages(c, one_hot_messages);
    SF_TRY(sf_require_as(c, axis >= -1, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"), SF_THE_OP,
                         "axis must be >= -1"));
    SF_TRY(sf_common_dim_value(c, 1, &depth));
    if (!sf_shape_is_ranked(indices)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_require_as(c, axis < rank || !sf_common_runs(c), SF_DIAG_AXIS_RANGE, SF_ATTR("axis"),
                         SF_INPUT(0), "axis"));
    /* The shape function wraps an axis that is too large; the kernel will refuse it. */
    return sf_set_output_shape(c, 0,
                               sf_shape_insert(indices, (int)((axis % rank + rank) % rank), depth));
}

static void fold_one_hot(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfElem on = sf_common_elem(c, 2, 0);
    const SfElem off = sf_common_elem(c, 3, 0);
    const SfShape *shape = sf_output(c, 0);
    const int rank = sf_shape_rank(shape);
    int64_t axis = sf_attr_int(c, "axis");
    int64_t n;
    int64_t steps[SF_FOLD_RANK];
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || !sf_fold_strides(shape, steps)) {
        return;
    }
    axis = (axis % rank + rank) % rank;
    const int64_t depth = sf_shape_dim(shape, (int)axis);
    const int64_t inner = steps[axis];
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = sf_value_elem(x, i / (inner * depth) * inner + i % inner);
        if (e.kind == SF_ELEM_INT) {
            out[i] = e.u.i == i / inner % depth ? on : off;
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* Range, LinSpace */

static SfStatus want_number(SfInfer *c, int input, const char *context)
{
    if (!sf_common_runs(c)) {
        sf_want_context(c, context, 0);
    }
    SF_TRY(sf_common_runs(c) && sf_shape_rank(sf_input(c, input)) > 1
               ? sf_want_scalar(c, SF_INPUT(input))
               : sf_common_want_scalar(c, SF_INPUT(input)));
    sf_want_context(c, NULL, 0);
    return SF_OK;
}

static const SfMessage range_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a scalar, not shape {a.shape}"}, {0}};

static double as_double(SfElem e)
{
    return e.kind == SF_ELEM_FLOAT ? e.u.f : (double)e.u.i;
}

static SfStatus fail_range(SfInfer *c, SfElem start, SfElem limit, SfElem delta)
{
    const double step = as_double(delta);
    SF_TRY(sf_require_as(c, step != 0, SF_DIAG_RANGE_STEP, SF_INPUT(2), SF_THE_OP,
                         sf_common_runs(c) ? "Requires delta != 0: 0" : "Requires delta != 0"));
    return sf_fail_with(c, SF_DIAG_RANGE_STEP, SF_INPUT(0), SF_INPUT(1),
                        "Requires start {0} limit when delta {1} 0: {2:g}/{3:g}",
                        SF_TEXT_ARG(step > 0 ? "<=" : ">="), SF_TEXT_ARG(step > 0 ? ">" : "<"),
                        SF_FLOAT_ARG(as_double(start)), SF_FLOAT_ARG(as_double(limit)));
}

/* How many steps; symbolic where the arithmetic is linear (tf.range(n) has n). */
static SfDim range_size(SfElem start, SfElem limit, SfElem delta)
{
    if (start.kind == SF_ELEM_INT && limit.kind == SF_ELEM_INT && delta.kind == SF_ELEM_INT) {
        const double size =
            ceil(fabs((double)limit.u.i - (double)start.u.i) / fabs((double)delta.u.i));
        if (size > 9e15) {
            return SF_DIM_UNKNOWN;
        }
        const uint64_t span = delta.u.i > 0 ? (uint64_t)limit.u.i - (uint64_t)start.u.i
                                            : (uint64_t)start.u.i - (uint64_t)limit.u.i;
        const uint64_t step = delta.u.i > 0 ? (uint64_t)delta.u.i : 0 - (uint64_t)delta.u.i;
        const uint64_t steps = span / step + (span % step != 0);
        return (SfDim)steps;
    }
    if (start.kind == SF_ELEM_FLOAT && limit.kind == SF_ELEM_FLOAT && delta.kind == SF_ELEM_FLOAT) {
        const double size = ceil(fabs((limit.u.f - start.u.f) / delta.u.f));
        return size >= 0 && size < 9e15 ? (SfDim)size : SF_DIM_UNKNOWN;
    }
    if (delta.kind == SF_ELEM_INT && delta.u.i > 0 && start.kind != SF_ELEM_FLOAT) {
        const SfElem span = sf_elem_sub(limit, start, SF_DT_INT64);
        return sf_dim_div_ceil(sf_elem_as_dim(span), delta.u.i);
    }
    return SF_DIM_UNKNOWN;
}

/* Range: as many numbers as fit. */
static SfStatus infer_range(SfInfer *c)
{
    sf_kernel_messages(c, range_messages);
    SF_TRY(want_number(c, 0, "\n\t for 'start'"));
    SF_TRY(want_number(c, 1, "\n\t for 'limit'"));
    SF_TRY(want_number(c, 2, "\n\t for 'delta'"));
    const SfElem start = sf_common_elem(c, 0, 0);
    const SfElem limit = sf_common_elem(c, 1, 0);
    const SfElem delta = sf_common_elem(c, 2, 0);
    if (start.kind == SF_ELEM_UNKNOWN || limit.kind == SF_ELEM_UNKNOWN ||
        delta.kind == SF_ELEM_UNKNOWN) {
        return sf_set_output_vector(c, 0, SF_DIM_UNKNOWN);
    }
    const SfDtype t = sf_output_dtype(c, 0);
    const bool exact = delta.kind != SF_ELEM_DIM;
    if (exact &&
        (as_double(delta) == 0 || (as_double(delta) > 0 ? sf_elem_less(limit, start, t)
                                                        : sf_elem_less(start, limit, t)) == 1)) {
        return fail_range(c, start, limit, delta);
    }
    const SfDim n = range_size(start, limit, delta);
    return sf_set_output_vector(c, 0, n == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : n);
}

static void fold_range(SfInfer *c)
{
    const SfElem start = sf_common_elem(c, 0, 0);
    const SfElem delta = sf_common_elem(c, 2, 0);
    const SfDtype t = sf_output_dtype(c, 0);
    int64_t n;
    SfElem *out = sf_fold_begin(c, 0, &n);
    const bool whole = start.kind == SF_ELEM_INT && delta.kind == SF_ELEM_INT;
    SfElem next = start;
    for (int64_t i = 0; out && whole && i < n; i++) { /* between start and limit: all fit */
        out[i] = sf_elem_int((int64_t)((uint64_t)start.u.i + (uint64_t)i * (uint64_t)delta.u.i));
    }
    for (int64_t i = 0; out && !whole && i < n; i++) {
        if (next.kind == SF_ELEM_UNKNOWN || delta.kind == SF_ELEM_UNKNOWN) {
            return;
        }
        out[i] = next;
        next = delta.kind == SF_ELEM_FLOAT ? sf_elem_float(start.u.f + (double)(i + 1) * delta.u.f)
                                           : sf_elem_add(next, delta, t);
    }
    sf_fold_set_output(c, 0, out);
}

/* LinSpace: num points, both ends included. */
static SfStatus infer_lin_space(SfInfer *c)
{
    sf_kernel_messages(c, range_messages);
    SF_TRY(sf_common_runs(c) ? sf_common_want_scalars(c, 0, 3) : SF_OK);
    SF_TRY(want_number(c, 0, "\n\t for 'start'"));
    SF_TRY(want_number(c, 1, "\n\t for 'stop'"));
    SF_TRY(want_number(c, 2, "\n\t for 'num'"));
    const SfElem num = sf_common_elem(c, 2, 0);
    SF_TRY(sf_expect(c, num.kind != SF_ELEM_INT || num.u.i > 0, SF_INPUT(2),
                     "Requires num > 0: {0}", SF_INT_ARG(num.u.i)));
    return sf_set_output_vector(c, 0, sf_elem_as_dim(num));
}

static void fold_lin_space(SfInfer *c)
{
    const SfElem start = sf_common_elem(c, 0, 0);
    const SfElem stop = sf_common_elem(c, 1, 0);
    int64_t n;
    SfElem *out = sf_fold_begin(c, 0, &n);
    if (!out || start.kind != SF_ELEM_FLOAT || stop.kind != SF_ELEM_FLOAT) {
        return;
    }
    /* In the arithmetic of the dtype, step by step. */
    const bool single = sf_output_dtype(c, 0) == SF_DT_FLOAT;
    double step = n > 1 ? (stop.u.f - start.u.f) / (double)(n - 1) : 0;
    if (single && n > 1) {
        step = (double)(((float)stop.u.f - (float)start.u.f) / (float)(n - 1));
    }
    for (int64_t i = 0; i < n; i++) {
        const double next = single ? (double)((float)start.u.f + (float)step * (float)i)
                                   : start.u.f + (double)i * step;
        out[i] = sf_elem_float(i > 0 && i == n - 1 ? stop.u.f : next);
    }
    sf_fold_set_output(c, 0, out);
}

/* EditDistance */

/* One SparseTensor of three inputs: indices [n, rank], values [n], shape [rank]. */
static SfStatus want_sparse(SfInfer *c, int first)
{
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(first + i), i == 0 ? 2 : 1, NULL));
    }
    const SfDim n = sf_input_dim(c, first + 1, 0), rank = sf_input_dim(c, first + 2, 0);
    SF_TRY(
        sf_require_as(c, sf_dim_compatible(sf_input_dim(c, first, 0), n), SF_DIAG_OP_SHAPE,
                      SF_AXIS(first, 0), SF_AXIS(first + 1, 0),
                      "Number of elements in index ({a.dim}) and values ({b.dim}) do not match."));
    return sf_require_as(c, sf_dim_compatible(sf_input_dim(c, first, 1), rank), SF_DIAG_OP_SHAPE,
                         SF_AXIS(first, 1), SF_AXIS(first + 2, 0),
                         "Index rank ({a.dim}) and shape rank ({b.dim}) do not match.");
}

static const SfMessage edit_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "{a.name} should be a matrix, but got shape: {a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "{a.name} should be a matrix, but got shape: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} should be a vector, but got shape: {a.shape}"},
    {SF_ON(OP_SHAPE), SF_OF(0), SF_ALONG(0),
     .text = "Expected hypothesis_values.NumElements == #rows(hypothesis_indices), their shapes "
             "are: {shape 1} and {shape 0}"},
    {SF_ON(OP_SHAPE), SF_OF(3), SF_ALONG(0),
     .text = "Expected truth_values.NumElements == #rows(truth_indices), their shapes are: {shape "
             "4} and {shape 3}"},
    {0}};

/* EditDistance: one number for each sequence, that is, without the last axis. */
static SfStatus infer_edit_distance(SfInfer *c)
{
    SF_TRY(want_sparse(c, 0));
    SF_TRY(want_sparse(c, 3));
    const SfValue *a = sf_input_value(c, 2);
    const SfValue *b = sf_input_value(c, 5);
    const int64_t n = sf_common_length(sf_input(c, 2));
    const int64_t m = sf_common_length(sf_input(c, 5));
    SF_TRY(sf_require_as(c, !a || !b || n == m, SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_INPUT(5),
                         "Num elements of hypothesis_shape does not match truth_shape: {0} vs. {1}",
                         SF_INT_ARG(n), SF_INT_ARG(m)));
    if (!a || !b || n < 1 || n > SF_RANK_MAX) {
        return sf_set_output_unknown(c, 0);
    }
    SfDim dims[SF_RANK_MAX];
    for (int i = 0; i < n && sf_common_runs(c); i++) {
        for (int k = 2; k <= 5; k += 3) {
            const SfElem e = sf_common_elem(c, k, i);
            SF_TRY(sf_require_as(c, !sf_common_below(e, 0), SF_DIAG_SHAPE_ENTRY, SF_INPUT(k),
                                 SF_THE_OP, "Dimension {0} must be >= 0", SF_INT_ARG(e.u.i)));
        }
    }
    for (int i = 0; i < n - 1; i++) {
        const SfElem larger = sf_elem_max(sf_value_elem(a, i), sf_value_elem(b, i), SF_DT_INT64);
        dims[i] = sf_elem_as_dim(larger);
    }
    return sf_set_output_shape(c, 0, sf_shape_make((int)n - 1, dims));
}

/* searches in sorted data */

static const SfMessage bound_messages[] = {
    {SF_ON(RANK_EXACT), .text = "Shape must be rank 2 but is rank {1} for `{a.name}` argument"},
    {0}};

/* UpperBound, LowerBound: rows of both must pair up; the answer is shaped as the values. */
static SfStatus infer_bound(SfInfer *c)
{
    sf_kernel_messages(c, bound_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_require_as(
        c, !sf_common_runs(c) || sf_dim_compatible(sf_input_dim(c, 0, 0), sf_input_dim(c, 1, 0)),
        SF_DIAG_DIM_EQUAL, SF_AXIS(0, 0), SF_AXIS(1, 0),
        "Leading dim_size of both tensors must match."));
    return sf_set_output_same(c, 0, 1);
}

/* Bucketize: a number for each element. */
static SfStatus check_bucketize(SfInfer *c)
{
    const SfAttr *a = sf_attr(c, "boundaries");
    for (int i = 1; i < a->u.list.n; i++) {
        SF_TRY(sf_expect(c, !(a->u.list.u.f[i] < a->u.list.u.f[i - 1]), SF_ATTR("boundaries"),
                         "Expected sorted boundaries"));
    }
    return SF_OK;
}

/* searches in sorted data */

/* What only the kernel refuses is deferred. */
#define CHECKED(name, ...) SF_OP(name, .traits = SF_OP_ASK_KERNEL, __VA_ARGS__)
#define OUT_INDEX          "out_idx: " SF_INDEX " = int32"
#define TAXIS              "Taxis: " SF_INDEX " = int64, "
#define UNIQUE(name, in, out, attrs_, infer_, fold_, ...)                                          \
    CHECKED(name, .inputs = in, .outputs = out, .attrs = "T: type, " attrs_ OUT_INDEX,             \
            .infer = (infer_), .fold = (fold_), .grad = SF_GRAD_MISSING, __VA_ARGS__)
#define BOUND(name)                                                                                \
    CHECKED(name, .inputs = "sorted_inputs: T, values: T", .outputs = "output: out_type",          \
            .attrs = "T: type, out_type: " SF_INDEX " = int32", .infer = infer_bound,              \
            .grad = SF_GRAD_MISSING)
/* clang-format off */
static const SfOpDef ops[] = {
    UNIQUE(Unique, "x: T", "y: T, idx: out_idx", "", infer_unique, fold_unique,
          .range = sf_range_unique),
    UNIQUE(UniqueWithCounts, "x: T", "y: T, idx: out_idx, count: out_idx", "", infer_unique,
           fold_unique, .range = sf_range_unique),
    UNIQUE(UniqueV2, "x: T, axis: Taxis", "y: T, idx: out_idx", TAXIS, infer_unique_v2,
           fold_unique_v2, .range = sf_range_unique),
    UNIQUE(UniqueWithCountsV2, "x: T, axis: Taxis", "y: T, idx: out_idx, count: out_idx", TAXIS,
           infer_unique_v2, fold_unique_v2, .range = sf_range_unique),
    UNIQUE(ListDiff, "x: T, y: T", "out: T, idx: out_idx", "", infer_list_diff, fold_list_diff),
    CHECKED(Where, .inputs = "input: T", .outputs = "index: int64",
          .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
                   "qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, "
                   "bool} = bool",
          .infer = infer_where, .fold = fold_where, .grad = SF_GRAD_MISSING,
          SF_RENAMED({"condition", "input"}), .range = sf_range_where),
    CHECKED(OneHot, .inputs = "indices: TI, depth: int32, on_value: T, off_value: T",
          .outputs = "output: T",
          .attrs = "axis: int = -1, T: type, TI: {uint8, int8, int32, int64} = int64",
          .infer = infer_one_hot, .kernel = check_one_hot, .fold = fold_one_hot,
          .cost = sf_common_cost_none,
          .grad = SF_GRAD_NONE, .range = sf_range_one_hot),
    CHECKED(Range, .inputs = "start: Tidx, limit: Tidx, delta: Tidx", .outputs = "output: Tidx",
          .attrs = "Tidx: {bfloat16, half, float, double, int8, int16, int32, int64, uint16, "
                   "uint32, uint64} = int32",
          .infer = infer_range, .fold = fold_range, .grad = SF_GRAD_NONE,
          .folds = SF_FOLDS_WHEN_EXACT_18, .range = sf_range_between),
    CHECKED(LinSpace, .inputs = "start: T, stop: T, num: Tidx", .outputs = "output: T",
          .attrs = "T: " SF_FLOATS ", Tidx: " SF_INDEX " = int32", .infer = infer_lin_space,
          .fold = fold_lin_space, .grad = SF_GRAD_NONE, .range = sf_range_between),
    CHECKED(EditDistance,
          .inputs = "hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, "
                    "truth_indices: int64, truth_values: T, truth_shape: int64",
          .outputs = "output: float", .attrs = "normalize: bool = true, T: type",
          .infer = infer_edit_distance, .messages = edit_messages, .grad = SF_GRAD_NONE),
    BOUND(UpperBound),
    BOUND(LowerBound),
    CHECKED(Bucketize, .inputs = "input: T", .outputs = "output: int32",
          .attrs = "T: {int32, int64, float, double}, boundaries: list(float)",
          .infer = sf_infer_unchanged, .kernel = check_bucketize, .grad = SF_GRAD_MISSING,
          .range = sf_range_index),
};
/* clang-format on */
const SfOpTable sf_ops_array_set = {ops, SF_ARRAY_LEN(ops), "array_set"};
