/* The order on values: leq, meet, join, binding of symbols. Pointwise on elements (elem.h). */
#include "lattice/value.h"

#include "lattice/elem.h"
#include "lattice/expr.h"
#include "lattice/intern.h"

static bool same_frame(const SfValue *a, const SfValue *b)
{
    return sf_value_dtype(a) == sf_value_dtype(b) && sf_value_shape(a) == sf_value_shape(b);
}

static SfElem *new_elems(const SfValue *v)
{
    return sf_malloc((size_t)sf_value_count(v) * sizeof(SfElem) + 1);
}

const SfValue *sf_value_join(const SfValue *a, const SfValue *b)
{
    if (a == b) {
        return a;
    }
    if (!a || !b || !same_frame(a, b)) {
        return NULL;
    }
    SfElem *elems = new_elems(a);
    if (!elems) {
        return NULL;
    }
    const SfElem *x = sf_value_elems(a);
    const SfElem *y = sf_value_elems(b);
    bool any = false;
    for (int64_t i = 0; i < sf_value_count(a); i++) {
        elems[i] = sf_elem_join(&x[i], &y[i]);
        any = any || elems[i].kind != SF_ELEM_UNKNOWN;
    }
    const SfValue *result = any ? sf_value_make(sf_value_dtype(a), sf_value_shape(a), elems) : NULL;
    sf_free(elems);
    return result;
}
