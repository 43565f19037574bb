/* What of a node has to be kept for its gradient.
 * Invariant: of an op that the tables do not know, its inputs.
 * Owner: const data of a higher layer. Source: TensorFlow's gradient functions (backward.def), its
 * eager tape and allocator (backward_eager.def). */
#ifndef SF_CORE_BACKWARD_H
#define SF_CORE_BACKWARD_H

#include "core/graph/graph.h"

/* Bit i: port i of the signature is read by the gradient. */
typedef struct SfBackwardRow {
    const char *op;
    unsigned inputs, outputs;
} SfBackwardRow;

/* Sorted by name. Set once, before any use. */
void sf_backward_register(const SfBackwardRow *rows, int n);
/* `input` and `output` are flat numbers */
bool sf_backward_reads_input(const SfNode *n, int input);
bool sf_backward_reads_output(const SfNode *n, int output);

/* Bit i: a tape of eager code keeps port i. It keeps more than a gradient reads: of a tensor whose
 * shape is looked at its content too. `temporaries`: how many tensors of the size of the first
 * input exist at once while the gradient is computed, beside the gradients that it gives. */
typedef struct SfTapeRow {
    const char *op;
    unsigned inputs, outputs;
    int temporaries;
} SfTapeRow;

/* Sorted by name. Set once, before any use. */
void sf_tape_register(const SfTapeRow *rows, int n);
bool sf_tape_keeps_input(const SfNode *n, int input);
bool sf_tape_keeps_output(const SfNode *n, int output);
int sf_tape_temporaries(const SfNode *n);

/* Is the gradient of this input an IndexedSlices, which holds only the slices that were read? */
bool sf_gradient_is_slices(const SfNode *n, int input);

#endif
