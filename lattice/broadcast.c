/* NumPy's broadcasting over what is known of two shapes. */
#include "lattice/shape.h"

/* One axis. Two dims fit when they are equal or one of them is 1; SF_DIM_BOTTOM when none of the
 * three can be. */
static SfDim broadcast_dim(SfDim a, SfDim b)
{
    if (a == b || b == 1) {
        return a;
    }
    if (a == 1) {
        return b;
    }
    const bool a_never_one = sf_dim_never(a, 1);
    const bool b_never_one = sf_dim_never(b, 1);
    if (a_never_one && b_never_one) {
        return sf_dim_meet(a, b);
    }
    if (a_never_one || b_never_one) {
        /* The other one is 1, or equal to this one. */
        return a_never_one ? a : b;
    }
    return SF_DIM_UNKNOWN;
}

const SfShape *sf_shape_broadcast(const SfShape *a, const SfShape *b, int *axis)
{
    if (axis) {
        *axis = -1;
    }
    if (!a || !b) {
        return NULL;
    }
    if (sf_shape_is_bottom(a) || sf_shape_is_bottom(b)) {
        return sf_shape_bottom();
    }
    if (a == b) {
        return a;
    }
    if (!sf_shape_is_ranked(a) || !sf_shape_is_ranked(b)) {
        return sf_shape_unknown();
    }
    const int rank = a->rank > b->rank ? a->rank : b->rank;
    SfDim dims[SF_RANK_MAX];
    for (int i = 0; i < rank; i++) { /* from the right; an axis that is missing is 1 */
        const SfDim x = i < a->rank ? a->dims[a->rank - 1 - i] : 1;
        const SfDim y = i < b->rank ? b->dims[b->rank - 1 - i] : 1;
        dims[rank - 1 - i] = broadcast_dim(x, y);
        if (dims[rank - 1 - i] == SF_DIM_BOTTOM) {
            if (axis) {
                *axis = i;
            }
            return sf_shape_bottom();
        }
    }
    return sf_shape_make(rank, dims);
}
