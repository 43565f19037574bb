/* Normalisations and softmax. Source: nn_ops.cc and the checks of its kernels (batch norm of 2.x
 * refuses what 1.x read past the end of). */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/shared/window.h"

#define SF_1_9 SF_VERSION(1, 9)
#define SF_2_0 SF_VERSION(2, 0)

enum { LOGARITHM = 1 }; /* variant: LogSoftmax */

/* batch normalisation */

static bool is_training(SfInfer *c, const SfFinding *f)
{
    return sf_attr_bool(c, "is_training");
}

/* clang-format off */
#define X_MESSAGES(i)                                                                              \
    {SF_ON(RANK_EXACT), SF_OF(i), .since = SF_2_0,                                                 \
     .text = "input must be 4 or 5-dimensional{a.shape}"},                                         \
    {SF_ON(RANK_EXACT), SF_OF(i), .text = "input must be 4-dimensional{a.shape}"}
#define VECTOR_MESSAGE(i, name)                                                                    \
    {SF_ON(RANK_EXACT), SF_OF(i), .text = name " must be 1-dimensional{a.shape}"}
#define COUNT_MESSAGE(i, name)                                                                     \
    {SF_ON(DIM_EQUAL), SF_WITH(i), .known = true,                                                  \
     .text = name " must have the same number of elements as the channels of x, got {1} and {0}"}
#define ESTIMATE_MESSAGES(i, name)                                                                 \
    VECTOR_MESSAGE(i, "estimated_" name),                                                          \
    {SF_ON(DIM_EQUAL), SF_WITH(i), .known = true, .when = is_training,                             \
     .text = "When exponential_avg_factor != 1, " name                                             \
             " must have the same number of elements as the channels of x, got {1} and {0}"},      \
    COUNT_MESSAGE(i, "When is_training=false, " name)
static const SfMessage batch_norm_messages[] = {
    X_MESSAGES(0), VECTOR_MESSAGE(1, "scale"), VECTOR_MESSAGE(2, "offset"),
    COUNT_MESSAGE(1, "scale"), COUNT_MESSAGE(2, "offset"),
    ESTIMATE_MESSAGES(3, "mean"), ESTIMATE_MESSAGES(4, "variance"), {0}};
/* clang-format on */

static int batch_norm_spatial(const SfInfer *c)
{
    return sf_attr_string(c, "data_format")[4] ? 3 : 2;
}

/* Kernels of 2.x take the rank from their inputs: here from the first of `n` inputs whose rank
 * is known. When none is known either rank fits. */
static SfLayout batch_norm_layout(SfInfer *c, int n, bool *open)
{
    int rank = -1;
    for (int i = 0; i < n && rank < 0; i++) {
        rank = sf_shape_rank(sf_input(c, i));
    }
    const bool runs = sf_common_runs(c) && sf_version(c) >= SF_2_0;
    *open = runs && rank < 0;
    return sf_layout_of(c, runs && (rank == 4 || rank == 5) ? rank - 2 : batch_norm_spatial(c));
}

static SfStatus want_batch_norm_rank(SfInfer *c, int i, int rank, bool open, const SfShape **out)
{
    *out = sf_shape_unknown();
    return open ? SF_OK : sf_want_rank(c, SF_INPUT(i), rank, out);
}

/* Kernels of 1.x take no estimates while training; later ones take vectors of any length. */
static SfStatus batch_norm_kernel(SfInfer *c)
{
    for (int i = 3; i <= 4 && sf_version(c) >= SF_2_0; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, NULL));
    }
    for (int i = 3; i <= 4 && sf_attr_bool(c, "is_training") && sf_version(c) < SF_2_0; i++) {
        const SfDim n = sf_shape_count(sf_input(c, i));
        SF_TRY(sf_require_as(c, !sf_dim_differs(n, 0), SF_DIAG_RUN_REFUSED, SF_INPUT(i),
                             SF_ATTR("is_training"),
                             i == 3 ? "estimated_mean must be empty for training{a.shape}"
                                    : "estimated_variance must be empty for training{a.shape}"));
    }
    return SF_OK;
}

/* FusedBatchNorm: x[..., c] and four vectors of c; while training mean and variance may be empty.
 * Kernels before 2.0 do not compare the vectors with x, and give statistics as long as scale. */
static SfStatus infer_batch_norm(SfInfer *c)
{
    bool open;
    const SfLayout l = batch_norm_layout(c, 1, &open);
    const bool averages =
        sf_version(c) >= SF_2_0 && sf_attr_float(c, "exponential_avg_factor") != 1;
    const int vectors = sf_attr_bool(c, "is_training") && !averages ? 2 : 4;
    const bool compare = sf_phase(c) == SF_PHASE_BUILD || sf_version(c) >= SF_2_0;
    const SfShape *x, *v;
    sf_kernel_messages(c, batch_norm_messages);
    SF_TRY(want_batch_norm_rank(c, 0, l.rank, open, &x));
    SfDim channels = sf_shape_dim(x, l.channel);
    for (int i = 1; i <= vectors; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &v));
        if (compare) {
            SF_TRY(sf_want_equal(c, SF_AXIS(0, l.channel), channels, SF_AXIS(i, 0),
                                 sf_shape_dim(v, 0), &channels));
        }
    }
    SF_TRY(sf_ask_kernel(c, batch_norm_kernel));
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_replace(x, l.channel, channels)));
    /* V3's reserve_space_3 stays unknown */
    return sf_common_set_output_vectors(c, 1, 5, compare ? channels : sf_input_dim(c, 1, 0));
}

/* clang-format off */
static const SfMessage batch_norm_grad_messages[] = {
    X_MESSAGES(0), X_MESSAGES(1), VECTOR_MESSAGE(2, "scale"), VECTOR_MESSAGE(3, "saved mean"),
    VECTOR_MESSAGE(4, "saved variance"),
    {SF_ON(DIM_EQUAL), SF_WITH(1), .known = true,
     .text = "x and y_backprop must have same shape, but x has shape {shape 1} and y_backprop has "
             "shape {shape 0}"},
    COUNT_MESSAGE(2, "scale"), COUNT_MESSAGE(3, "reserve_space_1"),
    COUNT_MESSAGE(4, "reserve_space_2"), {0}};
/* clang-format on */

static SfStatus batch_norm_grad_kernel(SfInfer *c)
{
    const SfShape *dy = sf_input(c, 0), *x = sf_input(c, 1);
    return sf_require_as(
        c, sf_version(c) < SF_2_0 || sf_shape_compatible(dy, x), SF_DIAG_RUN_REFUSED, SF_INPUT(1),
        SF_INPUT(0),
        "x and y_backprop must have same shape, but x has shape {a.shape} and y_backprop has shape "
        "{b.shape}");
}

/* FusedBatchNormGrad: y_backprop and x of one depth, and vectors of it. */
static SfStatus infer_batch_norm_grad(SfInfer *c)
{
    bool open;
    const SfLayout l = batch_norm_layout(c, 2, &open);
    const bool training = sf_attr_bool(c, "is_training") || sf_version(c) >= SF_2_0;
    const SfShape *dy, *x, *v;
    sf_kernel_messages(c, batch_norm_grad_messages);
    SF_TRY(want_batch_norm_rank(c, 0, l.rank, open, &dy));
    SF_TRY(want_batch_norm_rank(c, 1, l.rank, open, &x));
    SfDim channels;
    SF_TRY(sf_want_equal(c, SF_AXIS(0, l.channel), sf_shape_dim(dy, l.channel),
                         SF_AXIS(1, l.channel), sf_shape_dim(x, l.channel), &channels));
    for (int i = 2; i <= 4; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &v));
        SF_TRY(sf_want_equal(c, SF_AXIS(0, l.channel), channels, SF_AXIS(i, 0), sf_shape_dim(v, 0),
                             &channels));
    }
    SF_TRY(sf_ask_kernel(c, batch_norm_grad_kernel));
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_replace(dy, l.channel, channels)));
    SF_TRY(sf_common_set_output_vectors(c, 1, 3, channels));
    if (sf_phase(c) != SF_PHASE_BUILD && sf_version(c) < SF_2_0) {
        return SF_OK; /* kernels disagree with it about what they reserve */
    }
    return sf_common_set_output_vectors(c, 3, 5, training ? 0 : channels);
}

/* BatchNormWithGlobalNormalization: t[b,h,w,c] and four vectors of c (graphs before version 9). */
static SfStatus global_norm(SfInfer *c, int vectors, SfDim *channels)
{
    const SfShape *t, *v;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &t));
    *channels = sf_shape_dim(t, 3);
    for (int i = 1; i <= vectors; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &v));
        SF_TRY(sf_want_equal(c, SF_AXIS(0, 3), *channels, SF_AXIS(i, 0), sf_shape_dim(v, 0),
                             channels));
    }
    return sf_set_output_shape(c, 0, sf_shape_replace(t, 3, *channels));
}

static SfStatus infer_global_norm(SfInfer *c)
{
    SfDim channels;
    return global_norm(c, 4, &channels);
}

static SfStatus infer_global_norm_grad(SfInfer *c)
{
    SfDim channels;
    SF_TRY(global_norm(c, 3, &channels));
    const SfShape *back;
    SF_TRY(sf_want_rank(c, SF_INPUT(4), 4, &back));
    SF_TRY(
        sf_want_equal(c, SF_AXIS(0, 3), channels, SF_AXIS(4, 3), sf_shape_dim(back, 3), &channels));
    SF_TRY(sf_want_merge(c, SF_OUTPUT(0), sf_output(c, 0), SF_INPUT(4), back, &back));
    SF_TRY(sf_set_output_shape(c, 0, back));
    return sf_common_set_output_vectors(c, 1, 5, channels);
}

/* local response normalisation */

static const SfMessage lrn_messages[] = {{SF_ON(RANK_EXACT), .text = "in must be 4-dimensional"},
                                         {0}};

static SfStatus lrn_kernel(SfInfer *c)
{
    const int64_t radius = sf_attr_int(c, "depth_radius");
    return sf_require(c, radius >= 0 && radius <= INT32_MAX, SF_ATTR("depth_radius"),
                      "depth_radius = {0} larger than int max", SF_INT_ARG(radius));
}

static const SfMessage lrn_grad_messages[] = {
    {SF_ON(RANK_EXACT), .text = "inputs must be 4-dimensional"},
    {SF_ON(MERGE_RANK), .text = "inputs must be 4-dimensional"},
    {SF_ON(MERGE_DIM),
     .text = "input_grads, input_image, and out_image should have the same shape"},
    {0}};

static SfStatus infer_lrn(SfInfer *c)
{
    const SfShape *s;
    sf_kernel_messages(c, lrn_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &s));
    SF_TRY(sf_ask_kernel(c, lrn_kernel));
    return sf_set_output_shape(c, 0, s);
}

static SfStatus infer_lrn_grad(SfInfer *c)
{
    const SfShape *s;
    sf_kernel_messages(c, lrn_grad_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &s));
    for (int i = 1; i <= 2; i++) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), s, SF_INPUT(i), sf_input(c, i), &s));
    }
    SF_TRY(sf_ask_kernel(c, lrn_kernel));
    return sf_set_output_shape(c, 0, s);
}

/* softmax */

static const SfMessage softmax_messages[] = {
    {.before = SF_1_9, .text = "logits must be 2-dimensional"},
    {.text = "logits must have >= 1 dimension, got {shape 0}"},
    {0}};

/* Softmax: over the last axis of at least one; the first kernels wanted matrices. */
static SfStatus infer_softmax(SfInfer *c)
{
    const SfShape *s;
    sf_kernel_messages(c, softmax_messages);
    if (sf_version(c) < SF_1_9 && sf_phase(c) != SF_PHASE_BUILD) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &s));
    } else {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &s));
    }
    sf_common_warn_axis_of_one(c, sf_op_variant(c) == LOGARITHM ? "log_softmax" : "softmax", -1);
    return sf_set_output_shape(c, 0, s);
}

static double cost_softmax(SfInfer *c)
{
    const SfDim n = sf_shape_count(sf_output(c, 0));
    return sf_dim_is_known(n) ? 5.0 * (double)n : -1.0; /* max, sub, exp, sum, div */
}

/* table */

/* clang-format off */
#define BN_VECTORS(t) "scale: " t ", offset: " t ", mean: " t ", variance: " t
#define BN_OUT(t) "batch_mean: " t ", batch_variance: " t ", reserve_space_1: " t \
    ", reserve_space_2: " t
#define BN_GRAD_OUT(t, a, b) "scale_backprop: " t ", offset_backprop: " t ", " a ": " t ", " b \
    ": " t
#define BN_T "T: {half, bfloat16, float}, "
#define EPSILON "epsilon: float = 0.0001, "
#define MOMENTUM "exponential_avg_factor: float = 1.0, "
#define FORMAT2 "data_format: {'NHWC', 'NCHW'} = 'NHWC', "
#define FORMAT23 "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC', "
#define TRAINING "is_training: bool = true"
#define GLOBAL "T: " SF_NUMBERTYPE ", variance_epsilon: float, scale_after_normalization: bool"
#define LRN_ATTRS \
    "depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, " \
    "T: {half, bfloat16, float} = float"

static const SfOpDef ops[] = {
    SF_OP(FusedBatchNorm, .inputs = "x: T, " BN_VECTORS("T"), .outputs = "y: T, " BN_OUT("T"),
          .attrs = "T: {float}, " EPSILON MOMENTUM FORMAT2 TRAINING, .infer = infer_batch_norm,
          .grad = SF_GRAD_INPUTS(7u), .traits = SF_OP_IN_PLACE, .range = sf_range_batch_norm),
    SF_OP(FusedBatchNormV2, .inputs = "x: T, " BN_VECTORS("U"), .outputs = "y: T, " BN_OUT("U"),
          .attrs = BN_T "U: {float}, " EPSILON MOMENTUM FORMAT2 TRAINING,
          .infer = infer_batch_norm, .grad = SF_GRAD_INPUTS(7u), .traits = SF_OP_IN_PLACE,
          .range = sf_range_batch_norm),
    SF_OP(FusedBatchNormV3, .inputs = "x: T, " BN_VECTORS("U"),
          .outputs = "y: T, " BN_OUT("U") ", reserve_space_3: U",
          .attrs = BN_T "U: {bfloat16, float}, " EPSILON MOMENTUM FORMAT23 TRAINING,
          .infer = infer_batch_norm, .grad = SF_GRAD_INPUTS(7u), .traits = SF_OP_IN_PLACE,
          .range = sf_range_batch_norm),
    SF_OP(FusedBatchNormGrad,
          .inputs = "y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T",
          .outputs = "x_backprop: T, " BN_GRAD_OUT("T", "reserve_space_3", "reserve_space_4"),
          .attrs = "T: {float}, " EPSILON FORMAT2 TRAINING, .infer = infer_batch_norm_grad,
          .grad = SF_GRAD_INPUTS(7u)),
    SF_OP(FusedBatchNormGradV2,
          .inputs = "y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U",
          .outputs = "x_backprop: T, " BN_GRAD_OUT("U", "reserve_space_3", "reserve_space_4"),
          .attrs = BN_T "U: {float}, " EPSILON FORMAT2 TRAINING, .infer = infer_batch_norm_grad,
          .grad = SF_GRAD_INPUTS(7u)),
    SF_OP(FusedBatchNormGradV3,
          .inputs = "y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, "
                    "reserve_space_3: U",
          .outputs = "x_backprop: T, " BN_GRAD_OUT("U", "reserve_space_4", "reserve_space_5"),
          .attrs = BN_T "U: {float}, " EPSILON FORMAT23 TRAINING, .infer = infer_batch_norm_grad,
          .grad = SF_GRAD_INPUTS(7u)),
    SF_OP(BatchNormWithGlobalNormalization, .inputs = "t: T, m: T, v: T, beta: T, gamma: T",
          .outputs = "result: T", .attrs = GLOBAL, .infer = infer_global_norm),
    SF_OP(BatchNormWithGlobalNormalizationGrad, .inputs = "t: T, m: T, v: T, gamma: T, backprop: T",
          .outputs = "dx: T, dm: T, dv: T, db: T, dg: T", .attrs = GLOBAL,
          .infer = infer_global_norm_grad, .grad = SF_GRAD_MISSING),
    SF_OP(LRN, .inputs = "input: T", .outputs = "output: T", .attrs = LRN_ATTRS,
          .infer = infer_lrn),
    SF_OP(LRNGrad, .inputs = "input_grads: T, input_image: T, output_image: T",
          .outputs = "output: T", .attrs = LRN_ATTRS, .infer = infer_lrn_grad,
          .grad = SF_GRAD_MISSING),
    SF_OP(Softmax, .inputs = "logits: T", .outputs = "softmax: T", .attrs = "T: " SF_NN_FLOATS,
          .infer = infer_softmax, .cost = cost_softmax, .traits = SF_OP_UNIT_SUM | SF_OP_IN_PLACE,
          .range = sf_range_softmax),
    SF_OP(LogSoftmax, .inputs = "logits: T", .outputs = "logsoftmax: T",
          .attrs = "T: " SF_NN_FLOATS, .infer = infer_softmax, .cost = cost_softmax,
          .variant = LOGARITHM, .traits = SF_OP_IN_PLACE, .range = sf_range_log_softmax),
};
/* clang-format on */
const SfOpTable sf_ops_nn = {ops, SF_ARRAY_LEN(ops), "nn"};
