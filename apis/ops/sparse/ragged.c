/* Ragged tensors as ops see them: row partitions (splits or row ids) around a flat tensor of
 * values. Where partitions are constants the kernels' checks of them are made, and the widest row
 * is known. Source: ragged_conversion_ops.cc, ragged_array_ops.cc, ragged_math_ops.cc,
 * ragged_to_dense_util.cc and their kernels in TensorFlow 2.21. */
#include <inttypes.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/sparse/ragged.h"
#include "apis/ops/sparse/sparse_triple.h"

/* row splits */

static SfStatus want_splits(SfInfer *c, int n)
{
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(i)));
    }
    return SF_OK;
}

/* What the splits at `input` divide: rows of the next splits, or the values behind the last. */
static SfDim divided_by(const SfInfer *c, int input, int n)
{
    return input + 1 < n ? sf_splits_rows(sf_input(c, input + 1)) : sf_input_dim(c, n, 0);
}

/* to a sparse tensor */

static SfStatus to_sparse_kernel(SfInfer *c)
{
    const int n = sf_input_count(c) - 1;
    for (int i = 0; i < n; i++) {
        const SfSplits s = sf_splits_check(c, i, divided_by(c, i, n));
        const SfPlace place = SF_INPUT(i);
        SF_TRY(sf_require(c, s.fault != SF_SPLITS_EMPTY, place, "ragged splits may not be empty."));
        SF_TRY(sf_require(c, s.fault != SF_SPLITS_FIRST, place,
                          "First value of ragged splits must be 0."));
        SF_TRY(sf_require(c, s.fault != SF_SPLITS_DECREASE, place,
                          "Ragged splits should be non decreasing, but we got {0} followed by {1}",
                          SF_INT_ARG(s.before), SF_INT_ARG(s.here)));
        SF_TRY(sf_require_as(
            c, s.fault != SF_SPLITS_LAST, SF_DIAG_RUN_REFUSED, place, SF_INPUT(i + 1),
            "Final value of ragged splits must match the length the corresponding ragged values."));
    }
    return SF_OK;
}

/* RaggedTensorToSparse: an entry for each value. */
static SfStatus infer_to_sparse(SfInfer *c)
{
    const int n = sf_input_count(c) - 1;
    const SfShape *values;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(n), 1, &values));
    if (!sf_common_runs(c)) { /* the kernel checks only their content */
        SF_TRY(want_splits(c, n));
    }
    SF_TRY(sf_ask_kernel(c, to_sparse_kernel));
    const SfDim rank = sf_shape_is_ranked(values) ? sf_shape_rank(values) + n : SF_DIM_UNKNOWN;
    const SfDim count = sf_shape_count(values);
    SF_TRY(sf_set_output_matrix(c, 0, count, rank));
    SF_TRY(sf_set_output_vector(c, 1, count));
    return sf_set_output_vector(c, 2, rank);
}

/* as variants */

/* The splits at input `i`, which divide `values` values. */
static SfStatus check_variant_splits(SfInfer *c, int i, SfDim values)
{
    const SfSplits s = sf_splits_check(c, i, values);
    const SfPlace place = SF_INPUT(i);
    SF_TRY(sf_require(
        c, s.fault != SF_SPLITS_EMPTY, place,
        "Invalid ragged splits: ragged splits must have at least one splits, but is empty"));
    SF_TRY(sf_require(c, s.fault != SF_SPLITS_FIRST, place,
                      "Invalid ragged splits: first element of ragged splits  must be 0 but is {0}",
                      SF_INT_ARG(s.here)));
    SF_TRY(sf_require_as(c, s.fault != SF_SPLITS_LAST, SF_DIAG_RUN_REFUSED, place, SF_INPUT(i + 1),
                         "Invalid ragged splits: last element of ragged splits must be the number "
                         "of ragged values({0}) but is {1}",
                         SF_DIM_ARG(values), SF_INT_ARG(s.here)));
    return sf_require(c, s.fault != SF_SPLITS_DECREASE, place,
                      "Invalid ragged splits: ragged splits must be monotonically increasing, but "
                      "ragged_splits[{0}]={1} is smaller than row_splits[{2}]={3}",
                      SF_INT_ARG(s.at), SF_INT_ARG(s.here), SF_INT_ARG(s.at - 1),
                      SF_INT_ARG(s.before));
}

static SfStatus to_variant_kernel(SfInfer *c)
{
    const int n = sf_input_count(c) - 1;
    for (int i = 0; i < n; i++) {
        SF_TRY(check_variant_splits(c, i, divided_by(c, i, n)));
    }
    return SF_OK;
}

/* What a variant holds is kept beside it, as a record of one number. Lists keep longer ones. */
typedef struct Kept {
    SfDtype values, splits; /* splits: SF_DT_INVALID without any */
    SfDim rank;             /* how many splits */
} Kept;

enum { DTYPES = 256 };

static void keep(SfInfer *c, Kept k)
{
    const SfDim record[] = {(SfDim)k.values + DTYPES * ((SfDim)k.splits + DTYPES * k.rank)};
    const SfShape *s = sf_shape_make(1, record);
    if (s && sf_shape_is_known(sf_output(c, 0))) {
        const SfElem e = sf_elem_shape(s);
        sf_set_output_value(c, 0, sf_value_fill(SF_DT_VARIANT, sf_output(c, 0), e));
    }
}

/* False: nothing is known of it, or there is none. */
static bool kept(SfInfer *c, Kept *k)
{
    const SfValue *v = sf_input_handle(c, 0);
    const SfElem e = v && sf_value_count(v) > 0 ? sf_value_elem(v, 0) : sf_elem_unknown();
    if (e.kind != SF_ELEM_SHAPE || sf_shape_rank(e.u.shape) != 1) {
        return false;
    }
    const SfDim record = sf_shape_dim(e.u.shape, 0);
    *k = (Kept){(SfDtype)(record % DTYPES), (SfDtype)(record / DTYPES % DTYPES),
                record / DTYPES / DTYPES};
    return true;
}

/* RaggedTensorToVariant: one variant for all, or one a row of the outermost splits (of the values,
 * when there are none: TensorFlow's inference counts one too few then). */
static SfStatus infer_to_variant(SfInfer *c)
{
    const int n = sf_input_count(c) - 1;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(n), 1, NULL));
    SF_TRY(want_splits(c, n));
    if (!sf_attr_bool(c, "batched_input")) {
        SF_TRY(sf_set_output_scalar(c, 0));
    } else if (n == 0) {
        SF_TRY(sf_set_output_vector(c, 0, sf_input_dim(c, 0, 0)));
    } else if (sf_phase(c) == SF_PHASE_BUILD && sf_input_dim(c, 0, 0) == 0) {
        return sf_fail(c, SF_DIAG_NEGATIVE_DIM, SF_AXIS(0, 0), SF_THE_OP, SF_DIM_ARG(1),
                       SF_DIM_ARG(0));
    } else {
        SF_TRY(sf_set_output_vector(c, 0, sf_splits_rows(sf_input(c, 0))));
    }
    const int inner = n - sf_attr_bool(c, "batched_input");
    keep(c, (Kept){sf_input_dtype(c, n), inner > 0 ? sf_input_dtype(c, 0) : SF_DT_INVALID,
                   inner > 0 ? inner : 0});
    return sf_ask_kernel(c, to_variant_kernel);
}

static const SfMessage from_variant_messages[] = {
    {SF_ON(RANK_EXACT),
     .text = "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
             "output_ragged_rank: {attr output_ragged_rank}, input_ragged_rank: {attr "
             "input_ragged_rank}, encoded_variant.dims(): {rank 0}."},
    {0}};

/* Each variant holds values, and splits, of the declared dtypes, and as many splits as the attrs
 * say: an input_ragged_rank of -1 is what the variants' own axes leave of the output's. */
static SfStatus from_variant_kernel(SfInfer *c)
{
    const int last = sf_output_count(c) - 1, axes = sf_shape_rank(sf_input(c, 0));
    const int64_t given = sf_attr_int(c, "input_ragged_rank");
    const int64_t rank = given >= 0 ? given : axes < 0 ? -1 : last - axes;
    Kept k;
    if (!kept(c, &k)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, rank < 0 || k.rank == rank, SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                         SF_ATTR("input_ragged_rank"),
                         "Encoded input RaggedTensorVariant has ragged_rank={0}.  Expected "
                         "ragged_rank={1}.",
                         SF_DIM_ARG(k.rank), SF_INT_ARG(rank)));
    SF_TRY(sf_require_as(c, k.values == sf_output_dtype(c, last), SF_DIAG_RUN_REFUSED,
                         SF_ATTR("Tvalues"), SF_INPUT(0),
                         "Expected values Tensor dtype: {0}, found: {1}",
                         SF_DTYPE_ARG(sf_output_dtype(c, last)), SF_DTYPE_ARG(k.values)));
    return sf_require_as(
        c, k.splits == SF_DT_INVALID || last == 0 || k.splits == sf_output_dtype(c, 0),
        SF_DIAG_RUN_REFUSED, SF_ATTR("Tsplits"), SF_INPUT(0),
        "Expected row_splits Tensor dtype: {0}, found: {1}", SF_DTYPE_ARG(sf_output_dtype(c, 0)),
        SF_DTYPE_ARG(k.splits));
}

/* RaggedTensorFromVariant: each axis of the variants becomes a row partition. */
static SfStatus infer_from_variant(SfInfer *c)
{
    const int64_t in = sf_attr_int(c, "input_ragged_rank");
    const int64_t out = sf_attr_int(c, "output_ragged_rank");
    const int rank = sf_shape_rank(sf_input(c, 0));
    sf_kernel_messages(c, from_variant_messages);
    /* The kernel also stacks variants without splits into one axis. */
    const bool stacks = sf_common_runs(c) && in == 0 && rank == out + 1;
    if (in >= 0 && rank >= 0 && !stacks) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), (int)(out - in), NULL));
    }
    for (int i = 0; i < sf_output_count(c) - 1; i++) {
        /* The outermost rows are the variants themselves. */
        const bool outer = i == 0 && rank == 1;
        const SfDim n = outer ? sf_dim_add(sf_input_dim(c, 0, 0), 1) : SF_DIM_UNKNOWN;
        SF_TRY(sf_set_output_vector(c, i, n));
    }
    SF_TRY(sf_set_output_unknown(c, sf_output_count(c) - 1));
    return sf_ask_kernel(c, from_variant_kernel);
}

/* Splits begin with 0 and do not fall; the shape has no negative dims. */
static SfStatus grad_splits_kernel(SfInfer *c)
{
    const SfShape *shape;
    const SfShape *splits = sf_input(c, 1);
    SF_TRY(sf_require_as(c, sf_shape_rank(splits) <= 1, SF_DIAG_RANK_AT_MOST, SF_INPUT(1),
                         SF_THE_OP,
                         "Invalid ragged splits: ragged splits must be rank 1 but is rank {0}",
                         SF_INT_ARG(sf_shape_rank(splits))));
    SF_TRY(check_variant_splits(c, 1, SF_DIM_UNKNOWN));
    if (sf_shape_rank(sf_input(c, 2)) == 1) {
        SF_TRY(sf_want_dims_value(c, SF_INPUT(2), &shape));
    }
    /* Of several the dtypes are not compared: TensorFlow dies of them, or there is nothing to
     * join. */
    Kept k;
    const SfDtype want = sf_output_dtype(c, 0);
    return sf_require_as(c, sf_shape_count(sf_input(c, 0)) != 1 || !kept(c, &k) || k.values == want,
                         SF_DIAG_RUN_REFUSED, SF_ATTR("Tvalues"), SF_INPUT(0),
                         "Type mismatch: actual {0} vs. expect {1}", SF_DTYPE_ARG(k.values),
                         SF_DTYPE_ARG(want));
}

/* RaggedTensorToVariantGradient: the shape that dense_values_shape holds. */
static SfStatus infer_to_variant_grad(SfInfer *c)
{
    const SfShape *shape;
    SF_TRY(sf_want_shape_or_any(c, SF_INPUT(2), &shape));
    SF_TRY(sf_ask_kernel(c, grad_splits_kernel));
    return sf_set_output_shape(c, 0, shape);
}

/* gathering and crossing */

static SfStatus gather_kernel(SfInfer *c)
{
    const int values = sf_input_count(c) - 2, indices = values + 1;
    const int64_t *items;
    int n = 0;
    const SfDim rows = sf_input_dim(c, 0, 0) == 0 ? -1 : sf_splits_rows(sf_input(c, 0));
    const bool known = sf_dim_is_known(rows) || sf_input_dim(c, 0, 0) == 0;
    if (known && !sf_common_ints(c, indices, &items, &n)) {
        n = 0;
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_require_as(c, items[i] >= 0 && items[i] < rows, SF_DIAG_INDEX_RANGE,
                             SF_INPUT(indices), SF_AXIS(0, 0),
                             "indices[{0}] = {1} is not in [0, {2})", SF_INT_ARG(i),
                             SF_INT_ARG(items[i]), SF_DIM_ARG(rows)));
    }
    for (int i = 0; i < values; i++) {
        /* Against all splits of the next axis, one more than there are rows. */
        const SfDim size =
            i + 1 < values ? sf_shape_count(sf_input(c, i + 1)) : sf_input_dim(c, values, 0);
        const SfSplits s = sf_splits_check(c, i, size);
        SF_TRY(sf_require_as(
            c, s.fault != SF_SPLITS_DECREASE && (s.fault != SF_SPLITS_LAST || s.here <= size),
            SF_DIAG_RUN_REFUSED, SF_INPUT(i), SF_INPUT(i + 1),
            s.fault == SF_SPLITS_LAST ? "Ragged splits must not point past values"
                                      : "Ragged splits must be sorted"));
    }
    return SF_OK;
}

/* RaggedGather: rows of the outermost partition; each axis of the indices but one adds a partition
 * of known length, the gathered rows one more. */
static SfStatus infer_gather(SfInfer *c)
{
    const int in = sf_input_count(c) - 2, out = sf_output_count(c) - 1;
    const SfShape *indices, *values;
    SF_TRY(sf_want_rank(c, SF_INPUT(in + 1), out - in + 1, &indices));
    SF_TRY(want_splits(c, in));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(in), 1, &values));
    SF_TRY(sf_ask_kernel(c, gather_kernel));
    SfDim rows = 1;
    for (int i = 0; i < out; i++) {
        const bool outer = i <= out - in;
        rows = outer ? sf_dim_mul(rows, sf_shape_dim(indices, i)) : SF_DIM_UNKNOWN;
        SF_TRY(sf_set_output_vector(c, i, outer ? sf_dim_add(rows, 1) : SF_DIM_UNKNOWN));
    }
    return sf_set_output_shape(
        c, out, sf_shape_is_ranked(values) ? sf_shape_replace(values, 0, SF_DIM_UNKNOWN) : values);
}

static SfStatus refuse_cross(SfInfer *c, int i, bool rank)
{
    return sf_fail_with(c, rank ? SF_DIAG_RANK_EXACT : SF_DIAG_DIM_EQUAL, SF_INPUT(i), SF_THE_OP,
                        rank ? "tf.ragged.cross only supports inputs with rank=2{0}"
                             : "inputs must all have the same batch dimension size.{0}",
                        SF_TEXT_ARG(rank && sf_common_runs(c) ? "." : ""));
}

/* What one feature says of the batch: a matrix has its rows, splits are one more. */
static SfStatus meet_batch(SfInfer *c, int i, SfDim rows, SfDim *batch)
{
    *batch = sf_dim_meet(*batch, rows);
    return *batch == SF_DIM_BOTTOM ? refuse_cross(c, i, false) : SF_OK;
}

/* input_order names every feature by its kind: R, S, D. Only the kernel reads it. */
static SfStatus order_length(SfInfer *c, const void *data)
{
    const size_t *features = data;
    return sf_require(c, strlen(sf_attr_string(c, "input_order")) == *features,
                      SF_ATTR("input_order"), "Invalid length for input_order");
}

static SfStatus order_kernel(SfInfer *c)
{
    static const struct {
        char kind;
        const char *input, *what, *items;
    } kinds[] = {{'R', "ragged_values", "ragged tensor value", "values"},
                 {'D', "dense_inputs", "dense tensor", "tensors"},
                 {'S', "sparse_indices", "sparse tensor value", "values"}};
    const char *order = sf_attr_string(c, "input_order");
    int used[SF_ARRAY_LEN(kinds)] = {0}, at;
    for (const char *p = order; *p != '\0'; p++) {
        int k = 0;
        while (k < SF_ARRAY_LEN(kinds) && kinds[k].kind != *p) {
            k++;
        }
        SF_TRY(sf_require(c, k != SF_ARRAY_LEN(kinds), SF_ATTR("input_order"),
                          "Unexpected input_order value."));
        const int n = sf_input_range(c, kinds[k].input, &at);
        SF_TRY(sf_require(
            c, used[k]++ < n, SF_ATTR("input_order"),
            "input_order \"{0}\" specifies reading a {1} at index {2} from a list of {3} {4}.",
            SF_TEXT_ARG(order), SF_TEXT_ARG(kinds[k].what), SF_INT_ARG(used[k] - 1), SF_INT_ARG(n),
            SF_TEXT_ARG(kinds[k].items)));
    }
    return SF_OK;
}

/* Only the kernel looks at the sparse features, and at the values of the ragged ones. */
static SfStatus cross_kernel(SfInfer *c, const void *data)
{
    int values, indices, shapes;
    const int nvalues = sf_input_range(c, "ragged_values", &values);
    const int nsparse = sf_input_range(c, "sparse_indices", &indices);
    SfDim batch = *(const SfDim *)data;
    sf_input_range(c, "sparse_shape", &shapes);
    for (int i = 0; i < nvalues; i++) {
        const int rank = sf_shape_rank(sf_input(c, values + i));
        if (rank >= 0 && rank != 1) {
            return refuse_cross(c, values + i, true);
        }
    }
    for (int i = 0; i < nsparse; i++) {
        const SfShape *s = sf_input(c, indices + i);
        const SfDim columns = sf_shape_rank(s) == 2 ? sf_shape_dim(s, 1) : SF_DIM_UNKNOWN;
        if (sf_dim_differs(columns, 2)) {
            return refuse_cross(c, indices + i, true);
        }
        SF_TRY(meet_batch(c, shapes + i, sf_elem_as_dim(sf_common_elem(c, shapes + i, 0)), &batch));
    }
    return order_kernel(c);
}

/* RaggedCross: all features are of one batch, which the splits count. */
static SfStatus infer_cross(SfInfer *c)
{
    int values, splits, dense, sparse, shapes;
    const int nvalues = sf_input_range(c, "ragged_values", &values);
    const int nsplits = sf_input_range(c, "ragged_row_splits", &splits);
    const int ndense = sf_input_range(c, "dense_inputs", &dense);
    const int nsparse = sf_input_range(c, "sparse_indices", &sparse);
    SfDim batch = nvalues + ndense + nsparse == 0 ? 0 : SF_DIM_UNKNOWN;
    sf_input_range(c, "sparse_shape", &shapes);
    SF_TRY(sf_expect(c, nvalues == nsplits, SF_ATTR("ragged_splits_types"),
                     "ragged values and splits must have the same length{0}",
                     SF_TEXT_ARG(sf_common_runs(c) ? "" : ".")));
    const size_t features = (size_t)nvalues + (size_t)ndense + (size_t)nsparse;
    SF_TRY(sf_kernel_check(c, order_length, &features));
    for (int i = 0; i < nsplits; i++) {
        const SfShape *s = sf_input(c, splits + i);
        if (!sf_shape_may_have_rank(s, 1)) {
            return refuse_cross(c, splits + i, sf_common_runs(c));
        }
        SF_TRY(meet_batch(c, splits + i, sf_splits_rows(s), &batch));
    }
    for (int i = 0; i < ndense; i++) {
        const SfShape *s = sf_input(c, dense + i);
        if (!sf_shape_may_have_rank(s, 2)) {
            return refuse_cross(c, dense + i, true);
        }
        SF_TRY(meet_batch(c, dense + i, sf_input_dim(c, dense + i, 0), &batch));
    }
    SF_TRY(sf_kernel_check(c, cross_kernel, &batch));
    for (int i = 0; i < nsparse; i++) {
        const SfDim rows = sf_elem_as_dim(sf_common_elem(c, shapes + i, 0));
        batch = sf_dim_meet(batch, rows);
    }
    SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 1,
                                batch == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : sf_dim_add(batch, 1));
}

/* ranges */

/* Each input is one number a row, or one for all. */
typedef struct Ranges {
    const int64_t *at[3];
    int step[3]; /* 0: one for all */
    int64_t rows;
} Ranges;

/* How many numbers range `i` has; negative when it is too long to say. */
static int64_t range_length(const Ranges *r, int64_t i)
{
    const int64_t start = r->at[0][i * r->step[0]], limit = r->at[1][i * r->step[1]];
    const int64_t delta = r->at[2][i * r->step[2]];
    const int64_t big = INT64_MAX / 4;
    if (start > big || start < -big || limit > big || limit < -big || delta > big || delta < -big) {
        return -1;
    }
    if (delta == 0 || (delta > 0 ? start >= limit : start <= limit)) {
        return 0;
    }
    const int64_t length = delta > 0 ? limit - start : start - limit;
    const int64_t by = delta > 0 ? delta : -delta;
    return (length + by - 1) / by;
}

/* False when not every input is known. */
static bool read_ranges(SfInfer *c, Ranges *r)
{
    r->rows = 1;
    for (int i = 0; i < 3; i++) {
        int n;
        if (!sf_common_ints(c, i, &r->at[i], &n)) {
            return false;
        }
        r->step[i] = sf_shape_rank(sf_input(c, i)) == 1;
        r->rows = r->step[i] ? n : r->rows;
    }
    for (int i = 0; i < 3; i++) {
        const SfDim n = sf_shape_count(sf_input(c, i));
        if (r->step[i] && n != r->rows) {
            return false;
        }
    }
    return true;
}

static SfStatus range_kernel(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 2);
    const SfDim rows =
        sf_shape_rank(sf_output(c, 0)) == 1 ? sf_shape_dim(sf_output(c, 0), 0) : SF_DIM_UNKNOWN;
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_require_as(
            c,
            !sf_dim_is_known(rows) || rows <= 1 ||
                ((e.kind != SF_ELEM_INT || e.u.i != 0) && (e.kind != SF_ELEM_FLOAT || e.u.f != 0)),
            SF_DIAG_RANGE_STEP, SF_INPUT(2), SF_THE_OP, "Requires delta != 0"));
    }
    return SF_OK;
}

static const SfMessage range_messages[] = {
    {SF_ON(RANK_AT_MOST), .text = "{a.name} must be a scalar or vector"},
    {SF_ON(DIM_EQUAL), .text = "starts, limits, and deltas must have the same shape"},
    {0}};

/* RaggedRange: a range a row; how many numbers they have together is known of constants only. */
static SfStatus infer_range(SfInfer *c)
{
    SfDim rows = SF_DIM_UNKNOWN;
    int from = 0;
    bool scalars = true;
    Ranges r;
    sf_kernel_messages(c, range_messages);
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL));
    }
    for (int i = 0; i < 3; i++) {
        const SfShape *s = sf_input(c, i);
        scalars = scalars && sf_shape_rank(s) == 0;
        if (sf_shape_rank(s) == 1) {
            SF_TRY(
                sf_want_equal(c, SF_AXIS(i, 0), sf_shape_dim(s, 0), SF_AXIS(from, 0), rows, &rows));
            from = i;
        }
    }
    SF_TRY(sf_set_output_vector(c, 0, scalars ? 2 : sf_dim_add(rows, 1)));
    SF_TRY(sf_ask_kernel(c, range_kernel));
    int64_t count = 0;
    if (!read_ranges(c, &r)) {
        return sf_set_output_vector(c, 1, SF_DIM_UNKNOWN);
    }
    for (int64_t i = 0; i < r.rows && count >= 0; i++) {
        const int64_t n = range_length(&r, i);
        count = n < 0 || count > INT64_MAX / 4 - n ? -1 : count + n;
    }
    return sf_set_output_vector(c, 1, count < 0 ? SF_DIM_UNKNOWN : count);
}

static void fold_range(SfInfer *c)
{
    Ranges r;
    int64_t nsplits, n;
    if (!read_ranges(c, &r)) {
        return;
    }
    SfElem *splits = sf_fold_begin(c, 0, &nsplits), *values = sf_fold_begin(c, 1, &n);
    if (!splits || !values || nsplits != r.rows + 1) {
        return;
    }
    int64_t at = 0;
    splits[0] = sf_elem_int(0);
    for (int64_t i = 0; i < r.rows; i++) {
        const int64_t length = range_length(&r, i), start = r.at[0][i * r.step[0]];
        for (int64_t k = 0; k < length && at < n; k++) {
            values[at++] = sf_elem_int(start + k * r.at[2][i * r.step[2]]);
        }
        splits[i + 1] = sf_elem_int(at);
    }
    sf_fold_set_output(c, 0, splits);
    sf_fold_set_output(c, 1, values);
}

/* filling empty rows */

static const SfMessage fill_rows_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "nrows must be a scalar, saw: {a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "default_value must be a scalar, saw: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a vector, saw: {a.shape}"},
    {SF_ON(DIM_EQUAL), .text = "The length of `values` ({dim 1 0}) must match the first dimension "
                               "of `value_rowids` ({dim 0 0})."},
    {0}};

static SfStatus fill_rows_kernel(SfInfer *c)
{
    const SfElem count = sf_common_elem(c, 2, 0);
    SF_TRY(sf_require(c, count.kind != SF_ELEM_INT || count.u.i >= 0, SF_INPUT(2),
                      "Expected shape dimensions to be non-negative, got {0}",
                      SF_INT_ARG(count.u.i)));
    return sf_triple_check_rows(c, 1);
}

/* As many entries as there are, and one for each row without any. */
static SfDim filled_count(SfInfer *c, SfDim n, SfDim rows)
{
    const int64_t *items;
    int count;
    if (n == 0 || !sf_dim_is_known(rows) || !sf_common_ints(c, 0, &items, &count)) {
        return n == 0 ? rows : SF_DIM_UNKNOWN;
    }
    int64_t filled = sf_dim_add(rows, count);
    if (!sf_dim_is_known(filled)) {
        return SF_DIM_UNKNOWN;
    }
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++) {
            seen = items[k] == items[i];
        }
        filled -= !seen;
    }
    return filled >= 0 ? filled : SF_DIM_UNKNOWN;
}

/* RaggedFillEmptyRows: a default value for each row that has none. */
static SfStatus infer_fill_rows(SfInfer *c)
{
    const SfShape *ids, *values;
    SfDim n, rows;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &ids));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &values));
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(ids, 0), SF_AXIS(1, 0),
                         sf_shape_dim(values, 0), &n));
    rows = sf_elem_as_dim(sf_common_elem(c, 2, 0));
    SF_TRY(sf_ask_kernel(c, fill_rows_kernel));
    const SfDim filled = filled_count(c, n, rows);
    SF_TRY(sf_set_output_vector(c, 0, filled));
    SF_TRY(sf_set_output_vector(c, 1, filled));
    SF_TRY(sf_set_output_vector(c, 2, rows));
    return sf_set_output_vector(c, 3, n);
}

/* table */

/* clang-format off */
#define TSPLITS "Tsplits: {int32, int64} = int64"
#define KEYS "list({int64, string}) >= 0"

static const SfOpDef ops[] = {
    SF_OP(RaggedTensorToSparse,
          .inputs = "rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T",
          .outputs = "sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
          .attrs = "RAGGED_RANK: int >= 1, T: type, " TSPLITS, .infer = infer_to_sparse),
    SF_OP(RaggedTensorToVariant,
          .inputs = "rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues",
          .outputs = "encoded_ragged: variant",
          .attrs = "RAGGED_RANK: int >= 0, Tvalues: type, " TSPLITS ", batched_input: bool",
          .infer = infer_to_variant),
    SF_OP(RaggedTensorFromVariant, .inputs = "encoded_ragged: variant",
          .outputs =
          "output_nested_splits: output_ragged_rank * Tsplits, output_dense_values: Tvalues",
          .attrs = "input_ragged_rank: int >= -1, output_ragged_rank: int >= 0, Tvalues: type, "
          TSPLITS,
          .infer = infer_from_variant, .grad = SF_GRAD_INPUTS(1)),
    SF_OP(RaggedTensorToVariantGradient,
          .inputs = "encoded_ragged_grad: variant, row_splits: Tsplits, dense_values_shape: int32",
          .outputs = "dense_values_grad: Tvalues", .attrs = "Tvalues: type, " TSPLITS,
          .infer = infer_to_variant_grad, .grad = SF_GRAD_MISSING),
    SF_OP(RaggedGather,
          .inputs = "params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, "
                    "params_dense_values: Tvalues, indices: Tindices",
          .outputs =
          "output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values: Tvalues",
          .attrs = "Tvalues: type, Tindices: {int32, int64}, " TSPLITS ", "
                   "PARAMS_RAGGED_RANK: int >= 1, OUTPUT_RAGGED_RANK: int >= 0",
          .infer = infer_gather),
    SF_OP(RaggedCross,
          .inputs = "ragged_values: ragged_values_types, ragged_row_splits: ragged_splits_types, "
                    "sparse_indices: Nsparse * int64, sparse_values: sparse_values_types, "
                    "sparse_shape: Nsparse * int64, dense_inputs: dense_types",
          .outputs = "output_values: out_values_type, output_row_splits: out_row_splits_type",
          .attrs = "Nsparse: int >= 0, input_order: string, hashed_output: bool, "
                   "num_buckets: int >= 0, hash_key: int, ragged_values_types: " KEYS ", "
                   "ragged_splits_types: list({int32, int64}) >= 0, sparse_values_types: " KEYS ", "
                   "dense_types: " KEYS ", out_values_type: {int64, string}, "
                   "out_row_splits_type: {int32, int64}",
          .infer = infer_cross, .grad = SF_GRAD_MISSING),
    SF_OP(RaggedRange, .inputs = "starts: T, limits: T, deltas: T",
          .outputs = "rt_nested_splits: Tsplits, rt_dense_values: T",
          .attrs = "T: {bfloat16, float, double, int32, int64} = int32, " TSPLITS,
          .infer = infer_range, .fold = fold_range, .grad = SF_GRAD_NONE),
    SF_OP(RaggedFillEmptyRows,
          .inputs = "value_rowids: int64, values: T, nrows: int64, default_value: T",
          .outputs = "output_value_rowids: int64, output_values: T, empty_row_indicator: bool, "
                     "reverse_index_map: int64",
          .attrs = "T: type", .infer = infer_fill_rows, .messages = fill_rows_messages),
    SF_OP(RaggedFillEmptyRowsGrad, .inputs = "reverse_index_map: int64, grad_values: T",
          .outputs = "d_values: T, d_default_value: T", .attrs = "T: type",
          .infer = sf_triple_fill_grad, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_ragged = {ops, SF_ARRAY_LEN(ops), "ragged"};
