/* Where a dimension comes from: from an operand back to the op that fixed it. Invariant: each
 * step is found by inferring one op again with a mark in place of one of its inputs' dims (or
 * known elements): the outputs that carry the mark depend on that input. Nothing of the graph
 * changes, and nothing is reported. Owner: steps point into the graph. Source: ours;
 * docs/architecture.md, "What happens to an error". */
#ifndef SF_CORE_PROVENANCE_H
#define SF_CORE_PROVENANCE_H

#include "core/graph/graph.h"

/* One axis of an output, or one element of its content (axis < 0). */
typedef struct SfOriginStep {
    const SfNode *node;
    int output;
    int axis;
    int64_t element;
    SfDim dim; /* as static inference left it */
    bool
        /* `node` made it of another number, that of the next step; else it passed it on */
        computed;
} SfOriginStep;

/* From output `output` of `node` back (for an output of unknown rank, `axis` of what it turned out
 * to be): steps[0] is that very place, the last one the op that fixed the dim (a placeholder,
 * variable, constant, attr). Returns the number of steps, at most `max`; 0: no memory. Asked only
 * after an error: a walk infers every op on its way a few times. */
int sf_origin_of_axis(const SfNode *node, int output, int axis, SfOriginStep *steps, int max);

#endif
