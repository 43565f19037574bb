/* Ranges of functions of one operand: from their bounds, element by element. */
#include <float.h>
#include <math.h>

#include "apis/ops/shared/range.h"

enum { ULPS = 8 }; /* that Eigen's approximations may be off by */

static const double HALF_PI = 1.5707963267948966;

/* What falls outside the domain [lo, hi] of a function becomes NaN. */
static SfInterval in_domain(SfInterval x, double lo, double hi)
{
    const bool outside = (!sf_interval_is_empty(x) && (x.lo < lo || x.hi > hi)) ||
                         (x.flags & SF_MAY_BE_NINF && lo > -INFINITY) ||
                         (x.flags & SF_MAY_BE_PINF && hi < INFINITY);
    SfInterval all = sf_interval_make(fmax(lo, -DBL_MAX), fmin(hi, DBL_MAX));
    all.flags = (x.flags & SF_ALL_ARE) | SF_MAY_BE_ANY;
    if (lo > -INFINITY) {
        all.flags &= ~(unsigned)SF_MAY_BE_NINF;
    }
    if (hi < INFINITY) {
        all.flags &= ~(unsigned)SF_MAY_BE_PINF;
    }
    SfInterval in = sf_interval_meet(x, all);
    in.flags |= outside ? SF_MAY_BE_NAN : 0;
    return in;
}

/* Results outside [lo, hi] are none of the function, however it is approximated. */
static SfInterval within(SfInterval y, double lo, double hi)
{
    if (!sf_interval_is_empty(y)) {
        y.lo = fmin(fmax(y.lo, lo), hi);
        y.hi = fmax(fmin(y.hi, hi), lo);
        y.flags = y.lo > 0 || y.hi < 0 ? y.flags & ~(unsigned)SF_MAY_BE_ZERO : y.flags;
    }
    return y;
}

static void rises(SfRange *c, SfInterval x, SfRealFn f, double at_low, double at_high)
{
    c->out[0] = sf_interval_map(x, f, false, at_low, at_high, sf_range_dtype(c, 0), ULPS);
}

static bool is_real(const SfRange *c)
{
    return sf_dtype_is_floating(sf_range_dtype(c, 0));
}

void sf_range_neg(SfRange *c)
{
    c->out[0] = sf_interval_round(sf_interval_neg(c->in[0]), sf_range_dtype(c, 0));
}

void sf_range_abs(SfRange *c)
{
    if (!sf_dtype_is_complex(sf_dtype_base(c->node->inputs[0].dtype))) {
        c->out[0] = sf_interval_round(sf_interval_abs(c->in[0]), sf_range_dtype(c, 0));
    } else {
        c->out[0] = within(c->out[0], 0, DBL_MAX);
    }
}

void sf_range_sign(SfRange *c)
{
    if (is_real(c) || sf_dtype_is_integer(sf_range_dtype(c, 0))) {
        const SfInterval x = c->in[0];
        SfInterval y =
            within(sf_interval_make(-1, 1), x.lo >= 0 && !(x.flags & SF_MAY_BE_NINF) ? 0 : -1,
                   x.hi <= 0 && !(x.flags & SF_MAY_BE_PINF) ? 0 : 1);
        y.flags = (sf_interval_has_zero(x) ? SF_MAY_BE_ZERO : 0) | SF_ALL_INTEGERS |
                  (x.flags & SF_MAY_BE_NAN);
        c->out[0] = y;
    }
}

void sf_range_square(SfRange *c)
{
    if (!sf_dtype_is_complex(sf_range_dtype(c, 0))) {
        c->out[0] = sf_interval_square(c->in[0], sf_range_dtype(c, 0));
    }
}

void sf_range_reciprocal(SfRange *c)
{
    if (is_real(c)) {
        c->out[0] = sf_interval_loosen(
            sf_interval_div(sf_interval_exact(1), c->in[0], sf_range_dtype(c, 0)),
            sf_range_dtype(c, 0), 2);
        /* Of large numbers kernels approximate it from what is subnormal. */
        const double small = 16 * sf_dtype_least_normal(sf_range_dtype(c, 0));
        SfInterval *y = &c->out[0];
        y->lo *= y->lo > 0 && y->lo < small ? 1 - 0x1p-10 : 1;
        y->hi *= y->hi < 0 && y->hi > -small ? 1 - 0x1p-10 : 1;
    }
}

void sf_range_sqrt(SfRange *c)
{
    if (is_real(c)) {
        const SfInterval x = in_domain(c->in[0], 0, INFINITY);
        rises(c, x, sqrt, NAN, INFINITY);
        c->out[0].flags |= x.flags & SF_NO_MINUS_ZERO;
        if (!sf_interval_has_zero(x) && !sf_interval_is_empty(c->out[0])) {
            c->out[0].flags &= ~(unsigned)SF_MAY_BE_ZERO; /* far above the subnormal numbers */
        }
    }
}

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

void sf_range_rsqrt(SfRange *c)
{
    if (is_real(c)) {
        const SfInterval x = in_domain(c->in[0], 0, INFINITY);
        SfInterval y = sf_interval_map(x, inverse_root, true, NAN, 0, sf_range_dtype(c, 0), ULPS);
        if (x.lo == 0 && x.hi >= 0) {
            y.hi = sf_dtype_largest(sf_range_dtype(c, 0));
            y.flags |= x.flags & SF_NO_MINUS_ZERO ? SF_MAY_BE_PINF : SF_MAY_BE_INF;
        }
        c->out[0] = y;
    }
}

/* A function whose values cannot leave [lo, hi], and are all what `are` says. */
#define RISES(op, f, lo, hi, at_low, at_high, are)                                                 \
    void sf_range_##op(SfRange *c)                                                                 \
    {                                                                                              \
        if (is_real(c)) {                                                                          \
            rises(c, c->in[0], f, at_low, at_high);                                                \
            c->out[0] = within(c->out[0], lo, hi);                                                 \
            c->out[0].flags |= (are);                                                              \
        }                                                                                          \
    }

static double sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double softsign(double x)
{
    return x / (1 + fabs(x));
}

static double elu(double x)
{
    return x < 0 ? expm1(x) : x;
}

static double selu(double x)
{
    return 1.0507009873554805 * (x < 0 ? 1.6732632423543772 * expm1(x) : x);
}

/* clang-format off */
RISES(exp,      exp,      0,           INFINITY,   0,           INFINITY, SF_NO_MINUS_ZERO)
RISES(expm1,    expm1,    -1,          INFINITY,   -1,          INFINITY, 0)
RISES(atan,     atan,     -HALF_PI - 1e-6, HALF_PI + 1e-6, -HALF_PI, HALF_PI, 0)
RISES(sinh,     sinh,     -INFINITY,   INFINITY,   -INFINITY,   INFINITY, 0)
RISES(tanh,     tanh,     -1,          1,          -1,          1,        0)
RISES(asinh,    asinh,    -INFINITY,   INFINITY,   -INFINITY,   INFINITY, 0)
RISES(sigmoid,  sigmoid,  0,           1,          0,           1,        SF_NO_MINUS_ZERO)
RISES(softplus, softplus, 0,           INFINITY,   0,           INFINITY, SF_NO_MINUS_ZERO)
RISES(softsign, softsign, -1,          1,          NAN,         NAN,      0)
/* clang-format on */

/* exp(x) - 1 is computed as that: near zero its error is of 1, not of the result. */
static void exponential_unit(SfRange *c, SfRealFn f, double least)
{
    if (is_real(c)) {
        const double error = 4 * sf_dtype_epsilon(sf_range_dtype(c, 0));
        rises(c, c->in[0], f, least, INFINITY);
        SfInterval *y = &c->out[0];
        if (!sf_interval_is_empty(*y) && y->lo < 0) {
            y->lo -= error;
            y->hi += y->hi < error ? error : 0;
            y->flags |= y->hi >= 0 ? SF_MAY_BE_ZERO : 0;
            *y = within(*y, least, INFINITY);
        }
    }
}

/* Not below zero; what is below one is NaN. */
void sf_range_acosh(SfRange *c)
{
    if (is_real(c)) {
        sf_range_positive(c);
    }
}

void sf_range_elu(SfRange *c)
{
    exponential_unit(c, elu, -1);
}

void sf_range_selu(SfRange *c)
{
    exponential_unit(c, selu, -1.7580994);
}

void sf_range_erf(SfRange *c)
{
    if (is_real(c)) {
        c->out[0] =
            within(sf_interval_map(c->in[0], erf, false, -1, 1, sf_range_dtype(c, 0), ULPS), -1, 1);
        const double most = fmax(fabs(c->in[0].lo), fabs(c->in[0].hi));
        /* That of float64 is a quotient of polynomials. */
        if (c->in[0].flags & SF_MAY_BE_INF ||
            (sf_range_dtype(c, 0) == SF_DT_DOUBLE && most > 1e15)) {
            c->out[0].flags |= SF_MAY_BE_NAN;
        }
    }
}

void sf_range_erfc(SfRange *c)
{
    if (is_real(c)) {
        c->out[0] =
            within(sf_interval_map(c->in[0], erfc, true, 2, 0, sf_range_dtype(c, 0), ULPS), 0, 2);
    }
}

/* From the logarithm of `x`, which `edge` was added to. */
static void logarithm(SfRange *c, double edge, SfRealFn f)
{
    const SfDtype t = sf_range_dtype(c, 0);
    SfInterval x = in_domain(c->in[0], -edge, INFINITY);
    const SfInterval moved =
        edge != 0 ? sf_interval_add(x, sf_interval_exact(edge), SF_DT_DOUBLE) : x;
    const bool at_edge = !sf_interval_is_empty(moved) && moved.lo <= 0;
    if (at_edge) {
        x.lo = edge != 0 ? -edge * (1 - sf_dtype_epsilon(t) / 4)
                         : fmin(x.hi > 0 ? x.hi : 0x1p-149, 0x1p-149);
        x.lo = t == SF_DT_DOUBLE && edge == 0 ? DBL_TRUE_MIN : x.lo;
        x.hi = fmax(x.hi, x.lo);
    }
    rises(c, x, f, NAN, INFINITY);
    if (edge == 0 && x.lo > 0 && x.lo < sf_dtype_least_normal(t)) {
        c->out[0].lo -= 1; /* kernels take some subnormals for others */
    }
    c->out[0].flags |= at_edge && sf_interval_has_zero(moved) ? SF_MAY_BE_NINF : 0;
}

void sf_range_log(SfRange *c)
{
    if (is_real(c)) {
        logarithm(c, 0, log);
    }
}

void sf_range_log1p(SfRange *c)
{
    if (is_real(c)) {
        logarithm(c, 1, log1p);
    }
}

/* Its domain is everything but the infinities. */
void sf_range_wave(SfRange *c)
{
    if (is_real(c)) {
        SfInterval y = sf_interval_make(-1, 1);
        y.flags |= c->in[0].flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF) ? SF_MAY_BE_NAN : 0;
        c->out[0] = y;
    }
}

void sf_range_asin(SfRange *c)
{
    if (is_real(c)) {
        rises(c, in_domain(c->in[0], -1, 1), asin, NAN, NAN);
    }
}

void sf_range_acos(SfRange *c)
{
    if (is_real(c)) {
        c->out[0] = sf_interval_map(in_domain(c->in[0], -1, 1), acos, true, NAN, NAN,
                                    sf_range_dtype(c, 0), ULPS);
        /* Near 1 the arc is small, and its error is of the argument. */
        c->out[0] = sf_interval_is_empty(c->out[0])
                        ? c->out[0]
                        : sf_interval_join(c->out[0], sf_interval_make(fmax(c->out[0].lo - 1e-2, 0),
                                                                       c->out[0].hi));
    }
}

void sf_range_cosh(SfRange *c)
{
    if (is_real(c)) {
        rises(c, sf_interval_abs(c->in[0]), cosh, INFINITY, INFINITY);
        c->out[0] = within(c->out[0], 1, INFINITY);
    }
}

/* Exact: no rounding but the dtype's. */
#define ROUNDS(op, f)                                                                              \
    void sf_range_##op(SfRange *c)                                                                 \
    {                                                                                              \
        if (is_real(c)) {                                                                          \
            c->out[0] =                                                                            \
                sf_interval_map(c->in[0], f, false, -INFINITY, INFINITY, sf_range_dtype(c, 0), 0); \
            c->out[0].flags |= SF_ALL_INTEGERS;                                                    \
        } else {                                                                                   \
            c->out[0] = c->in[0];                                                                  \
        }                                                                                          \
    }
ROUNDS(floor, floor)
ROUNDS(ceil, ceil)
ROUNDS(round, rint)

void sf_range_relu(SfRange *c)
{
    c->out[0] = sf_interval_max(c->in[0], sf_interval_exact(0));
}

void sf_range_relu6(SfRange *c)
{
    c->out[0] =
        sf_interval_min(sf_interval_max(c->in[0], sf_interval_exact(0)), sf_interval_exact(6));
}

void sf_range_leaky_relu(SfRange *c)
{
    const SfAttr *alpha = sf_node_attr(c->node, "alpha");
    const SfDtype t = sf_range_dtype(c, 0);
    const double a = alpha ? alpha->u.f : 0.2; /* an attr: a float32, whatever the dtype */
    const SfInterval factor = sf_interval_join(sf_interval_exact(a), sf_interval_exact((float)a));
    const SfInterval scaled = sf_interval_loosen(sf_interval_mul(c->in[0], factor, t), t, 1);
    c->out[0] = sf_interval_join(scaled, c->in[0]);
    if (alpha && alpha->u.f >= 0 && alpha->u.f <= 1) {
        c->out[0] = sf_interval_max(c->in[0], scaled);
    }
}
