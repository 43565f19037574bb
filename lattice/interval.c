/* Intervals. See interval.h. */
#include "lattice/interval.h"

#include <float.h>
#include <math.h>

#include "lattice/elem.h"

static const SfInterval none = {.lo = 1, .hi = -1, .flags = SF_ALL_ARE};

/* of dtypes */

double sf_dtype_largest(SfDtype t)
{
    switch ((int)sf_dtype_base(t)) {
    case SF_DT_HALF:
        return 65504;
    case SF_DT_BFLOAT16:
        return 0x1.FEp127;
    case SF_DT_FLOAT:
    case SF_DT_COMPLEX64:
        return FLT_MAX;
    default:
        return DBL_MAX;
    }
}

/* Arithmetic of float16 is done in float32, whose least normal number is far below: none of its
 * subnormals is flushed. */
double sf_dtype_least_normal(SfDtype t)
{
    switch ((int)sf_dtype_base(t)) {
    case SF_DT_HALF:
        return 0x1p-24;
    case SF_DT_BFLOAT16:
    case SF_DT_FLOAT:
    case SF_DT_COMPLEX64:
        return FLT_MIN;
    default:
        return DBL_MIN;
    }
}

double sf_dtype_epsilon(SfDtype t)
{
    switch ((int)sf_dtype_base(t)) {
    case SF_DT_HALF:
        return 0x1p-10;
    case SF_DT_BFLOAT16:
        return 0x1p-7;
    case SF_DT_FLOAT:
    case SF_DT_COMPLEX64:
        return FLT_EPSILON;
    default:
        return DBL_EPSILON;
    }
}

static bool is_integral(SfDtype t)
{
    return sf_dtype_is_integer(t) || sf_dtype_is_bool(t) || sf_dtype_is_quantized(t);
}

static SfInterval of_integers(SfDtype t)
{
    if (sf_dtype_is_bool(t)) {
        return (SfInterval){0, 1, SF_MAY_BE_ZERO | SF_ALL_ARE};
    }
    const SfElemRule rule = sf_elem_rule(sf_dtype_base(t));
    const int bits = rule.store == SF_STORE_INT ? (int)rule.bits : 64;
    const bool has_sign = rule.store != SF_STORE_INT || !rule.is_unsigned;
    const double hi = ldexp(1, has_sign ? bits - 1 : bits);
    return (SfInterval){has_sign ? -hi : 0, bits > 53 ? hi : hi - 1, SF_MAY_BE_ZERO | SF_ALL_ARE};
}

static double nearest(double x, SfDtype t)
{
    switch ((int)t) {
    case SF_DT_FLOAT:
    case SF_DT_COMPLEX64:
        return fabs(x) > FLT_MAX
                   ? copysign((double)(fabs(x) < 0x1.FFFFFFp127 ? FLT_MAX : INFINITY), x)
                   : (double)(float)x;
    case SF_DT_HALF:
    case SF_DT_BFLOAT16: {
        const SfElemRule rule = sf_elem_rule(t);
        return sf_elem_normalise(&rule, sf_elem_float(x)).u.f;
    }
    default:
        return x;
    }
}

/* making */

SfInterval sf_interval_none(void)
{
    return none;
}

SfInterval sf_interval_finite(SfDtype t)
{
    if (is_integral(t)) {
        return of_integers(t);
    }
    const double most = sf_dtype_largest(t);
    return (SfInterval){-most, most, SF_MAY_BE_ZERO};
}

SfInterval sf_interval_top(SfDtype t)
{
    SfInterval a = sf_interval_finite(t);
    a.flags |= is_integral(t) ? 0 : SF_MAY_BE_ANY;
    return a;
}

SfInterval sf_interval_make(double lo, double hi)
{
    if (!(lo <= hi)) {
        return none;
    }
    const bool whole = lo == hi && rint(lo) == lo;
    const bool zero = lo <= 0 && hi >= 0;
    return (SfInterval){lo, hi,
                        (zero ? SF_MAY_BE_ZERO : SF_NO_MINUS_ZERO) | (whole ? SF_ALL_INTEGERS : 0)};
}

SfInterval sf_interval_exact(double x)
{
    SfInterval a = none;
    if (isnan(x)) {
        a.flags |= SF_MAY_BE_NAN;
    } else if (isinf(x)) {
        a.flags |= x > 0 ? SF_MAY_BE_PINF : SF_MAY_BE_NINF;
    } else {
        a = sf_interval_make(x, x);
        a.flags |= signbit(x) ? 0 : SF_NO_MINUS_ZERO;
    }
    return a;
}

/* order */

bool sf_interval_equal(SfInterval a, SfInterval b)
{
    return a.flags == b.flags &&
           ((sf_interval_is_empty(a) && sf_interval_is_empty(b)) || (a.lo == b.lo && a.hi == b.hi));
}

bool sf_interval_below(SfInterval a, SfInterval b)
{
    return sf_interval_equal(sf_interval_join(a, b), b);
}

bool sf_interval_is_open(SfInterval a, SfDtype t, bool above)
{
    const SfInterval all = sf_interval_finite(t);
    return !sf_interval_is_empty(a) && (above ? a.hi >= all.hi : a.lo <= all.lo);
}

bool sf_interval_holds(SfInterval a, double x)
{
    if (isnan(x)) {
        return a.flags & SF_MAY_BE_NAN;
    }
    if (isinf(x)) {
        return a.flags & (x > 0 ? SF_MAY_BE_PINF : SF_MAY_BE_NINF);
    }
    return a.lo <= x && x <= a.hi && (x != 0 || sf_interval_has_zero(a)) &&
           (x != 0 || !signbit(x) || !(a.flags & SF_NO_MINUS_ZERO)) &&
           (!(a.flags & SF_ALL_INTEGERS) || rint(x) == x);
}

SfInterval sf_interval_join(SfInterval a, SfInterval b)
{
    const unsigned may = (a.flags | b.flags) & SF_MAY_BE_ANY;
    SfInterval r;
    if (sf_interval_is_empty(a) || sf_interval_is_empty(b)) {
        r = sf_interval_is_empty(a) ? b : a;
    } else {
        r = (SfInterval){fmin(a.lo, b.lo), fmax(a.hi, b.hi), a.flags & b.flags};
    }
    r.flags = (r.flags & SF_ALL_ARE) | may;
    return r;
}

SfInterval sf_interval_meet(SfInterval a, SfInterval b)
{
    const unsigned may = a.flags & b.flags & SF_MAY_BE_ANY;
    const unsigned all = (a.flags | b.flags) & SF_ALL_ARE;
    SfInterval r = {fmax(a.lo, b.lo), fmin(a.hi, b.hi), may | all};
    if (!(r.lo <= r.hi) || sf_interval_is_empty(a) || sf_interval_is_empty(b)) {
        r = none;
        r.flags |= may & ~(unsigned)SF_MAY_BE_ZERO;
    } else if (r.lo > 0 || r.hi < 0) {
        r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return r;
}

static double step_down(double x, double least)
{
    return x >= 1 ? 1 : x >= 0 ? 0 : x >= -1 ? -1 : least;
}

SfInterval sf_interval_widen(SfInterval old, SfInterval now, SfDtype t)
{
    SfInterval r = sf_interval_join(old, now);
    if (sf_interval_is_empty(old) || sf_interval_is_empty(r)) {
        return r;
    }
    const SfInterval all = sf_interval_finite(t);
    if (r.lo < old.lo) {
        r.lo = step_down(r.lo, all.lo);
    }
    if (r.hi > old.hi) {
        r.hi = -step_down(-r.hi, -all.hi);
    }
    return r;
}

SfInterval sf_interval_countable(SfInterval a, SfDtype t)
{
    const SfInterval all = sf_interval_finite(t);
    const double most = all.hi > 0x1p53 ? 0x1p53 : all.hi / 2;
    if (!sf_dtype_is_integer(t) || all.hi < INT32_MAX) {
        return a;
    }
    if (a.hi > all.hi / 2 && a.lo <= most) {
        a.hi = most;
    }
    if (a.lo < all.lo / 2 && a.hi >= -most) {
        a.lo = -most;
    }
    return a;
}

SfInterval sf_interval_flush(SfInterval a, SfDtype t)
{
    const double least = sf_dtype_least_normal(t);
    if (sf_interval_is_empty(a) || is_integral(t)) {
        return a;
    }
    const bool low = a.lo != 0 && fabs(a.lo) < least, high = a.hi != 0 && fabs(a.hi) < least;
    if (low || high) {
        a.flags |= SF_MAY_BE_ZERO;
        a.flags &= (low && a.lo < 0) || (high && a.hi < 0) ? ~(unsigned)SF_NO_MINUS_ZERO : ~0u;
        a.lo = low ? fmin(a.lo, 0) : a.lo;
        a.hi = high ? fmax(a.hi, 0) : a.hi;
    }
    return a;
}

SfInterval sf_interval_of_elem(SfElem e, SfDtype t)
{
    if (e.kind != SF_ELEM_INT && e.kind != SF_ELEM_FLOAT) {
        return none;
    }
    return sf_interval_flush(sf_interval_exact(e.kind == SF_ELEM_INT ? (double)e.u.i : e.u.f), t);
}

bool sf_interval_of_value(const SfValue *v, SfInterval *out)
{
    SfInterval all = none;
    if (!v) {
        return false;
    }
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind != SF_ELEM_INT && e.kind != SF_ELEM_FLOAT) {
            return false;
        }
        const SfInterval one = sf_interval_of_elem(e, sf_value_dtype(v));
        all = i == 0 ? one : sf_interval_join(all, one);
    }
    *out = all;
    return true;
}

SfInterval sf_interval_finite_part(SfInterval a)
{
    a.flags &= ~(unsigned)(SF_MAY_BE_NAN | SF_MAY_BE_INF);
    return a;
}

/* rounding */

SfInterval sf_interval_round(SfInterval a, SfDtype t)
{
    t = sf_dtype_base(t);
    if (sf_interval_is_empty(a)) {
        return a;
    }
    if (is_integral(t)) {
        const SfInterval all = of_integers(t);
        a.flags = (a.flags & SF_MAY_BE_ZERO) | SF_ALL_ARE;
        return a.lo < all.lo || a.hi > all.hi ? all : a;
    }
    const double most = sf_dtype_largest(t), least = sf_dtype_least_normal(t);
    a.flags &= a.lo < 0 ? ~(unsigned)SF_NO_MINUS_ZERO : ~0u; /* what is small becomes -0 */
    a.lo = nearest(a.lo, t);
    a.hi = nearest(a.hi, t);
    if (a.hi > most) {
        a.hi = most;
        a.flags |= SF_MAY_BE_PINF;
    }
    if (a.lo < -most) {
        a.lo = -most;
        a.flags |= SF_MAY_BE_NINF;
    }
    if (a.lo > most || a.hi < -most) { /* no element is finite */
        const unsigned may = a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
        return (SfInterval){none.lo, none.hi, none.flags | may};
    }
    if (a.lo >= 0 && a.lo < least && (a.lo > 0 || !sf_interval_has_zero(a))) {
        a.lo = 0;
        a.flags |= SF_MAY_BE_ZERO;
    }
    if (a.hi <= 0 && a.hi > -least && (a.hi < 0 || !sf_interval_has_zero(a))) {
        a.hi = 0;
        a.flags |= SF_MAY_BE_ZERO;
    }
    return a;
}

SfInterval sf_interval_loosen(SfInterval a, SfDtype t, double ulps)
{
    if (sf_interval_is_empty(a) || is_integral(t)) {
        return a;
    }
    const double e = sf_dtype_epsilon(t) * ulps;
    const bool was_zero = sf_interval_has_zero(a);
    a.lo -= fabs(a.lo) * e;
    a.hi += fabs(a.hi) * e;
    a = sf_interval_round(a, t);
    if (!was_zero && (a.lo > 0 || a.hi < 0)) {
        a.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    a.flags &= ~(unsigned)SF_ALL_INTEGERS;
    return a;
}

/* arithmetic */

static unsigned nan_of(SfInterval a, SfInterval b)
{
    return (a.flags | b.flags) & SF_MAY_BE_NAN;
}

/* The flags of a result but those of its finite elements, which follow. */
static SfInterval finish(double lo, double hi, unsigned flags, SfInterval a, SfInterval b,
                         SfDtype t)
{
    if (sf_interval_is_empty(a) || sf_interval_is_empty(b)) {
        SfInterval r = none;
        r.flags |= flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
        return r;
    }
    flags |= lo <= 0 && hi >= 0 ? SF_MAY_BE_ZERO : 0;
    return sf_interval_round((SfInterval){lo, hi, flags}, t);
}

SfInterval sf_interval_neg(SfInterval a)
{
    const unsigned inf = (a.flags & SF_MAY_BE_PINF ? SF_MAY_BE_NINF : 0) |
                         (a.flags & SF_MAY_BE_NINF ? SF_MAY_BE_PINF : 0);
    SfInterval r = {-a.hi, -a.lo, (a.flags & ~(unsigned)SF_MAY_BE_INF) | inf};
    r.flags &= sf_interval_has_zero(a) ? ~(unsigned)SF_NO_MINUS_ZERO : ~0u;
    return sf_interval_is_empty(a) ? (SfInterval){none.lo, none.hi, r.flags} : r;
}

SfInterval sf_interval_abs(SfInterval a)
{
    unsigned flags = a.flags | SF_NO_MINUS_ZERO;
    if (flags & SF_MAY_BE_NINF) {
        flags = (flags & ~(unsigned)SF_MAY_BE_NINF) | SF_MAY_BE_PINF;
    }
    if (sf_interval_is_empty(a)) {
        return (SfInterval){none.lo, none.hi, flags};
    }
    const double lo = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
    return (SfInterval){lo, fmax(fabs(a.lo), fabs(a.hi)), flags};
}

static unsigned sum_flags(SfInterval a, SfInterval b)
{
    const unsigned both = a.flags | b.flags;
    const bool cancels = (a.flags & SF_MAY_BE_PINF && b.flags & SF_MAY_BE_NINF) ||
                         (a.flags & SF_MAY_BE_NINF && b.flags & SF_MAY_BE_PINF);
    return (both & (SF_MAY_BE_NAN | SF_MAY_BE_INF)) | (a.flags & b.flags & SF_ALL_INTEGERS) |
           (both & SF_NO_MINUS_ZERO) | /* of two zeros only -0 and -0 add up to it */
           (cancels ? SF_MAY_BE_NAN : 0);
}

SfInterval sf_interval_add(SfInterval a, SfInterval b, SfDtype t)
{
    SfInterval r = finish(a.lo + b.lo, a.hi + b.hi, sum_flags(a, b), a, b, t);
    /* Of what is never below zero the sum is zero only where both are. */
    const bool up = a.lo >= 0 && b.lo >= 0, down = a.hi <= 0 && b.hi <= 0;
    if ((up || down) && !(sf_interval_has_zero(a) && sf_interval_has_zero(b))) {
        r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return r;
}

SfInterval sf_interval_sub(SfInterval a, SfInterval b, SfDtype t)
{
    return sf_interval_add(a, sf_interval_neg(b), t);
}

/* The corners of a function of two intervals that is monotone in each argument. */
static void corners(SfInterval a, SfInterval b, double (*f)(double, double), double *lo, double *hi)
{
    const double c[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
    *lo = fmin(fmin(c[0], c[1]), fmin(c[2], c[3]));
    *hi = fmax(fmax(c[0], c[1]), fmax(c[2], c[3]));
}

static double times(double x, double y)
{
    return x * y;
}

static bool may_be_positive(SfInterval a)
{
    return a.hi > 0 || a.flags & SF_MAY_BE_PINF;
}

static bool may_be_negative(SfInterval a)
{
    return (a.lo < 0 && !sf_interval_is_empty(a)) || a.flags & SF_MAY_BE_NINF;
}

/* The infinities that a product with an infinite factor may be. */
static unsigned infinities(SfInterval a, SfInterval b)
{
    const bool same =
        (may_be_positive(a) && may_be_positive(b)) || (may_be_negative(a) && may_be_negative(b));
    const bool mixed =
        (may_be_positive(a) && may_be_negative(b)) || (may_be_negative(a) && may_be_positive(b));
    return (same ? SF_MAY_BE_PINF : 0) | (mixed ? SF_MAY_BE_NINF : 0);
}

static bool is_one(SfInterval a)
{
    return a.lo == 1 && a.hi == 1 && !(a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF));
}

SfInterval sf_interval_mul(SfInterval a, SfInterval b, SfDtype t)
{
    double lo, hi;
    if (is_one(a) || is_one(b)) {
        return is_one(a) ? b : a;
    }
    corners(a, b, times, &lo, &hi);
    const bool up = a.lo >= 0 && b.lo >= 0;
    unsigned flags = nan_of(a, b) | (a.flags & b.flags & (up ? SF_ALL_ARE : SF_ALL_INTEGERS));
    if ((a.flags | b.flags) & SF_MAY_BE_INF) {
        flags |= infinities(a, b);
    }
    if ((a.flags & SF_MAY_BE_INF && sf_interval_has_zero(b)) ||
        (b.flags & SF_MAY_BE_INF && sf_interval_has_zero(a))) {
        flags |= SF_MAY_BE_NAN;
    }
    SfInterval r = finish(lo, hi, flags, a, b, t);
    if (!sf_interval_has_zero(a) && !sf_interval_has_zero(b) && fabs(a.lo) * fabs(b.lo) >= 1 &&
        fabs(a.hi) * fabs(b.hi) >= 1 && fabs(a.lo) * fabs(b.hi) >= 1 &&
        fabs(a.hi) * fabs(b.lo) >= 1 && (a.lo > 0 || a.hi < 0) && (b.lo > 0 || b.hi < 0)) {
        r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return r;
}

static double over(double x, double y)
{
    return x / y;
}

SfInterval sf_interval_div(SfInterval a, SfInterval b, SfDtype t)
{
    if (is_integral(t)) {
        return of_integers(t);
    }
    const bool up = a.lo >= 0 && b.lo >= 0 && !(b.flags & SF_MAY_BE_NINF);
    unsigned flags = nan_of(a, b) | (up ? a.flags & b.flags & SF_NO_MINUS_ZERO : 0);
    const bool by_zero = sf_interval_has_zero(b);
    if (by_zero) { /* zero may have either sign */
        const bool rises = b.flags & SF_NO_MINUS_ZERO;
        flags |= sf_interval_has_zero(a) ? SF_MAY_BE_NAN : 0;
        flags |= !rises && (a.lo != 0 || a.hi != 0 || a.flags & SF_MAY_BE_INF) ? SF_MAY_BE_INF : 0;
        flags |= rises && may_be_positive(a) ? SF_MAY_BE_PINF : 0;
        flags |= rises && may_be_negative(a) ? SF_MAY_BE_NINF : 0;
    }
    if (a.flags & SF_MAY_BE_INF) {
        flags |= infinities(a, b);
        flags |= b.flags & SF_MAY_BE_INF ? SF_MAY_BE_NAN : 0;
    }
    double lo, hi;
    SfInterval by = b;
    if (b.lo > 0 || b.hi < 0) {
        corners(a, by, over, &lo, &hi);
    } else {
        const double least = sf_dtype_largest(t) == DBL_MAX ? DBL_TRUE_MIN : 0x1p-149;
        const double most = sf_dtype_largest(t);
        if (b.lo == 0) {
            by.lo = least;
            corners(a, by, over, &lo, &hi);
        } else if (b.hi == 0) {
            by.hi = -least;
            corners(a, by, over, &lo, &hi);
        } else {
            lo = a.lo == 0 && a.hi == 0 ? 0 : -most * 2;
            hi = a.lo == 0 && a.hi == 0 ? 0 : most * 2;
        }
    }
    if (b.flags & SF_MAY_BE_INF && !sf_interval_is_empty(a)) {
        const SfInterval zero = sf_interval_make(0, 0); /* of either sign */
        if (sf_interval_is_empty(b)) {
            return (SfInterval){0, 0, flags | SF_MAY_BE_ZERO};
        }
        return sf_interval_join(finish(lo, hi, flags, a, b, t), zero);
    }
    return finish(lo, hi, flags, a, b, t);
}

SfInterval sf_interval_min(SfInterval a, SfInterval b)
{
    unsigned flags = nan_of(a, b) | (a.flags & b.flags & (SF_MAY_BE_PINF | SF_ALL_ARE)) |
                     ((a.flags | b.flags) & SF_MAY_BE_NINF);
    SfInterval r;
    if (sf_interval_is_empty(a) || sf_interval_is_empty(b)) {
        r = sf_interval_join(a, b);
        r.flags = (r.flags & SF_MAY_BE_ZERO) | flags;
        return r;
    }
    /* Beside an infinity above all, the other one's elements come through as they are. */
    r.lo = fmin(a.lo, b.lo);
    r.hi = fmin(a.hi, b.hi);
    r.hi = b.flags & SF_MAY_BE_PINF ? fmax(r.hi, a.hi) : r.hi;
    r.hi = a.flags & SF_MAY_BE_PINF ? fmax(r.hi, b.hi) : r.hi;
    const bool zero =
        (sf_interval_has_zero(a) || sf_interval_has_zero(b)) && r.lo <= 0 && r.hi >= 0;
    r.flags = flags | (zero ? SF_MAY_BE_ZERO : 0);
    return r;
}

SfInterval sf_interval_max(SfInterval a, SfInterval b)
{
    SfInterval r = sf_interval_neg(sf_interval_min(sf_interval_neg(a), sf_interval_neg(b)));
    r.flags |= a.flags & b.flags & SF_NO_MINUS_ZERO;
    return r;
}

SfInterval sf_interval_square(SfInterval a, SfDtype t)
{
    const SfInterval size = sf_interval_abs(a);
    return sf_interval_mul(size, size, t);
}

SfInterval sf_interval_sum(SfInterval a, double least, double most, SfDtype t)
{
    /* More elements than memory has room for are in no tensor. */
    const double any = is_integral(t) && sf_interval_top(t).hi < 0x1p32 ? INT32_MAX : 0x1p48;
    const double limit = most < 0 ? any : most;
    unsigned flags = a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF | SF_ALL_ARE);
    flags |= (a.flags & SF_MAY_BE_INF) == SF_MAY_BE_INF ? SF_MAY_BE_NAN : 0;
    if (sf_interval_is_empty(a)) {
        a.flags = flags;
        return least > 0 ? a : sf_interval_join(a, sf_interval_exact(0));
    }
    /* The error of any order of summation: (n - 1) roundings of partial sums. */
    const double slack = is_integral(t) ? 0 : fmin(limit * sf_dtype_epsilon(t), 1);
    double lo, hi;
    if (a.lo < 0) {
        lo = a.lo * limit * (1 + slack);
    } else { /* a sum of what is never negative does not fall below one of its terms */
        lo = fmax(a.lo * least * (1 - slack), least > 0 ? a.lo : 0);
    }
    if (a.hi > 0) {
        hi = a.hi * limit * (1 + slack);
    } else {
        hi = fmin(a.hi * least * (1 - slack), least > 0 ? a.hi : 0);
    }
    SfInterval r = {lo, hi, flags};
    r.flags |= lo <= 0 && hi >= 0 ? SF_MAY_BE_ZERO : 0;
    r = sf_interval_round(r, t);
    if (r.flags & SF_MAY_BE_INF && a.lo < 0 && a.hi > 0) {
        r.flags |= SF_MAY_BE_NAN | SF_MAY_BE_INF; /* partial sums overflow on both sides */
    }
    const bool one_sided = a.lo >= 0 || a.hi <= 0;
    if (one_sided && least > 0 && !sf_interval_has_zero(a)) {
        r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return r;
}

SfInterval sf_interval_cast(SfInterval a, SfDtype from, SfDtype to)
{
    to = sf_dtype_base(to);
    if (sf_dtype_is_bool(to) && a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF)) {
        return sf_interval_has_zero(a) ? of_integers(to) : sf_interval_make(1, 1); /* no zeros */
    }
    if (sf_dtype_is_bool(to)) {
        return sf_interval_has_zero(a) ? sf_interval_make(0, a.lo == 0 && a.hi == 0 ? 0 : 1)
                                       : sf_interval_make(1, 1);
    }
    if (!is_integral(to)) {
        const unsigned was = a.flags;
        const bool narrows = sf_dtype_least_normal(from) < sf_dtype_least_normal(to);
        const bool floats = sf_dtype_is_floating(sf_dtype_base(from));
        a = sf_interval_round(a, to);
        a.flags |= (was & SF_MAY_BE_NAN) | (is_integral(from) ? SF_NO_MINUS_ZERO : 0);
        if (floats && narrows && a.lo <= 0 && a.hi >= 0) { /* what is small becomes zero */
            a.flags |= SF_MAY_BE_ZERO;
        }
        return a;
    }
    const SfInterval all = of_integers(to);
    if (a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF) || sf_interval_is_empty(a) || a.lo < all.lo ||
        a.hi > all.hi) {
        return all; /* what C leaves undefined */
    }
    SfInterval r = sf_interval_make(trunc(a.lo), trunc(a.hi));
    r.flags |= SF_ALL_INTEGERS;
    if (is_integral(from) && !sf_interval_has_zero(a)) {
        r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return r;
}

/* functions */

static SfInterval with_limit(SfInterval r, double limit, SfDtype t)
{
    const SfInterval x = sf_interval_exact(limit);
    return sf_interval_join(
        r, rint(limit) == limit || !isfinite(limit) ? x : sf_interval_loosen(x, t, 2));
}

SfInterval sf_interval_map(SfInterval a, SfRealFn f, bool falls, double at_low, double at_high,
                           SfDtype t, double ulps)
{
    SfInterval r = none;
    if (!sf_interval_is_empty(a)) {
        double lo = f(falls ? a.hi : a.lo), hi = f(falls ? a.lo : a.hi);
        r = (SfInterval){lo, hi, lo <= 0 && hi >= 0 ? SF_MAY_BE_ZERO : 0};
        r = sf_interval_loosen(r, t, ulps);
        if (ulps == 0 && lo == hi && rint(lo) == lo) {
            r.flags |= SF_ALL_INTEGERS;
        }
    }
    r.flags |= a.flags & SF_MAY_BE_NAN;
    r = a.flags & SF_MAY_BE_PINF ? with_limit(r, at_high, t) : r;
    return a.flags & SF_MAY_BE_NINF ? with_limit(r, at_low, t) : r;
}
