/* Private to apis/ops: what forward, backward and quantised convolutions share.
 * Invariant: strides, dilations and pads have an entry (pads: two) for each axis of the layout.
 * Owner: nothing; the arrays are the op's attrs. Source: nn_ops.cc, conv_ops.cc. */
#ifndef SF_APIS_OPS_CONV_H
#define SF_APIS_OPS_CONV_H

#include "apis/ops/shared/window.h"

typedef struct SfConvAttrs {
    SfLayout layout;
    SfPadding padding;
    const int64_t *strides, *dilations; /* layout.rank entries */
    const int64_t *pads;                /* NULL unless explicit */
} SfConvAttrs;

/* SfOpDef.variant, as bits. */
enum {
    SF_CONV_MODERN = 1 << 0, /* the kernel calls what it cannot do unimplemented */
    SF_CONV_INPUT = 1 << 1,  /* a gradient of the input; else of the filter */
    SF_CONV_3D = 1 << 2,
    SF_CONV_DEPTHWISE = 1 << 3
};

/* The window over spatial axis `i` of input and filter (input numbers) of these shapes. */
SfWindow sf_conv_window(const SfConvAttrs *a, int i, int input, int filter, const SfShape *in,
                        const SfShape *window);
/* A kernel check on SfConvAttrs: kernels slide over spatial axes alone. */
SfStatus sf_conv_plain(SfInfer *c, const void *data);
/* Two FLOPs for each element that the filter makes (of a gradient: that it made) and filter tap;
 * negative when one is unknown. */
double sf_conv_cost(SfInfer *c);

/* Conv2D (with a kernel's message) and DepthwiseConv2dNative over inputs 0 and 1, output 0 set. */
SfStatus sf_infer_conv2d(SfInfer *c, const SfMessage *messages);
SfStatus sf_infer_depthwise(SfInfer *c);

#endif
