/* Elementwise ops of two operands: NumPy's broadcasting, wrapping integers, TensorFlow's rounding.
 */
#include <math.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { TRUNCATES = 1 }; /* variant */

/* values: integers */

typedef enum Rounding { TRUNCATE, FLOOR } Rounding;

/* False for a division that has no value. INT64_MIN / -1 wraps, as the hardware's would. */
static bool divide(int64_t a, int64_t b, SfDtype t, Rounding rounding, int64_t *quotient,
                   int64_t *rest)
{
    if (b == 0) {
        return false;
    }
    if (t == SF_DT_UINT64) {
        *quotient = (int64_t)((uint64_t)a / (uint64_t)b);
        *rest = (int64_t)((uint64_t)a % (uint64_t)b);
        return true;
    }
    if (b == -1) {
        *quotient = (int64_t)(0 - (uint64_t)a);
        *rest = 0;
        return true;
    }
    *quotient = a / b;
    *rest = a % b;
    if (rounding == FLOOR && *rest != 0 && (*rest < 0) != (b < 0)) {
        *quotient -= 1;
        *rest += b;
    }
    return true;
}

/* n / 4, n % 4: linear where the divisor divides the coefficients. */
static SfElem divide_symbol(SfElem a, SfElem b, bool rest)
{
    if (a.kind != SF_ELEM_DIM || b.kind != SF_ELEM_INT || b.u.i <= 0) {
        return sf_elem_unknown();
    }
    const SfDim quotient = sf_dim_div_floor(a.u.dim, b.u.i);
    if (!rest || quotient == SF_DIM_UNKNOWN) {
        return sf_elem_dim(quotient);
    }
    const SfDim left = sf_dim_sub(a.u.dim, sf_dim_mul(quotient, b.u.i));
    return left == SF_DIM_BOTTOM ? sf_elem_unknown() : sf_elem_dim(left);
}

static SfElem integer_division(SfElem a, SfElem b, SfDtype t, Rounding rounding, bool rest)
{
    int64_t q, r;
    if (a.kind == SF_ELEM_INT && b.kind == SF_ELEM_INT) {
        return divide(a.u.i, b.u.i, t, rounding, &q, &r) ? sf_elem_int(rest ? r : q)
                                                         : sf_elem_unknown();
    }
    return divide_symbol(a, b, rest);
}

static bool reals(SfElem a, SfElem b)
{
    return a.kind == SF_ELEM_FLOAT && b.kind == SF_ELEM_FLOAT;
}

static bool integers(SfElem a, SfElem b)
{
    return a.kind == SF_ELEM_INT && b.kind == SF_ELEM_INT;
}

/* Div of TensorFlow: C's division of integers. */
static SfElem elem_div(SfElem a, SfElem b, SfDtype t)
{
    return reals(a, b) ? sf_elem_float(a.u.f / b.u.f) : integer_division(a, b, t, TRUNCATE, false);
}

/* floor(a / b): the quotient is rounded to the dtype first. */
static SfElem whole_quotient(SfElem a, SfElem b, SfDtype t, double (*whole)(double))
{
    const double q = a.u.f / b.u.f;
    const SfElem rounded = sf_elem_float(t == SF_DT_DOUBLE ? q : (double)(float)q);
    if ((t != SF_DT_DOUBLE && t != SF_DT_FLOAT) || sf_elem_is_subnormal(rounded, t)) {
        return sf_elem_unknown();
    }
    return sf_elem_float(whole(rounded.u.f));
}

static SfElem elem_floor_div(SfElem a, SfElem b, SfDtype t)
{
    return reals(a, b) ? whole_quotient(a, b, t, floor) : integer_division(a, b, t, FLOOR, false);
}

static SfElem elem_truncate_div(SfElem a, SfElem b, SfDtype t)
{
    return reals(a, b) ? whole_quotient(a, b, t, trunc)
                       : integer_division(a, b, t, TRUNCATE, false);
}

static SfElem elem_floor_mod(SfElem a, SfElem b, SfDtype t)
{
    if (!reals(a, b)) {
        return integer_division(a, b, t, FLOOR, true);
    }
    const double r = fmod(a.u.f, b.u.f);
    return sf_elem_float(r != 0 && (r < 0) != (b.u.f < 0) ? r + b.u.f : r);
}

static SfElem elem_truncate_mod(SfElem a, SfElem b, SfDtype t)
{
    return reals(a, b) ? sf_elem_float(fmod(a.u.f, b.u.f))
                       : integer_division(a, b, t, TRUNCATE, true);
}

static SfElem elem_pow(SfElem a, SfElem b, SfDtype t)
{
    if (reals(a, b)) {
        return sf_elem_float(pow(a.u.f, b.u.f));
    }
    if (!integers(a, b) || b.u.i < 0) {
        return sf_elem_unknown();
    }
    SfElem power = sf_elem_int(1);
    SfElem base = a;
    for (int64_t n = b.u.i; n > 0; n /= 2) { /* wraps as repeated multiplication does */
        if (n % 2 == 1) {
            power = sf_elem_mul(power, base, t);
        }
        base = sf_elem_mul(base, base, t);
    }
    return power;
}

static SfElem elem_squared_difference(SfElem a, SfElem b, SfDtype t)
{
    const SfElem d = sf_elem_sub(a, b, t);
    return d.kind == SF_ELEM_INT || d.kind == SF_ELEM_FLOAT ? sf_elem_mul(d, d, t)
                                                            : sf_elem_unknown();
}

/* Shift amounts are clamped to the width, as in TensorFlow's functor. */
static bool shift_amount(SfElem a, SfElem b, SfDtype t, unsigned *amount)
{
    const int64_t last = 8 * (int64_t)sf_dtype_size(t) - 1;
    if (!integers(a, b) || last < 0) {
        return false;
    }
    const bool large = b.u.i > last || (b.u.i < 0 && t == SF_DT_UINT64);
    *amount = (unsigned)(large ? last : b.u.i < 0 ? 0 : b.u.i);
    return true;
}

static SfElem elem_left_shift(SfElem a, SfElem b, SfDtype t)
{
    unsigned by;
    return shift_amount(a, b, t, &by) ? sf_elem_int((int64_t)((uint64_t)a.u.i << by))
                                      : sf_elem_unknown();
}

static SfElem elem_right_shift(SfElem a, SfElem b, SfDtype t)
{
    unsigned by;
    if (!shift_amount(a, b, t, &by)) {
        return sf_elem_unknown();
    }
    if (sf_dtype_is_unsigned(t)) {
        return sf_elem_int((int64_t)((uint64_t)a.u.i >> by));
    }
    return sf_elem_int(a.u.i < 0 ? ~(~a.u.i >> by) : a.u.i >> by);
}

static SfElem elem_complex(SfElem a, SfElem b, SfDtype t)
{
    if (!reals(a, b)) {
        return sf_elem_unknown();
    }
    SfElem e = a;
    e.kind = SF_ELEM_COMPLEX;
    e.im = b.u.f;
    return e;
}

/* With a NaN neither a < b nor b <= a holds. */
static int negated(int less, SfElem a, SfElem b)
{
    if (reals(a, b) && (isnan(a.u.f) || isnan(b.u.f))) {
        return 0;
    }
    return less < 0 ? less : !less;
}

static int same_truth(SfElem a, SfElem b, bool wanted)
{
    bool same;
    return !sf_elem_same(a, b, &same) ? -1 : same == wanted;
}

static SfElem elem_or_unknown(const SfValue *v, const SfShape *shape, int64_t at)
{
    return v ? sf_value_elem(v, sf_fold_broadcast_index(sf_value_shape(v), shape, at))
             : sf_elem_unknown();
}

/* One operand decides where it is `decisive`, whatever the other one is. */
static void fold_logical(SfInfer *c, bool decisive)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *y = sf_input_value(c, 1);
    int64_t n;
    SfElem *out = !x && !y ? NULL : sf_fold_begin(c, 0, &n);
    if (!out) {
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const SfElem a = elem_or_unknown(x, sf_output(c, 0), i);
        const SfElem b = elem_or_unknown(y, sf_output(c, 0), i);
        const bool decides = (a.kind == SF_ELEM_INT && (a.u.i != 0) == decisive) ||
                             (b.kind == SF_ELEM_INT && (b.u.i != 0) == decisive);
        out[i] = decides          ? sf_elem_int(decisive)
                 : integers(a, b) ? sf_elem_int(!decisive)
                                  : sf_elem_unknown();
    }
    sf_fold_set_output(c, 0, out);
}

static void fold_logical_and(SfInfer *c)
{
    fold_logical(c, false);
}

static void fold_logical_or(SfInfer *c)
{
    fold_logical(c, true);
}

/* the value function of each op */

#define FOLD(op, elem)                                                                             \
    static void fold_##op(SfInfer *c)                                                              \
    {                                                                                              \
        sf_fold_binary(c, elem);                                                                   \
    }
/* One of operands for which `of` holds: `expr` over a and b. */
#define FOLD_OF(op, of, expr)                                                                      \
    static SfElem elem_##op(SfElem a, SfElem b, SfDtype t)                                         \
    {                                                                                              \
        return of(a, b) ? (expr) : sf_elem_unknown();                                              \
    }                                                                                              \
    FOLD(op, elem_##op)
/* A predicate: 1, 0 or -1 (not known). */
#define FOLD_TRUTH(op, expr)                                                                       \
    static SfElem elem_##op(SfElem a, SfElem b, SfDtype t)                                         \
    {                                                                                              \
        const int truth = (expr);                                                                  \
        return truth < 0 ? sf_elem_unknown() : sf_elem_int(truth);                                 \
    }                                                                                              \
    FOLD(op, elem_##op)

/* clang-format off */
FOLD(add, sf_elem_add)
FOLD(sub, sf_elem_sub)
FOLD(mul, sf_elem_mul)
FOLD(maximum, sf_elem_max)
FOLD(minimum, sf_elem_min)
FOLD(div, elem_div)
FOLD(floor_div, elem_floor_div)
FOLD(truncate_div, elem_truncate_div)
FOLD(floor_mod, elem_floor_mod)
FOLD(truncate_mod, elem_truncate_mod)
FOLD(pow, elem_pow)
FOLD(squared_difference, elem_squared_difference)
FOLD(left_shift, elem_left_shift)
FOLD(right_shift, elem_right_shift)
FOLD(complex, elem_complex)
FOLD_OF(bitwise_and, integers, sf_elem_int(a.u.i & b.u.i))
FOLD_OF(bitwise_or, integers, sf_elem_int(a.u.i | b.u.i))
FOLD_OF(bitwise_xor, integers, sf_elem_int(a.u.i ^ b.u.i))
FOLD_OF(div_no_nan, reals, sf_elem_float(b.u.f == 0 ? 0 : a.u.f / b.u.f))
FOLD_OF(mul_no_nan, reals, sf_elem_float(b.u.f == 0 ? 0 : a.u.f * b.u.f))
FOLD_OF(atan2, reals, sf_elem_float(atan2(a.u.f, b.u.f)))
FOLD_OF(xdivy, reals, sf_elem_float(a.u.f == 0 ? 0 : a.u.f / b.u.f))
FOLD_OF(xlogy, reals, sf_elem_float(a.u.f == 0 ? 0 : a.u.f * log(b.u.f)))
FOLD_OF(xlog1py, reals, sf_elem_float(a.u.f == 0 ? 0 : a.u.f * log1p(b.u.f)))
FOLD_TRUTH(less,          sf_elem_less(a, b, t))
FOLD_TRUTH(greater,       sf_elem_less(b, a, t))
FOLD_TRUTH(less_equal,    negated(sf_elem_less(b, a, t), a, b))
FOLD_TRUTH(greater_equal, negated(sf_elem_less(a, b, t), a, b))
FOLD_TRUTH(equal,         same_truth(a, b, true))
FOLD_TRUTH(not_equal,     same_truth(a, b, false))
/* clang-format on */

/* shapes */

/* Does any known element of an integer operand fulfil the test, in an output that has elements? */
static bool kernel_finds(SfInfer *c, int input, bool (*test)(int64_t))
{
    if (!sf_dtype_is_integer(sf_dtype_base(sf_input_dtype(c, input))) ||
        sf_dim_lower(sf_shape_count(sf_output(c, 0))) < 1) {
        return false;
    }
    const SfValue *v = sf_input_value(c, input);
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_INT && test(e.u.i)) {
            return true;
        }
    }
    return false;
}

static bool is_zero(int64_t i)
{
    return i == 0;
}

static bool is_negative(int64_t i)
{
    return i < 0;
}

/* Div, FloorMod...: integers refuse a zero when they run. */
static SfStatus division_kernel(SfInfer *c)
{
    const bool unexpected = sf_op_variant(c) == TRUNCATES; /* by the kernel */
    return sf_require_as(
        c, !kernel_finds(c, 1, is_zero), unexpected ? SF_DIAG_KERNEL_INTERNAL : SF_DIAG_OP_SHAPE,
        SF_INPUT(1), SF_THE_OP,
        unexpected
            ? "Unexpected error in binary operator (only integer div and mod should have errors)"
            : "Integer division by zero");
}

static SfStatus pow_kernel(SfInfer *c)
{
    return sf_expect(c, !kernel_finds(c, 1, is_negative), SF_INPUT(1),
                     "Integers to negative integer powers are not allowed");
}

/* Equal, NotEqual: with incompatible_shape_error=false (the == of TensorFlow 2) shapes that cannot
 * broadcast compare to one False. */
static SfStatus infer_equal(SfInfer *c)
{
    if (sf_attr_bool(c, "incompatible_shape_error")) {
        return sf_infer_broadcast(c);
    }
    const SfShape *a = sf_input(c, 0);
    const SfShape *b = sf_input(c, 1);
    const SfShape *both = sf_shape_broadcast(a, b, NULL);
    SF_TRY_ALLOC(both);
    if (sf_shape_is_bottom(both)) { /* one False, or True of NotEqual, whatever the values */
        SF_TRY(sf_set_output_scalar(c, 0));
        const SfElem differs = sf_elem_int(sf_op_sig(c)->def->variant);
        sf_fold_set_output(c, 0, &differs);
        return SF_OK;
    }
    for (int i = 1; i <= sf_shape_rank(a) && i <= sf_shape_rank(b); i++) {
        const SfDim x = sf_shape_dim(a, -i);
        const SfDim y = sf_shape_dim(b, -i);
        if ((x != y || x == SF_DIM_UNKNOWN) && x != 1 && y != 1) {
            return sf_set_output_unknown(c, 0); /* it may turn out to be the scalar */
        }
    }
    return sf_set_output_shape(c, 0, both);
}

static const SfMessage approximate_messages[] = {
    {.text = "x and y must be of the same shape. x shape: {shape 0}. y shape: {shape 1}"}, {0}};

static SfStatus infer_approximate_equal(SfInfer *c)
{
    const SfShape *both;
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &both));
    return sf_set_output_shape(c, 0, both);
}

static void fold_approximate_equal(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *y = sf_input_value(c, 1);
    int64_t n;
    SfElem *out = !x || !y ? NULL : sf_fold_begin(c, 0, &n);
    for (int64_t i = 0; out && i < n; i++) {
        const SfElem a = sf_value_elem(x, i);
        const SfElem b = sf_value_elem(y, i);
        if (reals(a, b)) {
            out[i] = sf_elem_int(fabs(a.u.f - b.u.f) < sf_attr_float(c, "tolerance"));
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* rows */

#define BINARY(name, x, y, types, ...)                                                             \
    SF_OP(name, .inputs = x ": T, " y ": T", .outputs = "z: T", .attrs = "T: " types,              \
          .traits = SF_OP_ELEMENTWISE, __VA_ARGS__)
#define BROADCAST(name, types, ...)                                                                \
    BINARY(name, "x", "y", types, .infer = sf_infer_broadcast, __VA_ARGS__)
#define PRODUCT(name, types, ...)                                                                  \
    SF_OP(name, .inputs = "x: T, y: T", .outputs = "z: T", .attrs = "T: " types,                   \
          .infer = sf_infer_broadcast, .traits = SF_OP_ELEMENTWISE | SF_OP_FACTORS,                \
          .arithmetic = SF_ARITHMETIC_PRODUCT, __VA_ARGS__)
#define DIVISION(name, types, ...)                                                                 \
    BINARY(name, "x", "y", types, .infer = sf_infer_broadcast, .kernel = division_kernel,          \
           .checks_last = true, __VA_ARGS__)
#define BITWISE(name, fold_) BROADCAST(name, SF_INTEGERS, .fold = (fold_), .grad = SF_GRAD_NONE)
#define COMPARE(name, types, fold_, range_)                                                        \
    SF_OP(name, .inputs = "x: T, y: T", .outputs = "z: bool", .attrs = "T: " types,                \
          .infer = sf_infer_broadcast, .fold = (fold_), .traits = SF_OP_ELEMENTWISE,               \
          .grad = SF_GRAD_NONE, .arithmetic = SF_ARITHMETIC_COMPARISON, .range = (range_))
#define EQUALITY(name, differs, fold_, range_)                                                     \
    SF_OP(name, .inputs = "x: T, y: T", .outputs = "z: bool",                                      \
          .attrs = "T: type, incompatible_shape_error: bool = true", .infer = infer_equal,         \
          .fold = (fold_), .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_NONE,                      \
          .folds = SF_FOLDS_WHEN_EXACT_18, .arithmetic = SF_ARITHMETIC_COMPARISON,                 \
          .variant = (differs), .range = (range_))
#define LOGICAL(name, fold_)                                                                       \
    SF_OP(name, .inputs = "x: bool, y: bool", .outputs = "z: bool", .infer = sf_infer_broadcast,   \
          .fold = (fold_), .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_NONE)

#define ADD_TYPES                                                                                  \
    "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, "    \
    "string}"
#define ADD_V2_TYPES                                                                               \
    "{bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, "   \
    "complex64, complex128}"
#define SUB_TYPES                                                                                  \
    "{bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, "        \
    "complex128, uint32, uint64}"
#define MUL_TYPES                                                                                  \
    "{bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, "   \
    "complex64, complex128}"
#define MAXIMUM_TYPES                                                                              \
    "{bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}"
#define FLOOR_MOD_TYPES                                                                            \
    "{int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double}"
#define POW_TYPES                                                                                  \
    "{bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128}"
#define DIFFERENCE_TYPES "{bfloat16, half, float, double, int32, int64, complex64, complex128}"
#define NO_NAN_TYPES     "{half, float, bfloat16, double, complex64, complex128}"
#define XLOGY_TYPES      "{half, bfloat16, float, double, complex64, complex128}"

/* clang-format off */
static const SfOpDef ops[] = {
    BROADCAST(Add,   ADD_TYPES,    .fold = fold_add, .arithmetic = SF_ARITHMETIC_SUM,
          .range = sf_range_add),
    BROADCAST(AddV2, ADD_V2_TYPES, .fold = fold_add, .arithmetic = SF_ARITHMETIC_SUM,
          .range = sf_range_add),
    BROADCAST(Sub,   SUB_TYPES,    .fold = fold_sub, .arithmetic = SF_ARITHMETIC_DIFFERENCE,
          .range = sf_range_sub),
    PRODUCT(Mul,     MUL_TYPES,    .fold = fold_mul, .range = sf_range_mul),
    DIVISION(Div,         MUL_TYPES, .fold = fold_div, .arithmetic = SF_ARITHMETIC_PRODUCT,
          .range = sf_range_div, .hazards = sf_hazards_div),
    DIVISION(RealDiv,     MUL_TYPES, .fold = fold_div, .arithmetic = SF_ARITHMETIC_PRODUCT,
          .range = sf_range_div, .hazards = sf_hazards_div),
    DIVISION(FloorDiv,    MUL_TYPES, .fold = fold_floor_div,    .grad = SF_GRAD_NONE,
              .arithmetic = SF_ARITHMETIC_PRODUCT, .range = sf_range_floor_div,
             .hazards = sf_hazards_div),
    DIVISION(TruncateDiv, MUL_TYPES, .fold = fold_truncate_div, .grad = SF_GRAD_NONE,
             .variant = TRUNCATES, .arithmetic = SF_ARITHMETIC_PRODUCT),
    DIVISION(Mod, "{int32, int64, half, half, bfloat16, float, double}",
             .fold = fold_truncate_mod, .grad = SF_GRAD_MISSING, .range = sf_range_truncate_mod,
             .hazards = sf_hazards_div),
    DIVISION(FloorMod, FLOOR_MOD_TYPES, .fold = fold_floor_mod, .range = sf_range_floor_mod,
             .hazards = sf_hazards_div),
    DIVISION(TruncateMod, "{int32, int64, bfloat16, half, float, double}",
             .fold = fold_truncate_mod, .grad = SF_GRAD_MISSING, .variant = TRUNCATES,
             .range = sf_range_truncate_mod, .hazards = sf_hazards_div),
    BROADCAST(DivNoNan, NO_NAN_TYPES,  .fold = fold_div_no_nan,
              .arithmetic = SF_ARITHMETIC_PRODUCT, .range = sf_range_div_no_nan),
    PRODUCT(MulNoNan,   SF_FLOATS_C,   .fold = fold_mul_no_nan),
    BINARY(Pow, "x", "y", POW_TYPES, .infer = sf_infer_broadcast, .kernel = pow_kernel,
           .checks_last = true, .fold = fold_pow,
              .arithmetic = SF_ARITHMETIC_POWER, .range = sf_range_pow, .hazards = sf_hazards_pow),
    BROADCAST(Maximum,  MAXIMUM_TYPES, .fold = fold_maximum, .range = sf_range_maximum),
    BROADCAST(Minimum,  MAXIMUM_TYPES, .fold = fold_minimum, .range = sf_range_minimum),
    BROADCAST(SquaredDifference, DIFFERENCE_TYPES, .fold = fold_squared_difference,
              .arithmetic = SF_ARITHMETIC_DIFFERENCE, .range = sf_range_squared_difference),
    BROADCAST(Xdivy,    XLOGY_TYPES,   .fold = fold_xdivy, .hazards = sf_hazards_xdivy),
    BROADCAST(Xlogy,    XLOGY_TYPES,   .fold = fold_xlogy, .hazards = sf_hazards_xlogy),
    BROADCAST(Xlog1py,  XLOGY_TYPES,   .fold = fold_xlog1py, .hazards = sf_hazards_xlog1py),
    BINARY(Atan2,     "y", "x", SF_FLOATS,         .infer = sf_infer_broadcast, .fold = fold_atan2,
           .range = sf_range_atan2, .hazards = sf_hazards_atan2),
    BINARY(Igamma,    "a", "x", SF_FLOATS,         .infer = sf_infer_broadcast,
           .range = sf_range_share),
    BINARY(Igammac,   "a", "x", SF_FLOATS,         .infer = sf_infer_broadcast,
           .range = sf_range_share),
    BINARY(IgammaGradA, "a", "x", "{float, double}", .infer = sf_infer_broadcast,
           .grad = SF_GRAD_MISSING),
    BINARY(Zeta,      "x", "q", "{float, double}", .infer = sf_infer_broadcast,
           .grad = SF_GRAD_INPUTS(2)),
    BINARY(Polygamma, "a", "x", "{float, double}", .infer = sf_infer_broadcast,
           .grad = SF_GRAD_INPUTS(2)),
    SF_OP(NextAfter, .inputs = "x1: T, x2: T", .outputs = "output: T",
          .attrs = "T: {double, float} = float", .infer = sf_infer_broadcast,
          .traits = SF_OP_ELEMENTWISE),
    SF_OP(Complex, .inputs = "real: T, imag: T", .outputs = "out: Tout",
          .attrs = "T: {float, double} = float, Tout: " SF_COMPLEX " = complex64",
          .infer = sf_infer_broadcast, .fold = fold_complex, .traits = SF_OP_ELEMENTWISE),

    COMPARE(Less,         SF_REALTYPE, fold_less, sf_range_less),
    COMPARE(LessEqual,    SF_REALTYPE, fold_less_equal, sf_range_less_equal),
    COMPARE(Greater,      SF_REALTYPE, fold_greater, sf_range_greater),
    COMPARE(GreaterEqual, SF_REALTYPE, fold_greater_equal, sf_range_greater_equal),
    EQUALITY(Equal,    0, fold_equal, sf_range_equal),
    EQUALITY(NotEqual, 1, fold_not_equal, sf_range_not_equal),
    SF_OP(ApproximateEqual, .inputs = "x: T, y: T", .outputs = "z: bool",
          .attrs = "T: " SF_NUMBERTYPE ", tolerance: float = 1e-05",
          .infer = infer_approximate_equal, .fold = fold_approximate_equal,
          .messages = approximate_messages, .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_NONE),
    LOGICAL(LogicalAnd, fold_logical_and),
    LOGICAL(LogicalOr,  fold_logical_or),

    BITWISE(BitwiseAnd, fold_bitwise_and),
    BITWISE(BitwiseOr,  fold_bitwise_or),
    BITWISE(BitwiseXor, fold_bitwise_xor),
    BITWISE(LeftShift,  fold_left_shift),
    BITWISE(RightShift, fold_right_shift),
};
/* clang-format on */
const SfOpTable sf_ops_elementwise = {ops, SF_ARRAY_LEN(ops), "elementwise"};
