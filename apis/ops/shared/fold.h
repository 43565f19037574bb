/* Private to apis/ops: value functions. A fold runs after its op's shapes are known; it computes
 * the small content of outputs from the small contents of inputs, or leaves it unknown.
 * Invariant: an element is either exact or unknown, and nothing is ever reported. Owner: element
 * arrays are scratch memory of the inference; values are interned. Source:
 * tensor_util.constant_value and the constant folding of TensorFlow's shape refiner. */
#ifndef SF_APIS_OPS_FOLD_H
#define SF_APIS_OPS_FOLD_H

#include "core/op/infer.h"

/* Ranks beyond this are not folded: no shape arithmetic has them. */
#define SF_FOLD_RANK 16

/* setting outputs */
/* Room for the content of an output, all unknown; NULL when the output is not small or known. */
SfElem *sf_fold_begin(SfInfer *c, int output, int64_t *count);
/* Sets the value of an output: elements in row-major order; NULL: nothing is known. While a graph
 * is built the version decides how much of it is kept: TensorFlow before 2.0 knew less (see
 * fold.c), and programs depend on what is static. */
void sf_fold_set_output(SfInfer *c, int output, const SfElem *elems);
void sf_fold_set_output_value(SfInfer *c, int output, const SfValue *v);

/* elementwise */
/* `t` is the dtype of the (first) operand. Operands are of a known kind or SF_ELEM_DIM. */
typedef SfElem (*SfElemUnary)(SfElem a, SfDtype t);
typedef SfElem (*SfElemBinary)(SfElem a, SfElem b, SfDtype t);
void sf_fold_unary(SfInfer *c, SfElemUnary f);
void sf_fold_binary(SfInfer *c, SfElemBinary f); /* broadcasts */
/* Reads input i as broadcast to a shape: flat position of element `at` of `shape`. */
int64_t sf_fold_broadcast_index(const SfShape *from, const SfShape *shape, int64_t at);

/* moving elements */
/* A nest of loops that copies elements between two arrays, each with its own strides. */
typedef struct SfFoldCopy {
    int rank;
    int64_t count[2 * SF_FOLD_RANK];
    int64_t to_step[2 * SF_FOLD_RANK], from_step[2 * SF_FOLD_RANK];
    int64_t to, from; /* where it begins */
} SfFoldCopy;
void sf_fold_copy(const SfFoldCopy *plan, SfElem *to, const SfElem *from);
/* Row-major strides of a known shape; false past SF_FOLD_RANK. */
bool sf_fold_strides(const SfShape *s, int64_t *steps);
/* A copy of the whole block of `shape` with the row-major steps of both sides. */
bool sf_fold_copy_block(SfFoldCopy *plan, const SfShape *block, const SfShape *to,
                        const SfShape *from);
/* An output becomes the block of an input's content that begins `offset` along the axis. */
void sf_fold_take(SfInfer *c, int input, int output, const SfShape *block, int axis,
                  int64_t offset);

/* shared value functions */
void sf_fold_same(SfInfer *c);    /* output i has the content of input i */
void sf_fold_reshape(SfInfer *c); /* output 0 has the elements of input 0, in its own shape */

/* element arithmetic (fold_math.c) */
/* Exactly TensorFlow's: integers wrap, division rounds as the op says; symbolic dims are linear. */
SfElem sf_elem_add(SfElem a, SfElem b, SfDtype t);
SfElem sf_elem_sub(SfElem a, SfElem b, SfDtype t);
SfElem sf_elem_mul(SfElem a, SfElem b, SfDtype t);
SfElem sf_elem_max(SfElem a, SfElem b, SfDtype t);
SfElem sf_elem_min(SfElem a, SfElem b, SfDtype t);
/* a < b: 1 true, 0 false, -1 when it cannot be said. */
int sf_elem_less(SfElem a, SfElem b, SfDtype t);
/* Equal, different, or not known. */
bool sf_elem_same(SfElem a, SfElem b, bool *same);
/* Kernels run with subnormal numbers flushed to zero where a vector unit computes, and those that
 * only copy bits keep them: such a value is unknown. */
bool sf_elem_is_subnormal(SfElem e, SfDtype t);
/* 1 true, 0 false, -1 unknown. */
int sf_elem_truth(SfElem e);

#endif
