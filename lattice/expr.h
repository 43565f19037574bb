/* Internal to lattice/: symbolic dims as linear forms `constant + sum coef * symbol`.
 * Invariant: terms are sorted by symbol, oldest first, no coefficient is 0, and a form without
 * terms is a known dim, never an expression.
 * Owner: interned forms live until sf_intern_reset(); an SfLinear is a value on the stack.
 * Source: Dimensions of Verma and Su 2020 are numbers; the linear forms are ours. */
#ifndef SF_LATTICE_EXPR_H
#define SF_LATTICE_EXPR_H

#include "lattice/dim.h"

/* Past this many symbols in one dim (a concat of many placeholders) it is simply unknown. */
#define SF_TERMS_MAX 16

typedef struct SfTerm {
    int64_t coef;
    SfDim symbol;
} SfTerm;

typedef struct SfLinear {
    int count;
    int64_t constant;
    SfTerm terms[SF_TERMS_MAX];
} SfLinear;

/* A fresh symbol that prints as `name`; `exact` keeps the name even when it is taken. */
SfDim sf_symbol_new(const char *name, bool exact);
/* NULL for what is not a plain symbol; "?" for one without a name. *number is printed behind it,
 * `batch_1`, unless it is 0. */
const char *sf_symbol_name(SfDim d, unsigned *number);

/* False for unknown, bottom and numbers that name nothing. */
bool sf_linear_load(SfDim d, SfLinear *out);
/* The dim of a form: bottom when it is negative for every value of its symbols, SF_DIM_UNKNOWN only
 * when memory ran out. */
SfDim sf_linear_store(const SfLinear *l);
/* a + scale * b; false when that overflows or has too many terms. `out` may be `a` or `b`. */
bool sf_linear_add(const SfLinear *a, const SfLinear *b, int64_t scale, SfLinear *out);
bool sf_linear_scale(const SfLinear *a, int64_t factor, SfLinear *out);
/* Divides when every coefficient and the constant are multiples of `divisor`. */
bool sf_linear_divide(const SfLinear *a, int64_t divisor, SfLinear *out);
/* True when no non-negative values of the symbols make the form equal to `value`. */
bool sf_linear_never(const SfLinear *l, int64_t value);
/* True when the form is a multiple of `divisor` for no value of its symbols. */
bool sf_linear_never_divides(const SfLinear *l, int64_t divisor);

#endif
