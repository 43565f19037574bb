/* Private to apis/ops: what the uniformly quantised ops share.
 * Invariant: inputs of scales are followed by their zero points.
 * Owner: nothing. Source: uniform_quant_ops.cc and uniform_quant_ops_params.cc of TensorFlow. */
#ifndef SF_APIS_OPS_UNIFORM_QUANT_H
#define SF_APIS_OPS_UNIFORM_QUANT_H

#include "core/op/infer.h"

/* SfOpDef.variant of products whose lhs is not quantised. */
enum { SF_UNIFORM_HYBRID = 1 };

/* What every kernel asks of a pair: `scales` is the input of the scales of `data`. */
SfStatus sf_uniform_check_scales(SfInfer *c, const SfShape *data, int scales, int64_t axis);
/* What the shape functions ask of a pair that goes with dim `d` of the result. */
SfStatus sf_uniform_want_scales(SfInfer *c, int scales, SfPlace place, SfDim d);
SfStatus sf_uniform_want_scalar_scales(SfInfer *c, int scales);
/* lhs of products is quantised as a whole; channels of the output differ only when those of rhs do.
 * For ops with the inputs lhs, rhs and three pairs. */
SfStatus sf_uniform_check_lhs_scales(SfInfer *c);
SfStatus sf_uniform_check_output_scales(SfInfer *c);

/* Known scales (input `scales`) are above 0; `who` begins the kernel's message. */
SfStatus sf_uniform_check_positive(SfInfer *c, int scales, const char *who);

/* uniform_conv.c */
#define SF_UNIFORM_CONV_ATTRS                                                                      \
    "window_strides: list(int) = [], padding: string, explicit_padding: list(int) = [], "          \
    "lhs_dilation: list(int) = [], rhs_dilation: list(int) = [], batch_group_count: int = 1, "     \
    "feature_group_count: int = 1, dimension_numbers: string = ''"
SfStatus sf_infer_uniform_conv(SfInfer *c);

#endif
