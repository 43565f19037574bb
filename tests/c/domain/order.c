/* The order on values: leq and meet. See domain.h. */
#include "lattice/elem.h"
#include "lattice/intern.h"
#include "tests/c/domain/domain.h"

static bool is_integral(const SfElem *e)
{
    return e->kind == SF_ELEM_INT || e->kind == SF_ELEM_DIM;
}

static SfElem elem_meet(const SfElem *a, const SfElem *b, bool *conflict)
{
    if (b->kind == SF_ELEM_UNKNOWN || sf_elem_equal(a, b)) {
        return *a;
    }
    if (a->kind == SF_ELEM_UNKNOWN) {
        return *b;
    }
    if (a->kind == SF_ELEM_DIM && b->kind == SF_ELEM_DIM) {
        const SfDim d = sf_dim_meet(a->u.dim, b->u.dim);
        if (d != SF_DIM_BOTTOM) {
            return sf_elem_dim(d);
        }
    } else if (is_integral(a) && is_integral(b)) {
        const SfElem *integer = a->kind == SF_ELEM_INT ? a : b;
        const SfElem *dim = integer == a ? b : a;
        if (dim->kind == SF_ELEM_DIM && !sf_dim_never(dim->u.dim, integer->u.i)) {
            return *integer;
        }
    } else if (a->kind == b->kind && (a->kind == SF_ELEM_FLOAT || a->kind == SF_ELEM_COMPLEX) &&
               a->u.f == b->u.f && a->im == b->im) {
        /* Zeros of different sign: they compare equal, so neither contradicts the other. */
        SfElem positive = *a;
        positive.u.f += 0.0;
        positive.im += 0.0;
        return positive;
    }
    *conflict = true;
    return *a;
}

static bool elem_leq(const SfElem *a, const SfElem *b)
{
    bool conflict = false;
    const SfElem both = elem_meet(a, b, &conflict);
    return !conflict && sf_elem_equal(&both, a);
}

static bool same_frame(const SfValue *a, const SfValue *b)
{
    return sf_value_dtype(a) == sf_value_dtype(b) && sf_value_shape(a) == sf_value_shape(b);
}

bool sf_value_leq(const SfValue *a, const SfValue *b)
{
    if (a == b || !b) {
        return true;
    }
    if (!a || !same_frame(a, b)) {
        return false;
    }
    const SfElem *x = sf_value_elems(a);
    const SfElem *y = sf_value_elems(b);
    for (int64_t i = 0; i < sf_value_count(a); i++) {
        if (!elem_leq(&x[i], &y[i])) {
            return false;
        }
    }
    return true;
}

const SfValue *sf_value_meet(const SfValue *a, const SfValue *b, bool *conflict)
{
    *conflict = false;
    if (a == b || !b) {
        return a;
    }
    if (!a) {
        return b;
    }
    if (!same_frame(a, b)) {
        *conflict = true;
        return NULL;
    }
    SfElem *elems = sf_malloc((size_t)sf_value_count(a) * sizeof *elems + 1);
    if (!elems) {
        return NULL;
    }
    const SfElem *x = sf_value_elems(a);
    const SfElem *y = sf_value_elems(b);
    for (int64_t i = 0; i < sf_value_count(a); i++) {
        elems[i] = elem_meet(&x[i], &y[i], conflict);
    }
    const SfValue *result =
        *conflict ? NULL : sf_value_make(sf_value_dtype(a), sf_value_shape(a), elems);
    sf_free(elems);
    return result;
}
