/* Uniform quantisation: tensors with scales and zero points, of the whole (axis -1) or of each
 * slice of an axis. Shape functions look at little; the kernels compare every pair of limits. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/quant/uniform_quant.h"

enum { DEQUANTIZES = SF_UNIFORM_HYBRID + 1 }; /* variant: UniformDequantize */

/* scales and zero points */

SfStatus sf_uniform_check_scales(SfInfer *c, const SfShape *data, int scales, int64_t axis)
{
    const SfShape *s = sf_input(c, scales);
    const SfShape *z = sf_input(c, scales + 1);
    const char *ts = sf_shape_text(c, s);
    const char *tz = sf_shape_text(c, z);
    const SfPlace ps = SF_INPUT(scales);
    SF_TRY(sf_require_as(c, sf_shape_compatible(s, z), SF_DIAG_MERGE_DIM, ps, SF_INPUT(scales + 1),
                         "scales and zero_points shape must be same, but given scales shape {0} "
                         "and zero_points shape {1}",
                         SF_TEXT_ARG(ts), SF_TEXT_ARG(tz)));
    SF_TRY(sf_require_as(c, axis >= -1 && (!sf_shape_is_ranked(data) || axis < sf_shape_rank(data)),
                         SF_DIAG_AXIS_RANGE, ps, SF_THE_OP,
                         "quantization_axis must be -1 or in range [0, input.rank), but given {0}",
                         SF_INT_ARG(axis)));
    if (!sf_shape_is_ranked(s)) {
        return SF_OK;
    }
    if (axis == -1) {
        return sf_require_as(c, sf_shape_rank(s) == 0, SF_DIAG_RANK_EXACT, ps, SF_THE_OP,
                             "If quantization_axis is -1, scales and zero_points must be scalar "
                             "tensors, but given scales shape {0} and zero_points shape {1}",
                             SF_TEXT_ARG(ts), SF_TEXT_ARG(tz));
    }
    return sf_require_as(
        c,
        sf_shape_rank(s) == 1 &&
            sf_dim_compatible(sf_shape_dim(s, 0), sf_shape_dim(data, (int)axis)),
        SF_DIAG_DIM_EQUAL, ps, SF_INPUT(0),
        "If quantization_axis is not -1, scales and zero_points must be a tensor of rank 1 and the "
        "size must be equal to the input.dim_size(quantization_axis), but given quantization_axis "
        "{0}, scales shape {1} and zero_points shape {2}",
        SF_INT_ARG(axis), SF_TEXT_ARG(ts), SF_TEXT_ARG(tz));
}

SfStatus sf_uniform_want_scales(SfInfer *c, int scales, SfPlace place, SfDim d)
{
    const SfShape *s = sf_input(c, scales);
    const SfShape *z = sf_input(c, scales + 1);
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(scales), 1, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(scales + 1), 1, NULL));
    if (!sf_shape_is_ranked(s) || !sf_shape_is_ranked(z)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, sf_shape_rank(s) == sf_shape_rank(z), SF_DIAG_OP_SHAPE,
                         SF_INPUT(scales), SF_INPUT(scales + 1),
                         "scales and zero_points must have same rank."));
    if (sf_shape_rank(s) == 0) {
        return SF_OK;
    }
    SF_TRY(sf_want_equal(c, SF_AXIS(scales, 0), sf_shape_dim(s, 0), place, d, NULL));
    return sf_want_equal(c, SF_AXIS(scales + 1, 0), sf_shape_dim(z, 0), place, d, NULL);
}

SfStatus sf_uniform_want_scalar_scales(SfInfer *c, int scales)
{
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(scales), 0, NULL));
    return sf_want_rank_at_most(c, SF_INPUT(scales + 1), 0, NULL);
}

SfStatus sf_uniform_check_positive(SfInfer *c, int scales, const char *who)
{
    const SfValue *v = sf_input_value(c, scales);
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_expect(c, e.kind != SF_ELEM_FLOAT || e.u.f > 0, SF_INPUT(scales),
                         "{0} scales elements must be all positive.", SF_TEXT_ARG(who)));
    }
    return SF_OK;
}

static bool has_axes(const SfShape *s)
{
    return sf_shape_rank(s) > 0;
}

SfStatus sf_uniform_check_lhs_scales(SfInfer *c)
{
    return sf_require_as(
        c, !has_axes(sf_input(c, 2)) && !has_axes(sf_input(c, 3)), SF_DIAG_RANK_EXACT, SF_INPUT(2),
        SF_INPUT(3),
        "lhs scales/zero_points must be all scalar tensors. Given: {a.shape}{b.shape}");
}

SfStatus sf_uniform_check_output_scales(SfInfer *c)
{
    if (sf_shape_rank(sf_input(c, 4)) != 0 || !has_axes(sf_input(c, 6))) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(6), SF_INPUT(4),
                        "If rhs is per-tensor quantized, output must be also per-tensor quantized. "
                        "Given rhs scales and zero_points of shape {shape 4} but given output "
                        "scales and zero_points of shape {a.shape}");
}

/* one tensor */

static SfStatus check_uniform(SfInfer *c)
{
    const int64_t axis = sf_attr_int(c, "quantization_axis");
    SF_TRY(sf_require_as(c, axis >= -1, SF_DIAG_AXIS_RANGE, SF_ATTR("quantization_axis"), SF_THE_OP,
                         "{a.name} must be >= -1, given: {0}", SF_INT_ARG(axis)));
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 0), 1, axis));
    return sf_op_variant(c) == DEQUANTIZES ? sf_uniform_check_positive(c, 1, "rhs") : SF_OK;
}

static SfStatus check_requantize(SfInfer *c)
{
    const int64_t from = sf_attr_int(c, "input_quantization_axis");
    const int64_t to = sf_attr_int(c, "output_quantization_axis");
    SF_TRY(sf_expect(
        c, from < 0 || to < 0 || from == to, SF_ATTR("input_quantization_axis"),
        "If input and output is both per-axis quantized, the quantization axis must be same."));
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 0), 1, from));
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 0), 3, to));
    SF_TRY(sf_uniform_check_positive(c, 1, "input/output"));
    return sf_uniform_check_positive(c, 3, "input/output");
}

/* UniformQuantizedClipByValue: limits are as the scales. */
static SfStatus check_clip(SfInfer *c)
{
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 0), 3, sf_attr_int(c, "quantization_axis")));
    for (int i = 1; i < 3; i++) {
        SF_TRY(sf_require_as(c, sf_shape_compatible(sf_input(c, i), sf_input(c, 3)),
                             SF_DIAG_MERGE_DIM, SF_INPUT(i), SF_INPUT(3),
                             "Input {a.name} shape must be same as scales/zero_points. Given "
                             "{a.name} of shape {a.shape} and scales/zero_points of shape "
                             "{b.shape}"));
    }
    return SF_OK;
}

/* UniformQuantizedAdd */

static SfStatus check_add_axes(SfInfer *c, int operand, int64_t axis, const SfShape *out)
{
    const int64_t to = sf_attr_int(c, "output_quantization_axis");
    const int rank = sf_shape_rank(sf_input(c, operand));
    return sf_require_as(
        c,
        axis < 0 || to < 0 || rank < 0 || !sf_shape_is_ranked(out) ||
            rank - axis == sf_shape_rank(out) - to,
        SF_DIAG_OP_SHAPE, SF_INPUT(operand), SF_ATTR("output_quantization_axis"),
        "If {a.name} and output is both per-axis quantized, the quantization axis must match.");
}

static SfStatus check_add(SfInfer *c, const SfShape *out)
{
    const int64_t axes[] = {sf_attr_int(c, "lhs_quantization_axis"),
                            sf_attr_int(c, "rhs_quantization_axis"),
                            sf_attr_int(c, "output_quantization_axis")};
    SF_TRY(sf_require_as(c, axes[0] >= -1 && axes[1] >= -1 && axes[2] >= -1, SF_DIAG_AXIS_RANGE,
                         SF_ATTR("lhs_quantization_axis"), SF_THE_OP,
                         "lhs, rhs and output quantization_axis must be -1 or within [0, dims)"));
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 0), 2, axes[0]));
    SF_TRY(sf_uniform_check_scales(c, sf_input(c, 1), 4, axes[1]));
    SF_TRY(sf_uniform_check_scales(c, out, 6, axes[2]));
    SF_TRY(check_add_axes(c, 0, axes[0], out));
    SF_TRY(check_add_axes(c, 1, axes[1], out));
    for (int i = 2; i < 8; i += 2) {
        SF_TRY(sf_uniform_check_positive(c, i, "lhs/rhs/output"));
    }
    return SF_OK;
}

static SfStatus infer_add(SfInfer *c)
{
    const SfShape *out = sf_shape_broadcast(sf_input(c, 0), sf_input(c, 1), NULL);
    SF_TRY_ALLOC(out);
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || !sf_shape_is_bottom(out), SF_DIAG_BROADCAST,
                         SF_INPUT(0), SF_INPUT(1),
                         "Cannot Add tensors of shapes: {a.shape}{shape 1}"));
    SF_TRY(sf_infer_broadcast(c));
    return sf_common_runs(c) ? check_add(c, out) : SF_OK;
}

/* dot products */

static const SfMessage dot_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "lhs rank must be 2, but given lhs shape {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "rhs rank must be 2, but given rhs shape {a.shape}"},
    {.text = "lhs.dim_size(1) and rhs.dim_size(0) must be equal, but given lhs shape {shape 0} and "
             "rhs shape {shape 1}"},
    {0}};

static SfStatus check_dot_attr(SfInfer *c, const char *attr)
{
    const int64_t axis = sf_attr_int(c, attr);
    return sf_require_as(c, axis == -1 || axis == 1, SF_DIAG_AXIS_RANGE, SF_ATTR(attr), SF_THE_OP,
                         "{0} Attr must be 1 (per-channel) or -1 (per-tensor).", SF_TEXT_ARG(attr));
}

static SfStatus check_dot_attrs(SfInfer *c, bool hybrid)
{
    SF_TRY(sf_require_as(c, hybrid || sf_attr_int(c, "lhs_quantization_axis") == -1,
                         SF_DIAG_AXIS_RANGE, SF_ATTR("lhs_quantization_axis"), SF_THE_OP,
                         "lhs_quantization_axis Attr must be -1 (per-tensor)."));
    SF_TRY(check_dot_attr(c, "rhs_quantization_axis"));
    return hybrid ? SF_OK : check_dot_attr(c, "output_quantization_axis");
}

/* The kernels read the axis from the scales themselves: a scalar is of the whole. */
static SfStatus check_dot_scales(SfInfer *c, int scales, const SfShape *data)
{
    const int rank = sf_shape_rank(sf_input(c, scales));
    return rank < 0 ? SF_OK : sf_uniform_check_scales(c, data, scales, rank == 0 ? -1 : 1);
}

/* UniformQuantizedDot, UniformQuantizedDotHybrid: [m,k] x [k,n]. */
static SfStatus infer_dot(SfInfer *c)
{
    const bool hybrid = sf_op_variant(c) == SF_UNIFORM_HYBRID;
    const bool runs = sf_common_runs(c);
    const int rhs_scales = hybrid ? 2 : 4;
    const SfShape *a, *b;
    SF_TRY(runs ? check_dot_attrs(c, hybrid) : SF_OK);
    sf_kernel_messages(c, dot_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &b));
    if (!runs && !hybrid) {
        SF_TRY(sf_uniform_want_scalar_scales(c, 2));
    }
    const SfDim columns = sf_shape_dim(b, 1);
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 1), sf_shape_dim(a, 1), SF_AXIS(1, 0), sf_shape_dim(b, 0),
                         NULL));
    sf_kernel_messages(c, NULL);
    const SfShape *out = sf_shape_matrix(sf_shape_dim(a, 0), columns);
    SF_TRY_ALLOC(out);
    if (runs) {
        SF_TRY(hybrid ? SF_OK : sf_uniform_check_lhs_scales(c));
        SF_TRY(check_dot_scales(c, rhs_scales, b));
        SF_TRY(hybrid ? SF_OK : check_dot_scales(c, 6, out));
        SF_TRY(hybrid ? SF_OK : sf_uniform_check_output_scales(c));
        SF_TRY(hybrid ? SF_OK : sf_uniform_check_positive(c, 2, "lhs"));
        SF_TRY(sf_uniform_check_positive(c, rhs_scales, "rhs"));
        SF_TRY(hybrid ? SF_OK : sf_uniform_check_positive(c, 6, "output"));
    } else {
        SF_TRY(sf_uniform_want_scales(c, rhs_scales, SF_AXIS(1, 1), columns));
        SF_TRY(hybrid ? SF_OK : sf_uniform_want_scales(c, 6, SF_AXIS(1, 1), columns));
    }
    return sf_set_output_shape(c, 0, out);
}

/* rows */

#define RANGE(who)    who "quantization_min_val: int, " who "quantization_max_val: int"
#define AXIS(who)     who "quantization_axis: int = -1, " RANGE(who)
#define OP(name, ...) SF_OP(name, .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING, __VA_ARGS__)
#define PAIR(who)     who "scales: float, " who "zero_points: int32"
#define PAIRS         PAIR("lhs_") ", " PAIR("rhs_") ", " PAIR("output_")
#define AXES          AXIS("lhs_") ", " AXIS("rhs_") ", " AXIS("output_")

/* clang-format off */
static const SfOpDef ops[] = {
    OP(UniformQuantize, .inputs = "input: Tin, " PAIR(""), .outputs = "output: Tout",
       .attrs = "Tin: {float}, Tout: {qint8, quint8, qint32}, " AXIS(""),
       .infer = sf_infer_unchanged,
       .kernel = check_uniform),
    OP(UniformDequantize, .inputs = "input: Tin, " PAIR(""), .outputs = "output: Tout",
       .attrs = "Tin: {qint8, quint8, qint32}, Tout: {float}, " AXIS(""),
       .infer = sf_infer_unchanged,
       .kernel = check_uniform,
       .variant = DEQUANTIZES),
    OP(UniformRequantize, .inputs = "input: Tin, " PAIR("input_") ", " PAIR("output_"),
       .outputs = "output: Tout",
       .attrs = "Tin: {qint8, qint32}, Tout: {qint8, qint32}, " AXIS("input_") ", "
                AXIS("output_"),
       .infer = sf_infer_unchanged,
       .kernel = check_requantize),
    OP(UniformQuantizedAdd, .inputs = "lhs: T, rhs: T, " PAIRS, .outputs = "output: T",
       .attrs = AXES ", T: {qint32}", .infer = infer_add),
    OP(UniformQuantizedClipByValue, .inputs = "operand: T, min: T, max: T, " PAIR(""),
       .outputs = "output: T", .attrs = "T: {qint32}, " AXIS(""), .infer = sf_infer_unchanged,
       .kernel = check_clip),
    OP(UniformQuantizedDot, .inputs = "lhs: Tin, rhs: Tin, " PAIRS, .outputs = "output: Tout",
       .attrs = "Tin: {qint8}, Tout: {qint32}, " AXES, .infer = infer_dot),
    OP(UniformQuantizedDotHybrid, .inputs = "lhs: Tlhs, rhs: Trhs, " PAIR("rhs_"),
       .outputs = "output: Tout",
       .attrs = "Tlhs: {float}, Trhs: {qint8}, Tout: {float}, " AXIS("rhs_"), .infer = infer_dot,
       .variant = SF_UNIFORM_HYBRID),
    OP(UniformQuantizedConvolution, .inputs = "lhs: Tin, rhs: Tin, " PAIRS,
       .outputs = "output: Tout",
       .attrs = "Tin: {qint8}, Tout: {qint32}, " SF_UNIFORM_CONV_ATTRS ", " AXES,
       .infer = sf_infer_uniform_conv),
    OP(UniformQuantizedConvolutionHybrid, .inputs = "lhs: Tlhs, rhs: Trhs, " PAIR("rhs_"),
       .outputs = "output: Tout",
       .attrs = "Tlhs: {float}, Trhs: {qint8}, Tout: {float}, " SF_UNIFORM_CONV_ATTRS ", "
                AXIS("rhs_"),
       .infer = sf_infer_uniform_conv, .variant = SF_UNIFORM_HYBRID),
};
/* clang-format on */
const SfOpTable sf_ops_uniform_quant = {ops, SF_ARRAY_LEN(ops), "uniform_quant"};
