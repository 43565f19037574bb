/* Private to apis/ops: resizing, for the quantised op too.
 * Invariant: none. Owner: nothing. Source: ResizeShapeFn of image_ops.cc. */
#ifndef SF_APIS_OPS_IMAGE_H
#define SF_APIS_OPS_IMAGE_H

#include "core/op/infer.h"

/* images[b,h,w,c] (input 0) to the size that input 1 holds; output 0 set. */
SfStatus sf_infer_resize(SfInfer *c);

#endif
