/* A dimension of a tensor: known, unknown, or an interned linear expression over symbols.
 * Invariant: >= 0 is known; SF_DIM_UNKNOWN is anonymous; SF_DIM_BOTTOM is a contradiction; every
 * other negative number names a hash-consed expression, so equal dims are equal integers. Owner:
 * expressions and symbol names live in the interner (intern.h) until sf_intern_reset(). Source:
 * tf.compat.v1.Dimension; the symbols are ours. */
#ifndef SF_LATTICE_DIM_H
#define SF_LATTICE_DIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where C has a second integer type of 64 bits SfDim is that one, so that the compiler tells a dim
 * from a number: SF_INT_ARG (core/op/diag.h) refuses the former. */
#if defined(__linux__) && defined(__LP64__)
typedef long long SfDim;
#define SF_DIM_IS_DISTINCT 1
#else
typedef int64_t SfDim;
#define SF_DIM_IS_DISTINCT 0
#endif

#define SF_DIM_UNKNOWN ((SfDim)-1)
#define SF_DIM_BOTTOM  INT64_MIN
#define SF_DIM_MAX     INT64_MAX

static inline bool sf_dim_is_known(SfDim d)
{
    return d >= 0;
}

/* Are both numbers, and not the same? */
static inline bool sf_dim_differs(SfDim a, SfDim b)
{
    return sf_dim_is_known(a) && sf_dim_is_known(b) && a != b;
}

/* True for `n`, `2*n-1`...: an unknown with an identity. */
static inline bool sf_dim_is_symbolic(SfDim d)
{
    return d < SF_DIM_UNKNOWN && d != SF_DIM_BOTTOM;
}

/* Is it a symbol by itself: `n`, not `2*n`? */
bool sf_dim_is_symbol(SfDim d);
/* A fresh symbol (>= 0, otherwise unconstrained) that prints as `name`; a second symbol of the same
 * name prints as `name_1`. NULL name prints as `?`. SF_DIM_UNKNOWN when memory ran out. */
SfDim sf_dim_symbol(const char *name);

/* A fresh symbol for a number of something unmodelled, which TensorFlow may know; is one in `d`? */
SfDim sf_dim_unmodelled(void);
bool sf_dim_is_unmodelled(SfDim d);
bool sf_dim_any_unmodelled(void); /* was there ever one? */

/* Arithmetic. Known operands give known results; symbols give linear expressions where the result
 * is linear (and cancel: n - n = 0), else SF_DIM_UNKNOWN. A known result past int64 is
 * SF_DIM_BOTTOM, as is one that is negative for every value of its symbols (3 - 4, -n-1) and
 * anything with a bottom operand. A coefficient past int64, or too many symbols, is
 * SF_DIM_UNKNOWN: the symbols may be 0. 0 times anything but bottom is 0. */
SfDim sf_dim_add(SfDim a, SfDim b);
SfDim sf_dim_sub(SfDim a, SfDim b);
SfDim sf_dim_mul(SfDim a, SfDim b);
/* Quotients by a known positive divisor (any other: SF_DIM_UNKNOWN). `exact` is bottom when the
 * dividend leaves a rest for every value of its symbols: 7/2, (2*n+1)/2. */
SfDim sf_dim_div_exact(SfDim a, int64_t b);
SfDim sf_dim_div_floor(SfDim a, int64_t b);
SfDim sf_dim_div_ceil(SfDim a, int64_t b);

/* The least and the greatest value that the dim can take: 0 and SF_DIM_MAX for what is unknown. */
int64_t sf_dim_lower(SfDim d);
int64_t sf_dim_upper(SfDim d);

/* Order: bottom <= known <= symbolic <= unknown; leq(a, b) means "a tells at least what b tells".
 *
 * Laws, tested exhaustively. Everywhere: meet and join are commutative and idempotent, join is
 * associative, unknown is neutral for meet and absorbing for join, bottom the other way round;
 * leq(a, b) is meet(a, b) == a; meet(a, b) <= a <= join(a, b); meet(a, join(a, b)) == a.
 * Among bottom, known dims and unknown all the laws of a lattice hold. Symbols bend two of them,
 * because the alternative would be to claim what is not known:
 * - join(3, n) is unknown although 3 <= n: the result of a branch that gave 3 is not the symbol n.
 *   So join is an upper bound, the least one only without symbols, and join(a, meet(a, b)) >= a.
 * - meet forgets n = 3 and n = m (it answers 3, n), but notices that n is never n+1. Symbols that
 *   stand alone are ordered by age, older <= younger, so with them meet is associative and
 *   monotone; with expressions of one symbol two ways to bracket a meet may differ in that one
 *   finds a contradiction (bottom) where the other does not. Neither is ever wrong. */
bool sf_dim_leq(SfDim a, SfDim b);
/* What is known when both hold. n meets 3 is 3; n meets n+1 is bottom (never equal); of two
 * different symbolic dims that may be equal the older one is kept. */
SfDim sf_dim_meet(SfDim a, SfDim b);
/* What is known when one of the two holds: equal dims, or SF_DIM_UNKNOWN. */
SfDim sf_dim_join(SfDim a, SfDim b);
/* May the two be equal for some value of their symbols? */
bool sf_dim_compatible(SfDim a, SfDim b);
/* Is the dim equal to `value` for no value of its symbols / for every value? The answer "never" is
 * proved from signs and divisibility: 2*n is never 3, n+2 never 1. Both hold of bottom. */
bool sf_dim_never(SfDim d, int64_t value);
bool sf_dim_always(SfDim d, int64_t value);
/* Does symbol `symbol` occur in `d`? (provenance marks) */
bool sf_dim_mentions(SfDim d, SfDim symbol);

/* Text: `3`, `?`, `batch`, `2*n+1`, `3-n`; bottom is `!`. Returns the length that was needed, like
 * snprintf. With `symbols` false every symbolic dim prints as `?`, as in TensorFlow's
 * messages. */
int sf_dim_format(SfDim d, bool symbols, char *buf, size_t size);

#endif
