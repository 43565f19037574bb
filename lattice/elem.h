/* One element of a value, and its normal form in a dtype.
 * Invariant: a normal element of a dtype has one representation, all bytes of it defined, so that
 * equal elements are equal memory.
 * Owner: elements are values; their strings are interned. Source: tf.cast, ml_dtypes. */
#ifndef SF_LATTICE_ELEM_H
#define SF_LATTICE_ELEM_H

#include "lattice/dtype.h"
#include "lattice/shape.h"

typedef enum SfElemKind {
    SF_ELEM_UNKNOWN = 0,
    SF_ELEM_INT,     /* integers and bool, in two's complement of the dtype */
    SF_ELEM_FLOAT,   /* every floating dtype, as double, rounded to the dtype */
    SF_ELEM_COMPLEX, /* f and im */
    SF_ELEM_STRING,  /* interned bytes */
    SF_ELEM_DIM,     /* an integer known as a symbolic dimension */
    SF_ELEM_SHAPE    /* what is known behind a handle (dtype variant), kept as a shape */
} SfElemKind;

typedef struct SfString {
    size_t len;
    const char *bytes; /* interned, NUL-terminated after len */
} SfString;

typedef struct SfElem {
    SfElemKind kind;
    union {
        int64_t i;
        double f;
        SfDim dim;
        const SfString *s;
        const SfShape *shape;
    } u;
    double im; /* imaginary part of SF_ELEM_COMPLEX, else 0 */
} SfElem;

static inline SfElem sf_elem_unknown(void)
{
    return (SfElem){.kind = SF_ELEM_UNKNOWN, .u = {.i = 0}, .im = 0};
}

static inline SfElem sf_elem_int(int64_t i)
{
    return (SfElem){.kind = SF_ELEM_INT, .u = {.i = i}, .im = 0};
}

static inline SfElem sf_elem_float(double f)
{
    return (SfElem){.kind = SF_ELEM_FLOAT, .u = {.f = f}, .im = 0};
}

SfElem sf_elem_complex(double re, double im);
SfElem sf_elem_string(const char *bytes, size_t len); /* unknown when memory ran out */
/* Known dims become integers, unknown ones unknown elements, symbolic ones SF_ELEM_DIM. */
SfElem sf_elem_dim(SfDim d);
/* For handles alone, which hold nothing else; NULL gives the unknown. */
SfElem sf_elem_shape(const SfShape *s);
/* The dim that an integer element stands for; negative integers give SF_DIM_UNKNOWN (-1 is how
 * shape arguments say "any"). */
static inline SfDim sf_elem_as_dim(SfElem e)
{
    if (e.kind == SF_ELEM_DIM) {
        return e.u.dim;
    }
    return e.kind == SF_ELEM_INT && e.u.i >= 0 ? e.u.i : SF_DIM_UNKNOWN;
}

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
SfElem sf_elem_join(const SfElem *a, const SfElem *b);

#endif
