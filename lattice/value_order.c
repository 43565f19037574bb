/* The order on values: leq, meet, join, binding of symbols. Pointwise on elements (elem.h). */
#include "lattice/value.h"

#include "lattice/elem.h"
#include "lattice/expr.h"
#include "lattice/intern.h"

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
        if (!sf_elem_leq(&x[i], &y[i])) {
            return false;
        }
    }
    return true;
}

static SfElem *new_elems(const SfValue *v)
{
    return sf_malloc((size_t)sf_value_count(v) * sizeof(SfElem) + 1);
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
    SfElem *elems = new_elems(a);
    if (!elems) {
        return NULL;
    }
    const SfElem *x = sf_value_elems(a);
    const SfElem *y = sf_value_elems(b);
    for (int64_t i = 0; i < sf_value_count(a); i++) {
        elems[i] = sf_elem_meet(&x[i], &y[i], conflict);
    }
    const SfValue *result =
        *conflict ? NULL : sf_value_make(sf_value_dtype(a), sf_value_shape(a), elems);
    sf_free(elems);
    return result;
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

/* Integers, unlike dims, may come out negative: n-1 with n = 0. */
static SfElem bind_elem(const SfElem *e, SfDim symbol, SfDim to)
{
    if (e->kind != SF_ELEM_DIM || !sf_dim_mentions(e->u.dim, symbol)) {
        return *e;
    }
    const SfBinding binding = {symbol, to};
    SfLinear l;
    if (!sf_linear_load(e->u.dim, &l) || !sf_linear_bind(&l, &binding, 1, &l)) {
        return sf_elem_unknown();
    }
    return l.count == 0 ? sf_elem_int(l.constant) : sf_elem_dim(sf_linear_store(&l));
}

const SfValue *sf_value_bind(const SfValue *v, SfDim symbol, SfDim to)
{
    if (!v || sf_value_is_exact(v)) {
        return v;
    }
    SfElem *elems = new_elems(v);
    if (!elems) {
        return NULL;
    }
    const SfElem *x = sf_value_elems(v);
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        elems[i] = bind_elem(&x[i], symbol, to);
    }
    const SfValue *result = sf_value_make(sf_value_dtype(v), sf_value_shape(v), elems);
    sf_free(elems);
    return result;
}
