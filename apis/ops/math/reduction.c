/* Reductions over axes: Sum and its kin, ArgMax, TopK, histograms. */
#include <math.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { GREATEST = 1 }; /* variant: ArgMax */

/* which axes */

typedef struct Axes {
    bool reduced[SF_RANK_MAX];
    int64_t count; /* how many axes the argument names; -1 unknown */
    int known;     /* how many of them are numbers */
} Axes;

static SfStatus fail_axis(SfInfer *c, int64_t axis, int rank)
{
    const SfPlace axes = SF_INPUT(1), of = SF_INPUT(0);
    return sf_common_runs(c)
               ? sf_fail_with(c, SF_DIAG_REDUCTION_AXIS, axes, of,
                              "Invalid reduction dimension ({0} for input with {1} dimension(s)",
                              SF_INT_ARG(axis), SF_INT_ARG(rank))
               : sf_fail(c, SF_DIAG_REDUCTION_AXIS, axes, of, SF_INT_ARG(axis), SF_INT_ARG(rank));
}

static SfStatus axis_twice(SfInfer *c, const void *data)
{
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_THE_OP,
                        "Invalid reduction arguments: Axes contains duplicate dimension: {0}",
                        SF_INT_ARG(*(const int *)data));
}

/* Reads the axes as far as they are known; the rank of the input is. */
static SfStatus want_axes(SfInfer *c, int rank, bool quiet, Axes *axes)
{
    const SfDim n = sf_shape_count(sf_input(c, 1));
    *axes = (Axes){.count = sf_dim_is_known(n) ? n : -1};
    for (int64_t i = 0; i < sf_common_elems(c, 1); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        if (e.kind != SF_ELEM_INT) {
            continue;
        }
        if (e.u.i < -rank || e.u.i >= rank) {
            return fail_axis(c, e.u.i, rank);
        }
        const int axis = (int)(e.u.i < 0 ? e.u.i + rank : e.u.i);
        if (axes->reduced[axis] && !quiet) {
            SF_TRY(sf_kernel_check(c, axis_twice, &axis));
        }
        axes->reduced[axis] = true;
        axes->known++;
    }
    return SF_OK;
}

/* Sum, Mean, Max...: the axes are dropped, or stay as 1. With unknown axes the rank is still
 * known when keep_dims, or when their number is: one axis, or any number in a run, since only
 * kernels refuse an axis that is named twice. Paper, table 2. */
static SfStatus infer_reduction(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    const bool keep = sf_attr_bool(c, "keep_dims");
    Axes axes;
    SfDim dims[SF_RANK_MAX];
    int n = 0;
    if (!sf_common_runs(c)) { /* kernels read the axes in any shape */
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    }
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(want_axes(c, rank, false, &axes));
    if (axes.known < axes.count || axes.count < 0) {
        const bool distinct = axes.count == 1 || sf_common_runs(c);
        const int64_t left = keep ? rank : distinct && axes.count >= 0 ? rank - axes.count : -1;
        return sf_set_output_shape(c, 0, sf_shape_of_rank(left < 0 ? SF_RANK_UNKNOWN : (int)left));
    }
    for (int i = 0; i < rank; i++) {
        if (!axes.reduced[i] || keep) {
            dims[n++] = axes.reduced[i] ? 1 : sf_shape_dim(x, i);
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(n, dims));
}

/* values of reductions */

/* Where element `at` of the input goes: its index with the reduced axes left out. */
static int64_t target(const SfShape *shape, const int64_t *steps, const Axes *axes, int64_t at)
{
    int64_t index = 0;
    for (int i = 0; i < sf_shape_rank(shape); i++) {
        if (!axes->reduced[i]) {
            index = index * sf_shape_dim(shape, i) + at / steps[i] % sf_shape_dim(shape, i);
        }
    }
    return index;
}

/* Folds f over the reduced axes; `start` is the result over no element. NULL when nothing can be
 * said. */
static SfElem *reduce(SfInfer *c, SfElemBinary f, SfElem start, int64_t *n)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfDtype t = sf_output_dtype(c, 0);
    int64_t steps[SF_FOLD_RANK];
    Axes axes;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, n);
    if (!out || !sf_fold_strides(sf_value_shape(x), steps) ||
        want_axes(c, sf_shape_rank(sf_value_shape(x)), true, &axes) != SF_OK ||
        axes.known != axes.count) {
        return NULL;
    }
    bool *begun = sf_scratch(c, (size_t)*n + 1);
    for (int64_t i = 0; begun && i < *n; i++) {
        out[i] = start;
    }
    for (int64_t i = 0; begun && i < sf_value_count(x); i++) {
        const int64_t at = target(sf_value_shape(x), steps, &axes, i);
        const SfElem e = sf_value_elem(x, i);
        if (at >= *n) {
            return NULL;
        }
        if (!begun[at]) {
            out[at] = e;
            begun[at] = true;
        } else if (out[at].kind == SF_ELEM_UNKNOWN || e.kind == SF_ELEM_UNKNOWN) {
            out[at] = sf_elem_unknown();
        } else {
            out[at] = f(out[at], e, t);
        }
    }
    return !begun ? NULL : out;
}

static SfElem number(SfInfer *c, double f)
{
    return sf_dtype_is_floating(sf_output_dtype(c, 0)) ? sf_elem_float(f) : sf_elem_int((int64_t)f);
}

static void fold_reduction(SfInfer *c, SfElemBinary f, SfElem start)
{
    int64_t n;
    const SfElem *out = reduce(c, f, start, &n);
    if (out && !sf_dtype_is_complex(sf_output_dtype(c, 0))) {
        sf_fold_set_output(c, 0, out);
    }
}

static void fold_sum(SfInfer *c)
{
    fold_reduction(c, sf_elem_add, number(c, 0));
}

static void fold_prod(SfInfer *c)
{
    fold_reduction(c, sf_elem_mul, number(c, 1));
}

/* The empty maximum is the least number there is: only floats have one worth telling. */
static void fold_max(SfInfer *c)
{
    const bool real = sf_dtype_is_floating(sf_output_dtype(c, 0));
    fold_reduction(c, sf_elem_max, real ? sf_elem_float(-INFINITY) : sf_elem_unknown());
}

static void fold_min(SfInfer *c)
{
    const bool real = sf_dtype_is_floating(sf_output_dtype(c, 0));
    fold_reduction(c, sf_elem_min, real ? sf_elem_float(INFINITY) : sf_elem_unknown());
}

static SfElem both_true(SfElem a, SfElem b, SfDtype t)
{
    return sf_elem_int(a.u.i != 0 && b.u.i != 0);
}

static SfElem one_true(SfElem a, SfElem b, SfDtype t)
{
    return sf_elem_int(a.u.i != 0 || b.u.i != 0);
}

static void fold_all(SfInfer *c)
{
    fold_reduction(c, both_true, sf_elem_int(1));
}

static void fold_any(SfInfer *c)
{
    fold_reduction(c, one_true, sf_elem_int(0));
}

/* Integers divide as C does. */
static void fold_mean(SfInfer *c)
{
    int64_t n;
    SfElem *out = reduce(c, sf_elem_add, number(c, 0), &n);
    const SfValue *x = sf_input_value(c, 0);
    if (!out || n == 0 || sf_dtype_is_complex(sf_output_dtype(c, 0))) {
        return;
    }
    const int64_t each = sf_value_count(x) / n;
    for (int64_t i = 0; i < n; i++) {
        if (out[i].kind == SF_ELEM_FLOAT) {
            out[i] = sf_elem_float(out[i].u.f / (double)each);
        } else if (out[i].kind == SF_ELEM_INT && each > 0) {
            out[i] = sf_elem_int(out[i].u.i / each);
        } else {
            out[i] = sf_elem_unknown();
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* ArgMax */

static SfStatus arg_kernel(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    int64_t axis;
    SF_TRY(
        sf_require_rank(c, 1, 0, "dim must be a scalar, but received tensor of shape: {a.shape}"));
    if (rank < 0 || !sf_input_int(c, 1, &axis)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, axis >= -rank && axis < rank, SF_DIAG_AXIS_RANGE, SF_INPUT(1),
                         SF_INPUT(0), "Expected dimension in the range [{0}, {1}), but got {2}",
                         SF_INT_ARG(-rank), SF_INT_ARG(rank), SF_INT_ARG(axis)));
    return sf_require_as(c, sf_input_dim(c, 0, (int)axis) != 0, SF_DIAG_OP_SHAPE,
                         SF_AXIS(0, (int)axis), SF_INPUT(1),
                         "Reduction axis {a.axis} is empty in shape {a.shape}");
}

/* ArgMax, ArgMin: one axis goes. */
static SfStatus infer_arg(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    int64_t axis;
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    if (rank <= 1) {
        return sf_set_output_scalar(c, 0);
    }
    if (!sf_input_int(c, 1, &axis)) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(rank - 1));
    }
    SF_TRY(sf_require_as(c, axis >= -rank && axis < rank, SF_DIAG_AXIS_RANGE, SF_INPUT(1),
                         SF_INPUT(0),
                         "Dimension ({0}) must be in the range [{1}, {2}), where {2} is the number "
                         "of dimensions in the input.",
                         SF_INT_ARG(axis), SF_INT_ARG(-rank), SF_INT_ARG(rank)));
    sf_common_warn_axis_of_one(c, sf_op_variant(c) == GREATEST ? "argmax" : "argmin", axis);
    return sf_set_output_shape(c, 0, sf_shape_remove(x, (int)axis));
}

static void fold_arg(SfInfer *c, int sign)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfDtype t = sf_dtype_base(sf_input_dtype(c, 0));
    int64_t axis;
    int64_t n;
    int64_t steps[SF_FOLD_RANK];
    SfElem *out = !x || !sf_input_int(c, 1, &axis) ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || sf_shape_rank(sf_value_shape(x)) < 1 ||
        !sf_fold_strides(sf_value_shape(x), steps)) {
        return;
    }
    const int rank = sf_shape_rank(sf_value_shape(x));
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) {
        return; /* construction lets any axis of a vector pass */
    }
    const int64_t step = steps[axis];
    const int64_t length = sf_shape_dim(sf_value_shape(x), (int)axis);
    for (int64_t i = 0; i < n; i++) {
        const int64_t start = i / step * step * length + i % step;
        int64_t best = 0;
        for (int64_t k = 1; best >= 0 && k < length; k++) {
            const SfElem a = sf_value_elem(x, start + best * step);
            const SfElem b = sf_value_elem(x, start + k * step);
            const int less = sign > 0 ? sf_elem_less(a, b, t) : sf_elem_less(b, a, t);
            best = less < 0 ? -1 : less ? k : best;
        }
        out[i] = best < 0 ? sf_elem_unknown() : sf_elem_int(best);
    }
    sf_fold_set_output(c, 0, out);
}

static void fold_arg_max(SfInfer *c)
{
    fold_arg(c, 1);
}

static void fold_arg_min(SfInfer *c)
{
    fold_arg(c, -1);
}

/* TopK */

static int k_of(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    int64_t k = 0;
    if (!sf_input_int(c, 1, &k) && sf_input_count(c) == 1) {
        k = sf_attr_int(c, "k");
    }
    out[0] = SF_INT_ARG(k);
    return 1;
}

static bool k_is_negative(SfInfer *c, const SfFinding *f)
{
    SfDiagArg k;
    return k_of(c, f, &k) == 1 && k.u.i < 0;
}

static const SfMessage top_k_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "input must be >= 1-D, got shape {shape 0}"},
    {.when = k_is_negative, .args = k_of, .text = "Need k >= 0, got {0}"},
    {.args = k_of, .text = "input must have at least k columns. Had {dim 0 -1}, needed {0}"},
    {0}};

static const SfCheck top_k_checks[] = {/* of TopKV2 */
                                       {SF_IS_SCALAR(1),
                                        .text = "k must be scalar, got shape {a.shape}"},
                                       {SF_INT_AT_LEAST(1, 0), SF_AS(OP_SHAPE),
                                        .text = "Need k >= 0, got {1}"},
                                       {0}};

/* TopK, TopKV2: the k best of each row. */
static SfStatus infer_top_k(SfInfer *c)
{
    const SfShape *x;
    SfDim k;
    SF_TRY(sf_common_kernel_first(c, sf_check_table, top_k_checks));
    sf_kernel_messages(c, top_k_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    if (sf_input_count(c) == 2) {
        SF_TRY(sf_common_dim_value(c, 1, &k));
    } else {
        k = sf_attr_int(c, "k");
    }
    const SfDim columns = sf_shape_dim(x, -1);
    SF_TRY(sf_require_as(
        c, !sf_shape_is_ranked(x) || !sf_dim_is_known(k) || sf_dim_upper(columns) >= k,
        SF_DIAG_OP_SHAPE, SF_AXIS(0, -1), sf_input_count(c) == 2 ? SF_INPUT(1) : SF_ATTR("k"),
        "input must have last dimension >= k = {0} but is {1}", SF_DIM_ARG(k),
        SF_DIM_ARG(columns)));
    const SfShape *out = sf_shape_replace(x, -1, k);
    SF_TRY(sf_common_kernel_last(c, sf_check_table, top_k_checks));
    SF_TRY(sf_set_output_shape(c, 0, out));
    return sf_set_output_shape(c, 1, out);
}

/* ApproxTopK: k of `reduction_dimension`. Without aggregation XLA leaves more candidates than k, of
 * a number that is its own, and the CPU kernel gives k. */
static SfStatus infer_approx_top_k(SfInfer *c)
{
    const SfShape *x;
    int64_t axis = sf_attr_int(c, "reduction_dimension");
    const int64_t k = sf_attr_int(c, "k");
    sf_kernel_messages(c, top_k_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    const int rank = sf_shape_rank(x);
    const SfShape *out = sf_shape_unknown();
    if (rank >= 0) {
        SF_TRY(sf_require_as(
            c, axis >= -rank && axis < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("reduction_dimension"),
            SF_INPUT(0), "Invalid reduction dimension: {0}. Must be within the range of [{1}, {2}]",
            SF_INT_ARG(axis), SF_INT_ARG(-rank), SF_INT_ARG(rank - 1)));
        axis += axis < 0 ? rank : 0;
        SF_TRY(sf_require_as(c, sf_dim_upper(sf_shape_dim(x, (int)axis)) >= k, SF_DIAG_OP_SHAPE,
                             SF_AXIS(0, (int)axis), SF_ATTR("k"),
                             "input must have last dimension >= k = {0} but was {1}", SF_INT_ARG(k),
                             SF_DIM_ARG(sf_shape_dim(x, (int)axis))));
        const bool exact = sf_attr_bool(c, "aggregate_to_topk") || sf_common_runs(c);
        out = sf_shape_replace(x, (int)axis, exact ? k : SF_DIM_UNKNOWN);
    }
    SF_TRY(sf_set_output_shape(c, 0, out));
    return sf_set_output_shape(c, 1, out);
}

static const SfCheck nth_checks[] = {
    {SF_IS_SCALAR(1), .text = "N must be scalar but has rank {1}"},
    {SF_INT_AT_LEAST(1, 0), SF_AS(OP_SHAPE), .text = "n must be non-negative but is {1}"},
    {SF_RANK_AT_LEAST(0, 1), .text = "Input must be at least rank 1 but is rank 0"},
    {0}};

static SfStatus nth_kernel(SfInfer *c, const void *data)
{
    const SfShape *x = sf_input(c, 0);
    int64_t n = 0;
    SF_TRY(sf_check(c, data));
    (void)sf_input_int(c, 1, &n);
    return sf_require_as(c, !sf_shape_is_ranked(x) || sf_dim_upper(sf_shape_dim(x, -1)) > n,
                         SF_DIAG_OP_SHAPE, SF_AXIS(0, -1), SF_INPUT(1),
                         "Input must have last dimension > n = {0}", SF_INT_ARG(n));
}

/* NthElement: one of each row. */
static SfStatus infer_nth(SfInfer *c)
{
    const SfShape *x;
    SfDim n;
    SF_TRY(sf_common_kernel_first(c, nth_kernel, nth_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    SF_TRY(sf_common_dim_value(c, 1, &n));
    if (!sf_shape_is_ranked(x)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_require_as(c, !sf_dim_is_known(n) || sf_dim_upper(sf_shape_dim(x, -1)) > n,
                         SF_DIAG_OP_SHAPE, SF_AXIS(0, -1), SF_INPUT(1),
                         "Input must have last dimension > n = {0} but is {a.dim}", SF_DIM_ARG(n)));
    SF_TRY(sf_common_kernel_last(c, nth_kernel, nth_checks));
    return sf_set_output_shape(c, 0, sf_shape_remove(x, -1));
}

static const SfMessage in_top_k_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "predictions must be 2-dimensional"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "targets must be 1-dimensional"},
    {SF_ON(RANK_EXACT)},
    {.text = "First dimension of predictions {dim 0 0} must match length of targets {dim 1 0}"},
    {0}};

static const SfCheck in_top_k_checks[] = {
    {SF_IS_SCALAR(2), .text = "k must be 0-D, got shape {a.shape}"}, {0}};

/* InTopK: one verdict for each row of predictions. */
static SfStatus infer_in_top_k(SfInfer *c)
{
    SfDim batch;
    SF_TRY(sf_common_kernel_first(c, sf_check_table,
                                  in_top_k_checks)); /* V1: there is no third input */
    sf_kernel_messages(c, in_top_k_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, 0), SF_AXIS(1, 0), &batch));
    return sf_set_output_vector(c, 0, batch);
}

/* counting */

/* The number of bins, which must not be negative. */
static SfStatus want_bins(SfInfer *c, SfDim *bins)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    const SfElem e = sf_common_elem(c, 1, 0);
    *bins = sf_elem_as_dim(e);
    return sf_expect(c, e.kind != SF_ELEM_INT || e.u.i >= 0, SF_INPUT(1),
                     "size ({0}) must be non-negative", SF_INT_ARG(e.u.i));
}

static SfStatus check_counted(SfInfer *c)
{
    return sf_require_ints(c, 0, 0, SF_DIM_MAX, SF_DIAG_OP_SHAPE, SF_THE_OP,
                           "Input arr must be non-negative!");
}

static SfStatus bincount_kernel(SfInfer *c)
{
    const SfDim n = sf_shape_count(sf_input(c, 0));
    const SfDim weights = sf_shape_count(sf_input(c, 2));
    SF_TRY(sf_require_as(c, sf_dim_lower(weights) <= 0 || sf_dim_compatible(n, weights),
                         SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(2),
                         "Input indices and weights must have the same size."));
    return check_counted(c);
}

static SfStatus infer_bincount(SfInfer *c)
{
    SfDim bins;
    SF_TRY(want_bins(c, &bins));
    SF_TRY(sf_ask_kernel(c, bincount_kernel));
    return sf_set_output_vector(c, 0, bins);
}

static SfStatus dense_bincount_kernel(SfInfer *c)
{
    const SfShape *weights = sf_input(c, 2);
    SF_TRY(sf_require_as(c,
                         sf_dim_lower(sf_shape_count(weights)) <= 0 ||
                             sf_shape_compatible(sf_input(c, 0), weights),
                         SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_INPUT(0),
                         "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in "
                         "which case it acts as all weights equal to 1. Received {a.shape}"));
    return check_counted(c);
}

/* DenseBincount: of a vector, or of each row. */
static SfStatus infer_dense_bincount(SfInfer *c)
{
    const SfShape *x;
    SfDim bins;
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 2, &x));
    SF_TRY(want_bins(c, &bins));
    SF_TRY(sf_ask_kernel(c, dense_bincount_kernel));
    return !sf_shape_is_ranked(x)  ? sf_set_output_unknown(c, 0)
           : sf_shape_rank(x) == 2 ? sf_set_output_matrix(c, 0, sf_shape_dim(x, 0), bins)
                                   : sf_set_output_vector(c, 0, bins);
}

static const SfMessage histogram_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "value_range should be a vector."},
    {SF_ON(RANK_EXACT), .text = "nbins should be a scalar."},
    {SF_ON(DIM_VALUE), .text = "value_range should be a vector of 2 elements."},
    {0}};

static SfStatus histogram_kernel(SfInfer *c, const void *data)
{
    const SfElem low = sf_common_elem(c, 1, 0);
    const SfElem high = sf_common_elem(c, 1, 1);
    const SfElem bins = sf_common_elem(c, 2, 0);
    if (low.kind == high.kind && sf_elem_less(low, high, sf_input_dtype(c, 1)) == 0) {
        const bool real = low.kind == SF_ELEM_FLOAT;
        return sf_expect(
            c, !real && low.kind != SF_ELEM_INT, SF_INPUT(1),
            "value_range should satisfy value_range[0] < value_range[1], but got '[{0:g}, {1:g}]'",
            SF_FLOAT_ARG(real ? low.u.f : (double)low.u.i),
            SF_FLOAT_ARG(real ? high.u.f : (double)high.u.i));
    }
    return sf_expect(c, bins.kind != SF_ELEM_INT || bins.u.i > 0, SF_INPUT(2),
                     "nbins should be a positive number, but got '{0}'", SF_INT_ARG(bins.u.i));
}

/* HistogramFixedWidth: nbins equal bins over value_range. */
static SfStatus infer_histogram(SfInfer *c)
{
    sf_kernel_messages(c, histogram_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), 2));
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_common_kernel_first(c, histogram_kernel, NULL));
    const SfElem bins = sf_common_elem(c, 2, 0);
    SF_TRY(sf_expect(c, bins.kind != SF_ELEM_INT || bins.u.i > 0, SF_INPUT(2),
                     "Requires nbins > 0: {0}", SF_INT_ARG(bins.u.i)));
    SF_TRY(sf_common_kernel_last(c, histogram_kernel, NULL));
    return sf_set_output_vector(c, 0, sf_elem_as_dim(bins));
}

/* rows */

#define AXIS SF_RENAMED({"axis", "reduction_indices"})
#define REDUCE(name, types, ...)                                                                   \
    SF_OP(name, .inputs = "input: T, reduction_indices: Tidx", .outputs = "output: T",             \
          .attrs = "keep_dims: bool = false, T: " types ", Tidx: " SF_INDEX " = int32",            \
          .infer = infer_reduction, .cost = sf_common_cost_input,                                  \
          .arithmetic = SF_ARITHMETIC_REDUCTION, AXIS, __VA_ARGS__)
#define REDUCE_BOOL(name, fold_)                                                                   \
    SF_OP(name, .inputs = "input: bool, reduction_indices: Tidx", .outputs = "output: bool",       \
          .attrs = "keep_dims: bool = false, Tidx: " SF_INDEX " = int32",                          \
          .infer = infer_reduction, .fold = (fold_), .cost = sf_common_cost_input,                 \
          .grad = SF_GRAD_MISSING, AXIS)
#define ARG_TYPES                                                                                  \
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, "   \
    "qint8, quint8, qint32, qint16, quint16, bool}"

/* clang-format off */
static const SfOpDef ops[] = {
    REDUCE(Sum,           SF_NUMBERTYPE, .fold = fold_sum, .range = sf_range_sum),
    REDUCE(Mean,          SF_NUMBERTYPE, .fold = fold_mean, .range = sf_range_mean),
    REDUCE(Prod,          SF_NUMBERTYPE, .fold = fold_prod, .range = sf_range_prod),
    REDUCE(Max,           SF_REALTYPE_Q, .fold = fold_max, .range = sf_range_max),
    REDUCE(Min,           SF_REALTYPE_Q, .fold = fold_min, .range = sf_range_min),
    REDUCE(EuclideanNorm, SF_NUMBERTYPE, .fold = NULL,
          .range = sf_range_norm, .hazards = sf_hazards_norm),
    REDUCE_BOOL(Any, fold_any),
    REDUCE_BOOL(All, fold_all),
    SF_OP(ArgMax, .inputs = "input: T, dimension: Tidx", .outputs = "output: output_type",
          .attrs = "T: " ARG_TYPES ", Tidx: " SF_INDEX16 " = int32, "
                   "output_type: {int16, uint16, int32, int64} = int64",
          .infer = infer_arg, .kernel = arg_kernel, .fold = fold_arg_max,
          .cost = sf_common_cost_input, .grad = SF_GRAD_NONE, .variant = GREATEST,
          .range = sf_range_arg),
    SF_OP(ArgMin, .inputs = "input: T, dimension: Tidx", .outputs = "output: output_type",
          .attrs = "T: " ARG_TYPES ", Tidx: " SF_INDEX " = int32, output_type: " SF_INDEX
                   " = int64",
          .infer = infer_arg, .kernel = arg_kernel, .fold = fold_arg_min,
          .cost = sf_common_cost_input, .grad = SF_GRAD_NONE, .range = sf_range_arg),

    SF_OP(TopK, .inputs = "input: T", .outputs = "values: T, indices: int32",
          .attrs = "k: int >= 0, sorted: bool = true, T: " SF_REALTYPE, .infer = infer_top_k,
          .cost = sf_common_cost_input, .range = sf_range_move),
    SF_OP(TopKV2, .inputs = "input: T, k: Tk", .outputs = "values: T, indices: index_type",
          .attrs = "sorted: bool = true, T: " SF_REALTYPE ", Tk: " SF_INDEX16 " = int32, "
                   "index_type: " SF_INDEX16 " = int32",
          .infer = infer_top_k, .cost = sf_common_cost_input, .range = sf_range_move),
    SF_OP(ApproxTopK, .inputs = "input: T", .outputs = "values: T, indices: int32",
          .attrs = "k: int >= 0, reduction_dimension: int = -1, recall_target: float = 0.95, "
                   "is_max_k: bool = true, reduction_input_size_override: int = -1, "
                   "aggregate_to_topk: bool = true, T: {half, bfloat16, float}",
          .infer = infer_approx_top_k, .cost = sf_common_cost_input, .grad = SF_GRAD_INPUTS(1)),
    SF_OP(NthElement, .inputs = "input: T, n: int32", .outputs = "values: T",
          .attrs = "reverse: bool = false, T: " SF_REALTYPE, .infer = infer_nth,
          .cost = sf_common_cost_input, .range = sf_range_move),
    SF_OP(InTopK, .inputs = "predictions: float, targets: T", .outputs = "precision: bool",
          .attrs = "k: int, T: " SF_INDEX " = int32", .infer = infer_in_top_k,
          .checks = in_top_k_checks, .cost = sf_common_cost_input, .grad = SF_GRAD_MISSING),
    SF_OP(InTopKV2, .inputs = "predictions: float, targets: T, k: T", .outputs = "precision: bool",
          .attrs = "T: " SF_INDEX " = int32", .infer = infer_in_top_k,
          .checks = in_top_k_checks, .cost = sf_common_cost_input, .grad = SF_GRAD_MISSING),

    SF_OP(Bincount, .inputs = "arr: int32, size: int32, weights: T", .outputs = "bins: T",
          .attrs = "T: {int32, int64, float, double}", .infer = infer_bincount,
          .cost = sf_common_cost_input, .grad = SF_GRAD_MISSING, .range = sf_range_bincount),
    SF_OP(DenseBincount, .inputs = "input: Tidx, size: Tidx, weights: T", .outputs = "output: T",
          .attrs = "Tidx: " SF_INDEX ", T: {int32, int64, float, double}, "
                   "binary_output: bool = false",
          .infer = infer_dense_bincount, .cost = sf_common_cost_input, .grad = SF_GRAD_MISSING,
          .range = sf_range_bincount),
    SF_OP(HistogramFixedWidth, .inputs = "values: T, value_range: T, nbins: int32",
          .outputs = "out: dtype",
          .attrs = "T: {int32, int64, float, double}, dtype: " SF_INDEX " = int32",
          .infer = infer_histogram, .cost = sf_common_cost_input, .grad = SF_GRAD_MISSING,
          .range = sf_range_index),
};
/* clang-format on */
const SfOpTable sf_ops_reduction = {ops, SF_ARRAY_LEN(ops), "reduction"};
