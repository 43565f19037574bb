/* Intervals: order, laws, and arithmetic whose bounds hold what floats give. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "lattice/interval.h"

static const double bounds[] = {-FLT_MAX, -2, -1, -0.5, 0, 0.5, 1, 2, FLT_MAX};
enum { BOUNDS = sizeof bounds / sizeof *bounds, SAMPLES = 400 };

static SfInterval sample(unsigned n)
{
    const unsigned i = n % BOUNDS, j = n / BOUNDS % BOUNDS, flags = n * 2654435761u >> 13;
    SfInterval a = sf_interval_make(bounds[i < j ? i : j], bounds[i < j ? j : i]);
    a.flags |= flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
    if (flags & 32) {
        a.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return n % 37 == 36 ? sf_interval_none() : a;
}

static void expect_equal(SfInterval a, SfInterval b, const char *law)
{
    cr_expect(sf_interval_equal(a, b), "%s: [%g, %g] %x and [%g, %g] %x", law, a.lo, a.hi, a.flags,
              b.lo, b.hi, b.flags);
}

Test(interval, join_and_meet_are_those_of_a_lattice)
{
    for (unsigned i = 0; i < SAMPLES; i += 3) {
        const SfInterval a = sample(i);
        expect_equal(sf_interval_join(a, a), a, "join is idempotent");
        expect_equal(sf_interval_join(a, sf_interval_none()), a, "nothing is least");
        for (unsigned j = 0; j < SAMPLES; j += 7) {
            const SfInterval b = sample(j), ab = sf_interval_join(a, b);
            expect_equal(ab, sf_interval_join(b, a), "join commutes");
            cr_expect(sf_interval_below(a, ab) && sf_interval_below(b, ab));
            const SfInterval both = sf_interval_meet(a, b);
            expect_equal(both, sf_interval_meet(b, a), "meet commutes");
            for (int k = 0; k < BOUNDS; k++) {
                const double x = bounds[k];
                cr_expect_eq(sf_interval_holds(a, x) && sf_interval_holds(b, x),
                             sf_interval_holds(both, x), "meet holds what both hold: %g", x);
                cr_expect(!sf_interval_holds(a, x) || sf_interval_holds(ab, x));
            }
            for (unsigned k = 0; k < SAMPLES; k += 41) {
                const SfInterval c = sample(k);
                expect_equal(sf_interval_join(ab, c), sf_interval_join(a, sf_interval_join(b, c)),
                             "join associates");
            }
        }
    }
}

Test(interval, widening_is_above_both_and_ends)
{
    SfInterval a = sf_interval_make(0.25, 0.5);
    int steps = 0;
    for (double x = 1; x < 1e30; x *= 3) {
        const SfInterval now = sf_interval_make(-x, x);
        const SfInterval wider = sf_interval_widen(a, now, SF_DT_FLOAT);
        cr_expect(sf_interval_below(a, wider) && sf_interval_below(now, wider));
        steps += !sf_interval_equal(a, wider);
        a = wider;
    }
    cr_expect_leq(steps, 5);
    cr_expect(sf_interval_is_open(a, SF_DT_FLOAT, true) &&
              sf_interval_is_open(a, SF_DT_FLOAT, false));
}

typedef SfInterval (*Binary)(SfInterval a, SfInterval b, SfDtype t);
typedef float (*OfFloats)(float x, float y);

static float add(float x, float y)
{
    return x + y;
}

static float sub(float x, float y)
{
    return x - y;
}

static float mul(float x, float y)
{
    return x * y;
}

static float quotient(float x, float y)
{
    return x / y;
}

/* An element of an interval, its infinities and NaN included where it may have them. */
static float pick(SfInterval a, unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    const unsigned r = *seed >> 8;
    if (r % 16 == 0 && a.flags & SF_MAY_BE_NAN) {
        return NAN;
    }
    if (r % 16 == 1 && a.flags & SF_MAY_BE_PINF) {
        return INFINITY;
    }
    if (r % 16 == 2 && a.flags & SF_MAY_BE_NINF) {
        return -INFINITY;
    }
    if (sf_interval_is_empty(a)) {
        return a.flags & SF_MAY_BE_NAN ? NAN : a.flags & SF_MAY_BE_PINF ? INFINITY : -INFINITY;
    }
    const double part = r % 16 == 3 ? 0 : r % 16 == 4 ? 1 : (double)(r >> 4 & 0xFFFF) / 65536;
    const float x = (float)(a.lo * (1 - part) + a.hi * part);
    return (double)x < a.lo ? (float)a.lo : (double)x > a.hi ? (float)a.hi : x;
}

static bool is_nothing(SfInterval a)
{
    return sf_interval_is_empty(a) && !(a.flags & SF_MAY_BE_ANY);
}

Test(interval, results_hold_what_floats_give)
{
    static const Binary of[] = {sf_interval_add, sf_interval_sub, sf_interval_mul, sf_interval_div};
    static const OfFloats real[] = {add, sub, mul, quotient};
    unsigned seed = 1;
    for (unsigned i = 0; i < SAMPLES; i++) {
        for (unsigned j = 0; j < SAMPLES; j += 5) {
            const SfInterval a = sample(i), b = sample(j);
            if (is_nothing(a) || is_nothing(b)) {
                continue;
            }
            for (int op = 0; op < 4; op++) {
                const SfInterval r = of[op](a, b, SF_DT_FLOAT);
                const float x = pick(a, &seed), y = pick(b, &seed), z = real[op](x, y);
                if (!sf_interval_holds(a, (double)x) || !sf_interval_holds(b, (double)y)) {
                    continue; /* a zero that it does not have */
                }
                cr_expect(sf_interval_holds(r, (double)z),
                          "op %d: %g, %g gives %g, outside [%g, %g] %x of [%g, %g] %x, [%g, %g] %x",
                          op, (double)x, (double)y, (double)z, r.lo, r.hi, r.flags, a.lo, a.hi,
                          a.flags, b.lo, b.hi, b.flags);
            }
        }
    }
}

typedef struct Rounds {
    SfDtype dtype;
    double one_less; /* this much off 1 is 1 */
    double vanishes; /* added to nothing, may be zero */
} Rounds;

Test(interval, results_are_rounded_as_the_dtype_does)
{
    static const Rounds rows[] = {{SF_DT_HALF, 1e-4, 1e-8},
                                  {SF_DT_BFLOAT16, 1e-3, 1e-39},
                                  {SF_DT_FLOAT, 1e-8, 1e-46},
                                  {SF_DT_DOUBLE, 1e-17, 1e-320}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Rounds *r = &rows[i];
        const SfInterval one =
            sf_interval_sub(sf_interval_exact(1), sf_interval_exact(r->one_less), r->dtype);
        cr_expect_eq(one.hi, 1, "%s", sf_dtype_name(r->dtype));
        const SfInterval tiny =
            sf_interval_add(sf_interval_make(0, 1), sf_interval_exact(r->vanishes), r->dtype);
        cr_expect(tiny.lo == 0, "%s", sf_dtype_name(r->dtype));
        const double most = sf_dtype_largest(r->dtype);
        const SfInterval over =
            sf_interval_add(sf_interval_exact(most), sf_interval_exact(most), r->dtype);
        cr_expect(over.flags & SF_MAY_BE_PINF && sf_interval_is_empty(over));
    }
}

Test(interval, what_is_subnormal_may_be_zero)
{
    static const Rounds rows[] = {{SF_DT_BFLOAT16, 0x1p-126, 0x1p-130},
                                  {SF_DT_FLOAT, FLT_MIN, 1e-40},
                                  {SF_DT_DOUBLE, DBL_MIN, 1e-310}};
    const SfElem nearly[] = {sf_elem_float(1), sf_elem_float(0x1p-24)};
    SfInterval a;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SfElem small[] = {sf_elem_float(-1), sf_elem_float(rows[i].vanishes),
                                sf_elem_float(1)};
        const SfElem normal[] = {sf_elem_float(rows[i].one_less), sf_elem_float(1)};
        cr_assert(
            sf_interval_of_value(sf_value_make(rows[i].dtype, sf_shape_vector(3), small), &a));
        cr_expect(sf_interval_has_zero(a) && a.lo == -1 && a.hi == 1);
        a = sf_interval_of_elem(small[1], rows[i].dtype);
        const SfInterval clipped = sf_interval_max(sf_interval_make(0, 1), a);
        cr_expect(clipped.lo == 0 && sf_interval_holds(clipped, 0));
        cr_expect(sf_interval_holds(a, 0) && !sf_interval_holds(a, -0.0));
        const SfInterval below = sf_interval_flush(sf_interval_neg(a), rows[i].dtype);
        cr_expect(sf_interval_holds(below, -0.0) && below.lo == -rows[i].vanishes);
        cr_assert(
            sf_interval_of_value(sf_value_make(rows[i].dtype, sf_shape_vector(2), normal), &a));
        cr_expect(!sf_interval_has_zero(a) && a.lo == rows[i].one_less);
    }
    cr_assert(sf_interval_of_value(sf_value_make(SF_DT_HALF, sf_shape_vector(2), nearly), &a));
    cr_expect(!sf_interval_has_zero(a)); /* float16 is computed in float32 */
}

Test(interval, integers_wrap)
{
    const SfInterval most = sf_interval_exact(127);
    const SfInterval sum = sf_interval_add(most, sf_interval_exact(1), SF_DT_INT8);
    cr_expect(sum.lo == -128 && sum.hi == 127);
    const SfInterval fits = sf_interval_add(most, sf_interval_exact(1), SF_DT_INT16);
    cr_expect(fits.lo == 128 && fits.hi == 128);
}

Test(interval, sums_know_how_many_terms_there_are)
{
    const SfInterval unit = sf_interval_make(0, 1);
    const SfInterval ten = sf_interval_sum(unit, 10, 10, SF_DT_FLOAT);
    cr_expect(ten.lo == 0 && ten.hi >= 10 && ten.hi < 10.001);
    const SfInterval any = sf_interval_sum(unit, 0, -1, SF_DT_FLOAT);
    cr_expect(any.lo == 0 && any.hi > 1e14 && !(any.flags & SF_MAY_BE_PINF)); /* memory ends */
    const SfInterval half = sf_interval_sum(unit, 0, -1, SF_DT_HALF);
    cr_expect(half.lo == 0 && half.flags & SF_MAY_BE_PINF);
    const SfInterval count = sf_interval_sum(unit, 0, -1, SF_DT_INT32);
    cr_expect(count.lo == 0 && count.hi == INT32_MAX);
    const SfInterval positive = sf_interval_sum(sf_interval_make(0.5, 1), 1, -1, SF_DT_FLOAT);
    cr_expect(positive.lo == 0.5 && !sf_interval_has_zero(positive));
}

Test(interval, a_zero_that_is_not_minus_zero_divides_to_the_sign_of_what_is_divided)
{
    const SfInterval one = sf_interval_make(1, 2), size = sf_interval_abs(sf_interval_make(-1, 1));
    const SfInterval up = sf_interval_div(one, size, SF_DT_FLOAT);
    cr_expect(up.flags & SF_MAY_BE_PINF && !(up.flags & (SF_MAY_BE_NINF | SF_MAY_BE_NAN)));
    const SfInterval down = sf_interval_div(sf_interval_neg(one), size, SF_DT_FLOAT);
    cr_expect(down.flags & SF_MAY_BE_NINF && !(down.flags & SF_MAY_BE_PINF));
    const SfInterval both = sf_interval_div(one, sf_interval_neg(size), SF_DT_FLOAT);
    cr_expect(both.flags & SF_MAY_BE_PINF && both.flags & SF_MAY_BE_NINF);
    cr_expect(sf_interval_holds(size, 0) && !sf_interval_holds(size, -0.0));
    cr_expect(sf_interval_holds(sf_interval_neg(size), -0.0));
    /* What is small and below zero is rounded to -0. */
    const SfInterval small =
        sf_interval_mul(sf_interval_make(-1e-30, 0), sf_interval_make(0, 1e-30), SF_DT_FLOAT);
    cr_expect(sf_interval_holds(small, -0.0));
}
