/* The shape rule of ScatterNd and its kin, in construction's message. See scatter_nd.h. */
#include "apis/ops/array/scatter_nd.h"

#define SF_2_4 SF_VERSION(2, 4)

/* One of the two comparisons: axes [first, end) of a shape with axes [ufirst, uend) of updates. */
typedef struct Part {
    const char *name, *where; /* how TensorFlow calls the shape and the stretch */
    int input;
    const SfShape *shape;
    int first, end;
    int updates_input;
    const SfShape *updates;
    int ufirst, uend;
} Part;

#define STRETCHES                                                                                  \
    "Dimensions [{0},{1}) of {2}[shape={3}] = {4} must match dimensions [{5},{6}) of "             \
    "updates[shape={7}] = {8}: "
#define COUNTS                                                                                     \
    "The {9} {10} dimensions of {2}.shape={3} must match the {9} {11} dimensions of "              \
    "updates.shape={7}: "
/* What Merge says of them. */
#define RANKS "Shapes must be equal rank, but are {13} and {14}"
#define DIMS                                                                                       \
    "Dimension {12} in both shapes must be equal, but are {13} and {14}. Shapes are {4} and {8}."

static SfStatus fail_part(SfInfer *c, const Part *p, const SfShape *a, const SfShape *b)
{
    const int ra = sf_shape_rank(a), rb = sf_shape_rank(b);
    const bool ranks = ra != rb, late = sf_version(c) >= SF_2_4;
    int axis = 0; /* where they differ */
    while (axis < ra - 1 && sf_dim_compatible(sf_shape_dim(a, axis), sf_shape_dim(b, axis))) {
        axis++;
    }
    return sf_fail_with(
        c, ranks ? SF_DIAG_MERGE_RANK : SF_DIAG_MERGE_DIM,
        ranks ? SF_INPUT(p->input) : SF_AXIS(p->input, p->first + axis),
        ranks ? SF_INPUT(p->updates_input) : SF_AXIS(p->updates_input, p->ufirst + axis),
        ranks ? (late ? STRETCHES RANKS : COUNTS RANKS) : (late ? STRETCHES DIMS : COUNTS DIMS),
        SF_INT_ARG(p->first), SF_INT_ARG(p->end), SF_TEXT_ARG(p->name), SF_SHAPE_ARG(p->shape),
        SF_SHAPE_ARG(a), SF_INT_ARG(p->ufirst), SF_INT_ARG(p->uend), SF_SHAPE_ARG(p->updates),
        SF_SHAPE_ARG(b), SF_TEXT_ARG(p->where), SF_INT_ARG(p->end - p->first),
        SF_INT_ARG(p->uend - p->ufirst), SF_INT_ARG(axis),
        ranks ? SF_INT_ARG(ra) : SF_DIM_ARG(sf_shape_dim(a, axis)),
        ranks ? SF_INT_ARG(rb) : SF_DIM_ARG(sf_shape_dim(b, axis)));
}

static SfStatus check_part(SfInfer *c, const Part *p)
{
    const SfShape *a = sf_shape_slice(p->shape, p->first, p->end);
    const SfShape *b = sf_shape_slice(p->updates, p->ufirst, p->uend);
    const SfShape *both = sf_shape_meet(a, b);
    SF_TRY_ALLOC(both);
    return sf_shape_is_bottom(both) ? fail_part(c, p, a, b) : SF_OK;
}

SfStatus sf_scatter_nd_empty(SfInfer *c, int at, const SfShape *input, const SfShape *indices,
                             const SfShape *updates)
{
    if (sf_shape_count(input) != 0 || (sf_dim_lower(sf_shape_count(indices)) <= 0 &&
                                       sf_dim_lower(sf_shape_count(updates)) <= 0)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(at), SF_THE_OP,
                        "Indices and updates specified for empty {0}",
                        SF_TEXT_ARG(sf_version(c) >= SF_2_4 ? "input" : "output shape"));
}

SfStatus sf_scatter_nd_check(SfInfer *c, int at, const SfShape *input, int indices_input,
                             int updates_input)
{
    const SfShape *indices, *updates;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(indices_input), 1, &indices));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(updates_input), 1, &updates));
    SF_TRY(sf_scatter_nd_empty(c, at, input, indices, updates));
    const SfDim depth = sf_shape_dim(indices, -1);
    const int outer = sf_shape_rank(indices) - 1, ranku = sf_shape_rank(updates);
    if (outer < 0 || ranku < 0 || !sf_dim_is_known(depth)) {
        return SF_OK;
    }
    const int end = outer < ranku ? outer : ranku;
    const Part prefix = {"indices", "outer",       indices_input, indices, 0,
                         outer,     updates_input, updates,       0,       outer};
    SF_TRY(check_part(c, &prefix));
    if (!sf_shape_is_ranked(input)) {
        return SF_OK;
    }
    const int rank = sf_shape_rank(input);
    const Part suffix = {"input", "inner",       at,      input, depth < rank ? (int)depth : rank,
                         rank,    updates_input, updates, end,   ranku};
    return check_part(c, &suffix);
}
