/* Private to apis/ops: windows that slide over spatial axes (convolutions, poolings, patches).
 * Invariant: a layout's axes are distinct and cover `rank`; a window's output dim is computed by
 * one function, whose verdict differs by phase as TensorFlow's does: shape functions refuse a
 * VALID window larger than its input, kernels only a negative output.
 * Owner: nothing. Source: GetWindowedOutputSize* in tensorflow/core/framework/common_shape_fns.cc
 * and kernel_shape_util.cc. */
#ifndef SF_APIS_OPS_WINDOW_H
#define SF_APIS_OPS_WINDOW_H

#include "core/op/infer.h"

#define SF_SPATIAL_MAX 3

typedef struct SfLayout {
    const char *name; /* "NHWC" */
    int rank, nspatial;
    int batch, channel;
    int spatial[SF_SPATIAL_MAX];
    int inner; /* axis of the innermost channels of NCHW_VECT_C, or -1 */
} SfLayout;

/* From the op's data_format (the channels-last default when it declares none). */
SfLayout sf_layout_of(const SfInfer *c, int nspatial);

typedef enum SfPadding { SF_PADDING_SAME, SF_PADDING_VALID, SF_PADDING_EXPLICIT } SfPadding;
SfPadding sf_padding_of(const SfInfer *c);
/* Checks explicit_paddings against padding and layout; *items has 2 * rank entries, or is NULL when
 * the padding is not explicit. */
SfStatus sf_padding_check(SfInfer *c, SfPadding padding, const SfLayout *l, const int64_t **items);
/* Quantised convolutions: a padding_list that is not empty overrules `padding`. */
SfStatus sf_padding_list(SfInfer *c, SfPadding *padding, const SfLayout *l, const int64_t **items);

typedef struct SfWindow {
    SfPlace in, filter; /* whose dims these are, for a report */
    SfDim input, size;
    int64_t stride, dilation;
    SfPadding padding;
    int64_t before, after; /* SF_PADDING_EXPLICIT */
    bool as_kernel;        /* the op's shape function already checks what its kernel does */
} SfWindow;

/* The output dim of a window, or SF_REPORTED. */
SfStatus sf_window_output(SfInfer *c, const SfWindow *w, SfDim *out);
/* The same as plain arithmetic, without any verdict: bottom when a known size is negative. */
SfDim sf_window_size(const SfWindow *w);

/* The shape of `rank` dims that an input of sizes holds (input_sizes, filter_sizes...). */
SfStatus sf_want_sizes(SfInfer *c, int input, int rank, const SfShape **out);

/* How an attr of windows is called: while a graph is built, and by kernels. */
typedef struct SfWindowText {
    const char *who, *what; /* "Conv2D", "stride" */
    bool one_stride;        /* kernels say "stride" of all of them */
} SfWindowText;
/* An attr that must have `rank` entries ("MaxPool requires the ksize attribute to contain 4 values,
 * but got: 5"): `who` is how the message begins, `what` names the attr in it. */
SfStatus sf_window_attr(SfInfer *c, const char *attr, SfWindowText text, int rank,
                        const int64_t **items);

/* SfOpDef.variant of poolings, as bits. */
enum {
    SF_POOL_AVERAGE = 1 << 0,
    SF_POOL_WITH_ARGMAX = 1 << 1,
    SF_POOL_GRAD_ARGMAX = 1 << 2, /* a gradient of that */
    SF_POOL_GRAD_GRAD = 1 << 3,
    SF_POOL_V2 = 1 << 4, /* windows are inputs */
    SF_POOL_3D = 1 << 5
};
/* The pooling of input 0 that the variant says; output 0 set (pool.c). */
SfStatus sf_infer_pool(SfInfer *c);

#endif
