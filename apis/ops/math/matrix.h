/* Private to apis/ops: batches of matrices, for decompositions and for diagonals.
 * Invariant: none of its own. Owner: nothing. Source: linalg_ops.cc, array_ops.cc of TensorFlow. */
#ifndef SF_APIS_OPS_MATRIX_H
#define SF_APIS_OPS_MATRIX_H

#include "core/op/infer.h"

/* Output `output` is [batch..., rows, columns]; [batch..., n]. */
SfStatus sf_matrix_set_output(SfInfer *c, int output, const SfShape *batch, SfDim rows,
                              SfDim columns);
SfStatus sf_matrix_set_output_vectors(SfInfer *c, int output, const SfShape *batch, SfDim n);
/* min(m, n) when it can be said. */
SfDim sf_matrix_smaller(SfDim m, SfDim n);

#endif
