/* Elementwise ops of one operand: output shape = input shape.
 * Content folds where C's math library or plain arithmetic gives TensorFlow's result. */
#include <math.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* values */

/* A value function of elements of one kind: `expr` over a.u.f, a.u.i or a.im. */
#define FOLD(op, kind_, expr)                                                                      \
    static SfElem elem_##op(SfElem a, SfDtype t)                                                   \
    {                                                                                              \
        return a.kind == SF_ELEM_##kind_ ? (expr) : sf_elem_unknown();                             \
    }                                                                                              \
    FOLD_ELEM(op)

/* One of a real: `expr` over double x. */
#define FOLD_REAL(op, expr)                                                                        \
    static double real_##op(double x)                                                              \
    {                                                                                              \
        return expr;                                                                               \
    }                                                                                              \
    FOLD(op, FLOAT, sf_elem_float(real_##op(a.u.f)))

/* One that is defined by hand. */
#define FOLD_ELEM(op)                                                                              \
    static void fold_##op(SfInfer *c)                                                              \
    {                                                                                              \
        sf_fold_unary(c, elem_##op);                                                               \
    }

static const double selu_scale = 1.0507009873554804934193349852946;
static const double selu_alpha = 1.6732632423543772848170429916717;

/* clang-format off */
FOLD_REAL(reciprocal, 1 / x)
FOLD_REAL(sqrt,       sqrt(x))
FOLD_REAL(rsqrt,      1 / sqrt(x))
FOLD_REAL(exp,        exp(x))
FOLD_REAL(expm1,      expm1(x))
FOLD_REAL(log,        log(x))
FOLD_REAL(log1p,      log1p(x))
FOLD_REAL(sin,        sin(x))
FOLD_REAL(cos,        cos(x))
FOLD_REAL(tan,        tan(x))
FOLD_REAL(asin,       asin(x))
FOLD_REAL(acos,       acos(x))
FOLD_REAL(atan,       atan(x))
FOLD_REAL(sinh,       sinh(x))
FOLD_REAL(cosh,       cosh(x))
FOLD_REAL(tanh,       tanh(x))
FOLD_REAL(asinh,      asinh(x))
FOLD_REAL(acosh,      acosh(x))
FOLD_REAL(atanh,      atanh(x))
FOLD_REAL(sigmoid,    1 / (1 + exp(-x)))
FOLD_REAL(erf,        erf(x))
FOLD_REAL(erfc,       erfc(x))
FOLD_REAL(lgamma,     lgamma(x))
FOLD_REAL(floor,      floor(x))
FOLD_REAL(ceil,       ceil(x))
FOLD_REAL(rint,       rint(x))
FOLD_REAL(softplus,   x > 30 ? x : log1p(exp(x)))
FOLD_REAL(softsign,   x / (1 + fabs(x)))
FOLD_REAL(elu,        x < 0 ? expm1(x) : x)
FOLD_REAL(selu,       selu_scale * (x < 0 ? selu_alpha * expm1(x) : x))
/* Halves to even. Of integers the CPU kernel of 2.21 makes zeros: their value is unknown. */
FOLD_REAL(round,      rint(x))
FOLD(is_nan,      FLOAT,   sf_elem_int(isnan(a.u.f) != 0))
FOLD(is_inf,      FLOAT,   sf_elem_int(isinf(a.u.f) != 0))
FOLD(is_finite,   FLOAT,   sf_elem_int(isfinite(a.u.f) != 0))
FOLD(logical_not, INT,     sf_elem_int(a.u.i == 0))
FOLD(invert,      INT,     sf_elem_int(~a.u.i))
FOLD(real,        COMPLEX, sf_elem_float(a.u.f))
FOLD(imag,        COMPLEX, sf_elem_float(a.im))
FOLD(angle,       COMPLEX, sf_elem_float(atan2(a.im, a.u.f)))
/* clang-format on */

static SfElem elem_abs(SfElem a, SfDtype t)
{
    if (a.kind == SF_ELEM_FLOAT) {
        return sf_elem_float(fabs(a.u.f));
    }
    if (a.kind == SF_ELEM_INT && a.u.i < 0 && !sf_dtype_is_unsigned(t)) {
        return sf_elem_sub(sf_elem_int(0), a, t);
    }
    return a.kind == SF_ELEM_COMPLEX ? sf_elem_float(hypot(a.u.f, a.im)) : a;
}

static SfElem elem_neg(SfElem a, SfDtype t)
{
    if (a.kind == SF_ELEM_COMPLEX) {
        a.im = -a.im;
        a.u.f = -a.u.f;
        return a;
    }
    return a.kind == SF_ELEM_INT     ? sf_elem_int((int64_t)(0 - (uint64_t)a.u.i))
           : a.kind == SF_ELEM_FLOAT ? sf_elem_float(-a.u.f)
                                     : sf_elem_unknown();
}

static SfElem elem_sign(SfElem a, SfDtype t)
{
    if (a.kind == SF_ELEM_INT) {
        return sf_elem_int((a.u.i > 0) - (a.u.i < 0));
    }
    if (a.kind == SF_ELEM_FLOAT && !isnan(a.u.f)) {
        return sf_elem_float((a.u.f > 0) - (a.u.f < 0));
    }
    return sf_elem_unknown();
}

static SfElem elem_square(SfElem a, SfDtype t)
{
    return sf_elem_mul(a, a, t);
}

static SfElem elem_relu(SfElem a, SfDtype t)
{
    return sf_elem_max(a, a.kind == SF_ELEM_FLOAT ? sf_elem_float(0) : sf_elem_int(0), t);
}

static SfElem elem_relu6(SfElem a, SfDtype t)
{
    const SfElem six = a.kind == SF_ELEM_FLOAT ? sf_elem_float(6) : sf_elem_int(6);
    return sf_elem_min(elem_relu(a, t), six, t);
}

static SfElem elem_population_count(SfElem a, SfDtype t)
{
    if (a.kind != SF_ELEM_INT) {
        return sf_elem_unknown();
    }
    const size_t bits = 8 * sf_dtype_size(t);
    const uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return sf_elem_int(__builtin_popcountll((uint64_t)a.u.i & mask));
}

static SfElem elem_conj(SfElem a, SfDtype t)
{
    a.im = a.kind == SF_ELEM_COMPLEX ? -a.im : a.im;
    return a;
}

/* Interning normalises elements to the dtype of the output: exactly a cast. */
static SfElem elem_cast(SfElem a, SfDtype t)
{
    return a;
}

FOLD_ELEM(abs)
FOLD_ELEM(neg)
FOLD_ELEM(sign)
FOLD_ELEM(square)
FOLD_ELEM(relu)
FOLD_ELEM(relu6)
FOLD_ELEM(population_count)
FOLD_ELEM(conj)

/* An integer becomes the nearest float of its sign: not by way of double, which rounds twice. */
static SfElem elem_cast_to_real(SfElem a, SfDtype t)
{
    if (a.kind != SF_ELEM_INT) {
        return a;
    }
    return sf_elem_float(t == SF_DT_UINT64 ? (double)(float)(uint64_t)a.u.i : (double)(float)a.u.i);
}

static SfElem elem_cast_to_double(SfElem a, SfDtype t)
{
    return a.kind == SF_ELEM_INT && t == SF_DT_UINT64 ? sf_elem_float((double)(uint64_t)a.u.i) : a;
}

static void fold_cast(SfInfer *c)
{
    const SfDtype to = sf_dtype_base(sf_output_dtype(c, 0));
    sf_fold_unary(c, to == SF_DT_DOUBLE         ? elem_cast_to_double
                     : sf_dtype_is_floating(to) ? elem_cast_to_real
                                                : elem_cast);
}

static void fold_leaky_relu(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const double alpha = sf_attr_float(c, "alpha");
    int64_t n;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    for (int64_t i = 0; out && i < n; i++) {
        const SfElem e = sf_value_elem(x, i);
        if (e.kind == SF_ELEM_FLOAT && !sf_elem_is_subnormal(e, sf_output_dtype(c, 0))) {
            out[i] = sf_elem_float(e.u.f < 0 ? alpha * e.u.f : e.u.f);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* zeros_like and ones_like need no content, only a small known shape. */
static void fold_fill_with(SfInfer *c, int64_t number)
{
    const SfDtype t = sf_output_dtype(c, 0);
    SfElem e = sf_elem_int(number);
    if (t == SF_DT_STRING) {
        e = sf_elem_string("", 0);
    } else if (sf_dtype_is_floating(t) || sf_dtype_is_complex(t)) {
        e = sf_elem_float((double)number);
    }
    if (sf_dtype_size(t) > 0 || t == SF_DT_STRING) {
        sf_fold_set_output_value(c, 0, sf_value_fill(t, sf_output(c, 0), e));
    }
}

static void fold_zeros_like(SfInfer *c)
{
    fold_fill_with(c, 0);
}

static void fold_ones_like(SfInfer *c)
{
    fold_fill_with(c, 1);
}

/* ComplexAbs */

/* ComplexAbs: the kernel gives a real of the operand's own precision, whatever Tout says. */
static SfStatus magnitude_kernel(SfInfer *c)
{
    const SfDtype in = sf_dtype_base(sf_input_dtype(c, 0));
    const SfDtype out = sf_output_dtype(c, 0);
    const SfDtype want = in == SF_DT_COMPLEX64 ? SF_DT_FLOAT : SF_DT_DOUBLE;
    return sf_require_as(c, out == want, SF_DIAG_OP_SHAPE, SF_ATTR("Tout"), SF_INPUT(0),
                         "Signature mismatch, have: {0}->{1} expected: {0}->{2}", SF_DTYPE_ARG(in),
                         SF_DTYPE_ARG(out), SF_DTYPE_ARG(want));
}

/* Bitcast */

static SfStatus fail_bitcast(SfInfer *c, SfDim ratio)
{
    return sf_fail_with(
        c, SF_DIAG_OP_SHAPE, SF_AXIS(0, -1), SF_ATTR("type"),
        sf_common_runs(c) ? "Cannot bitcast from {0} to {1}"
        : sf_version(c) < SF_VERSION(2, 0)
            ? "Cannot bitcast due to shape. {a.dim} does not match {2}"
            : "Cannot bitcast from {0} to {1} due to shape. {a.dim} does not match {2}",
        SF_INT_ARG((int)sf_dtype_base(sf_input_dtype(c, 0))),
        SF_INT_ARG((int)sf_attr_type(c, "type")), SF_DIM_ARG(ratio));
}

/* Bitcast: the same bytes as another type; a last axis appears or goes when the sizes differ.
 * Source: tf.raw_ops.Bitcast. */
static SfStatus infer_bitcast(SfInfer *c)
{
    const size_t from = sf_dtype_size(sf_dtype_base(sf_input_dtype(c, 0)));
    const size_t to = sf_dtype_size(sf_attr_type(c, "type"));
    const SfShape *x = sf_input(c, 0);
    if (from == 0 || to == 0) {
        return sf_set_output_unknown(c, 0);
    }
    if (from == to) {
        return sf_set_output_same(c, 0, 0);
    }
    if (from > to) {
        return sf_set_output_shape(c, 0, sf_shape_concat(x, sf_shape_vector((SfDim)(from / to))));
    }
    const SfDim ratio = (SfDim)(to / from);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    SF_TRY(sf_dim_never(sf_shape_dim(x, -1), ratio) ? fail_bitcast(c, ratio) : SF_OK);
    return sf_set_output_shape(c, 0, sf_shape_remove(x, -1));
}

/* Integers of one size wrap; the rest is not shape arithmetic. */
static void fold_bitcast(SfInfer *c)
{
    const SfDtype from = sf_dtype_base(sf_input_dtype(c, 0));
    const SfDtype to = sf_attr_type(c, "type");
    if (sf_dtype_is_integer(from) && sf_dtype_is_integer(to) &&
        sf_dtype_size(from) == sf_dtype_size(to)) {
        sf_fold_unary(c, elem_cast);
    }
}

/* gradients of unary functions */

/* SigmoidGrad, TanhGrad...: the shape function trusts the first operand, the kernel counts. */
static SfStatus gradient_kernel(SfInfer *c)
{
    const SfDim a = sf_shape_count(sf_input(c, 0)), b = sf_shape_count(sf_input(c, 1));
    return sf_require_as(c, !sf_dim_differs(a, b), SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(1),
                         "The two arguments to a cwise op must have same number of elements, got "
                         "{a.count} and {b.count}");
}

/* ReluGrad, EluGrad...: two tensors of one shape. */
static SfStatus infer_activation_gradient(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &out));
    return sf_set_output_shape(c, 0, out);
}

/* rows */

#define UNARY(name, types, ...)                                                                    \
    SF_OP(name, .inputs = "x: T", .outputs = "y: T", .attrs = "T: " types,                         \
          .infer = sf_infer_unchanged, .traits = SF_OP_ELEMENTWISE, __VA_ARGS__)
#define LIKE(name, types, fold_, range_)                                                           \
    SF_OP(name, .inputs = "x: T", .outputs = "y: T", .attrs = "T: " types,                         \
          .infer = sf_infer_unchanged, .fold = (fold_), .grad = SF_GRAD_NONE,                      \
          .traits = SF_OP_ELEMENTWISE | SF_OP_SHAPE_ONLY, .range = (range_))
#define ACTIVATION(name, attrs_, ...)                                                              \
    SF_OP(name, .inputs = "features: T", .outputs = "activations: T", .attrs = (attrs_),           \
          .infer = sf_infer_unchanged, .traits = SF_OP_ELEMENTWISE, __VA_ARGS__)
#define PREDICATE(name, ...)                                                                       \
    SF_OP(name, .inputs = "x: T", .outputs = "y: bool", .attrs = "T: " SF_FLOATS,                  \
          .infer = sf_infer_unchanged, .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_MISSING,       \
          __VA_ARGS__)
#define OF_COMPLEX(name, in, out, ...)                                                             \
    SF_OP(name, .inputs = in ": T", .outputs = out ": Tout",                                       \
          .attrs = "T: " SF_COMPLEX " = complex64, Tout: {float, double} = float",                 \
          .traits = SF_OP_ELEMENTWISE, __VA_ARGS__)
#define GRADIENT(name)                                                                             \
    SF_OP(name, .inputs = "y: T, dy: T", .outputs = "z: T", .attrs = "T: " SF_FLOATS_C,            \
          .infer = sf_infer_unchanged, .kernel = gradient_kernel, .traits = SF_OP_ELEMENTWISE)
#define ACTIVATION_GRADIENT(name, second, attrs_, ...)                                             \
    SF_OP(name, .inputs = "gradients: T, " second ": T", .outputs = "backprops: T",                \
          .attrs = (attrs_), .infer = infer_activation_gradient, .traits = SF_OP_ELEMENTWISE,      \
          .messages = sf_common_same_shape, __VA_ARGS__)
#define BITCASTABLE                                                                                \
    "{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, "   \
    "complex64, complex128, qint8, quint8, qint16, quint16, qint32}"
#define RELU_TYPES                                                                                 \
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, "   \
    "qint8}"
#define SQUARE_TYPES                                                                               \
    "{bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "   \
    "complex64, complex128}"
#define LIKE_TYPES                                                                                 \
    "{bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, "   \
    "complex64, complex128, bool}"

/* clang-format off */
static const SfOpDef ops[] = {
    UNARY(Abs, "{bfloat16, half, float, double, int8, int16, int32, int64}", .fold = fold_abs,
          .range = sf_range_abs),
    UNARY(Neg,        SF_SIGNED_C,  .fold = fold_neg, .range = sf_range_neg),
    UNARY(Sign,       SF_SIGNED_C,  .fold = fold_sign, .range = sf_range_sign),
    UNARY(Reciprocal, SF_SIGNED_C,  .fold = fold_reciprocal,
          .range = sf_range_reciprocal, .hazards = sf_hazards_reciprocal),
    UNARY(Inv,        SF_SIGNED_C,  .fold = fold_reciprocal,
          .range = sf_range_reciprocal, .hazards = sf_hazards_reciprocal),
    UNARY(Square,     SQUARE_TYPES, .fold = fold_square, .range = sf_range_square),
    UNARY(Round,      SF_SIGNED_C,  .fold = fold_round, .grad = SF_GRAD_NONE,
          .range = sf_range_round),
    UNARY(Sqrt,       SF_FLOATS_C,  .fold = fold_sqrt,
          .range = sf_range_sqrt, .hazards = sf_hazards_sqrt),
    UNARY(Rsqrt,      SF_FLOATS_C,  .fold = fold_rsqrt,
          .range = sf_range_rsqrt, .hazards = sf_hazards_rsqrt),
    UNARY(Exp,        SF_FLOATS_C,  .fold = fold_exp,
          .range = sf_range_exp, .hazards = sf_hazards_exp),
    UNARY(Expm1,      SF_FLOATS_C,  .fold = fold_expm1,
          .range = sf_range_expm1, .hazards = sf_hazards_expm1),
    UNARY(Log,        SF_FLOATS_C,  .fold = fold_log,
          .range = sf_range_log, .hazards = sf_hazards_log),
    UNARY(Log1p,      SF_FLOATS_C,  .fold = fold_log1p,
          .range = sf_range_log1p, .hazards = sf_hazards_log1p),
    UNARY(Sin,        SF_FLOATS_C,  .fold = fold_sin, .range = sf_range_wave),
    UNARY(Cos,        SF_FLOATS_C,  .fold = fold_cos, .range = sf_range_wave),
    UNARY(Tan,        SF_FLOATS_C,  .fold = fold_tan),
    UNARY(Asin,       SF_FLOATS_C,  .fold = fold_asin,
          .range = sf_range_asin, .hazards = sf_hazards_acos),
    UNARY(Acos,       SF_FLOATS_C,  .fold = fold_acos,
          .range = sf_range_acos, .hazards = sf_hazards_acos),
    UNARY(Atan,       SF_FLOATS_C,  .fold = fold_atan, .range = sf_range_atan),
    UNARY(Sinh,       SF_FLOATS_C,  .fold = fold_sinh,
          .range = sf_range_sinh, .hazards = sf_hazards_sinh),
    UNARY(Cosh,       SF_FLOATS_C,  .fold = fold_cosh,
          .range = sf_range_cosh, .hazards = sf_hazards_cosh),
    UNARY(Tanh,       SF_FLOATS_C,  .fold = fold_tanh, .range = sf_range_tanh),
    UNARY(Asinh,      SF_FLOATS_C,  .fold = fold_asinh, .range = sf_range_asinh),
    UNARY(Acosh,      SF_FLOATS_C,  .fold = fold_acosh, .hazards = sf_hazards_acosh,
          .range = sf_range_acosh),
    UNARY(Atanh,      SF_FLOATS_C,  .fold = fold_atanh, .hazards = sf_hazards_atanh),
    UNARY(Sigmoid,    SF_FLOATS_C,  .fold = fold_sigmoid, .range = sf_range_sigmoid),
    UNARY(Erf,        SF_FLOATS,    .fold = fold_erf, .range = sf_range_erf),
    UNARY(Erfc,       SF_FLOATS,    .fold = fold_erfc, .range = sf_range_erfc),
    UNARY(Erfinv,     SF_FLOATS, .hazards = sf_hazards_atanh),
    UNARY(Ndtri,      SF_FLOATS, .hazards = sf_hazards_ndtri),
    UNARY(Lgamma,     SF_FLOATS,    .fold = fold_lgamma, .hazards = sf_hazards_lgamma),
    UNARY(Digamma,    SF_FLOATS, .hazards = sf_hazards_digamma),
    UNARY(Floor,      SF_FLOATS,    .fold = fold_floor, .grad = SF_GRAD_NONE,
          .range = sf_range_floor),
    UNARY(Ceil,       SF_FLOATS,    .fold = fold_ceil,  .grad = SF_GRAD_NONE,
          .range = sf_range_ceil),
    UNARY(Rint,       SF_FLOATS,    .fold = fold_rint,  .grad = SF_GRAD_NONE,
          .range = sf_range_round),
    UNARY(BesselI0,   SF_FLOATS),
    UNARY(BesselI1,   SF_FLOATS),
    UNARY(BesselI0e,  SF_FLOATS),
    UNARY(BesselI1e,  SF_FLOATS),
    UNARY(BesselK0,   SF_FLOATS),
    UNARY(BesselK1,   SF_FLOATS),
    UNARY(BesselK0e,  SF_FLOATS),
    UNARY(BesselK1e,  SF_FLOATS),
    UNARY(BesselJ0,   SF_FLOATS),
    UNARY(BesselJ1,   SF_FLOATS),
    UNARY(BesselY0,   SF_FLOATS),
    UNARY(BesselY1,   SF_FLOATS),
    UNARY(Dawsn,      SF_FLOATS),
    UNARY(Expint,     SF_FLOATS),
    UNARY(FresnelCos, SF_FLOATS),
    UNARY(FresnelSin, SF_FLOATS),
    UNARY(Spence,     SF_FLOATS),
    UNARY(Invert,     SF_INTEGERS,  .fold = fold_invert,    .grad = SF_GRAD_NONE),
    LIKE(OnesLike, LIKE_TYPES, fold_ones_like, sf_range_ones),
    LIKE(ZerosLike, "type", fold_zeros_like, sf_range_zeros),

    PREDICATE(IsNan,    .fold = fold_is_nan,    .range = sf_range_is_nan),
    PREDICATE(IsInf,    .fold = fold_is_inf,    .range = sf_range_is_inf),
    PREDICATE(IsFinite, .fold = fold_is_finite, .range = sf_range_is_finite),
    SF_OP(LogicalNot, .inputs = "x: bool", .outputs = "y: bool", .infer = sf_infer_unchanged,
          .fold = fold_logical_not, .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_NONE,
          .range = sf_range_not),
    SF_OP(PopulationCount, .inputs = "x: T", .outputs = "y: uint8", .attrs = "T: " SF_INTEGERS,
          .infer = sf_infer_unchanged, .fold = fold_population_count, .traits = SF_OP_ELEMENTWISE,
          .grad = SF_GRAD_NONE),

    OF_COMPLEX(Real,       "input", "output", .infer = sf_infer_unchanged, .fold = fold_real),
    OF_COMPLEX(Imag,       "input", "output", .infer = sf_infer_unchanged, .fold = fold_imag),
    OF_COMPLEX(Angle,      "input", "output", .infer = sf_infer_unchanged, .fold = fold_angle),
    OF_COMPLEX(ComplexAbs, "x",     "y",      .infer = sf_infer_unchanged, .fold = fold_abs,
               .kernel = magnitude_kernel, .range = sf_range_abs),
    SF_OP(Conj, .inputs = "input: T", .outputs = "output: T",
          .attrs = "T: {complex64, complex128, variant} = complex64", .infer = sf_infer_unchanged,
          .fold = fold_conj, .traits = SF_OP_ELEMENTWISE),

    SF_OP(Cast, .inputs = "x: SrcT", .outputs = "y: DstT",
          .attrs = "SrcT: type, DstT: type, Truncate: bool = false", .infer = sf_infer_unchanged,
          .fold = fold_cast, .role = SF_ROLE_CAST,
          .traits = SF_OP_ELEMENTWISE | SF_OP_PASSES_GRADIENT,
          .folds = SF_FOLDS_WHEN_EXACT_18, .range = sf_range_cast),
    SF_OP(Bitcast, .inputs = "input: T", .outputs = "output: type",
          .attrs = "T: " BITCASTABLE ", type: " BITCASTABLE, .infer = infer_bitcast,
          .fold = fold_bitcast, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),

    ACTIVATION(Softplus,  "T: " SF_NN_FLOATS, .fold = fold_softplus, .range = sf_range_softplus),
    ACTIVATION(Softsign,  "T: " SF_NN_FLOATS, .fold = fold_softsign, .range = sf_range_softsign),
    ACTIVATION(Relu,      "T: " RELU_TYPES,   .fold = fold_relu, .range = sf_range_relu),
    ACTIVATION(Relu6,     "T: " SF_REALTYPE,  .fold = fold_relu6, .range = sf_range_relu6),
    ACTIVATION(Elu,       "T: " SF_NN_FLOATS, .fold = fold_elu, .range = sf_range_elu),
    ACTIVATION(Selu,      "T: " SF_NN_FLOATS, .fold = fold_selu, .range = sf_range_selu),
    ACTIVATION(LeakyRelu, "alpha: float = 0.2, T: " SF_NN_FLOATS " = float",
               .fold = fold_leaky_relu, .range = sf_range_leaky_relu),

    GRADIENT(SigmoidGrad),
    GRADIENT(TanhGrad),
    GRADIENT(SqrtGrad),
    GRADIENT(RsqrtGrad),
    GRADIENT(ReciprocalGrad),
    GRADIENT(InvGrad),
    ACTIVATION_GRADIENT(SoftplusGrad, "features", "T: " SF_NN_FLOATS, .grad = SF_GRAD_FLOATS),
    ACTIVATION_GRADIENT(SoftsignGrad, "features", "T: " SF_NN_FLOATS, .grad = SF_GRAD_MISSING),
    ACTIVATION_GRADIENT(ReluGrad,     "features", "T: " SF_REALTYPE,  .grad = SF_GRAD_FLOATS),
    ACTIVATION_GRADIENT(Relu6Grad,    "features", "T: " SF_REALTYPE,  .grad = SF_GRAD_FLOATS),
    ACTIVATION_GRADIENT(EluGrad,      "outputs",  "T: " SF_NN_FLOATS, .grad = SF_GRAD_FLOATS),
    ACTIVATION_GRADIENT(SeluGrad,     "outputs",  "T: " SF_NN_FLOATS, .grad = SF_GRAD_FLOATS),
    ACTIVATION_GRADIENT(LeakyReluGrad, "features",
                        "alpha: float = 0.2, T: " SF_NN_FLOATS " = float", .grad = SF_GRAD_FLOATS),
};
/* clang-format on */
const SfOpTable sf_ops_elementwise_unary = {ops, SF_ARRAY_LEN(ops), "elementwise_unary"};
