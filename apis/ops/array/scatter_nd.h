/* Private to apis/ops: the shape rule of ScatterNd and its kin.
 *   indices[..., k]   updates = indices.shape[:-1] + input.shape[k:]
 * Invariant: the rule speaks only when k is known. Owner: nothing.
 * Source: ScatterNdUpdateShape of common_shape_fns.cc. */
#ifndef SF_APIS_OPS_SCATTER_ND_H
#define SF_APIS_OPS_SCATTER_ND_H

#include "core/op/infer.h"

/* `input` is the shape that is written into, seen at input `at`; indices and updates are the inputs
 * of those numbers. */
SfStatus sf_scatter_nd_check(SfInfer *c, int at, const SfShape *input, int indices, int updates);
/* Its first part: no index leads into an empty tensor. */
SfStatus sf_scatter_nd_empty(SfInfer *c, int at, const SfShape *input, const SfShape *indices,
                             const SfShape *updates);

#endif
