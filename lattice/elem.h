/* Internal to lattice/: one element of a value in the normal form of a dtype.
 * Invariant: a normal element of a dtype has one representation, all bytes of it defined, so that
 * equal elements are equal memory.
 * Owner: elements are values; their strings are interned. Source: tf.cast, ml_dtypes. */
#ifndef SF_LATTICE_ELEM_H
#define SF_LATTICE_ELEM_H

#include "lattice/value.h"

/* How a dtype stores elements, looked up once for many of them. */
typedef struct SfElemRule {
    SfDtype base;
    enum { SF_STORE_NOTHING, SF_STORE_INT, SF_STORE_REAL, SF_STORE_COMPLEX, SF_STORE_BOOL } store;
    unsigned bits; /* of an integer */
    bool is_unsigned;
} SfElemRule;

SfElemRule sf_elem_rule(SfDtype dtype);
/* What an element is when stored by that rule: integers wrapped, reals rounded, a real in an
 * integer dtype truncated; unknown where that has no meaning (a string among floats, 1e30 as
 * int32). */
SfElem sf_elem_normalise(const SfElemRule *rule, SfElem e);
bool sf_elem_equal(const SfElem *a, const SfElem *b); /* of two normal ones */
/* The order on elements; bottom of meet is told through *conflict. */
bool sf_elem_leq(const SfElem *a, const SfElem *b);
SfElem sf_elem_meet(const SfElem *a, const SfElem *b, bool *conflict);
SfElem sf_elem_join(const SfElem *a, const SfElem *b);

#endif
