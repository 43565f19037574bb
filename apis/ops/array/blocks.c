/* Ops that rearrange blocks of neighbours: SpaceToDepth, SpaceToBatch, the patches, and back. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/shared/window.h"

/* Variant: to depth or to batch, not back. That of patches is their number of spatial axes. */
enum { FROM_SPACE = 1 };

/* SpaceToDepth, DepthToSpace */

/* d / by, or the finding that it leaves a rest. */
static SfStatus want_divided(SfInfer *c, SfPlace place, SfDim d, int64_t by, SfDim *out)
{
    *out = sf_dim_div_exact(d, by);
    return *out == SF_DIM_BOTTOM
               ? sf_fail(c, SF_DIAG_RESHAPE_DIVIDE, place, SF_THE_OP, SF_INT_ARG(by), SF_DIM_ARG(d))
               : SF_OK;
}

static bool is_depth(SfInfer *c, const SfFinding *f)
{
    return f->a.axis == sf_layout_of(c, 2).channel;
}

static int image_sizes(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const SfLayout l = sf_layout_of(c, 2);
    out[0] = SF_DIM_ARG(sf_input_dim(c, 0, l.spatial[1]));
    out[1] = SF_DIM_ARG(sf_input_dim(c, 0, l.spatial[0]));
    return 2;
}

static const SfMessage blocks_messages[] = {
    {SF_ON(RANK_EXACT), .before = SF_VERSION(2, 0),
     .text = "Input rank should be {0} instead of {1}"},
    {SF_ON(RANK_EXACT), .text = "Input rank should be: {0} instead of: {1}"},
    {SF_ON(RESHAPE_DIVIDE), .when = is_depth,
     .text = "Input depth dimension {1} should be divisible by: {0}"},
    {.args = image_sizes,
     .text = "Image width {0} and height {1} should be divisible by block_size: {attr block_size}"},
    {0}};

/* SpaceToDepth: blocks of pixels become channels; DepthToSpace: and back. */
static SfStatus infer_blocks(SfInfer *c)
{
    const bool to_depth = sf_op_variant(c) == FROM_SPACE;
    const SfLayout l = sf_layout_of(c, 2);
    const int64_t block = sf_attr_int(c, "block_size");
    const SfShape *x;
    sf_kernel_messages(c, blocks_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), l.rank, &x));
    const SfShape *out = x;
    for (int i = 0; i < 3; i++) {
        const bool is_channel = i == 2;
        const int axis = is_channel ? l.channel : l.spatial[i];
        const SfDim factor = is_channel ? sf_dim_mul(block, block) : block;
        SfDim d = sf_shape_dim(x, axis);
        if (!sf_dim_is_known(factor)) { /* past int64 */
            d = SF_DIM_UNKNOWN;
        } else if (is_channel == to_depth) {
            d = sf_dim_mul(d, factor);
        } else {
            SF_TRY(want_divided(c, SF_AXIS(0, axis), d, factor, &d));
        }
        out = sf_shape_replace(out, axis, d == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : d);
    }
    return sf_set_output_shape(c, 0, out);
}

/* SpaceToBatch, BatchToSpace */

/* Where the block sizes are: an input (ND), or an attr for two axes. */
typedef struct Blocks {
    bool to_batch;
    int input;   /* of block_shape, or -1 */
    int margins; /* the input of paddings or crops */
    int64_t n;   /* how many axes */
} Blocks;

static SfElem block_size(SfInfer *c, const Blocks *b, int64_t i)
{
    return b->input < 0 ? sf_elem_int(sf_attr_int(c, "block_size"))
                        : sf_common_elem(c, b->input, i);
}

/* The blocks that the batch must hold; past int64 TensorFlow's product wraps as well. */
static int block_product(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const bool attr = sf_input_count(c) == 2;
    const uint64_t size = attr ? (uint64_t)sf_attr_int(c, "block_size") : 1;
    uint64_t product = size * size;
    const int64_t *sizes;
    int n;
    if (!attr && sf_common_ints(c, 1, &sizes, &n)) {
        for (int i = 0; i < n; i++) {
            product *= (uint64_t)sizes[i];
        }
    }
    out[0] = SF_INT_ARG((int64_t)product);
    return 1;
}

static const SfMessage batch_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "input rank should be >= {0} instead of {1}"},
    {SF_ON_MERGE, SF_OF(1), .text = "{a.name} should have shape [2, 2] instead of {a.shape}"},
    {SF_ON_MERGE, .text = "{a.name} should have shape [{count 1}, 2] instead of {a.shape}"},
    {SF_ON(RESHAPE_DIVIDE), SF_ALONG(0), .args = block_product,
     .text = "Input batch dimension ({dim 0 0}) is not divisible by product of block sizes ({0})"},
    {0}};

static SfStatus want_blocks(SfInfer *c, Blocks *b)
{
    b->to_batch = sf_op_variant(c) == FROM_SPACE;
    b->input = sf_input_count(c) == 3 ? 1 : -1;
    b->margins = sf_input_count(c) - 1;
    b->n = 2;
    if (b->input >= 0) {
        const SfShape *s = sf_input(c, 1);
        SF_TRY(sf_expect(c, sf_shape_may_have_rank(s, 1), SF_INPUT(1),
                         sf_common_runs(c) ? "block_shape rank should be 1 instead of {a.rank}"
                                           : "block_shape must have rank 1."));
        b->n = sf_common_length(s); /* TensorFlow refuses an unknown length; we wait for the run */
    } else {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, NULL));
    }
    if (b->n < 0 || b->n >= SF_RANK_MAX) {
        b->n = -1;
        return SF_OK;
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), (int)b->n + 1, NULL));
    SF_TRY(sf_want_merge(c, SF_INPUT(b->margins), sf_input(c, b->margins), SF_INPUT(b->margins),
                         sf_shape_matrix(b->n, 2), NULL));
    return SF_OK;
}

/* One spatial axis. */
static SfStatus block_axis(SfInfer *c, const Blocks *b, int64_t i, SfDim *out)
{
    const SfPlace place = SF_AXIS(0, (int)i + 1);
    const SfElem block = block_size(c, b, i);
    const SfDim d = sf_input_dim(c, 0, (int)i + 1);
    int64_t before;
    int64_t after;
    *out = SF_DIM_UNKNOWN;
    SF_TRY(
        sf_expect(c, !sf_common_below(block, 1), SF_INPUT(b->input),
                  sf_common_runs(c) && b->to_batch
                      ? "All values in block_shape must be positive, got value, {0} at index {1}."
                      : "block_shape must be positive",
                  SF_INT_ARG(block.u.i), SF_INT_ARG(i)));
    if (!sf_common_pair(c, b->margins, i, &before, &after)) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, before >= 0 && after >= 0, SF_INPUT(b->margins),
                     !sf_common_runs(c) ? "{a.name} cannot be negative"
                     : b->to_batch      ? "Paddings must be non-negative"
                                        : "Crops must be non-negative"));
    if (block.kind != SF_ELEM_INT) {
        return SF_OK;
    }
    if (b->to_batch) {
        const SfDim padded = sf_dim_add(sf_dim_add(d, before), after);
        *out = sf_dim_div_exact(padded, block.u.i);
        SF_TRY(sf_require_as(c, *out != SF_DIM_BOTTOM || !sf_common_runs(c), SF_DIAG_RESHAPE_DIVIDE,
                             place, SF_THE_OP,
                             "padded_shape[{0}]={1} is not divisible by block_shape[{0}]={2}",
                             SF_INT_ARG(i), SF_DIM_ARG(padded), SF_INT_ARG(block.u.i)));
        return want_divided(c, place, padded, block.u.i, out);
    }
    const SfDim grown = sf_dim_mul(d, block.u.i);
    const SfDim front = sf_dim_sub(grown, before);
    *out = sf_dim_sub(front, after);
    if (*out == SF_DIM_BOTTOM && grown != SF_DIM_BOTTOM) {
        SF_TRY(sf_require_as(c, !sf_common_runs(c) || !sf_dim_is_known(grown), SF_DIAG_NEGATIVE_DIM,
                             place, SF_INPUT(b->margins),
                             "cropped_shape[{0}]={1} must be non-negative", SF_INT_ARG(i),
                             SF_INT_ARG((int64_t)(grown - before - after))));
        return sf_fail(c, SF_DIAG_NEGATIVE_DIM, place, SF_INPUT(b->margins),
                       SF_INT_ARG(front == SF_DIM_BOTTOM ? before : after),
                       SF_DIM_ARG(front == SF_DIM_BOTTOM ? grown : front));
    }
    return SF_OK;
}

/* SpaceToBatch(ND), BatchToSpace(ND): blocks move between the batch and the axes after it. */
static SfStatus infer_batch_blocks(SfInfer *c)
{
    Blocks b;
    SfDim dims[SF_RANK_MAX];
    const SfShape *x = sf_input(c, 0);
    sf_kernel_messages(c, batch_messages);
    SF_TRY(want_blocks(c, &b));
    if (b.n < 0) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(sf_shape_rank(x)));
    }
    SfDim batch = sf_shape_dim(x, 0);
    for (int64_t i = 0; i < b.n; i++) {
        const SfElem block = block_size(c, &b, i);
        if (block.kind != SF_ELEM_INT || block.u.i < 1) {
            batch = SF_DIM_UNKNOWN;
        } else if (b.to_batch) {
            batch = sf_dim_mul(batch, block.u.i);
        } else {
            SF_TRY(want_divided(c, SF_AXIS(0, 0), batch, block.u.i, &batch));
        }
    }
    dims[0] = batch == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : batch;
    for (int64_t i = 0; i < b.n; i++) {
        SF_TRY(block_axis(c, &b, i, &dims[i + 1]));
    }
    const int known = (int)b.n + 1;
    const SfShape *rest = sf_shape_is_ranked(x) ? sf_shape_slice(x, known, sf_shape_rank(x))
                          : b.input < 0         ? sf_shape_vector(SF_DIM_UNKNOWN)
                                                : sf_shape_unknown();
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_shape_make(known, dims), rest));
}

/* patches */

static const SfMessage patches_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be {0}-dimensional{a.shape}"}, {0}};

typedef struct {
    int spatial;
    const int64_t *sizes, *strides, *rates;
} Patches;

/* Kernels only move windows along spatial axes. */
static SfStatus patches_across_space(SfInfer *c, const void *data)
{
    static const char *const names[] = {"ksizes", "strides", "rates"};
    const Patches *p = data;
    const int64_t *const attrs[] = {p->sizes, p->strides, p->rates};
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_require_as(c, !attrs[i] || (attrs[i][0] == 1 && attrs[i][p->spatial + 1] == 1),
                             SF_DIAG_NOT_IMPLEMENTED, SF_ATTR(names[i]), SF_THE_OP,
                             "Only support {0} across space.", SF_TEXT_ARG(names[i])));
    }
    return SF_OK;
}

/* Kernels read only the first entries of each attr. */
static SfStatus patches_attr(SfInfer *c, const char *name, int rank, const int64_t **items)
{
    return sf_in_kernel(c) && sf_attr_ints(c, name, items) >= rank
               ? SF_OK
               : sf_window_attr(c, name, (SfWindowText){sf_op_type(c), name, false}, rank, items);
}

/* ExtractImagePatches, ExtractVolumePatches: what a window sees becomes the last axis. */
static SfStatus infer_patches(SfInfer *c)
{
    const int spatial = sf_op_variant(c);
    const int64_t *sizes;
    const int64_t *strides;
    const int64_t *rates = NULL;
    const SfShape *x;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), spatial + 2, &x));
    SF_TRY(patches_attr(c, "ksizes", spatial + 2, &sizes));
    SF_TRY(patches_attr(c, "strides", spatial + 2, &strides));
    if (spatial == 2) {
        SF_TRY(patches_attr(c, "rates", spatial + 2, &rates));
    }
    const Patches given = {spatial, sizes, strides, rates};
    SF_TRY(sf_kernel_check(c, patches_across_space, &given));
    SfDim dims[5] = {sf_shape_dim(x, 0)};
    SfDim depth = sf_shape_dim(x, spatial + 1);
    int64_t cells = 1;
    for (int i = 1; i <= spatial; i++) {
        cells = (int32_t)((uint64_t)cells * (uint64_t)sizes[i]); /* TensorFlow's int */
    }
    const bool past = cells < 0 ? depth > 0 : sf_dim_mul(depth, cells) == SF_DIM_BOTTOM;
    SF_TRY(sf_require_as(c, !past || !sf_dim_is_known(depth) || sf_in_kernel(c), SF_DIAG_OP_SHAPE,
                         SF_AXIS(0, spatial + 1), SF_ATTR("ksizes"),
                         "Negative dimension size caused by overflow when multiplying {0} and {1}",
                         SF_DIM_ARG(depth), SF_INT_ARG(cells)));
    bool looks = true; /* the shape function does at all sizes, or at no window */
    for (int i = 1; i <= spatial && sf_phase(c) == SF_PHASE_BUILD && !sf_in_kernel(c); i++) {
        looks = looks && sf_dim_is_known(sf_shape_dim(x, i));
    }
    for (int i = 1; i <= spatial; i++) {
        if (!looks && strides[i] <= 0) {
            dims[i] = SF_DIM_UNKNOWN;
            depth = sf_dim_mul(depth, sizes[i]);
            continue;
        }
        const SfWindow w = {.in = SF_AXIS(0, i),
                            .filter = SF_ATTR("ksizes"),
                            .input = sf_shape_dim(x, i),
                            .size = sizes[i],
                            .stride = strides[i],
                            .dilation = !rates ? 1 : rates[i],
                            .padding = sf_padding_of(c),
                            .as_kernel = true};
        SF_TRY(sf_window_output(c, &w, &dims[i]));
        depth = sf_dim_mul(depth, sizes[i]);
    }
    dims[spatial + 1] = depth;
    return sf_set_output_dims(c, 0, spatial + 2, dims);
}

/* rows */

#define PADS         "T: type, Tpaddings: " SF_INDEX " = int32"
#define BLOCK_LAYOUT "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
#define PATCHABLE                                                                                  \
    "{bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "   \
    "complex64, complex128, bool}"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(SpaceToDepth, .inputs = "input: T", .outputs = "output: T",
            .attrs = "T: type, block_size: int >= 2, " BLOCK_LAYOUT, .infer = infer_blocks,
            .variant = FROM_SPACE, .range = sf_range_move),
    SF_MOVE(DepthToSpace, .inputs = "input: T", .outputs = "output: T",
            .attrs = "T: type, block_size: int >= 2, " BLOCK_LAYOUT, .infer = infer_blocks,
          .range = sf_range_move),
    SF_MOVE(SpaceToBatch, .inputs = "input: T, paddings: Tpaddings", .outputs = "output: T",
            .attrs = PADS ", block_size: int >= 2", .infer = infer_batch_blocks,
            .variant = FROM_SPACE, .range = sf_range_or_zero),
    SF_MOVE(SpaceToBatchND, .inputs = "input: T, block_shape: Tblock_shape, paddings: Tpaddings",
            .outputs = "output: T",
            .attrs = "T: type, Tblock_shape: " SF_INDEX " = int32, Tpaddings: " SF_INDEX " = int32",
            .infer = infer_batch_blocks, .variant = FROM_SPACE, .range = sf_range_or_zero),
    SF_MOVE(BatchToSpace, .inputs = "input: T, crops: Tidx", .outputs = "output: T",
            .attrs = "T: type, block_size: int >= 2, Tidx: " SF_INDEX " = int32",
            .infer = infer_batch_blocks, .range = sf_range_move),
    SF_MOVE(BatchToSpaceND, .inputs = "input: T, block_shape: Tblock_shape, crops: Tcrops",
            .outputs = "output: T",
            .attrs = "T: type, Tblock_shape: " SF_INDEX " = int32, Tcrops: " SF_INDEX " = int32",
            .infer = infer_batch_blocks, .range = sf_range_move),
    SF_MOVE(ExtractImagePatches, .inputs = "images: T", .outputs = "patches: T",
            .attrs = "ksizes: list(int) >= 4, strides: list(int) >= 4, rates: list(int) >= 4, "
                     "T: " PATCHABLE ", padding: {'SAME', 'VALID'}",
            .infer = infer_patches, .messages = patches_messages, .variant = 2,
          .range = sf_range_or_zero),
    SF_MOVE(ExtractVolumePatches, .inputs = "input: T", .outputs = "patches: T",
            .attrs = "ksizes: list(int) >= 5, strides: list(int) >= 5, T: " SF_REALTYPE
                     ", padding: {'SAME', 'VALID'}",
            .infer = infer_patches, .messages = patches_messages, .variant = 3),
};
/* clang-format on */
const SfOpTable sf_ops_array_blocks = {ops, SF_ARRAY_LEN(ops), "array_blocks"};
