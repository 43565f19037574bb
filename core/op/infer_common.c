/* Transfer functions that many ops share.
 * Invariant: as any transfer function. Owner: none.
 * Source: tensorflow/core/framework/common_shape_fns.cc. */
#include "core/op/infer_impl.h"

SfStatus sf_set_outputs(SfInfer *c, const SfShape *s)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, s));
    }
    return SF_OK;
}

SfStatus sf_infer_unchanged(SfInfer *c)
{
    return sf_set_outputs(c, sf_input(c, 0));
}

SfStatus sf_infer_each(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_same(c, i, i));
    }
    return SF_OK;
}

SfStatus sf_infer_scalar(SfInfer *c)
{
    return sf_set_outputs(c, sf_shape_scalar());
}

SfStatus sf_infer_no_output(SfInfer *c)
{
    return SF_OK;
}

SfStatus sf_infer_unknown(SfInfer *c)
{
    return sf_set_outputs(c, sf_shape_unknown());
}

static int both_shapes(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_SHAPE_ARG(sf_input(c, 0));
    out[1] = SF_SHAPE_ARG(sf_input(c, 1));
    return 2;
}

static const SfMessage broadcast_messages[] = {{SF_AS(BROADCAST), .args = both_shapes}, {0}};

/* Do two dims of a broadcast exclude each other? */
static bool never_broadcast(SfDim a, SfDim b)
{
    return !sf_dim_compatible(a, b) && sf_dim_never(a, 1) && sf_dim_never(b, 1);
}

/* The first axis, from the left as BroadcastBinaryOpOutputShapeFnHelper goes, that fails. */
static SfStatus fail_broadcast(SfInfer *c, const SfShape *a, const SfShape *b)
{
    const int ra = sf_shape_rank(a), rb = sf_shape_rank(b);
    const int common = ra < rb ? ra : rb;
    int back = common;
    while (back > 1 && !never_broadcast(sf_shape_dim(a, -back), sf_shape_dim(b, -back))) {
        back--;
    }
    if (!c->messages) {
        sf_kernel_messages(c, broadcast_messages);
    }
    return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_AXIS(0, -back), SF_AXIS(1, -back),
                   SF_DIM_ARG(sf_shape_dim(a, -back)), SF_DIM_ARG(sf_shape_dim(b, -back)));
}

SfStatus sf_infer_broadcast(SfInfer *c)
{
    const SfShape *a = sf_input(c, 0), *b = sf_input(c, 1);
    const SfShape *out = sf_shape_broadcast(a, b, NULL);
    if (out && sf_shape_is_bottom(out)) {
        return fail_broadcast(c, a, b);
    }
    return sf_set_output_shape(c, 0, out);
}

SfStatus sf_infer_merge_all(SfInfer *c)
{
    const SfShape *merged = sf_shape_unknown();
    if (sf_input_count(c) > 0) {
        SF_TRY(sf_want_merge_inputs(c, 0, sf_input_count(c), &merged));
    }
    return sf_set_outputs(c, merged);
}
