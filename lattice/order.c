/* The lattice of shapes: order, meet, join, binding of symbols. Pointwise on dims (dim.h). */
#include "lattice/shape.h"

#include "lattice/expr.h"

bool sf_shape_leq(const SfShape *a, const SfShape *b)
{
    if (a == b || sf_shape_is_bottom(a)) {
        return true;
    }
    if (!sf_shape_is_ranked(b)) {
        return !sf_shape_is_bottom(b);
    }
    if (a->rank != b->rank) {
        return false;
    }
    for (int i = 0; i < a->rank; i++) {
        if (!sf_dim_leq(a->dims[i], b->dims[i])) {
            return false;
        }
    }
    return true;
}

bool sf_shape_compatible(const SfShape *a, const SfShape *b)
{
    if (sf_shape_is_bottom(a) || sf_shape_is_bottom(b)) {
        return false;
    }
    if (a == b || !sf_shape_is_ranked(a) || !sf_shape_is_ranked(b)) {
        return true;
    }
    if (a->rank != b->rank) {
        return false;
    }
    for (int i = 0; i < a->rank; i++) {
        if (!sf_dim_compatible(a->dims[i], b->dims[i])) {
            return false;
        }
    }
    return true;
}

const SfShape *sf_shape_meet(const SfShape *a, const SfShape *b)
{
    if (!a || !b) {
        return NULL;
    }
    if (a == b || sf_shape_is_bottom(a) || b == sf_shape_unknown()) {
        return a;
    }
    if (sf_shape_is_bottom(b) || a == sf_shape_unknown()) {
        return b;
    }
    if (a->rank != b->rank) {
        return sf_shape_bottom();
    }
    SfDim dims[SF_RANK_MAX];
    bool is_a = true;
    bool is_b = true;
    for (int i = 0; i < a->rank; i++) {
        dims[i] = sf_dim_meet(a->dims[i], b->dims[i]);
        if (dims[i] == SF_DIM_BOTTOM) {
            return sf_shape_bottom();
        }
        is_a = is_a && dims[i] == a->dims[i];
        is_b = is_b && dims[i] == b->dims[i];
    }
    if (is_a || is_b) {
        return is_a ? a : b;
    }
    return sf_shape_make(a->rank, dims);
}

const SfShape *sf_shape_join(const SfShape *a, const SfShape *b)
{
    if (!a || !b) {
        return NULL;
    }
    if (a == b || sf_shape_is_bottom(b)) {
        return a;
    }
    if (sf_shape_is_bottom(a)) {
        return b;
    }
    if (a->rank != b->rank || !sf_shape_is_ranked(a)) {
        return sf_shape_unknown();
    }
    SfDim dims[SF_RANK_MAX];
    bool is_a = true;
    bool is_b = true;
    for (int i = 0; i < a->rank; i++) {
        dims[i] = sf_dim_join(a->dims[i], b->dims[i]);
        is_a = is_a && dims[i] == a->dims[i];
        is_b = is_b && dims[i] == b->dims[i];
    }
    if (is_a || is_b) {
        return is_a ? a : b;
    }
    return sf_shape_make(a->rank, dims);
}

const SfShape *sf_shape_forget_symbols(const SfShape *s)
{
    if (!s || s->known || !sf_shape_is_ranked(s)) {
        return s;
    }
    SfDim dims[SF_RANK_MAX];
    bool changed = false;
    for (int i = 0; i < s->rank; i++) {
        dims[i] = sf_dim_is_known(s->dims[i]) ? s->dims[i] : SF_DIM_UNKNOWN;
        changed = changed || dims[i] != s->dims[i];
    }
    return changed ? sf_shape_make(s->rank, dims) : s;
}
