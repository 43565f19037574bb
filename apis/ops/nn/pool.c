/* Poolings and their gradients. Windows are window.c's; here is which axes they slide over.
 * Source: MaxPoolShape, AvgPoolShape, Pool3DShape of common_shape_fns.cc; nn_ops.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/shared/window.h"

#define SF_2_0 SF_VERSION(2, 0)

/* Is it one of these ops? Bits of SfOpDef.variant. */
static bool is(const SfInfer *c, int ops)
{
    return (sf_op_variant(c) & ops) != 0;
}

static int spatial_axes(const SfInfer *c)
{
    return is(c, SF_POOL_3D) ? 3 : 2;
}

typedef struct PoolAttrs {
    SfLayout layout;
    SfPadding padding;
    const int64_t *ksize, *strides; /* rank - inner entries, ordered as data_format orders axes */
    const int64_t *pads;
} PoolAttrs;

/* MaxPool, AvgPool, MaxPool3D, AvgPool3D */

static SfStatus pool_axis(SfInfer *c, const PoolAttrs *a, const SfShape *in, int axis, SfDim *out)
{
    const SfWindow w = {
        .in = SF_AXIS(0, axis),
        .filter = SF_ATTR("ksize"),
        .input = sf_shape_dim(in, axis),
        .size = a->ksize[axis] >= 0 ? a->ksize[axis] : SF_DIM_UNKNOWN,
        .stride = a->strides[axis],
        .dilation = 1,
        .padding = a->padding,
        .before = a->pads ? a->pads[2 * axis] : 0,
        .after = a->pads ? a->pads[2 * axis + 1] : 0,
    };
    return sf_window_output(c, &w, out);
}

/* The innermost channels of NCHW_VECT_C. */
static SfStatus pool_inner(SfInfer *c, int axis, SfDim *d)
{
    if (sf_version(c) < SF_2_0) {
        SF_TRY(sf_want_dim(c, SF_AXIS(0, axis), 4));
        *d = 4;
    } else if (sf_dim_is_known(*d) && *d != 4 && *d != 32) {
        return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_AXIS(0, axis), SF_THE_OP,
                            "VECT_C dimension must be 4 or 32, but is {0}", SF_DIM_ARG(*d));
    }
    return SF_OK;
}

/* A window must not be empty; each kernel of 2.x has a message of its own for that. */
static SfStatus pool_positive(SfInfer *c, const PoolAttrs *a)
{
    const int n = a->layout.nspatial + 2;
    const int64_t *k = a->ksize;
    for (int i = 0; i < n && sf_version(c) >= SF_2_0; i++) {
        if (k[i] > 0) {
            continue;
        }
        if (is(c, SF_POOL_GRAD_GRAD)) {
            return SF_OK;
        }
        SF_TRY(sf_require(c, n != 5, SF_ATTR("ksize"),
                          "Sliding window ksize field must have non-negative dimensions"));
        SF_TRY(sf_require(c, !is(c, SF_POOL_AVERAGE | SF_POOL_WITH_ARGMAX), SF_ATTR("ksize"),
                          "ksize must be a positive int32 value, got:{0}", SF_INT_ARG(k[i])));
        SF_TRY(sf_require(c, !is(c, SF_POOL_V2), SF_INPUT(1),
                          "Sliding window ksize must be positive."));
        return sf_refuse(c, SF_ATTR("ksize"),
                         "Sliding window ksize must be positive. The specified or inferred ksize "
                         "is: {0},{1},{2},{3}",
                         SF_INT_ARG(k[0]), SF_INT_ARG(k[1]), SF_INT_ARG(k[2]), SF_INT_ARG(k[3]));
    }
    return SF_OK;
}

/* Each padding is smaller than the window. */
static SfStatus pool_padding(SfInfer *c, const PoolAttrs *a)
{
    static const char *const sides[] = {"Top", "Bottom", "Left", "Right"};
    for (int i = 0; a->pads && a->layout.nspatial == 2 && i < 4; i++) {
        const int axis = a->layout.spatial[i / 2];
        const int64_t pad = a->pads[2 * axis + i % 2];
        SF_TRY(sf_require_as(c, pad < a->ksize[axis], SF_DIAG_RUN_REFUSED,
                             SF_ATTR("explicit_paddings"), SF_ATTR("ksize"),
                             "{0} padding {1} needs to be smaller than the window size {2}",
                             SF_TEXT_ARG(sides[i]), SF_INT_ARG(pad), SF_INT_ARG(a->ksize[axis])));
    }
    return SF_OK;
}

/* What kernels cannot do. MaxPool slides over space or over channels, then in whole windows. */
static SfStatus pool_kernel(SfInfer *c, const void *data)
{
    const PoolAttrs *a = data;
    const SfLayout *l = &a->layout;
    const SfPlace ksize = SF_ATTR("ksize"), strides = SF_ATTR("strides");
    const int64_t depth = a->ksize[l->channel], step = a->strides[l->channel];
    const bool max = !is(c, SF_POOL_AVERAGE);
    SF_TRY(pool_positive(c, a));
    SF_TRY(pool_padding(c, a));
    SF_TRY(sf_require_as(c, a->ksize[l->batch] == 1 && a->strides[l->batch] == 1,
                         SF_DIAG_NOT_IMPLEMENTED, ksize, strides,
                         "Pooling is not yet supported on the batch dimension."));
    SF_TRY(sf_require_as(c, l->nspatial != 3 || (depth == 1 && step == 1), SF_DIAG_NOT_IMPLEMENTED,
                         ksize, strides, "Pooling is not yet supported on the depth dimension."));
    if (l->nspatial == 3 || depth == 1) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(
        c, !max || (a->ksize[l->spatial[0]] == 1 && a->ksize[l->spatial[1]] == 1),
        SF_DIAG_NOT_IMPLEMENTED, ksize, SF_THE_OP,
        "MaxPooling supports exactly one of pooling across depth or pooling across width/height."));
    const SfDim channels = sf_input_dim(c, 0, l->channel);
    SF_TRY(sf_require_as(
        c, !sf_dim_is_known(channels) || depth <= 0 || channels % depth == 0,
        SF_DIAG_NOT_IMPLEMENTED, SF_AXIS(0, l->channel), ksize,
        "Depthwise max pooling requires the depth window to evenly divide the input depth"));
    SF_TRY(
        sf_require_as(c, !max || depth == step, SF_DIAG_NOT_IMPLEMENTED, ksize, strides,
                      "Depthwise max pooling requires the depth window to equal the depth stride"));
    return sf_require_as(c, max, SF_DIAG_NOT_IMPLEMENTED, ksize, SF_THE_OP,
                         "Non-spatial pooling is not yet supported. Volunteers? :)");
}

/* MaxPool alone may also slide over the channels. */
static SfStatus pool_set_output(SfInfer *c, const PoolAttrs *a, const SfShape *in, bool channels)
{
    const SfLayout *l = &a->layout;
    SfDim dims[SF_SPATIAL_MAX + 3];
    SF_TRY(sf_kernel_check(c, pool_kernel, a));
    for (int i = 0; i < l->rank; i++) {
        dims[i] = sf_shape_dim(in, i);
    }
    for (int i = 0; i < l->nspatial; i++) {
        SF_TRY(pool_axis(c, a, in, l->spatial[i], &dims[l->spatial[i]]));
    }
    /* With a window of one channel kernels keep the channels and never read that stride.
     * MaxPoolWithArgmax always keeps them. */
    const bool argmax = is(c, SF_POOL_WITH_ARGMAX);
    if (channels && !(sf_in_kernel(c) && (argmax || a->ksize[l->channel] == 1))) {
        SF_TRY(pool_axis(c, a, in, l->channel, &dims[l->channel]));
    }
    if (l->inner >= 0) {
        SF_TRY(pool_inner(c, l->inner, &dims[l->inner]));
    }
    const SfShape *out = sf_shape_make(l->rank, dims);
    if (argmax) {
        SF_TRY(sf_set_output_shape(c, 1, out));
    }
    return sf_set_output_shape(c, 0, out);
}

static bool has_format(const SfInfer *c)
{
    return sf_op_attr_index(sf_op_sig(c), "data_format") >= 0;
}

static bool is_without_format(SfInfer *c, const SfFinding *f)
{
    return !has_format(c);
}

static bool is_in_space(SfInfer *c, const SfFinding *f)
{
    const char *format = has_format(c) ? sf_attr_string(c, "data_format") : "NHWC";
    return format[2] == 'D' || format[1] == 'D';
}

/* TensorFlow prints the format as its enumeration's number. */
static int format_number(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const char *format = has_format(c) ? sf_attr_string(c, "data_format") : "NHWC";
    out[0] = SF_INT_ARG(format[1] == 'H' ? 0 : format[4] == 0 ? 1 : 2);
    return 1;
}

static const SfMessage pool_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .since = SF_2_0, .when = is_without_format,
     .text = "tensor_in must be 4-dimensional (2)"},
    {SF_ON(RANK_EXACT), SF_OF(0), .when = is_in_space, .text = "tensor_in must be 5-dimensional"},
    {SF_ON(RANK_EXACT), SF_OF(0), .args = format_number,
     .text = "tensor_in_shape must have 2 spatial dimensions. {rank 0} {0}"},
    {0}};

static SfStatus argmax_kernel(SfInfer *c, const void *data)
{
    return sf_require(c, sf_shape_count(data) != 0, SF_INPUT(0), "tensor_in must not be empty (2)");
}

/* 2.x: the shape function of MaxPoolWithArgmax wants windows too. */
static SfStatus argmax_check(SfInfer *c, const PoolAttrs *a)
{
    if (!is(c, SF_POOL_WITH_ARGMAX) || sf_version(c) < SF_2_0) {
        return SF_OK;
    }
    for (int i = 0; i < 4; i++) {
        SF_TRY(sf_expect(c, a->ksize[i] > 0, SF_ATTR("ksize"),
                         "ksize must be a positive int32 value, got:{0}", SF_INT_ARG(a->ksize[i])));
    }
    return sf_kernel_check(c, argmax_kernel, sf_input(c, 0));
}

SfStatus sf_infer_pool(SfInfer *c)
{
    const int n = spatial_axes(c) + 2;
    PoolAttrs a = {.layout = sf_layout_of(c, n - 2), .padding = sf_padding_of(c)};
    const bool average = is(c, SF_POOL_AVERAGE);
    const char *who = n == 5 ? "Pool3D" : average ? "AvgPool" : "MaxPool";
    const bool one_stride = n == 5 || !average;
    const SfShape *in;
    sf_kernel_messages(c, pool_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), a.layout.rank, &in));
    SF_TRY(sf_window_attr(c, "strides", (SfWindowText){who, "stride", one_stride}, n, &a.strides));
    SF_TRY(sf_window_attr(c, "ksize", (SfWindowText){who, "ksize", false}, n, &a.ksize));
    SF_TRY(argmax_check(c, &a));
    if (a.padding == SF_PADDING_EXPLICIT || sf_phase(c) == SF_PHASE_BUILD) {
        SF_TRY(sf_padding_check(c, a.padding, &a.layout, &a.pads));
    }
    return pool_set_output(c, &a, in, n == 4 && !average);
}

/* Kernels take four integers in any shape, and no other number of them. */
static SfStatus pool_four(SfInfer *c, int input)
{
    const SfDim n = sf_shape_count(sf_input(c, input));
    return sf_require(c, !sf_dim_differs(n, 4), SF_INPUT(input),
                      "Sliding window {a.name} field must specify 4 dimensions");
}

/* Four integers given as a tensor; false when they are not all known. */
static bool pool_ints(SfInfer *c, int input, int64_t out[4])
{
    const SfValue *v = sf_input_value(c, input);
    if (!v || !sf_value_is_exact(v) || sf_value_count(v) != 4) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = sf_value_elem(v, i).u.i;
    }
    return true;
}

/* MaxPoolV2: ksize and strides are inputs. Until they are known TensorFlow says nothing of the
 * result, not even its rank. */
static SfStatus infer_pool_v2(SfInfer *c)
{
    const int ksize_input = sf_input_count(c) - 2;
    PoolAttrs a = {.layout = sf_layout_of(c, 2), .padding = sf_padding_of(c)};
    const SfShape *in, *vector;
    int64_t ksize[4], strides[4];
    sf_kernel_messages(c, pool_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), a.layout.rank, &in));
    for (int i = ksize_input; i <= ksize_input + 1; i++) {
        if (sf_in_kernel(c)) {
            SF_TRY(pool_four(c, i));
            continue;
        }
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &vector));
        SF_TRY(sf_want_dim(c, SF_AXIS(i, 0), 4));
    }
    if (!pool_ints(c, ksize_input, ksize) || !pool_ints(c, ksize_input + 1, strides)) {
        return sf_phase(c) == SF_PHASE_BUILD
                   ? sf_set_output_unknown(c, 0)
                   : sf_set_output_shape(c, 0, sf_shape_of_rank(a.layout.rank));
    }
    a.ksize = ksize;
    a.strides = strides;
    return pool_set_output(c, &a, in, true);
}

/* gradients: the shape of one of the inputs */

static bool is_3d(SfInfer *c, const SfFinding *f)
{
    return is(c, SF_POOL_3D);
}

static bool is_grad_grad(SfInfer *c, const SfFinding *f)
{
    return is(c, SF_POOL_GRAD_GRAD);
}

static const SfMessage average_grad_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .when = is_3d,
     .text = "tensor_in must be 1-dimensional and 5 elements"},
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "out_backprop must be 1-dimensional and 4 elements"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "out_backprop must be {0}-dimensional"},
    {0}};
static const SfMessage max_grad_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "tensor_in must be {0}-dimensional"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "tensor_out must be {0}-dimensional"},
    {SF_ON(RANK_EXACT), SF_OF(2), .when = is_grad_grad,
     .text = "out_grad_backprop must be {0}-dimensional"},
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "out_backprop must be {0}-dimensional"},
    {0}};

static void set_max_grad_messages(SfInfer *c)
{
    sf_kernel_messages(c, is(c, SF_POOL_GRAD_ARGMAX) ? pool_messages : max_grad_messages);
}

/* Fills `a`; *known is false when the windows are inputs of unknown content. */
static SfStatus grad_attrs(SfInfer *c, PoolAttrs *a, int64_t room[8], bool *known)
{
    static const char *const names[] = {"ksize", "strides"};
    const int n = spatial_axes(c) + 2;
    *a = (PoolAttrs){.layout = sf_layout_of(c, n - 2), .padding = sf_padding_of(c)};
    *known = true;
    if (is(c, SF_POOL_V2)) {
        a->ksize = room;
        a->strides = room + 4;
        SF_TRY(pool_four(c, 3));
        SF_TRY(pool_four(c, 4));
        *known = pool_ints(c, 3, room) && pool_ints(c, 4, room + 4);
        return SF_OK;
    }
    for (int i = 0; i < 2; i++) {
        if (sf_attr_ints(c, names[i], i == 0 ? &a->ksize : &a->strides) != n) {
            return sf_refuse(c, SF_ATTR(names[i]),
                             "Sliding window {0} field must specify {1} dimensions",
                             SF_TEXT_ARG(names[i]), SF_INT_ARG(n));
        }
    }
    return SF_OK;
}

/* Pooling over the channels has no gradient. */
static SfStatus grad_plain(SfInfer *c, const PoolAttrs *a)
{
    const SfLayout *l = &a->layout;
    const int64_t depth = a->ksize[l->channel], step = a->strides[l->channel];
    if (is(c, SF_POOL_GRAD_ARGMAX)) {
        return pool_kernel(c, a);
    }
    for (int i = 0; l->nspatial == 3 && !is(c, SF_POOL_GRAD_GRAD) && i < 5; i++) {
        SF_TRY(sf_require(c, a->ksize[i] > 0, SF_ATTR("ksize"), "ksize must be positive, got: {0}",
                          SF_INT_ARG(a->ksize[i])));
    }
    SF_TRY(sf_require_as(c, a->ksize[l->batch] == 1 && a->strides[l->batch] == 1,
                         SF_DIAG_NOT_IMPLEMENTED, SF_ATTR("ksize"), SF_ATTR("strides"),
                         "Pooling is not yet supported on the batch dimension."));
    if (l->nspatial == 3) {
        return sf_require_as(c, depth == 1 && step == 1, SF_DIAG_NOT_IMPLEMENTED, SF_ATTR("ksize"),
                             SF_ATTR("strides"),
                             "Pooling is not yet supported on the depth dimension.");
    }
    if (is(c, SF_POOL_AVERAGE)) {
        return sf_require_as(c, depth == 1, SF_DIAG_NOT_IMPLEMENTED, SF_ATTR("ksize"), SF_THE_OP,
                             "Non-spatial pooling is not yet supported. Volunteers? :)");
    }
    return sf_require_as(c, depth == 1 && step == 1, SF_DIAG_NOT_IMPLEMENTED, SF_ATTR("ksize"),
                         SF_ATTR("strides"),
                         "MaxPooling{0} is not yet supported on the depth dimension.",
                         SF_TEXT_ARG(is(c, SF_POOL_GRAD_GRAD) ? "GradGrad" : "Grad"));
}

/* Input `i` must be of shape `want`. */
static SfStatus grad_expects(SfInfer *c, int i, const char *name, const SfShape *want)
{
    const SfShape *s = sf_input(c, i);
    return sf_require_as(c, sf_shape_compatible(s, want), SF_DIAG_RUN_REFUSED, SF_INPUT(i),
                         SF_INPUT(0), "Expected {0} shape to be {1}, but got {2}",
                         SF_TEXT_ARG(name), SF_SHAPE_ARG(want), SF_SHAPE_ARG(s));
}

/* The output dim along an axis where the window has no cells: gradients compute it as for any
 * other window. */
static SfDim hollow_axis(const PoolAttrs *a, SfDim in, int axis)
{
    const int64_t size = a->ksize[axis], stride = a->strides[axis];
    if (!sf_dim_is_known(in) || stride <= 0 || size < INT32_MIN ||
        a->padding == SF_PADDING_EXPLICIT) {
        return SF_DIM_UNKNOWN;
    }
    const SfDim room = sf_dim_add(in, stride);
    const SfDim steps =
        a->padding == SF_PADDING_SAME ? sf_dim_sub(room, 1) : sf_dim_add(room, -size);
    return sf_dim_is_known(steps) ? steps / stride : SF_DIM_UNKNOWN;
}

/* The pooled shape of `in`; bottom when there is none. */
static SfStatus grad_pooled(SfInfer *c, const SfShape *in, PoolAttrs *a, const SfShape **out)
{
    SfDim dims[SF_SPATIAL_MAX + 2];
    if (a->padding == SF_PADDING_EXPLICIT) { /* what the attr holds otherwise is never read */
        SF_TRY(sf_padding_check(c, a->padding, &a->layout, &a->pads));
        SF_TRY(pool_padding(c, a));
    }
    for (int i = 0; i < a->layout.rank; i++) {
        dims[i] = sf_shape_dim(in, i);
    }
    for (int i = 0; i < a->layout.nspatial; i++) {
        const int axis = a->layout.spatial[i];
        if (a->ksize[axis] <= 0 && !is(c, SF_POOL_GRAD_ARGMAX)) {
            dims[axis] = hollow_axis(a, dims[axis], axis);
            continue;
        }
        SF_TRY(pool_axis(c, a, in, axis, &dims[axis]));
    }
    *out = sf_shape_make(a->layout.rank, dims);
    return *out ? SF_OK : SF_NOMEM;
}

static SfStatus max_grad_kernel(SfInfer *c, const void *data)
{
    const SfShape *in = data; /* that was pooled */
    const bool argmax = is(c, SF_POOL_GRAD_ARGMAX);
    const bool twice = is(c, SF_POOL_GRAD_GRAD);
    const SfShape *out;
    PoolAttrs a;
    int64_t room[8];
    bool known;
    SF_TRY(grad_attrs(c, &a, room, &known));
    for (int i = 0; i < (argmax ? 1 : 3); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), spatial_axes(c) + 2, NULL));
    }
    if (!known) {
        return SF_OK;
    }
    SF_TRY(grad_plain(c, &a));
    if (sf_version(c) < SF_2_0) {
        return SF_OK; /* the shapes went unchecked */
    }
    SF_TRY(grad_pooled(c, in, &a, &out));
    if (argmax) {
        SF_TRY(grad_expects(c, 1, "grad", twice ? in : out));
        return grad_expects(c, 2, "argmax", out);
    }
    SF_TRY(grad_expects(c, 1, "orig_output", out));
    return grad_expects(c, 2, "grad", twice ? in : out);
}

/* Input 0, if its rank is right. */
static const SfShape *pooled_input(const SfInfer *c)
{
    const int rank = spatial_axes(c) + 2;
    return sf_shape_rank(sf_input(c, 0)) == rank ? sf_input(c, 0) : sf_shape_of_rank(rank);
}

static SfStatus infer_max_grad(SfInfer *c)
{
    const SfShape *s;
    set_max_grad_messages(c);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), spatial_axes(c) + 2, &s));
    SF_TRY(sf_kernel_check(c, max_grad_kernel, pooled_input(c)));
    return sf_set_output_shape(c, 0, s);
}

/* The gradient's gradient is pooled as the input was: `grad` is of input 0's shape, and input
 * `pooled` already of the output's. */
static SfStatus infer_grad_grad(SfInfer *c)
{
    const int grad = is(c, SF_POOL_GRAD_ARGMAX) ? 1 : 2, pooled = 3 - grad;
    if (sf_phase(c) != SF_PHASE_BUILD) {
        set_max_grad_messages(c);
        SF_TRY(sf_kernel_check(c, max_grad_kernel, pooled_input(c)));
    }
    SF_TRY(is(c, SF_POOL_V2) ? infer_pool_v2(c) : sf_infer_pool(c));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(grad), sf_input(c, grad), NULL));
    return sf_want_merge(c, SF_INPUT(pooled), sf_input(c, pooled), SF_OUTPUT(0), sf_output(c, 0),
                         NULL);
}

static SfStatus avg_grad_kernel(SfInfer *c, const void *data)
{
    const int rank = spatial_axes(c) + 2;
    const SfShape *grad;
    PoolAttrs a;
    int64_t room[8];
    bool known;
    SF_TRY(grad_attrs(c, &a, room, &known));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), rank, &grad));
    SF_TRY(sf_require_ints(c, 0, sf_version(c) >= SF_2_0 ? 0 : INT64_MIN, SF_DIM_MAX,
                           SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                           "Expected a non-negative size, got {1}"));
    if (!known) {
        return SF_OK;
    }
    SF_TRY(grad_plain(c, &a));
    for (int i = 0; i < rank - 2 && sf_version(c) >= SF_2_0; i++) {
        const int64_t stride = a.strides[a.layout.spatial[i]];
        SF_TRY(sf_require(c, stride > 0, SF_ATTR("strides"), "Stride must be > 0, but got {0}",
                          SF_INT_ARG(stride)));
    }
    for (int i = 0; i < 2 && rank == 5 && sf_version(c) >= SF_2_0; i++) {
        const int axis = i == 0 ? 0 : 4;
        const SfDim in = sf_shape_dim(data, axis), out = sf_shape_dim(grad, axis);
        SF_TRY(sf_require_as(
            c, !sf_dim_differs(in, out) || a.layout.channel != 4, SF_DIAG_DIM_EQUAL,
            SF_AXIS(1, axis), SF_INPUT(0),
            "Expected {0} dimension of tensor_in_shape and out_backprop to match, got {1} and {2}",
            SF_TEXT_ARG(i == 0 ? "first" : "last"), SF_DIM_ARG(in), SF_DIM_ARG(out)));
    }
    return SF_OK;
}

static SfStatus infer_avg_grad(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, average_grad_messages);
    SF_TRY(sf_want_sizes(c, 0, spatial_axes(c) + 2, &in));
    SF_TRY(sf_kernel_check(c, avg_grad_kernel, in));
    return sf_set_output_shape(c, 0, in);
}

/* cost */

static double cost_pool(SfInfer *c)
{
    const int64_t *ksize;
    const SfDim n = sf_shape_count(sf_output(c, 0));
    double taps = 1;
    for (int i = sf_attr_ints(c, "ksize", &ksize); i-- > 0;) {
        taps *= (double)ksize[i];
    }
    return sf_dim_is_known(n) ? taps * (double)n : -1.0;
}

/* table */

/* clang-format off */
#define T_REAL "T: " SF_REALTYPE
#define T_MAX \
    "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = float, "
#define T_FLOATS "T: " SF_NN_FLOATS
#define PAD2 "padding: {'SAME', 'VALID'}, "
#define PAD3 "padding: {'SAME', 'VALID', 'EXPLICIT'}, explicit_paddings: list(int) = [], "
#define FORMAT2 "data_format: {'NHWC', 'NCHW'} = 'NHWC'"
#define FORMAT3 "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'"
#define FORMAT_C "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
#define KSIZE4 "ksize: list(int) >= 4, strides: list(int) >= 4, "
#define KSIZE5 "ksize: list(int) >= 5, strides: list(int) >= 5, "
#define ORIG "orig_input: T, orig_output: T, grad: T"

static const SfOpDef ops[] = {
    SF_OP(MaxPool, .inputs = "input: T", .outputs = "output: T",
          .attrs = T_MAX KSIZE4 PAD3 FORMAT_C, .infer = sf_infer_pool, .cost = cost_pool,
          .range = sf_range_move),
    SF_OP(MaxPoolV2, .inputs = "input: T, ksize: int32, strides: int32", .outputs = "output: T",
          .attrs = T_MAX PAD2 FORMAT_C, .infer = infer_pool_v2, .variant = SF_POOL_V2,
          .range = sf_range_move),
    SF_OP(AvgPool, .inputs = "value: T", .outputs = "output: T",
          .attrs = KSIZE4 PAD2 FORMAT2 ", " T_FLOATS, .infer = sf_infer_pool, .cost = cost_pool,
          .variant = SF_POOL_AVERAGE, .range = sf_range_average_pool),
    SF_OP(MaxPool3D, .inputs = "input: T", .outputs = "output: T",
          .attrs = KSIZE5 PAD2 FORMAT3 ", T: {half, bfloat16, float}", .infer = sf_infer_pool,
          .cost = cost_pool, .variant = SF_POOL_3D, .range = sf_range_move),
    SF_OP(AvgPool3D, .inputs = "input: T", .outputs = "output: T",
          .attrs = KSIZE5 PAD2 FORMAT3 ", " T_FLOATS, .infer = sf_infer_pool, .cost = cost_pool,
          .variant = SF_POOL_AVERAGE | SF_POOL_3D, .range = sf_range_average_pool),
    SF_OP(MaxPoolWithArgmax, .inputs = "input: T", .outputs = "output: T, argmax: Targmax",
          .attrs = KSIZE4 "Targmax: {int32, int64} = int64, " PAD2
                   "include_batch_in_index: bool = false, " T_REAL,
          .infer = sf_infer_pool, .cost = cost_pool, .variant = SF_POOL_WITH_ARGMAX,
          .range = sf_range_move),
    SF_OP(MaxPoolGrad, .inputs = ORIG, .outputs = "output: T",
          .attrs = KSIZE4 PAD3 FORMAT2 ", " T_REAL " = float", .infer = infer_max_grad),
    SF_OP(MaxPoolGradV2, .inputs = ORIG ", ksize: int32, strides: int32", .outputs = "output: T",
          .attrs = PAD2 FORMAT2 ", " T_REAL " = float", .infer = infer_max_grad,
          .variant = SF_POOL_V2),
    SF_OP(MaxPoolGradGrad, .inputs = ORIG, .outputs = "output: T",
          .attrs = KSIZE4 PAD2 FORMAT2 ", " T_REAL, .infer = infer_grad_grad,
          .variant = SF_POOL_GRAD_GRAD),
    SF_OP(MaxPoolGradGradV2, .inputs = ORIG ", ksize: int32, strides: int32",
          .outputs = "output: T", .attrs = PAD2 FORMAT2 ", " T_REAL, .infer = infer_grad_grad,
          .grad = SF_GRAD_MISSING, .variant = SF_POOL_GRAD_GRAD | SF_POOL_V2),
    SF_OP(MaxPoolGradWithArgmax, .inputs = "input: T, grad: T, argmax: Targmax",
          .outputs = "output: T",
          .attrs = KSIZE4 PAD2 "include_batch_in_index: bool = false, Targmax: {int32, int64}, "
          T_REAL,
          .infer = infer_max_grad, .grad = SF_GRAD_MISSING, .variant = SF_POOL_GRAD_ARGMAX),
    SF_OP(MaxPoolGradGradWithArgmax, .inputs = "input: T, grad: T, argmax: Targmax",
          .outputs = "output: T",
          .attrs = KSIZE4 PAD2 "include_batch_in_index: bool = false, Targmax: {int32, int64}, "
          T_REAL,
          .infer = infer_grad_grad, .grad = SF_GRAD_MISSING,
          .variant = SF_POOL_GRAD_GRAD | SF_POOL_GRAD_ARGMAX),
    SF_OP(MaxPool3DGrad, .inputs = "orig_input: TInput, orig_output: TInput, grad: T",
          .outputs = "output: T",
          .attrs = KSIZE5 PAD2 FORMAT3 ", T: {half, bfloat16, float} = float, "
                   "TInput: {half, bfloat16, float} = float",
          .infer = infer_max_grad, .variant = SF_POOL_3D),
    SF_OP(MaxPool3DGradGrad, .inputs = ORIG, .outputs = "output: T",
          .attrs = KSIZE5 PAD2 FORMAT3 ", " T_REAL, .infer = infer_grad_grad,
          .variant = SF_POOL_GRAD_GRAD | SF_POOL_3D),
    SF_OP(AvgPoolGrad, .inputs = "orig_input_shape: int32, grad: T", .outputs = "output: T",
          .attrs = KSIZE4 PAD2 FORMAT2 ", " T_FLOATS, .infer = infer_avg_grad,
          .variant = SF_POOL_AVERAGE),
    SF_OP(AvgPool3DGrad, .inputs = "orig_input_shape: int32, grad: T", .outputs = "output: T",
          .attrs = KSIZE5 PAD2 FORMAT3 ", " T_FLOATS, .infer = infer_avg_grad,
          .variant = SF_POOL_AVERAGE | SF_POOL_3D),
};
/* clang-format on */
const SfOpTable sf_ops_pool = {ops, SF_ARRAY_LEN(ops), "pool"};
