/* The values that the elements of a tensor may have: an interval of its finite elements, and
 * whether infinities and NaN may be among them.
 * Invariant: lo and hi are finite and values of the dtype; lo > hi: no element is finite. ZERO is
 * set when lo <= 0 <= hi, unless zero is known not to occur. A result holds every element that the
 * operation gives in its dtype: rounded to nearest, subnormals flushed to zero or not.
 * Owner: values. Source: Zhang et al., "Detecting Numerical Bugs in Neural Network Architectures"
 * (DEBAR, FSE 2020), section 4; IEEE 754. */
#ifndef SF_LATTICE_INTERVAL_H
#define SF_LATTICE_INTERVAL_H

#include "lattice/value.h"

enum {
    SF_MAY_BE_NAN = 1u << 0,
    SF_MAY_BE_PINF = 1u << 1,
    SF_MAY_BE_NINF = 1u << 2,
    SF_MAY_BE_ZERO = 1u << 3,
    SF_ALL_INTEGERS = 1u << 4,  /* every finite element is one */
    SF_NO_MINUS_ZERO = 1u << 5, /* so that dividing by zero gives the sign of what is divided */
    SF_MAY_BE_INF = SF_MAY_BE_PINF | SF_MAY_BE_NINF,
    SF_MAY_BE_ANY = SF_MAY_BE_NAN | SF_MAY_BE_INF | SF_MAY_BE_ZERO,
    SF_ALL_ARE = SF_ALL_INTEGERS | SF_NO_MINUS_ZERO
};

typedef struct SfInterval {
    double lo, hi;
    unsigned flags;
} SfInterval;

/* What is known of any tensor of the dtype; of what holds no numbers (strings, handles) too. */
SfInterval sf_interval_top(SfDtype t);
SfInterval sf_interval_finite(SfDtype t); /* anything but infinities and NaN */
SfInterval sf_interval_none(void);        /* bottom: there are no elements */
SfInterval sf_interval_make(double lo, double hi);
SfInterval sf_interval_exact(double x); /* one number, infinity or NaN */
/* The largest finite number of a dtype, and the least normal one above zero. */
double sf_dtype_largest(SfDtype t);
double sf_dtype_least_normal(SfDtype t);
double sf_dtype_epsilon(SfDtype t); /* from 1 to the next number */

static inline bool sf_interval_is_empty(SfInterval a)
{
    return a.lo > a.hi;
}

static inline bool sf_interval_has_zero(SfInterval a)
{
    return a.flags & SF_MAY_BE_ZERO;
}

/* Has no bound on that side but its dtype's. */
bool sf_interval_is_open(SfInterval a, SfDtype t, bool above);

bool sf_interval_equal(SfInterval a, SfInterval b);
bool sf_interval_below(SfInterval a, SfInterval b); /* every element that a allows, b allows */
bool sf_interval_holds(SfInterval a, double x);
SfInterval sf_interval_join(SfInterval a, SfInterval b);
SfInterval sf_interval_meet(SfInterval a, SfInterval b);
/* Above both; a chain of them ends: a bound that moves goes to -1, 0, 1 or the dtype's own. */
SfInterval sf_interval_widen(SfInterval old, SfInterval now, SfDtype t);
/* Of integers of 32 or 64 bits that programs count: no count overflows, or comes near. */
SfInterval sf_interval_countable(SfInterval a, SfDtype t);
/* Content from outside: kernels flush what is subnormal of it to zero, or keep it. */
SfInterval sf_interval_flush(SfInterval a, SfDtype t);
/* Of one number of a value; none where it is no number. */
SfInterval sf_interval_of_elem(SfElem e, SfDtype t);
/* Of all elements of a value (NULL: unknown); false where one of them is not known. */
bool sf_interval_of_value(const SfValue *v, SfInterval *out);
/* Without what breaks: its finite elements alone. */
SfInterval sf_interval_finite_part(SfInterval a);

/* Exact bounds of results as elements of the dtype: rounded to nearest, what overflows is infinite
 * (of integers: anything), what is subnormal may be zero. */
SfInterval sf_interval_round(SfInterval a, SfDtype t);
/* Bounds that kernels may miss by so many units in the last place. */
SfInterval sf_interval_loosen(SfInterval a, SfDtype t, double ulps);

/* Element by element, in dtype t. */
SfInterval sf_interval_neg(SfInterval a);
SfInterval sf_interval_abs(SfInterval a);
SfInterval sf_interval_add(SfInterval a, SfInterval b, SfDtype t);
SfInterval sf_interval_sub(SfInterval a, SfInterval b, SfDtype t);
SfInterval sf_interval_mul(SfInterval a, SfInterval b, SfDtype t);
SfInterval sf_interval_div(SfInterval a, SfInterval b, SfDtype t);
SfInterval sf_interval_min(SfInterval a, SfInterval b);
SfInterval sf_interval_max(SfInterval a, SfInterval b);
SfInterval sf_interval_square(SfInterval a, SfDtype t);
/* The sum of between `least` and `most` elements of a, in any order; most < 0: of any number that
 * memory has room for. */
SfInterval sf_interval_sum(SfInterval a, double least, double most, SfDtype t);
SfInterval sf_interval_cast(SfInterval a, SfDtype from, SfDtype to);

/* A function that never falls (or, `falls`, never rises), from its bounds; at_low and at_high are
 * its limits towards -inf and +inf, which may be NaN. */
typedef double (*SfRealFn)(double x);
SfInterval sf_interval_map(SfInterval a, SfRealFn f, bool falls, double at_low, double at_high,
                           SfDtype t, double ulps);

#endif
