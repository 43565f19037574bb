/* Private to apis/ops: the transfer functions of data sets. A data set is a scalar variant; what
 * its kernel wants of its arguments follows from their names.
 * Invariant: elements are what output_types and output_shapes declare.
 * Owner: nothing. Source: dataset_ops.cc, experimental_dataset_ops.cc; kernels/data. */
#ifndef SF_APIS_OPS_DATASET_H
#define SF_APIS_OPS_DATASET_H

#include "apis/ops/shared/common.h"

/* SfOpDef.variant: data sets, and what goes with them, that are looked at in a way of their own. */
enum {
    SF_DATA_ANY,
    SF_DATA_PREFETCH,
    SF_DATA_TEXT_LINES,
    SF_DATA_RECORDS,
    SF_DATA_FIXED_LENGTH,
    SF_DATA_SHUFFLE,
    SF_DATA_SHARD,
    SF_DATA_PADDED,
    SF_DATA_SPARSE_SLICES,
    SF_DATA_SLICES,
    SF_DATA_TENSORS,
    SF_DATA_SLEEP,
    SF_DATA_CSV,
    SF_DATA_UNCOMPRESS,
    SF_DATA_THREADS,
    SF_DATA_FROM_STRING,
    SF_DATA_COUNT
};

/* One data set; only the kernel looks at its arguments. */
SfStatus sf_dataset_infer(SfInfer *c);
/* One data set; construction too wants its arguments of the right rank. */
SfStatus sf_dataset_infer_checked(SfInfer *c);
/* The components of an element, of their declared shapes; input 0 is a scalar handle. */
SfStatus sf_dataset_infer_components(SfInfer *c);
SfStatus sf_dataset_infer_save(SfInfer *c);
/* Handles of what goes with data sets: scalars; only the kernel looks at arguments and attrs. */
SfStatus sf_dataset_infer_handle(SfInfer *c);

/* Rows: a data set made of inputs; one made of another data set and inputs (", count: int64"); one
 * made of something outside of the graph. CHECKED: construction too looks at the arguments. */
/* clang-format off */
#define SF_DATASET_TYPES "output_types: list(type) >= 1, output_shapes: list(shape) >= 1"
#define SF_DATASET_METADATA "metadata: string = ''"
#define SF_DATASET_ATTRS SF_DATASET_TYPES ", " SF_DATASET_METADATA
#define SF_ARGUMENTS "Targuments: list(type) >= 0, "
#define SF_F "f: func, " SF_ARGUMENTS
#define SF_PREDICATE "predicate: func, " SF_ARGUMENTS
#define SF_DATASET(name, in, attrs_, ...) \
    SF_PLAIN_OP(name, in, "handle: variant", attrs_, sf_dataset_infer, ##__VA_ARGS__)
#define SF_CHECKED_DATASET(name, in, attrs_, ...) \
    SF_PLAIN_OP(name, in, "handle: variant", attrs_, sf_dataset_infer_checked, ##__VA_ARGS__)
#define SF_DATASET_OF(name, in, ...) SF_DATASET(name, "input_dataset: variant" in, __VA_ARGS__)
#define SF_CHECKED_OF(name, in, ...) \
    SF_CHECKED_DATASET(name, "input_dataset: variant" in, __VA_ARGS__)
#define SF_SOURCE(name, in, attrs_, ...) \
    SF_STATEFUL_OP(name, in, "handle: variant", attrs_, sf_dataset_infer, ##__VA_ARGS__)
#define SF_CHECKED_SOURCE(name, in, attrs_, ...) \
    SF_STATEFUL_OP(name, in, "handle: variant", attrs_, sf_dataset_infer_checked, ##__VA_ARGS__)
/* An op that was Experimental first, with the same signature. */
#define SF_BOTH(row, name, ...) row(name, __VA_ARGS__), row(Experimental##name, __VA_ARGS__)
/* clang-format on */

#endif
