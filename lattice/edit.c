/* Slices of the dims list: concat, slice, replace, insert, remove. */
#include "lattice/shape.h"

#include <string.h>

static void copy_dims(SfDim *to, const SfDim *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof(SfDim));
}

const SfShape *sf_shape_concat(const SfShape *a, const SfShape *b)
{
    if (!a || !b) {
        return NULL;
    }
    if (sf_shape_is_bottom(a) || sf_shape_is_bottom(b)) {
        return sf_shape_bottom();
    }
    if (!sf_shape_is_ranked(a) || !sf_shape_is_ranked(b)) {
        return sf_shape_unknown();
    }
    if (a->rank == 0 || b->rank == 0) {
        return a->rank == 0 ? b : a;
    }
    if (a->rank + b->rank > SF_RANK_MAX) {
        return sf_shape_bottom();
    }
    SfDim dims[SF_RANK_MAX];
    copy_dims(dims, a->dims, a->rank);
    copy_dims(dims + a->rank, b->dims, b->rank);
    return sf_shape_make(a->rank + b->rank, dims);
}

static int clamp_index(int index, int rank)
{
    if (index < 0) {
        index += rank; /* INT_MIN + rank does not overflow */
    }
    return index < 0 ? 0 : (index > rank ? rank : index);
}

const SfShape *sf_shape_slice(const SfShape *s, int start, int stop)
{
    if (!s || !sf_shape_is_ranked(s)) {
        return s;
    }
    start = clamp_index(start, s->rank);
    stop = clamp_index(stop, s->rank);
    if (start == 0 && stop == s->rank) {
        return s;
    }
    return sf_shape_make(start < stop ? stop - start : 0, s->dims + start);
}

/* Resolves a negative axis; false outside. */
static bool resolve_axis(int *axis, int rank)
{
    if (*axis < 0) {
        *axis += rank;
    }
    return *axis >= 0 && *axis < rank;
}

const SfShape *sf_shape_replace(const SfShape *s, int axis, SfDim dim)
{
    if (!s || !sf_shape_is_ranked(s)) {
        return s;
    }
    if (!resolve_axis(&axis, s->rank)) {
        return sf_shape_unknown();
    }
    if (s->dims[axis] == dim) {
        return s;
    }
    SfDim dims[SF_RANK_MAX];
    copy_dims(dims, s->dims, s->rank);
    dims[axis] = dim;
    return sf_shape_make(s->rank, dims);
}

const SfShape *sf_shape_insert(const SfShape *s, int axis, SfDim dim)
{
    if (!s || !sf_shape_is_ranked(s)) {
        return s;
    }
    if (!resolve_axis(&axis, s->rank + 1)) {
        return sf_shape_unknown();
    }
    SfDim dims[SF_RANK_MAX + 1];
    copy_dims(dims, s->dims, axis);
    dims[axis] = dim;
    copy_dims(dims + axis + 1, s->dims + axis, s->rank - axis);
    return sf_shape_make(s->rank + 1, dims);
}

const SfShape *sf_shape_remove(const SfShape *s, int axis)
{
    if (!s || !sf_shape_is_ranked(s)) {
        return s;
    }
    if (!resolve_axis(&axis, s->rank)) {
        return sf_shape_unknown();
    }
    SfDim dims[SF_RANK_MAX];
    copy_dims(dims, s->dims, axis);
    copy_dims(dims + axis, s->dims + axis + 1, s->rank - axis - 1);
    return sf_shape_make(s->rank - 1, dims);
}
