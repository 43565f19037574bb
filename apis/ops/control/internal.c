/* Ops of our own, not in tf.raw_ops: a gradient, and whatever is not modelled. */
#include "core/op/infer.h"

/* SfUnknown: any op that is not modelled. Outputs beyond `shapes` are of unknown shape.
 * `trusted`: what is unknown here is unknown to TensorFlow as well; `any_dtype`: each consumer
 * may take it for the dtype that it wants. */
static SfStatus infer_unknown(SfInfer *c)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "shapes", &shapes);
    for (int i = 0; i < n && i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, shapes[i]));
    }
    return SF_OK;
}

/* clang-format off */
static const SfOpDef ops[] = {
    /* The gradient of ys with respect to x, which has the shape of x. There is no backward pass;
     * this node only says what it depends on. */
    SF_OP(SfGradient, .inputs = "x: T, ys: Tys", .outputs = "grad: T",
          .attrs = "T: type, Tys: list(type) >= 0", .infer = sf_infer_unchanged,
          .traits = SF_OP_INTERNAL, .role = SF_ROLE_GRADIENT),
    SF_OP(SfUnknown, .inputs = "args: Targs", .outputs = "outs: Tout",
          .attrs = "Targs: list(type) >= 0, Tout: list(type) >= 0, shapes: list(shape) = [], "
                   "trusted: bool = false, any_dtype: bool = false",
          .infer = infer_unknown, .traits = SF_OP_INTERNAL | SF_OP_UNMODELLED),
};
/* clang-format on */
const SfOpTable sf_ops_internal = {ops, SF_ARRAY_LEN(ops), "internal"};
