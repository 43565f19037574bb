/* Ops on a tensor's shape alone: Identity, Shape, Reshape, Squeeze, Transpose, broadcasting. */
#include <stdio.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* Identity */

/* Identity, StopGradient...: the same tensor, and the same state behind a reference. */
static SfStatus infer_identity(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_same(c, i, i));
        sf_set_output_state(c, i, i);
    }
    return SF_OK;
}

static const SfMessage ensure_messages[] = {
    {.text = "Shape of tensor input {shape 0} is not compatible with expected shape {attr shape}."},
    {0}};

/* EnsureShape: a set_shape that is checked when it runs. */
static SfStatus infer_ensure_shape(SfInfer *c)
{
    const SfShape *want = sf_attr_shape(c, "shape");
    const SfShape *out;
    sf_kernel_messages(c, ensure_messages);
    if (sf_shape_is_ranked(want)) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), sf_shape_rank(want), NULL));
    }
    SF_TRY(sf_want_merge(c, SF_ATTR("shape"), want, SF_INPUT(0), sf_input(c, 0), &out));
    return sf_set_output_shape(c, 0, out);
}

/* Shape, Size, Rank */

static SfStatus infer_shape(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        const int rank = sf_shape_rank(sf_input(c, i));
        SF_TRY(sf_set_output_vector(c, i, rank < 0 ? SF_DIM_UNKNOWN : rank));
    }
    return SF_OK;
}

static void fold_shape(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        sf_fold_set_output_value(c, i, sf_value_from_shape(sf_input(c, i), sf_output_dtype(c, i)));
    }
}

static void set_output_number(SfInfer *c, SfDim number)
{
    const SfElem e = sf_elem_dim(number);
    if (number != SF_DIM_BOTTOM) {
        sf_fold_set_output(c, 0, &e);
    }
}

static void fold_size(SfInfer *c)
{
    set_output_number(c, sf_shape_count(sf_input(c, 0)));
}

static void fold_rank(SfInfer *c)
{
    if (sf_shape_is_ranked(sf_input(c, 0))) {
        set_output_number(c, sf_shape_rank(sf_input(c, 0)));
    }
}

/* Reshape */

static int dims_that_are(const SfShape *s, bool (*test)(SfDim))
{
    int n = 0;
    for (int i = 0; i < sf_shape_rank(s); i++) {
        n += test(sf_shape_dim(s, i));
    }
    return n;
}

static bool is_anonymous(SfDim d)
{
    return d == SF_DIM_UNKNOWN;
}

static bool is_not_known(SfDim d)
{
    return !sf_dim_is_known(d);
}

/* The product of the known dims, 0 when one is. */
static int64_t known_product(const SfShape *s)
{
    SfDim product = 1;
    for (int i = 0; i < sf_shape_rank(s); i++) {
        const SfDim d = sf_shape_dim(s, i);
        product = sf_dim_is_known(d) ? sf_dim_mul(product, d) : product;
    }
    return product;
}

static SfStatus fail_reshape_run(SfInfer *c, const SfShape *want)
{
    const SfDim have = sf_shape_count(sf_input(c, 0));
    const int64_t known = known_product(want);
    SF_TRY(sf_require_as(c, dims_that_are(want, is_not_known) <= 0 || known <= 0,
                         SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(0), SF_INPUT(1),
                         "Input to reshape is a tensor with {0} values, but the requested shape "
                         "requires a multiple of {1}",
                         SF_COUNT_ARG(have), SF_INT_ARG(known)));
    return sf_fail(c, SF_DIAG_TOO_MANY_VALUES, SF_INPUT(0), SF_INPUT(1), SF_COUNT_ARG(have),
                   SF_COUNT_ARG(known));
}

/* TensorFlow's verdict while it builds a graph: it compares when at most one dim of each side is
 * open (or the side is empty whatever they are), and is silent otherwise. */
static SfStatus fail_reshape(SfInfer *c, const SfShape *want, bool *silent)
{
    const SfShape *from = sf_input(c, 0);
    const int64_t have = known_product(from);
    const int64_t need = known_product(want);
    *silent = false;
    if (sf_common_runs(c)) {
        return fail_reshape_run(c, want);
    }
    if ((have > 0 && dims_that_are(from, is_anonymous) > 1) ||
        (need > 0 && dims_that_are(want, is_anonymous) > 1)) {
        *silent = true;
        return SF_OK;
    }
    const bool from_open = dims_that_are(from, is_not_known) > 0;
    const bool want_open = dims_that_are(want, is_not_known) > 0;
    if (want_open && need > 0) {
        return sf_fail(c, SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(0), SF_INPUT(1), SF_INT_ARG(need),
                       SF_DIM_ARG(from_open ? sf_shape_count(from) : have));
    }
    if (from_open && have > 0) {
        return sf_fail(c, SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(0), SF_INPUT(1), SF_INT_ARG(have),
                       SF_DIM_ARG(need));
    }
    return sf_fail(c, SF_DIAG_RESHAPE_COUNT, SF_INPUT(0), SF_INPUT(1), SF_COUNT_ARG(have),
                   SF_SHAPE_ARG(want), SF_COUNT_ARG(need));
}

/* What the kernel says of the shape argument itself. */
static SfStatus check_reshape_entries(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 1);
    int64_t open = -1;
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind != SF_ELEM_INT || e.u.i >= 0) {
            continue;
        }
        SF_TRY(sf_require_as(c, e.u.i == -1, SF_DIAG_SHAPE_ENTRY, SF_INPUT(1), SF_THE_OP,
                             "Size {0} must be non-negative, not {1}", SF_INT_ARG(i),
                             SF_INT_ARG(e.u.i)));
        SF_TRY(sf_expect(c, open < 0, SF_INPUT(1),
                         "Only one input size may be -1, not both {0} and {1}", SF_INT_ARG(open),
                         SF_INT_ARG(i)));
        open = i;
    }
    return SF_OK;
}

/* Does the kernel accept the shape argument? Checks of what follows from it are deferred in the
 * same way. */
static bool suits_kernel(const SfInfer *c)
{
    const SfValue *v = c->inputs[1].value; /* asking for it must not show it in messages */
    int open = 0;
    if (sf_shape_rank(sf_input(c, 1)) != 1) {
        return false;
    }
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem *e = &sf_value_elems(v)[i];
        if (e->kind == SF_ELEM_INT && e->u.i < 0) {
            open += e->u.i == -1 ? 1 : 2;
        }
    }
    return open <= 1;
}

/* The desired shape. Kernels from 2.x on also take a scalar for a vector of one. */
static SfStatus want_desired(SfInfer *c, const SfShape **want)
{
    if (!sf_common_runs(c)) {
        return sf_want_shape_value(c, SF_INPUT(1), want);
    }
    const SfValue *v = sf_input_value(c, 1);
    SF_TRY(sf_require_as(c, sf_shape_rank(sf_input(c, 1)) <= 1, SF_DIAG_RANK_EXACT, SF_INPUT(1),
                         SF_THE_OP, "sizes input must be 1-D, not {a.shape}"));
    SF_TRY(check_reshape_entries(c));
    if (sf_shape_rank(sf_input(c, 1)) == 0 && sf_version(c) >= SF_VERSION(2, 0)) {
        *want = sf_shape_vector(!v ? SF_DIM_UNKNOWN : sf_elem_as_dim(sf_value_elem(v, 0)));
        return !*want ? SF_NOMEM : SF_OK;
    }
    return sf_want_shape_value(c, SF_INPUT(1), want);
}

/* May the one open dim be solved for? Only where the content says -1 or is symbolic: an entry that
 * is merely unknown is an unknown too, and the counts determine it. */
static SfStatus infer_reshape(SfInfer *c)
{
    const SfShape *want;
    const SfShape *out;
    bool silent;
    SF_TRY(want_desired(c, &want));
    switch (sf_shape_reshape(sf_input(c, 0), want, true, &out)) {
    case SF_FIT_NEVER:
        SF_TRY(fail_reshape(c, want, &silent));
        return sf_set_output_shape(c, 0, want);
    case SF_FIT_NOMEM:
        return SF_NOMEM;
    case SF_FIT_ALWAYS:
    case SF_FIT_MAYBE:
        break;
    }
    sf_kernel_agrees(c, suits_kernel(c));
    sf_common_warn_mixed_batch(c, out);
    return sf_set_output_shape(c, 0, out);
}

/* QuantizedReshape: Reshape between two limits, which its kernel takes as one element of any
 * rank. */
static SfStatus infer_quantized_reshape(SfInfer *c)
{
    for (int i = 2; i < 4 && sf_common_runs(c); i++) {
        SF_TRY(sf_require_as(c,
                             !sf_dim_never(sf_shape_count(sf_input(c, i)), 1) &&
                                 sf_shape_rank(sf_input(c, i)) <= 1,
                             SF_DIAG_RANK_EXACT, SF_INPUT(i), SF_THE_OP,
                             "{a.name} must be a scalar or a vector of 1 element"));
    }
    SF_TRY(infer_reshape(c));
    sf_kernel_agrees(c, false); /* about the limits it has more to say */
    SF_TRY(sf_common_runs(c) ? SF_OK : sf_common_want_scalars(c, 2, 4));
    return sf_common_set_output_scalars(c, 1, 3);
}

/* ExpandDims, Squeeze */

/* ExpandDims: a 1 at `dim`, counted in the output's rank. */
static SfStatus infer_expand_dims(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    const SfValue *dim = sf_input_value(c, 1);
    int64_t at;
    SF_TRY(sf_expect(c, !dim || sf_value_count(dim) == 1, SF_INPUT(1),
                     sf_common_runs(c) ? "'dim' must be a tensor with a single value"
                                       : "'dim' input must be a tensor with a single value"));
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    if (!sf_value_as_int(dim, &at)) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(rank + 1));
    }
    SF_TRY(sf_require_as(
        c, at >= -rank - 1 && at <= rank, SF_DIAG_AXIS_RANGE, SF_INPUT(1), SF_INPUT(0),
        sf_common_runs(c) ? "Tried to expand dim index {0} for tensor with {2} dimensions."
                          : "dim {0} not in the interval [{1}, {2}].",
        SF_INT_ARG(at), SF_INT_ARG(-rank - 1), SF_INT_ARG(rank)));
    return sf_set_output_shape(c, 0, sf_shape_insert(x, (int)at, 1));
}

/* Resolves squeeze_dims; marks[i] says that axis i goes. */
static SfStatus mark_squeezed(SfInfer *c, int rank, bool *marks)
{
    const int64_t *items;
    const int n = sf_attr_ints(c, "squeeze_dims", &items);
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_require_as(
            c, items[i] >= -rank && items[i] < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("squeeze_dims"),
            SF_INPUT(0),
            sf_common_runs(c) ? "Tried to squeeze dim index {3} for tensor with {2} dimensions."
                              : "squeeze_dims[{0}] not in [{1},{2}).",
            SF_INT_ARG(i), SF_INT_ARG(-rank), SF_INT_ARG(rank), SF_INT_ARG(items[i])));
        marks[items[i] < 0 ? items[i] + rank : items[i]] = true;
    }
    return SF_OK;
}

/* Squeeze: without the named axes of size 1, or without all of them. */
static SfStatus infer_squeeze(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    const int64_t *items;
    const bool named = sf_attr_ints(c, "squeeze_dims", &items) > 0;
    bool marks[SF_RANK_MAX] = {false};
    SfDim dims[SF_RANK_MAX];
    int kept = 0;
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(mark_squeezed(c, rank, marks));
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_shape_dim(x, i);
        if (named ? !marks[i] : sf_dim_never(d, 1)) {
            dims[kept++] = d;
        } else if (!named && d != 1) {
            return sf_set_output_unknown(c, 0); /* it goes or stays */
        } else if (sf_dim_never(d, 1)) {
            return sf_fail(c, SF_DIAG_SQUEEZE_DIM, SF_AXIS(0, i), SF_ATTR("squeeze_dims"),
                           SF_INT_ARG(i), SF_DIM_ARG(d));
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(kept, dims));
}

/* Transpose */

/* The rank that x and perm agree on, or -1. */
static SfStatus want_transpose_rank(SfInfer *c, int *rank)
{
    const SfShape *x = sf_input(c, 0);
    const SfDim n = sf_shape_count(sf_input(c, 1));
    *rank = sf_shape_is_ranked(x) ? sf_shape_rank(x) : -1;
    if (*rank < 0 && sf_dim_is_known(n) && n >= 2 && n <= SF_RANK_MAX) {
        *rank = (int)n; /* one entry is also what a scalar takes */
    }
    if (*rank < 0) {
        return SF_OK;
    }
    SF_TRY(sf_common_runs(c) ? sf_require_rank(c, 1, 1, "perm must be rank 1, got shape {a.shape}")
                             : SF_OK);
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, NULL));
    if (sf_dim_never(n, *rank)) {
        SF_TRY(sf_require_as(
            c, !sf_common_runs(c), SF_DIAG_DIM_VALUE, SF_AXIS(1, 0), SF_INPUT(0),
            "transpose expects a vector of size {0}. But input(1) is a vector of size {1}",
            SF_INT_ARG(*rank), SF_DIM_ARG(n)));
        return sf_fail(c, SF_DIAG_DIM_VALUE, SF_AXIS(1, 0), SF_INPUT(0), SF_INT_ARG(*rank),
                       SF_DIM_ARG(n));
    }
    return SF_OK;
}

/* Axis i of the result is axis perm[i]; -1 where that is not known. */
static SfStatus read_perm(SfInfer *c, int rank, int *perm)
{
    bool seen[SF_RANK_MAX] = {false};
    SfElem elems[SF_RANK_MAX]; /* for the message: from the front */
    bool whole = true;
    for (int i = 0; i < rank; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        perm[i] = -1;
        if (e.kind != SF_ELEM_INT) {
            whole = false;
            continue;
        }
        SF_TRY(sf_require_as(c, e.u.i >= -rank && e.u.i < rank, SF_DIAG_AXIS_RANGE, SF_INPUT(1),
                             SF_INPUT(0),
                             sf_common_runs(c) ? "{0} is out of range [0 .. {1})"
                                               : "perm dim {0} is out of range of input rank {1}",
                             SF_INT_ARG(e.u.i), SF_INT_ARG(rank)));
        perm[i] = (int)(e.u.i < 0 ? e.u.i + rank : e.u.i);
        elems[i] = sf_elem_int(perm[i]);
        seen[perm[i]] = true;
    }
    for (int i = 0; whole && sf_common_runs(c) && i < rank; i++) {
        SF_TRY(sf_expect(c, seen[i], SF_INPUT(1), "{0} is missing from {{1}}.", SF_INT_ARG(i),
                         SF_TEXT_ARG(sf_common_list_text(c, elems, rank, ","))));
    }
    return SF_OK;
}

/* Transpose: the axes in the order that perm says. */
static SfStatus infer_transpose(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    int rank;
    int perm[SF_RANK_MAX];
    SfDim dims[SF_RANK_MAX];
    SF_TRY(want_transpose_rank(c, &rank));
    if (rank < 0 || (!sf_shape_is_ranked(x) && rank < 2)) {
        return sf_set_output_shape(c, 0, x);
    }
    SF_TRY(read_perm(c, rank, perm));
    if (!sf_input_value(c, 1) && rank < 2) {
        return sf_set_output_same(c, 0, 0);
    }
    for (int i = 0; i < rank; i++) {
        dims[i] = perm[i] < 0 ? SF_DIM_UNKNOWN : sf_shape_dim(x, perm[i]);
    }
    return sf_set_output_shape(c, 0, sf_shape_make(rank, dims));
}

static void fold_transpose(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfShape *shape = sf_output(c, 0);
    const int64_t *perm;
    int64_t n;
    int rank;
    int64_t from[SF_FOLD_RANK];
    SfFoldCopy copy;
    SfElem *out = !x || !sf_common_ints(c, 1, &perm, &rank) ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || sf_dtype_is_complex(sf_output_dtype(c, 0)) || sf_shape_rank(shape) != rank ||
        !sf_fold_strides(sf_value_shape(x), from) ||
        !sf_fold_copy_block(&copy, shape, shape, shape)) {
        return;
    }
    /* construction accepts a repeated axis, for which the copy would read outside of x */
    unsigned seen = 0;
    for (int i = 0; i < rank; i++) {
        const int64_t axis = perm[i] < 0 ? perm[i] + rank : perm[i];
        seen |= 1u << axis;
        copy.from_step[i] = from[axis];
    }
    if (seen != (1u << rank) - 1) {
        return;
    }
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

static const SfMessage permutation_messages[] = {
    {SF_ON(RANK_EXACT), .text = "invert_permutation expects a 1D vector."}, {0}};

static SfStatus infer_invert_permutation(SfInfer *c)
{
    const SfShape *x;
    const int64_t *perm;
    int n;
    sf_kernel_messages(c, permutation_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &x));
    if (sf_common_runs(c) && sf_common_ints(c, 0, &perm, &n)) {
        for (int i = 0; i < n; i++) {
            SF_TRY(sf_expect(c, perm[i] >= 0 && perm[i] < n, SF_INPUT(0),
                             "{0} is not between 0 and {1}", SF_INT_ARG(perm[i]), SF_INT_ARG(n)));
            for (int k = 0; k < i; k++) {
                SF_TRY(sf_expect(c, perm[k] != perm[i], SF_INPUT(0),
                                 "{0} is duplicated in the input.", SF_INT_ARG(perm[i])));
            }
        }
    }
    return sf_set_output_shape(c, 0, x);
}

static void fold_invert_permutation(SfInfer *c)
{
    const int64_t *perm;
    int n;
    int64_t count;
    SfElem *out = sf_common_ints(c, 0, &perm, &n) ? sf_fold_begin(c, 0, &count) : NULL;
    for (int i = 0; out && i < n; i++) {
        if (perm[i] < 0 || perm[i] >= n) {
            return;
        }
        out[perm[i]] = sf_elem_int(i);
    }
    sf_fold_set_output(c, 0, out);
}

/* Fill, broadcasting */

static const SfMessage fill_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "value must represent a scalar, got shape {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "dims must represent a vector, got shape {a.shape}"},
    {0}};

/* Fill: dims filled with a scalar. */
static SfStatus infer_fill(SfInfer *c)
{
    const SfShape *out;
    sf_kernel_messages(c, fill_messages);
    /* kernels take a scalar for a vector of one, and one element for a scalar */
    const bool legacy = sf_common_runs(c) && sf_shape_rank(sf_input(c, 0)) == 0;
    if (!legacy) {
        SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    }
    if (!sf_common_runs(c) || sf_shape_rank(sf_input(c, 1)) != 1 ||
        sf_dim_never(sf_input_dim(c, 1, 0), 1)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    }
    if (legacy) {
        return sf_set_output_vector(c, 0, sf_elem_as_dim(sf_common_elem(c, 0, 0)));
    }
    if (!sf_common_runs(c)) {
        SF_TRY(sf_require_ints(c, 0, 0, SF_DIM_MAX, SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                               "Fill dimensions must be >= 0"));
    }
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    return sf_set_output_shape(c, 0, out);
}

static void fold_fill(SfInfer *c)
{
    const SfElem e = sf_common_elem(c, 1, 0);
    if (e.kind != SF_ELEM_UNKNOWN) {
        sf_fold_set_output_value(c, 0, sf_value_fill(sf_output_dtype(c, 0), sf_output(c, 0), e));
    }
}

static int broadcast_to_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_SHAPE_ARG(sf_input(c, 0));
    out[1] = SF_SHAPE_ARG(sf_value_as_shape(sf_input_value(c, 1)));
    return 2;
}

/* A tensor that broadcasts with the shape, but not to it, has a message of its own. */
static bool does_broadcast(SfInfer *c, const SfFinding *f)
{
    SfDiagArg args[SF_MESSAGE_ARGS_MAX];
    broadcast_to_args(c, f, args);
    const SfShape *both = sf_shape_broadcast(args[0].u.shape, args[1].u.shape, NULL);
    return both && !sf_shape_is_bottom(both);
}

static const SfMessage broadcast_to_messages[] = {
    {SF_ON(RANK_EXACT), .text = "shape must be a vector of {int32,int64}, got shape {shape 1}"},
    {SF_ON(RANK_AT_MOST),
     .text = "Rank of input ({1}) must be no greater than rank of output shape ({0})."},
    {SF_ON(DIM_EQUAL), SF_AS(BROADCAST), .since = SF_VERSION(2, 0), .when = does_broadcast,
     .args = broadcast_to_args,
     .text = "Unable to broadcast tensor of shape {0} to tensor of shape {1}"},
    {SF_ON(DIM_EQUAL), SF_AS(BROADCAST), .args = broadcast_to_args},
    {0}};

/* BroadcastTo: dims that are not 1 stay; the shape says the others. */
static SfStatus infer_broadcast_to(SfInfer *c)
{
    const SfShape *out;
    const SfShape *x = sf_input(c, 0);
    sf_kernel_messages(c, broadcast_to_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dims_value(c, SF_INPUT(1), &out));
    if (!sf_shape_is_ranked(out) || !sf_shape_is_ranked(x)) {
        return sf_set_output_shape(c, 0, out);
    }
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), sf_shape_rank(out), NULL));
    for (int i = 1; i <= sf_shape_rank(x); i++) {
        SfDim d = sf_shape_dim(x, -i);
        if (sf_dim_never(d, 1) && (sf_common_runs(c) || sf_dim_never(d, 0))) {
            SF_TRY(sf_want_equal(c, SF_AXIS(0, -i), d, SF_INPUT(1), sf_shape_dim(out, -i), &d));
            out = sf_shape_replace(out, -i, d);
        }
    }
    return sf_set_output_shape(c, 0, out);
}

static void fold_broadcast_to(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfShape *shape = sf_output(c, 0);
    int64_t n;
    int axis;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || sf_shape_broadcast(sf_value_shape(x), shape, &axis) != shape) {
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        out[i] = sf_value_elem(x, sf_fold_broadcast_index(sf_value_shape(x), shape, i));
    }
    sf_fold_set_output(c, 0, out);
}

/* rows */

#define MEASURE(name, ...)                                                                         \
    SF_OP(name, .cost = sf_common_cost_none, .traits = SF_OP_ASK_KERNEL | SF_OP_SHAPE_ONLY,        \
          .folds = SF_FOLDS_ALWAYS, __VA_ARGS__)
#define IDENTITY(name, ...)                                                                        \
    SF_OP(name, .inputs = "input: T", .outputs = "output: T", .infer = infer_identity,             \
          .fold = sf_fold_same, .cost = sf_common_cost_none, __VA_ARGS__)
#define TRANSPOSE(name, ...)                                                                       \
    SF_MOVE(name, .inputs = "x: T, perm: Tperm", .outputs = "y: T",                                \
            .attrs = "T: type, Tperm: " SF_INDEX " = int32", .infer = infer_transpose,             \
            .fold = fold_transpose, __VA_ARGS__)

/* clang-format off */
static const SfOpDef ops[] = {
    IDENTITY(Identity,     .attrs = "T: type",
                .role = SF_ROLE_IDENTITY, .traits = SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    IDENTITY(Snapshot,     .attrs = "T: type", .grad = SF_GRAD_MISSING, .range = sf_range_move),
    IDENTITY(StopGradient, .attrs = "T: type", .grad = SF_GRAD_NONE,
             .role = SF_ROLE_STOP_GRADIENT, .traits = SF_OP_SHAPE_ONLY, .range = sf_range_move),
    IDENTITY(PreventGradient, .attrs = "T: type, message: string = ''", .grad = SF_GRAD_MISSING,
             .traits = SF_OP_SHAPE_ONLY | SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    IDENTITY(IdentityN,    .attrs = "T: list(type) >= 1", .range = sf_range_each),
    IDENTITY(Copy, .grad = SF_GRAD_MISSING,
             .attrs = "T: type, tensor_name: string = '', debug_ops_spec: list(string) = []",
          .range = sf_range_move),
    IDENTITY(CopyHost, .grad = SF_GRAD_MISSING,
             .attrs = "T: type, tensor_name: string = '', debug_ops_spec: list(string) = []",
          .range = sf_range_move),
    SF_OP(RefIdentity, .inputs = "input: Ref(T)", .outputs = "output: Ref(T)", .attrs = "T: type",
          .infer = infer_identity, .fold = sf_fold_same, .cost = sf_common_cost_none,
          .traits = SF_OP_PASSES_GRADIENT),
    SF_MOVE(EnsureShape, .inputs = "input: T", .outputs = "output: T",
            .attrs = "shape: shape, T: type", .infer = infer_ensure_shape, .fold = sf_fold_same,
          .range = sf_range_move),

    MEASURE(Shape, .inputs = "input: T", .outputs = "output: out_type",
          .attrs = "T: type, out_type: " SF_INDEX " = int32", .infer = infer_shape,
          .fold = fold_shape, .grad = SF_GRAD_NONE, .range = sf_range_sizes),
    MEASURE(ShapeN, .inputs = "input: N * T", .outputs = "output: N * out_type",
          .attrs = "N: int >= 1, T: type, out_type: " SF_INDEX " = int32", .infer = infer_shape,
          .fold = fold_shape, .grad = SF_GRAD_NONE, .range = sf_range_sizes),
    MEASURE(Size, .inputs = "input: T", .outputs = "output: out_type",
          .attrs = "T: type, out_type: " SF_INDEX " = int32", .infer = sf_infer_scalar,
          .fold = fold_size, .grad = SF_GRAD_NONE, .range = sf_range_sizes),
    MEASURE(Rank, .inputs = "input: T", .outputs = "output: int32", .attrs = "T: type",
          .infer = sf_infer_scalar, .fold = fold_rank,
          .grad = SF_GRAD_NONE, .range = sf_range_index),

    SF_MOVE(Reshape, .inputs = "tensor: T, shape: Tshape", .outputs = "output: T",
            .attrs = "T: type, Tshape: " SF_INDEX " = int32", .infer = infer_reshape,
            .fold = sf_fold_reshape, .role = SF_ROLE_RESHAPE, SF_PARTS(sf_range_reshape)),
    SF_MOVE(QuantizedReshape,
            .inputs = "tensor: T, shape: Tshape, input_min: float, input_max: float",
            .outputs = "output: T, output_min: float, output_max: float",
            .attrs = "T: type, Tshape: " SF_INDEX " = int32", .infer = infer_quantized_reshape,
            .grad = SF_GRAD_MISSING),
    SF_MOVE(ExpandDims, .inputs = "input: T, dim: Tdim", .outputs = "output: T",
            .attrs = "T: type, Tdim: " SF_INDEX " = int32", .infer = infer_expand_dims,
            .fold = sf_fold_reshape, .role = SF_ROLE_EXPAND_DIMS, SF_RENAMED({"axis", "dim"}),
            SF_PARTS(sf_range_reshape)),
    SF_MOVE(Squeeze, .inputs = "input: T", .outputs = "output: T",
            .attrs = "T: type, squeeze_dims: list(int) >= 0 = []", .infer = infer_squeeze,
            .fold = sf_fold_reshape, .role = SF_ROLE_SQUEEZE,
            SF_RENAMED({"axis", "squeeze_dims"}), SF_PARTS(sf_range_reshape)),
    TRANSPOSE(Transpose, .role = SF_ROLE_TRANSPOSE, SF_PARTS(sf_range_transpose)),
    TRANSPOSE(ConjugateTranspose, .role = SF_ROLE_NONE),
    SF_MOVE(InvertPermutation, .inputs = "x: T", .outputs = "y: T",
            .attrs = "T: " SF_INDEX " = int32", .infer = infer_invert_permutation,
            .fold = fold_invert_permutation, .grad = SF_GRAD_NONE, .range = sf_range_index),

    SF_MOVE(Fill, .inputs = "dims: index_type, value: T", .outputs = "output: T",
            .attrs = "T: type, index_type: " SF_INDEX " = int32", .infer = infer_fill,
            .fold = fold_fill, .folds = SF_FOLDS_WHEN_EXACT_18, .range = sf_range_move_second),
    SF_MOVE(BroadcastTo, .inputs = "input: T, shape: Tidx", .outputs = "output: T",
            .attrs = "T: type, Tidx: " SF_INDEX " = int32", .infer = infer_broadcast_to,
            .fold = fold_broadcast_to, .range = sf_range_move),
};
/* clang-format on */
const SfOpTable sf_ops_array = {ops, SF_ARRAY_LEN(ops), "array"};
