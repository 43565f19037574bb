/* Ops that repeat, pad, reverse and shift what lies along the axes: Tile, Pad, Reverse, Roll. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { MIRROR = 1, MARKED }; /* variant: MirrorPad; Reverse, which is given a mark for each axis */

/* Tile */

static const SfMessage tile_messages[] = {
    {SF_ON(RANK_EXACT), SF_WITH(0),
     .text =
         "Expected multiples argument to be a vector of length {rank 0} but got length {dim 1 0}"},
    {SF_ON(RANK_EXACT), .text = "Expected multiples to be 1-D, but got shape {shape 1}"},
    {0}};

/* Tile: each axis so many times. */
static SfStatus infer_tile(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const SfShape *times;
    sf_kernel_messages(c, tile_messages);
    SF_TRY(sf_want_shape_value(c, SF_INPUT(1), &times));
    const int rank = sf_shape_is_ranked(x) ? sf_shape_rank(x) : sf_shape_rank(times);
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    if (!sf_shape_may_have_rank(times, rank)) {
        return sf_fail(c, SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(0), SF_RANK_ARG(rank),
                       SF_RANK_ARG(sf_shape_rank(times)));
    }
    SfDim dims[SF_RANK_MAX];
    SF_TRY(sf_require_ints(c, 1, sf_common_runs(c) ? 0 : INT64_MIN, SF_DIM_MAX, SF_DIAG_SHAPE_ENTRY,
                           SF_THE_OP, "Expected multiples[{0}] >= 0, but got {1}"));
    for (int i = 0; i < rank; i++) {
        dims[i] = sf_dim_mul(sf_shape_dim(x, i), sf_shape_dim(times, i));
    }
    return sf_set_output_shape(c, 0, sf_shape_make(rank, dims));
}

static void fold_tile(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const int64_t *times;
    int64_t n, to[SF_FOLD_RANK], from[SF_FOLD_RANK];
    int rank;
    SfFoldCopy copy = {.rank = 0};
    SfElem *out = x && sf_common_ints(c, 1, &times, &rank) ? sf_fold_begin(c, 0, &n) : NULL;
    if (!out || !sf_fold_strides(sf_output(c, 0), to) ||
        !sf_fold_strides(sf_value_shape(x), from)) {
        return;
    }
    for (int i = 0; i < rank; i++) { /* each axis is two loops: the copies, and the axis itself */
        const SfDim d = sf_shape_dim(sf_value_shape(x), i);
        const int at = copy.rank;
        copy.count[at] = times[i];
        copy.to_step[at] = to[i] * d;
        copy.from_step[at] = 0;
        copy.count[at + 1] = d;
        copy.to_step[at + 1] = to[i];
        copy.from_step[at + 1] = from[i];
        copy.rank += 2;
    }
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

/* Pad */

/* clang-format off */
#define NO_PAIRS .text = "paddings must be a matrix with 2 columns: {shape 1}"
#define NO_RANK  .text = "The first dimension of paddings must be the rank of inputs{shape 1}"
#define PAD_MESSAGES(comma)                                                                        \
    {SF_ON(RANK_EXACT), SF_OF(1), NO_PAIRS}, {SF_ON(DIM_VALUE), SF_ALONG(1), NO_PAIRS},            \
    {SF_ON(MERGE_DIM), NO_PAIRS}, {SF_ON(RANK_EXACT), NO_RANK comma " {shape 0}"},                 \
    {SF_ON(DIM_VALUE), NO_RANK comma " {shape 0}"}, {0}
static const SfMessage pad_messages[] = {PAD_MESSAGES("")}, mirror_messages[] = {PAD_MESSAGES(",")};
/* clang-format on */

/* The rank that a [rank, 2] argument and the input agree on, or -1. */
static SfStatus want_paddings(SfInfer *c, int *rank)
{
    const SfShape *pads;
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &pads));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 1), 2));
    const SfDim n = sf_shape_dim(pads, 0);
    *rank = sf_shape_rank(sf_input(c, 0));
    if (sf_dim_is_known(n) && n <= SF_RANK_MAX) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), (int)n, NULL));
        *rank = (int)n;
    } else if (*rank >= 0) {
        SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), *rank));
    }
    return SF_OK;
}

static SfStatus fail_negative(SfInfer *c, int64_t before, int64_t after)
{
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_THE_OP,
                        !sf_common_runs(c)           ? "Paddings must be non-negative"
                        : sf_op_variant(c) == MIRROR ? "paddings must be non-negative: {0} {1}"
                                                     : "Paddings must be non-negative: {0} {1}",
                        SF_INT_ARG(before), SF_INT_ARG(after));
}

/* Pad, PadV2, MirrorPad: every axis grows at both ends. */
static SfStatus infer_pad(SfInfer *c)
{
    int rank;
    SfDim dims[SF_RANK_MAX];
    SF_TRY(want_paddings(c, &rank));
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    for (int i = 0; i < rank; i++) {
        const SfElem before = sf_common_elem(c, 1, (int64_t)2 * i);
        const SfElem after = sf_common_elem(c, 1, (int64_t)2 * i + 1);
        if (sf_common_below(before, 0) || sf_common_below(after, 0)) {
            return fail_negative(c, before.u.i, after.u.i);
        }
        /* A symbolic margin counts: [n] padded by 10-n is [10]. */
        dims[i] = sf_dim_add(sf_dim_add(sf_input_dim(c, 0, i), sf_elem_as_dim(before)),
                             sf_elem_as_dim(after));
        dims[i] = dims[i] == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : dims[i];
    }
    SF_TRY(sf_expect(
        c, sf_input_count(c) != 3 || !sf_common_runs(c) || sf_shape_rank(sf_input(c, 2)) <= 0,
        SF_INPUT(2), "constant_values must be a scalar. Found: {a.shape}"));
    return sf_set_output_shape(c, 0, sf_shape_make(rank, dims));
}

static void fold_pad(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfDtype t = sf_output_dtype(c, 0);
    const int64_t *pads;
    int64_t n;
    int count;
    SfFoldCopy copy;
    SfElem *out = x && sf_common_ints(c, 1, &pads, &count) ? sf_fold_begin(c, 0, &n) : NULL;
    SfElem fill = sf_dtype_is_floating(t) ? sf_elem_float(0) : sf_elem_int(0);
    if (!out || t == SF_DT_STRING || sf_dtype_is_complex(t) ||
        !sf_fold_copy_block(&copy, sf_value_shape(x), sf_output(c, 0), sf_value_shape(x))) {
        return;
    }
    if (sf_input_count(c) == 3) {
        fill = sf_common_elem(c, 2, 0);
    }
    for (int64_t i = 0; i < n; i++) {
        out[i] = fill;
    }
    for (int i = 0; i < copy.rank; i++) {
        copy.to += pads[(ptrdiff_t)2 * i] * copy.to_step[i];
    }
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

/* A mirrored margin needs enough entries in the axis `d`; REFLECT leaves out the edge. */
static SfStatus check_mirrored(SfInfer *c, int axis, int64_t before, int64_t after, SfDim d,
                               const char *of)
{
    const int64_t spare = strcmp(sf_attr_string(c, "mode"), "REFLECT") == 0 ? 1 : 0;
    return sf_require_as(
        c, !sf_dim_is_known(d) || (before <= d - spare && after <= d - spare), SF_DIAG_OP_SHAPE,
        SF_INPUT(1), SF_AXIS(0, axis),
        spare ? "paddings must be less than the {3}dimension size: {0}, {1} not less than {2}"
              : "paddings must be no greater than the {3}dimension size: {0}, {1} greater than {2}",
        SF_INT_ARG(before), SF_INT_ARG(after), SF_DIM_ARG(d), SF_TEXT_ARG(of));
}

/* MirrorPad: Pad, of what is there. */
static SfStatus infer_mirror_pad(SfInfer *c)
{
    int64_t before, after;
    SF_TRY(infer_pad(c));
    for (int i = 0; sf_common_runs(c) && i < sf_shape_rank(sf_input(c, 0)); i++) {
        if (sf_common_pair(c, 1, i, &before, &after)) {
            SF_TRY(check_mirrored(c, i, before, after, sf_input_dim(c, 0, i), ""));
        }
    }
    return SF_OK;
}

/* What the kernel says of one axis, `out` wide without its margins. */
static SfStatus check_mirror_grad(SfInfer *c, int axis, int64_t before, int64_t after, SfDim out)
{
    const int64_t both = (int64_t)((uint64_t)before + (uint64_t)after);
    SF_TRY(sf_expect(c, before >= 0 && after >= 0, SF_INPUT(1),
                     "Paddings must be non-negative: {0}, {1}", SF_INT_ARG(before),
                     SF_INT_ARG(after)));
    SF_TRY(sf_require_as(
        c, out != SF_DIM_BOTTOM && out != 0, SF_DIAG_NEGATIVE_DIM, SF_AXIS(0, axis), SF_INPUT(1),
        "Total paddings must be less than the input dimension size: {0} was not less than {a.dim}",
        SF_INT_ARG(both)));
    return check_mirrored(c, axis, before, after, out, "output ");
}

/* MirrorPadGrad: without the margins. */
static SfStatus infer_mirror_pad_grad(SfInfer *c)
{
    const SfShape *pads;
    const bool runs = sf_common_runs(c);
    SfDim dims[SF_RANK_MAX];
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &pads));
    const SfDim n = sf_shape_dim(pads, 0);
    int rank = sf_shape_rank(sf_input(c, 0));
    if (sf_dim_is_known(n) && n <= SF_RANK_MAX) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), (int)n, NULL));
        SF_TRY(sf_want_merge(c, SF_INPUT(1), pads, SF_INPUT(1), sf_shape_matrix(n, 2), NULL));
        rank = (int)n;
    }
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_input_dim(c, 0, i);
        int64_t before, after;
        dims[i] = SF_DIM_UNKNOWN;
        if (!sf_common_pair(c, 1, i, &before, &after)) {
            continue;
        }
        if (!runs && (before < 0 || after < 0)) {
            return fail_negative(c, before, after);
        }
        const SfDim both = before < 0 || after < 0 ? SF_DIM_UNKNOWN : sf_dim_add(before, after);
        dims[i] = sf_dim_sub(d, both);
        SF_TRY(runs ? check_mirror_grad(c, i, before, after, dims[i]) : SF_OK);
        if (dims[i] == SF_DIM_BOTTOM) {
            return sf_fail(c, SF_DIAG_NEGATIVE_DIM, SF_AXIS(0, i), SF_INPUT(1), SF_DIM_ARG(both),
                           SF_DIM_ARG(d));
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(rank, dims));
}

/* Reverse, Roll */

static const SfMessage reverse_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "'dims' must be 1-dimension, not {1}"},
    {SF_ON(RANK_EXACT), .text = "'dims' must have the same number of values as 'input' has "
                                "dimensions. 'input' has {1}'dims' has {0} values"},
    {0}};

/* Reverse: a flag for each axis. */
static SfStatus infer_reverse(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const SfShape *flags;
    if (sf_common_runs(c) && sf_shape_rank(x) <= 0) {
        return sf_set_output_same(c, 0, 0); /* for a scalar the kernel ignores the axes */
    }
    sf_kernel_messages(c, reverse_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &flags));
    const SfDim n = sf_shape_dim(flags, 0);
    if (sf_dim_is_known(n) && n <= SF_RANK_MAX) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), (int)n, &x));
    }
    SF_TRY(sf_expect(c, sf_shape_rank(x) <= 8, SF_INPUT(0),
                     "reverse does not work on tensors with more than 8 dimensions"));
    SF_TRY(sf_expect(c,
                     !sf_common_runs(c) || sf_version(c) < SF_VERSION(2, 0) ||
                         sf_shape_rank(x) <= 0 || sf_shape_dim(x, 0) != 0,
                     SF_AXIS(0, 0), "Invalid input first dimension. Found 0."));
    return sf_set_output_shape(c, 0, x);
}

/* ReverseV2: the axes by number, each once. */
static SfStatus infer_reverse_v2(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    bool seen[SF_RANK_MAX] = {false};
    const SfDim count = sf_shape_count(sf_input(c, 0));
    if (sf_common_runs(c) && (rank <= 0 || count == 0 || !sf_dim_is_known(count))) {
        /* for a scalar or an empty tensor it ignores the axes */
        return sf_set_output_same(c, 0, 0);
    }
    sf_kernel_messages(c, reverse_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    sf_kernel_messages(c, NULL);
    SF_TRY(sf_expect(c, rank <= 8, SF_INPUT(0),
                     "reverse does not work on tensors with more than 8 dimensions"));
    for (int64_t i = 0; rank >= 0 && i < sf_common_elems(c, 1); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        if (e.kind != SF_ELEM_INT) {
            continue;
        }
        const int64_t axis = e.u.i < 0 ? e.u.i + rank : e.u.i;
        SF_TRY(sf_require_as(c, axis >= 0 && axis < rank, SF_DIAG_AXIS_RANGE, SF_INPUT(1),
                             SF_INPUT(0), "'axis'[{0}] = {1} is out of valid range [0, {2}",
                             SF_INT_ARG(i), SF_INT_ARG(e.u.i), SF_INT_ARG(rank - 1)));
        SF_TRY(sf_expect(c, !seen[axis], SF_INPUT(1), "axis {0} specified more than once.",
                         SF_INT_ARG(axis)));
        seen[axis] = true;
    }
    return sf_set_output_same(c, 0, 0);
}

/* Both: the marked axes run backwards. */
static void fold_reverse(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const bool flags = sf_op_variant(c) == MARKED;
    const int64_t *axes;
    int64_t n;
    int count;
    SfFoldCopy copy;
    const SfShape *shape = sf_output(c, 0);
    SfElem *out = x && sf_common_ints(c, 1, &axes, &count) ? sf_fold_begin(c, 0, &n) : NULL;
    if (!out || !sf_fold_copy_block(&copy, shape, shape, shape)) {
        return;
    }
    if (copy.rank == 0) { /* for a scalar kernels ignore the axes */
        count = 0;
    }
    for (int i = 0; i < count; i++) {
        const int64_t axis = flags ? i : axes[i] < 0 ? axes[i] + copy.rank : axes[i];
        if (axis < 0 || axis >= copy.rank) {
            return; /* for an empty tensor kernels ignore the axes, too */
        }
        if (flags && axes[i] == 0) {
            continue;
        }
        copy.from += copy.from_step[axis] * (copy.count[axis] - 1);
        copy.from_step[axis] = -copy.from_step[axis];
    }
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

static const SfMessage reverse_sequence_messages[] = {
    {SF_ON(RANK_EXACT), .text = "seq_lengths must be 1-dim, not {1}"},
    {SF_ON(DIM_EQUAL), .text = "Length of seq_lengths != input.dims({a.axis}), ({1} vs. {0})"},
    {0}};

static SfStatus check_sequence_axis(SfInfer *c, const char *attr)
{
    return sf_require_as(c, sf_attr_int(c, attr) < sf_shape_rank(sf_input(c, 0)),
                         SF_DIAG_AXIS_RANGE, SF_ATTR(attr), SF_INPUT(0),
                         sf_common_runs(c) ? "{a.name} must be < input rank ( {0} vs. {b.rank})"
                                           : "{a.name} must be < input rank: {0} vs. {b.rank}",
                         SF_INT_ARG(sf_attr_int(c, attr)));
}

/* ReverseSequence: along seq_dim, so many of each batch entry. */
static SfStatus infer_reverse_sequence(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int64_t batch = sf_attr_int(c, "batch_dim");
    const int64_t seq = sf_attr_int(c, "seq_dim");
    const int rank = sf_shape_rank(x);
    const bool runs = sf_common_runs(c);
    SfDim d;
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_require_as(c, batch >= 0 || (!runs && rank < 0), SF_DIAG_AXIS_RANGE,
                         SF_ATTR("batch_dim"), SF_THE_OP,
                         runs ? "Invalid batch_dim {attr batch_dim}"
                              : "batch_dim must be >=0, got {attr batch_dim}"));
    SF_TRY(sf_require_as(c, !runs || seq >= 0, SF_DIAG_AXIS_RANGE, SF_ATTR("seq_dim"), SF_THE_OP,
                         "Invalid seq_dim {attr seq_dim}"));
    SF_TRY(sf_require_as(c, !runs || seq != batch, SF_DIAG_OP_SHAPE, SF_ATTR("seq_dim"),
                         SF_ATTR("batch_dim"), "batch_dim == seq_dim == {attr seq_dim}"));
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(check_sequence_axis(c, "batch_dim"));
    SF_TRY(check_sequence_axis(c, "seq_dim"));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, (int)batch), sf_shape_dim(x, (int)batch), SF_AXIS(1, 0),
                         sf_input_dim(c, 1, 0), &d));
    for (int64_t i = 0; runs && i < sf_common_elems(c, 1); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        const SfDim most = sf_shape_dim(x, (int)seq);
        SF_TRY(
            sf_expect(c, !sf_common_below(e, 0), SF_INPUT(1), "seq_lens({0}) < 0", SF_INT_ARG(i)));
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || !sf_dim_is_known(most) || e.u.i <= most,
                             SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_AXIS(0, (int)seq),
                             "seq_lens({0}) > input.dims({1})", SF_INT_ARG(i), SF_INT_ARG(seq)));
    }
    return sf_set_output_shape(c, 0, sf_shape_replace(x, (int)batch, d));
}

static const SfMessage roll_messages[] = {
    {SF_ON(RANK_AT_MOST), .text = "{a.name} must be a scalar or a 1-D vector. Found: {a.shape}"},
    {SF_ON_MERGE, .text = "shift and axis must have the same size"},
    {0}};

/* Roll: shifts go with axes one to one. */
static SfStatus infer_roll(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    const int64_t *axes;
    int n;
    sf_kernel_messages(c, roll_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(2), 1, NULL));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), sf_input(c, 1), SF_INPUT(2), sf_input(c, 2), NULL));
    if (sf_common_runs(c) && rank >= 0 && sf_common_ints(c, 2, &axes, &n)) {
        for (int i = 0; i < n; i++) {
            SF_TRY(sf_require_as(c, axes[i] >= -rank && axes[i] < rank, SF_DIAG_AXIS_RANGE,
                                 SF_INPUT(2), SF_INPUT(0), "axis {0} is out of range",
                                 SF_INT_ARG(axes[i] < 0 ? axes[i] + rank : axes[i])));
        }
    }
    return sf_set_output_same(c, 0, 0);
}

/* rows */

#define PADS "T: type, Tpaddings: " SF_INDEX " = int32"
#define MODE "mode: {'REFLECT', 'SYMMETRIC'}"
#define REVERSIBLE                                                                                 \
    "{uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, "     \
    "double, complex64, complex128, string}"
#define REVERSIBLE_V2                                                                              \
    "{uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, "     \
    "double, complex64, complex128, string}"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(Tile, .inputs = "input: T, multiples: Tmultiples", .outputs = "output: T",
            .attrs = "T: type, Tmultiples: " SF_INDEX " = int32", .infer = infer_tile,
            .fold = fold_tile, .range = sf_range_move),
    SF_MOVE(Pad, .inputs = "input: T, paddings: Tpaddings", .outputs = "output: T", .attrs = PADS,
            .infer = infer_pad, .messages = pad_messages, .fold = fold_pad,
            .role = SF_ROLE_LENGTHEN, .range = sf_range_or_zero),
    SF_MOVE(PadV2, .inputs = "input: T, paddings: Tpaddings, constant_values: T",
            .outputs = "output: T", .attrs = PADS, .infer = infer_pad, .messages = pad_messages,
            .fold = fold_pad, .grad = SF_GRAD_INPUTS(1), .role = SF_ROLE_LENGTHEN,
          .range = sf_range_move_all),
    SF_MOVE(MirrorPad, .inputs = "input: T, paddings: Tpaddings", .outputs = "output: T",
            .attrs = PADS ", " MODE, .infer = infer_mirror_pad, .messages = mirror_messages,
            .role = SF_ROLE_LENGTHEN, .variant = MIRROR, .range = sf_range_move),
    SF_MOVE(MirrorPadGrad, .inputs = "input: T, paddings: Tpaddings", .outputs = "output: T",
            .attrs = PADS ", " MODE, .infer = infer_mirror_pad_grad, .messages = pad_messages),
    SF_MOVE(Reverse, .inputs = "tensor: T, dims: bool", .outputs = "output: T",
            .attrs = "T: " REVERSIBLE, .infer = infer_reverse, .fold = fold_reverse,
            .variant = MARKED, .range = sf_range_move),
    SF_MOVE(ReverseV2, .inputs = "tensor: T, axis: Tidx", .outputs = "output: T",
            .attrs = "Tidx: " SF_INDEX " = int32, T: " REVERSIBLE_V2, .infer = infer_reverse_v2,
            .fold = fold_reverse, .range = sf_range_move),
    SF_MOVE(ReverseSequence, .inputs = "input: T, seq_lengths: Tlen", .outputs = "output: T",
            .attrs = "seq_dim: int, batch_dim: int = 0, T: type, Tlen: " SF_INDEX " = int64",
            .infer = infer_reverse_sequence, .messages = reverse_sequence_messages,
          .range = sf_range_move),
    SF_MOVE(Roll, .inputs = "input: T, shift: Tshift, axis: Taxis", .outputs = "output: T",
            .attrs = "T: type, Tshift: " SF_INDEX ", Taxis: " SF_INDEX, .infer = infer_roll,
          .range = sf_range_move),
};
/* clang-format on */
const SfOpTable sf_ops_array_layout = {ops, SF_ARRAY_LEN(ops), "array_layout"};
