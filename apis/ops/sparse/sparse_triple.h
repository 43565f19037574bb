/* Private to apis/ops: sparse tensors as triples: indices[n,r] int64, values[n], shape[r].
 * Invariant: construction looks at ranks; whether rows and columns agree is the kernels' to say,
 * each family of them with its own message. Owner: nothing. Source: sparse_tensor.h,
 * sparse_utils.cc. */
#ifndef SF_APIS_OPS_SPARSE_TRIPLE_H
#define SF_APIS_OPS_SPARSE_TRIPLE_H

#include "core/op/infer.h"

typedef struct SfTriple {
    const SfShape *indices, *values, *shape;
} SfTriple;

/* Ranks of the triple that starts at input `i`; `t` may be NULL. */
SfStatus sf_triple_want(SfInfer *c, int i, SfTriple *t);
/* A triple of `entries` entries and rank `rank` from output `i` on, each `step` outputs apart. */
SfStatus sf_triple_set_output(SfInfer *c, int i, int step, SfDim entries, SfDim rank,
                              const SfShape *shape);
/* The number of axes, from whatever is known: columns of the indices or length of the shape. */
SfDim sf_triple_rank(const SfInfer *c, int i);

/* The messages of a family of kernels where the parts do not agree. */
typedef enum SfTripleMessages {
    SF_TRIPLE_CREATED,   /* SparseTensor::Create: "indices and values rows (indexing ..." */
    SF_TRIPLE_VALIDATED, /* sparse_utils::ValidateSparseTensor: "Number of elements in indices..."
        */
} SfTripleMessages;
/* Ranks, rows and columns of the triple at input `i`, as far as known. */
SfStatus sf_triple_check(SfInfer *c, int i, SfTripleMessages message);
/* SF_TRIPLE_VALIDATED of the triple at input 0, all that some kernels check. */
SfStatus sf_triple_validated(SfInfer *c);
/* The same of a triple whose parts lie apart. */
SfStatus sf_triple_check_at(SfInfer *c, int indices, int values, int shape,
                            SfTripleMessages message);
/* Input `i` has this rank, or it fails with this template. */
SfStatus sf_triple_form(SfInfer *c, int i, int rank, const char *message);
/* Inputs `i` and `j` are vectors; {0} and {1} of the template are both shapes. */
SfStatus sf_triple_vectors(SfInfer *c, int i, int j, const char *message);
/* The shape that input `i` holds has no negative size. */
SfStatus sf_triple_sizes(SfInfer *c, int i);
/* SparseTensor::IndicesValid: known indices are inside the known shape (an input each), in order,
 * and none is there twice. */
SfStatus sf_triple_ordered(SfInfer *c, int indices, int shape);
/* ValidateSparseTensor with its check of the indices. */
SfStatus sf_triple_inside(SfInfer *c, int i);
/* The first row of the indices that is known to be outside the shape; -1: none. */
int64_t sf_triple_row_outside(SfInfer *c, int indices, int shape);
/* The integers that input `i` holds as "2,3", with that separator. */
const char *sf_triple_numbers(SfInfer *c, int i, const char *separator);

/* SparseFillEmptyRows, and its ragged twin: the rows named at the head of each of the indices
 * (input 0, of `rank` columns) are among those that input 2 counts. */
SfStatus sf_triple_check_rows(SfInfer *c, SfDim rank);
/* SparseFillEmptyRowsGrad, and its ragged twin. */
SfStatus sf_triple_fill_grad(SfInfer *c);

#endif
