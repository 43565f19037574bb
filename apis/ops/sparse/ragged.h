/* Private to apis/ops: row splits, the partitions of ragged tensors.
 * Invariant: they start with 0, never decrease, and end with the number of values; what is known of
 * them is checked; each kernel has messages of its own. Owner: nothing. Source: ragged_utils.h. */
#ifndef SF_APIS_OPS_RAGGED_H
#define SF_APIS_OPS_RAGGED_H

#include "core/op/infer.h"

/* What is wrong with splits whose content is (partly) known. */
typedef enum SfSplitsFault {
    SF_SPLITS_FINE,
    SF_SPLITS_EMPTY,
    SF_SPLITS_FIRST,
    SF_SPLITS_DECREASE,
    SF_SPLITS_LAST
} SfSplitsFault;

typedef struct SfSplits {
    SfSplitsFault fault;
    int64_t at;           /* SF_SPLITS_DECREASE: the later of the two */
    int64_t before, here; /* SF_SPLITS_FIRST, SF_SPLITS_LAST: here is what is there */
} SfSplits;

/* The first fault of the splits at `input`, which divide `values` values. */
SfSplits sf_splits_check(SfInfer *c, int input, SfDim values);
/* How many rows splits of this shape make; a length of 0 is an error of its own. */
SfDim sf_splits_rows(const SfShape *splits);
bool sf_splits_int(SfElem e, int64_t *out);

#endif
