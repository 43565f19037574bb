/* Symbols replaced by what they stand for. See domain.h. */
#include "lattice/elem.h"
#include "lattice/expr.h"
#include "lattice/intern.h"
#include "tests/c/domain/domain.h"

typedef struct SfBinding {
    SfDim symbol, value;
} SfBinding;

/* Replaces all bound symbols at once. False when a value is unknown or bottom, or on overflow. */
static bool linear_bind(const SfLinear *l, const SfBinding *bindings, int count, SfLinear *out)
{
    SfLinear result = {.count = 0, .constant = l->constant};
    for (int i = 0; i < l->count; i++) {
        SfDim value = l->terms[i].symbol;
        for (int k = 0; k < count; k++) {
            if (bindings[k].symbol == l->terms[i].symbol) {
                value = bindings[k].value;
                break;
            }
        }
        SfLinear form;
        if (!sf_linear_load(value, &form) ||
            !sf_linear_add(&result, &form, l->terms[i].coef, &result)) {
            return false;
        }
    }
    *out = result;
    return true;
}

SfDim sf_dim_bind(SfDim d, SfDim symbol, SfDim value)
{
    if (d == symbol) {
        return value;
    }
    if (!sf_dim_mentions(d, symbol)) {
        return d;
    }
    if (value == SF_DIM_BOTTOM) {
        return SF_DIM_BOTTOM;
    }
    const SfBinding binding = {symbol, value};
    SfLinear l;
    if (!sf_linear_load(d, &l) || !linear_bind(&l, &binding, 1, &l)) {
        return SF_DIM_UNKNOWN;
    }
    return sf_linear_store(&l);
}

/* The pairs that a feed binds: symbols of `from` that stand alone, first place first. */
static int collect_bindings(const SfShape *from, const SfShape *to, SfBinding *bindings)
{
    int count = 0;
    for (int i = 0; i < sf_shape_rank(from); i++) {
        if (sf_dim_is_symbol(sf_shape_dim(from, i)) && sf_shape_dim(to, i) != SF_DIM_UNKNOWN) {
            bindings[count++] = (SfBinding){sf_shape_dim(from, i), sf_shape_dim(to, i)};
        }
    }
    return count;
}

/* False when memory ran out. */
static bool bind_dim(SfDim d, const SfBinding *bindings, int count, SfDim *out)
{
    *out = d;
    bool bound = false;
    for (int k = 0; k < count && !bound; k++) {
        bound = sf_dim_mentions(d, bindings[k].symbol);
    }
    SfLinear l;
    if (!bound || !sf_linear_load(d, &l)) {
        return true;
    }
    if (!linear_bind(&l, bindings, count, &l)) {
        *out = SF_DIM_UNKNOWN;
        return true;
    }
    *out = sf_linear_store(&l);
    return *out != SF_DIM_UNKNOWN;
}

const SfShape *sf_shape_bind(const SfShape *s, const SfShape *from, const SfShape *to)
{
    if (!s || !from || !to) {
        return NULL;
    }
    if (sf_shape_rank(s) <= 0 || sf_shape_is_known(s) || sf_shape_rank(from) != sf_shape_rank(to) ||
        !sf_shape_is_ranked(from)) {
        return s;
    }
    SfBinding bindings[SF_RANK_MAX];
    const int count = collect_bindings(from, to, bindings);
    SfDim dims[SF_RANK_MAX];
    bool changed = false;
    for (int i = 0; i < sf_shape_rank(s); i++) {
        if (!bind_dim(sf_shape_dim(s, i), bindings, count, &dims[i])) {
            return NULL;
        }
        changed = changed || dims[i] != sf_shape_dim(s, i);
    }
    return changed ? sf_shape_make(sf_shape_rank(s), dims) : s;
}

/* Integers, unlike dims, may come out negative: n-1 with n = 0. */
static SfElem bind_elem(const SfElem *e, SfDim symbol, SfDim to)
{
    if (e->kind != SF_ELEM_DIM || !sf_dim_mentions(e->u.dim, symbol)) {
        return *e;
    }
    const SfBinding binding = {symbol, to};
    SfLinear l;
    if (!sf_linear_load(e->u.dim, &l) || !linear_bind(&l, &binding, 1, &l)) {
        return sf_elem_unknown();
    }
    return l.count == 0 ? sf_elem_int(l.constant) : sf_elem_dim(sf_linear_store(&l));
}

const SfValue *sf_value_bind(const SfValue *v, SfDim symbol, SfDim to)
{
    if (!v || sf_value_is_exact(v)) {
        return v;
    }
    SfElem *elems = sf_malloc((size_t)sf_value_count(v) * sizeof *elems + 1);
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
