/* Private to apis/ops: the arithmetic of StridedSlice and its kin (x[1:, ::2, ..., None, -1]).
 * Invariant: a plan covers every axis of the input; what is not known of begin, end or strides
 * makes one dim unknown, never the rank. Owner: a plan is a value on the stack. Source:
 * ValidateStridedSliceOp of tensorflow/core/util/strided_slice_op.cc. */
#ifndef SF_APIS_OPS_STRIDED_H
#define SF_APIS_OPS_STRIDED_H

#include "core/op/infer.h"

/* In SfStrided.from: axes of the result that are no axis of the input. */
#define SF_STRIDED_NEW    (-1)
#define SF_STRIDED_SHRUNK (-2) /* an axis of the input that the result has not */

typedef struct SfStrided {
    bool
        known; /* the rank of the input and the length of the spec are; else nothing below counts */
    int rank;  /* of the input */
    SfDim size[SF_RANK_MAX]; /* of each axis of the input after slicing */
    /* Where each axis starts and steps; only where `exact`. */
    int64_t begin[SF_RANK_MAX], stride[SF_RANK_MAX];
    bool exact[SF_RANK_MAX];
    int nout;
    int from[2 * SF_RANK_MAX]; /* axis i of the result: an axis of the input, or one of the above */
} SfStrided;

/* The three vectors of the spec have one length: *n. */
SfStatus sf_strided_want_length(SfInfer *c, int first, SfDim *n);
/* Reads the spec in inputs first (begin), first + 1 (end), first + 2 (strides) and the masks in the
 * attrs, for a tensor of shape `input` seen at place `at`; reports what can be no slice. */
SfStatus sf_strided_plan(SfInfer *c, int first, SfPlace at, const SfShape *input, SfStrided *plan);
/* The shape of the slice; unknown rank when the plan is not known. */
const SfShape *sf_strided_shape(const SfStrided *plan);

#endif
