/* Quantisers: QuantizeV2, Dequantize, Requantize and their kin, and those that only pretend to
 * (QuantizeAndDequantize, FakeQuant). Limits are scalars, or one for each slice of an axis. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"

#define SF_2_12 SF_VERSION(2, 12)

enum { PER_CHANNEL = 1 }; /* variant */

/* limits of a slice */

static SfStatus want_axis_attr(SfInfer *c, int64_t axis)
{
    return sf_require_as(c, axis >= -1, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"), SF_THE_OP,
                         "axis should be at least -1, got {attr axis}");
}

/* The limits at `low` and the input after it: scalars with axis -1, else one for each slice of
 * input `of`. Some shape functions compare the two limits (`both`), others check only the upper
 * one. */
static SfStatus want_limits(SfInfer *c, int low, int of, int64_t axis, bool both,
                            const SfShape **limits)
{
    const int place = both ? low : low + 1;
    const SfShape *a, *b;
    SfDim d;
    SF_TRY(want_axis_attr(c, axis));
    SF_TRY(sf_want_rank(c, SF_INPUT(low), axis == -1 ? 0 : 1, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(low + 1), axis == -1 ? 0 : 1, &b));
    *limits = b;
    if (both) {
        SF_TRY(sf_want_merge(c, SF_INPUT(low + 1), b, SF_INPUT(low), a, limits));
    }
    if (axis == -1) {
        return SF_OK;
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(of),
                                 (int)(axis < SF_RANK_MAX ? axis + 1 : SF_RANK_MAX + 1), NULL));
    SF_TRY(sf_want_equal(c, SF_AXIS(place, 0), sf_shape_dim(*limits, 0), SF_AXIS(of, (int)axis),
                         sf_input_dim(c, of, (int)axis), &d));
    *limits = sf_shape_vector(d);
    return !*limits ? SF_NOMEM : SF_OK;
}

/* Known limits: of a scalar pair, or of the first slice. */
static bool scalar_limits(SfInfer *c, int low, double *min, double *max)
{
    const SfElem a = sf_common_elem(c, low, 0);
    const SfElem b = sf_common_elem(c, low + 1, 0);
    *min = a.u.f;
    *max = b.u.f;
    return a.kind == SF_ELEM_FLOAT && b.kind == SF_ELEM_FLOAT;
}

/* QuantizeV2, Dequantize */

/* One limit of QuantizeV2, as its kernel looks at it. */
static SfStatus quantize_limit(SfInfer *c, int input, int64_t axis, SfDim slices)
{
    const SfShape *s = sf_input(c, input);
    if (axis < 0) {
        return sf_expect(c, !sf_dim_never(sf_shape_count(s), 1), SF_INPUT(input),
                         "If axis is not specified, {a.name} must contain a single float element, "
                         "but it contains {a.count} elements");
    }
#define WITH_AXIS                                                                                  \
    "If axis is specified, {a.name} must be a 1-D tensor whose size matches the axis dimension "   \
    "of the input and output tensors, but {a.name} "
    SF_TRY(sf_require_as(c, sf_shape_may_have_rank(s, 1), SF_DIAG_RANK_EXACT, SF_INPUT(input),
                         SF_ATTR("axis"), WITH_AXIS "dims are {a.rank}"));
    return sf_require_as(c, sf_dim_compatible(sf_shape_dim(s, 0), slices), SF_DIAG_DIM_EQUAL,
                         SF_AXIS(input, 0), SF_AXIS(0, (int)axis),
                         WITH_AXIS "is a 1-D tensor of size {a.dim} and input's axis dimension is "
                                   "of size {b.dim}");
}

static SfStatus check_quantize_v2(SfInfer *c, int64_t axis)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    double min, max;
    SF_TRY(sf_require_as(
        c, axis < 0 || rank < 0 || axis < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"), SF_INPUT(0),
        "Axis is on a zero-based index, so its value must always be less than number of input's "
        "dims, but given axis value was {attr axis} and input's dims was {b.rank}"));
    const SfDim slices = axis < 0 ? 1 : sf_input_dim(c, 0, (int)axis);
    SF_TRY(quantize_limit(c, 1, axis, slices));
    SF_TRY(quantize_limit(c, 2, axis, slices));
    for (int64_t i = 1; i < sf_common_elems(c, 1); i++) {
        const SfElem a = sf_common_elem(c, 1, i);
        const SfElem b = sf_common_elem(c, 2, i);
        SF_TRY(sf_require_as(c,
                             a.kind != SF_ELEM_FLOAT || b.kind != SF_ELEM_FLOAT || a.u.f <= b.u.f,
                             SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(2),
                             "input_max_range must be larger than input_min_range."));
    }
    return sf_require_as(c, !scalar_limits(c, 1, &min, &max) || min <= max, SF_DIAG_OP_SHAPE,
                         SF_INPUT(1), SF_INPUT(2),
                         "input_max_range must be larger than input_min_range.");
}

/* QuantizeV2: quantised input, and the limits that were used. The kernel gives scalar limits
 * whenever there is one slice, also of an axis of size 1, where the shape function says [1]. */
static SfStatus infer_quantize_v2(SfInfer *c)
{
    const int64_t axis = sf_attr_int(c, "axis");
    const SfShape *limits = sf_shape_scalar();
    if (sf_common_runs(c)) {
        SF_TRY(check_quantize_v2(c, axis));
        limits = axis < 0 ? limits : sf_shape_vector(sf_input_dim(c, 0, (int)axis));
    } else {
        SF_TRY(want_limits(c, 1, 0, axis, false, &limits));
    }
    SF_TRY_ALLOC(limits);
    if (sf_shape_rank(limits) == 1) {
        const SfDim slices = sf_shape_dim(limits, 0);
        limits = slices == 1               ? sf_shape_scalar()
                 : sf_dim_never(slices, 1) ? limits
                                           : sf_shape_unknown();
    }
    SF_TRY(sf_set_output_same(c, 0, 0));
    SF_TRY(sf_set_output_shape(c, 1, limits));
    return sf_set_output_shape(c, 2, limits);
}

static SfStatus check_dequantize(SfInfer *c, int64_t axis)
{
    const bool first = strcmp(sf_attr_string(c, "mode"), "MIN_FIRST") == 0;
    SF_TRY(sf_require(c, !first || sf_attr_type(c, "dtype") != SF_DT_BFLOAT16, SF_ATTR("mode"),
                      "When output type is bfloat16, Mode string must be 'MIN_COMBINED', is "
                      "'MIN_FIRST'"));
    const int rank = sf_shape_rank(sf_input(c, 0));
    SF_TRY(sf_require_as(c, rank < 0 || axis < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"),
                         SF_INPUT(0),
                         "Axis must be less than input dimension({b.rank}), got {attr axis}"));
    const SfDim slices = axis < 0 ? 1 : sf_input_dim(c, 0, (int)axis);
    for (int i = 1; i < 3; i++) {
        SF_TRY(sf_require_as(c, sf_dim_compatible(sf_shape_count(sf_input(c, i)), slices),
                             SF_DIAG_DIM_EQUAL, SF_INPUT(i), SF_INPUT(0),
                             "input_{0}_tensor must have as many elements as input on the "
                             "dequantization axis ({attr axis}), got {a.count}, expected {1}",
                             SF_TEXT_ARG(i == 1 ? "min" : "max"), SF_DIM_ARG(slices)));
    }
    return SF_OK;
}

/* Dequantize: the input as floats. */
static SfStatus infer_dequantize(SfInfer *c)
{
    const int64_t axis = sf_attr_int(c, "axis");
    const SfShape *limits;
    SF_TRY(sf_common_runs(c) ? check_dequantize(c, axis)
                             : want_limits(c, 1, 0, axis, false, &limits));
    return sf_set_output_same(c, 0, 0);
}

/* Requantize and other ops with scalar limits */

static const SfMessage rank_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0)},
    {SF_ON(RANK_EXACT), .text = "`{a.name}` must be rank 0 but is rank {a.rank}"},
    {0}};

static SfStatus check_requested(SfInfer *c)
{
    double min, max;
    if (sf_input_count(c) < 5 || !scalar_limits(c, 3, &min, &max)) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, !(min > 0), SF_INPUT(3), "requested_output_min must be <= 0, but got {0:g}",
                     SF_FLOAT_ARG(min)));
    return sf_require_as(
        c, max >= min, SF_DIAG_OP_SHAPE, SF_INPUT(4), SF_INPUT(3),
        "requested_output_max must be >= requested_output_min, but got {0:g} and {1:g}",
        SF_FLOAT_ARG(max), SF_FLOAT_ARG(min));
}

/* The quantised tensor keeps its shape; its new limits are scalars. */
static SfStatus infer_rescaled(SfInfer *c)
{
    sf_kernel_messages(c, rank_messages);
    SF_TRY(sf_common_want_scalars(c, 1, sf_input_count(c)));
    sf_kernel_messages(c, NULL);
    SF_TRY(sf_common_runs(c) ? check_requested(c) : SF_OK);
    SF_TRY(sf_set_output_same(c, 0, 0));
    return sf_common_set_output_scalars(c, 1, 3);
}

static SfStatus infer_instance_norm(SfInfer *c)
{
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, NULL));
    SF_TRY(infer_rescaled(c));
    const SfShape *x;
    double min, max;
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || !scalar_limits(c, 1, &min, &max) || min < max,
                         SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(2),
                         "input_min must be less than input_max : {0:g} >= {1:g}",
                         SF_FLOAT_ARG(min), SF_FLOAT_ARG(max)));
    min = sf_attr_float(c, "given_y_min");
    max = sf_attr_float(c, "given_y_max");
    SF_TRY(sf_require_as(c,
                         !sf_common_runs(c) || !sf_attr_bool(c, "output_range_given") || min < max,
                         SF_DIAG_OP_SHAPE, SF_ATTR("given_y_min"), SF_ATTR("given_y_max"),
                         "given_y_min must be less than given_y_max : {0:g} >= {1:g}",
                         SF_FLOAT_ARG(min), SF_FLOAT_ARG(max)));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &x));
    return sf_set_output_shape(c, 0, x);
}

/* RequantizationRange: the kernel reads one number, whatever else there is. */
static SfStatus infer_range_of(SfInfer *c)
{
    if (!sf_common_runs(c)) {
        SF_TRY(sf_common_want_scalars(c, 1, sf_input_count(c)));
    }
    return sf_infer_scalar(c);
}

static SfStatus check_length(SfInfer *c, int input, SfDim n, SfDim want)
{
    return sf_require_as(c, sf_dim_compatible(n, want), SF_DIAG_DIM_EQUAL, SF_INPUT(input),
                         SF_THE_OP, "{a.name} has incorrect size, expected {0} was {1}",
                         SF_DIM_ARG(want), SF_DIM_ARG(n));
}

static SfStatus infer_requantize_channels(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
        SF_TRY(sf_want_vector(c, SF_INPUT(2)));
        SF_TRY(sf_common_want_scalars(c, 3, sf_input_count(c)));
    } else {
        SF_TRY(sf_require_rank(c, 0, 4,
                               "Current RequantizePerChannel operatorsupports 4D tensors only."));
        double min, max;
        for (int i = 1; i < 3; i++) {
            SF_TRY(
                check_length(c, i, sf_shape_count(sf_input(c, i)), sf_shape_count(sf_input(c, 1))));
        }
        /* The message is TensorFlow's, and names the other limit. */
        SF_TRY(sf_require_as(
            c,
            sf_attr_type(c, "out_type") != SF_DT_QINT8 || !scalar_limits(c, 3, &min, &max) ||
                !(min >= 0),
            SF_DIAG_OP_SHAPE, SF_INPUT(3), SF_ATTR("out_type"),
            "If out_type is QINT8, requested_output_max must be non negative, got {0:g}",
            SF_FLOAT_ARG(min)));
    }
    SF_TRY(sf_set_output_shape(c, 0, x));
    return sf_common_set_output_scalars(c, 1, 3);
}

static SfStatus infer_range_of_channels(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
        SF_TRY(sf_want_vector(c, SF_INPUT(2)));
    } else {
        for (int i = 1; i < 3; i++) { /* only the first dims are compared, whatever the ranks */
            const SfDim want = sf_input_dim(c, 2, 0), n = sf_input_dim(c, i, 0);
            if (sf_shape_rank(sf_input(c, i)) == 0) { /* whatever is wanted */
                return sf_fail_with(c, SF_DIAG_DIM_EQUAL, SF_INPUT(i), SF_THE_OP,
                                    "{a.name} has incorrect size, expected {0} was 1",
                                    SF_DIM_ARG(want));
            }
            SF_TRY(check_length(c, i, n, want));
        }
        SF_TRY(sf_expect(c, sf_shape_count(x) != 0, SF_INPUT(0), "input must not be empty"));
        SF_TRY(sf_require_rank(c, 0, 4, "input must be in NHWC format"));
        SF_TRY(sf_require_as(c,
                             sf_dim_compatible(sf_shape_dim(x, 3), sf_shape_count(sf_input(c, 2))),
                             SF_DIAG_DIM_EQUAL, SF_AXIS(0, 3), SF_INPUT(1),
                             "input must have same number of channels as length of input_min: "
                             "{a.dim} vs {count 2}"));
    }
    return sf_infer_scalar(c);
}

/* QuantizeAndDequantize */

static SfStatus check_bits(SfInfer *c, int64_t bits, SfPlace place, const char *name)
{
    const int64_t limit = sf_attr_bool(c, "signed_input") ? 62 : 63;
    return sf_expect(c, bits > 0 && bits < limit, place,
                     "num_bits is out of range: {0} with {1} {attr signed_input}", SF_INT_ARG(bits),
                     SF_TEXT_ARG(name));
}

/* What the kernels of V2 and V4 want: with a given range they take a scalar one only, although
 * construction asks for a vector when there is an axis. */
static SfStatus check_v2(SfInfer *c, int64_t axis)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    double min, max;
    SF_TRY(check_bits(c, sf_attr_int(c, "num_bits"), SF_ATTR("num_bits"), "signed_input_"));
    SF_TRY(sf_require_as(c, axis >= -1, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"), SF_THE_OP,
                         "Axis must be at least -1. Found {attr axis}"));
    if (rank >= 0 && axis >= rank) {
        const uint64_t least = (uint64_t)axis + 1; /* as int64 wraps */
        return sf_fail_with(c, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_ATTR("axis"),
                            "Shape must be at least rank {0} but is rank {1}",
                            SF_INT_ARG((int64_t)least), SF_INT_ARG(rank));
    }
    if (!sf_attr_bool(c, "range_given") || sf_version(c) < SF_2_12) {
        return SF_OK;
    }
    for (int i = 1; i < 3; i++) {
        SF_TRY(sf_require_rank(c, i, 0, "{a.name} must be a scalar."));
    }
    return sf_require_as(c, !scalar_limits(c, 1, &min, &max) || min <= max, SF_DIAG_OP_SHAPE,
                         SF_INPUT(1), SF_INPUT(2),
                         "Invalid range: input_min {0:g} > input_max {1:g}", SF_FLOAT_ARG(min),
                         SF_FLOAT_ARG(max));
}

static SfStatus check_v3(SfInfer *c, int64_t axis)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    int64_t bits;
    if (rank == 0 || (rank > 0 && axis >= rank)) { /* scalars are refused whatever the axis */
        return sf_fail_with(
            c, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"), SF_INPUT(0),
            "Axis requested is larger than input dimensions. Axis: {attr axis} Input Dimensions: "
            "{b.rank}");
    }
    SF_TRY(sf_require_rank(
        c, 3, 0,
        "Invalid shape. The `num_bits` tensor should be a scalar. Got dimensions: {a.rank}"));
    if (sf_input_int(c, 3, &bits)) {
        SF_TRY(check_bits(c, bits, SF_INPUT(3), "`signed_input_`"));
    }
    for (int i = 1; axis >= 0 && sf_attr_bool(c, "range_given") && i < 3; i++) {
        const SfShape *s = sf_input(c, i);
        const SfDim d = sf_input_dim(c, 0, (int)axis);
        SF_TRY(sf_require_as(
            c, sf_shape_may_have_rank(s, 1), SF_DIAG_RANK_EXACT, SF_INPUT(i), SF_ATTR("axis"),
            "Shape must be rank 1 for {a.name}_tensor when the axis is specified"));
        SF_TRY(sf_require_as(c, sf_dim_compatible(sf_shape_dim(s, 0), d), SF_DIAG_DIM_EQUAL,
                             SF_AXIS(i, 0), SF_AXIS(0, (int)axis),
                             "{a.name}_tensor has incorrect size, was {a.dim} expected {b.dim} to "
                             "match dim {attr axis} of the input {a.shape}"));
    }
    return SF_OK;
}

/* The input, rounded to what so many bits can say. */
static SfStatus infer_quantize(SfInfer *c)
{
    const int inputs = sf_input_count(c);
    if (inputs == 1) {
        return sf_set_output_same(c, 0, 0);
    }
    const int64_t axis = sf_attr_int(c, "axis");
    const SfShape *limits;
    if (sf_common_runs(c)) {
        SF_TRY(inputs == 4 ? check_v3(c, axis) : check_v2(c, axis));
    } else {
        SF_TRY(want_limits(c, 1, 0, axis, true, &limits));
        SF_TRY(sf_common_want_scalars(c, 3, inputs));
    }
    return sf_set_output_same(c, 0, 0);
}

static bool axis_is_below(SfInfer *c, const SfFinding *f)
{
    return sf_attr_int(c, "axis") < -1;
}

static bool has_no_axis(SfInfer *c, const SfFinding *f)
{
    return sf_attr_int(c, "axis") == -1;
}

static bool is_of_tensors(SfInfer *c, const SfFinding *f)
{
    return f->a.index < 2;
}

static int size_of_axis(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_DIM_ARG(sf_input_dim(c, 0, (int)sf_attr_int(c, "axis")));
    return 1;
}

static const SfMessage grad_messages[] = {
    {.when = axis_is_below, .text = "Axis must be at least -1. Found {attr axis}"},
    {SF_ON(RANK_AT_LEAST), .when = is_of_tensors},
    {.when = is_of_tensors, .text = "gradient and input must be the same size"},
    {SF_ON(RANK_EXACT), .when = has_no_axis,
     .text = "{a.name} must be a scalar if axis is unspecified"},
    {SF_ON(RANK_EXACT)},
    {SF_OF(3), .args = size_of_axis, .text = "max has incorrect size, expected {0} was {dim 3 0}"},
    {.args = size_of_axis, .text = "min has incorrect size, expected {0} was {dim 2 0}"},
    {0}};

static SfStatus infer_quantize_grad(SfInfer *c)
{
    const SfShape *limits, *both;
    sf_kernel_messages(c, grad_messages);
    SF_TRY(want_limits(c, 2, 0, sf_attr_int(c, "axis"), true, &limits));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &both));
    SF_TRY(sf_set_output_shape(c, 0, both));
    SF_TRY(sf_set_output_shape(c, 1, limits));
    return sf_set_output_shape(c, 2, limits);
}

/* FakeQuant */

static SfStatus check_fake_bits(SfInfer *c)
{
    const int64_t bits = sf_attr_int(c, "num_bits");
    return sf_expect(c, bits >= 2 && bits <= 16, SF_ATTR("num_bits"),
                     "num_bits must be between 2 and 16, inclusive");
}

static const SfMessage fake_messages[] = {
    {SF_ON(RANK_EXACT), .text = "`{a.name}` must be rank {0} but is rank {a.rank}"},
    {SF_ON(DIM_EQUAL), .text = "{b.name} has incorrect size, expected {a.dim} was {b.dim}"},
    {SF_ON_MERGE, .text = "gradient and input must be the same size"},
    {0}};

/* FakeQuantWithMinMaxArgs and its gradient: limits are attrs. */
static SfStatus check_fake_args(SfInfer *c)
{
    const double min = sf_attr_float(c, "min"), max = sf_attr_float(c, "max");
    SF_TRY(sf_require_as(c, min < max, SF_DIAG_OP_SHAPE, SF_ATTR("min"), SF_ATTR("max"),
                         "min has to be smaller than max, was: {0:g} >= {1:g}", SF_FLOAT_ARG(min),
                         SF_FLOAT_ARG(max)));
    SF_TRY(check_fake_bits(c));
    sf_kernel_messages(c, sf_common_same_shape);
    return sf_input_count(c) < 2
               ? SF_OK
               : sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), NULL);
}

/* The limits at `low` and after it: scalars, or (PerChannel) one for each entry of the last axis,
 * which is `d`. */
static SfStatus want_fake_limits(SfInfer *c, int low, SfDim *d)
{
    const bool channels = sf_op_variant(c) == PER_CHANNEL;
    for (int i = low; i < low + 2; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), channels, NULL));
        if (channels) {
            SF_TRY(sf_want_equal(c, SF_AXIS(low - 1, -1), *d, SF_AXIS(i, 0), sf_input_dim(c, i, 0),
                                 d));
        }
    }
    return SF_OK;
}

static SfStatus infer_fake_quant(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const bool channels = sf_op_variant(c) == PER_CHANNEL;
    SF_TRY(sf_common_runs(c) ? check_fake_bits(c) : SF_OK);
    sf_kernel_messages(c, fake_messages);
    if (channels) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    }
    SfDim d = channels ? sf_shape_dim(x, -1) : SF_DIM_UNKNOWN;
    SF_TRY(want_fake_limits(c, 1, &d));
    return sf_set_output_shape(c, 0,
                               channels && sf_shape_is_ranked(x) ? sf_shape_replace(x, -1, d) : x);
}

/* Their gradients: of the inputs, and of both limits. */
static SfStatus infer_fake_quant_grad(SfInfer *c)
{
    const bool channels = sf_op_variant(c) == PER_CHANNEL;
    const SfShape *both;
    SF_TRY(sf_common_runs(c) ? check_fake_bits(c) : SF_OK);
    sf_kernel_messages(c, fake_messages);
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &both));
    SfDim d = channels ? sf_shape_dim(both, -1) : SF_DIM_UNKNOWN;
    SF_TRY(want_fake_limits(c, 2, &d));
    SF_TRY(sf_set_output_shape(c, 0, both));
    return channels ? sf_common_set_output_vectors(c, 1, 3, d)
                    : sf_common_set_output_scalars(c, 1, 3);
}

/* rows */

#define RANGE         ", input_min: float, input_max: float"
#define REQUESTED     ", requested_output_min: float, requested_output_max: float"
#define REQUANTIZED   "output: out_type, output_min: float, output_max: float"
#define QTYPE         "{qint8, quint8, qint32, qint16, quint16}"
#define BITS          "num_bits: int = 8, narrow_range: bool = false"
#define OP(name, ...) SF_OP(name, .traits = SF_OP_ASK_KERNEL, __VA_ARGS__)
#define QUANTIZE(name, ...)                                                                        \
    OP(name, .inputs = "input: T, input_min: T, input_max: T", .outputs = "output: T",             \
       .attrs = "signed_input: bool = true, num_bits: int = 8, range_given: bool = false, "        \
                "T: " SF_FLOATS ", round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN', "     \
                "narrow_range: bool = false, axis: int = -1",                                      \
       .infer = infer_quantize, __VA_ARGS__)

#define FAKE_QUANT(name, variant_)                                                                 \
    OP(name, .inputs = "inputs: float, min: float, max: float", .outputs = "outputs: float",       \
       .attrs = BITS, .infer = infer_fake_quant, .variant = (variant_))
#define FAKE_QUANT_GRAD(name, variant_)                                                            \
    OP(name, .inputs = "gradients: float, inputs: float, min: float, max: float",                  \
       .outputs = "backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float",  \
       .attrs = BITS, .infer = infer_fake_quant_grad, .grad = SF_GRAD_NONE, .variant = (variant_))

/* clang-format off */
static const SfOpDef ops[] = {
    OP(QuantizeV2, .inputs = "input: float, min_range: float, max_range: float",
       .outputs = "output: T, output_min: float, output_max: float",
       .attrs = "T: " QTYPE ", mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED', "
                "round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO', "
                "narrow_range: bool = false, axis: int = -1, ensure_minimum_range: float = 0.01",
       .infer = infer_quantize_v2, .grad = SF_GRAD_MISSING),
    OP(Dequantize, .inputs = "input: T, min_range: float, max_range: float",
       .outputs = "output: dtype",
       .attrs = "T: " QTYPE ", mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED', "
                "narrow_range: bool = false, axis: int = -1, dtype: {bfloat16, float} = float",
       .infer = infer_dequantize, .grad = SF_GRAD_MISSING),
    OP(QuantizeDownAndShrinkRange, .inputs = "input: Tinput" RANGE, .outputs = REQUANTIZED,
       .attrs = "Tinput: " QTYPE ", out_type: " QTYPE, .infer = infer_rescaled,
       .grad = SF_GRAD_MISSING),
    OP(Requantize, .inputs = "input: Tinput" RANGE REQUESTED, .outputs = REQUANTIZED,
       .attrs = "Tinput: " QTYPE ", out_type: " QTYPE, .infer = infer_rescaled,
       .grad = SF_GRAD_MISSING),
    OP(RequantizePerChannel, .inputs = "input: T" RANGE REQUESTED, .outputs = REQUANTIZED,
       .attrs = "T: " QTYPE " = qint32, out_type: " QTYPE " = quint8",
       .infer = infer_requantize_channels, .grad = SF_GRAD_MISSING),
    OP(RequantizationRange, .inputs = "input: Tinput" RANGE,
       .outputs = "output_min: float, output_max: float", .attrs = "Tinput: " QTYPE,
       .infer = infer_range_of, .grad = SF_GRAD_MISSING),
    OP(RequantizationRangePerChannel, .inputs = "input: T" RANGE,
       .outputs = "output_min: float, output_max: float",
       .attrs = "T: " QTYPE " = qint32, clip_value_max: float",
       .infer = infer_range_of_channels, .grad = SF_GRAD_MISSING),
    OP(QuantizedInstanceNorm, .inputs = "x: T, x_min: float, x_max: float",
       .outputs = "y: T, y_min: float, y_max: float",
       .attrs = "T: " QTYPE ", output_range_given: bool = false, given_y_min: float = 0.0, "
                "given_y_max: float = 0.0, variance_epsilon: float = 1e-05, "
                "min_separation: float = 0.001",
       .infer = infer_instance_norm, .grad = SF_GRAD_MISSING),

    SF_OP(QuantizeAndDequantize, .inputs = "input: T", .outputs = "output: T",
          .attrs = "signed_input: bool = true, num_bits: int = 8, range_given: bool = false, "
                   "input_min: float = 0.0, input_max: float = 0.0, T: " SF_FLOATS,
          .infer = infer_quantize),
    QUANTIZE(QuantizeAndDequantizeV2, .grad = SF_GRAD_INPUTS(1)),
    QUANTIZE(QuantizeAndDequantizeV4, .grad = SF_GRAD_FLOATS),
    OP(QuantizeAndDequantizeV3, .inputs = "input: T, input_min: T, input_max: T, num_bits: int32",
       .outputs = "output: T",
       .attrs = "signed_input: bool = true, range_given: bool = true, T: " SF_FLOATS
                ", narrow_range: bool = false, axis: int = -1",
       .infer = infer_quantize, .grad = SF_GRAD_INPUTS(1)),
    OP(QuantizeAndDequantizeV4Grad, .inputs = "gradients: T, input: T, input_min: T, input_max: T",
       .outputs = "input_backprop: T, input_min_backprop: T, input_max_backprop: T",
       .attrs = "T: " SF_FLOATS ", axis: int = -1", .infer = infer_quantize_grad,
       .grad = SF_GRAD_MISSING),
    OP(FakeQuantWithMinMaxArgs, .inputs = "inputs: float", .outputs = "outputs: float",
       .attrs = "min: float = -6.0, max: float = 6.0, " BITS, .infer = sf_infer_unchanged,
       .kernel = check_fake_args),
    OP(FakeQuantWithMinMaxArgsGradient, .inputs = "gradients: float, inputs: float",
       .outputs = "backprops: float", .attrs = "min: float = -6.0, max: float = 6.0, " BITS,
       .infer = sf_infer_unchanged, .kernel = check_fake_args, .grad = SF_GRAD_NONE),
    FAKE_QUANT(FakeQuantWithMinMaxVars, 0),
    FAKE_QUANT(FakeQuantWithMinMaxVarsPerChannel, PER_CHANNEL),
    FAKE_QUANT_GRAD(FakeQuantWithMinMaxVarsGradient, 0),
    FAKE_QUANT_GRAD(FakeQuantWithMinMaxVarsPerChannelGradient, PER_CHANNEL),
};
/* clang-format on */
const SfOpTable sf_ops_quantize = {ops, SF_ARRAY_LEN(ops), "quantize"};
