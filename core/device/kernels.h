/* Which op has a kernel for which types on which kind of device, as real TensorFlows register them.
 * Invariant: what the table denies no kernel of TensorFlow has; what it allows one may have (the
 * types of two attrs are listed apart, not as pairs), and of an op that it does not know
 * everything is allowed: no false alarm.
 * Owner: const data of a higher layer. Source: get_all_registered_kernels of wheels for GPUs. */
#ifndef SF_CORE_KERNELS_H
#define SF_CORE_KERNELS_H

#include "core/graph/graph.h"

enum { SF_ON_CPU = 1, SF_ON_GPU = 2 };

/* Texts: NULL: no such op; "": no kernel; "*": of every type; "T:c0106 Tidx:208": the types that
 * each attr may be, as bits of SfDtype. */
typedef struct SfKernelRow {
    const char *op;
    const char *cpu1, *gpu1, *cpu2, *gpu2; /* TensorFlow 1 and 2 */
} SfKernelRow;

/* Sorted by name. Set once, before any use. */
void sf_kernels_register(const SfKernelRow *rows, int n);
/* NULL: nothing is known of the op. */
const SfKernelRow *sf_kernels_find(const SfOpSig *sig);
/* SF_ON_CPU, SF_ON_GPU: where `n` has a kernel; `row` is of its op. */
unsigned sf_kernels_of(const SfNode *n, const SfKernelRow *row);

#endif
