/* What the nodes of a graph cost: FLOPs and bytes of their outputs, each node run once.
 * Invariant: nothing of the graph changes and nothing is reported.
 * Owner: the caller's array. Source: sf_infer_cost; tf.profiler counts float operations
 * likewise. */
#ifndef SF_CORE_COST_H
#define SF_CORE_COST_H

#include "core/graph/graph.h"

typedef struct SfNodeCost {
    double flops; /* negative: not known */
    double bytes; /* of all outputs; negative: not known */
} SfNodeCost;

/* Of the elements; 0 when none has a size of its own (string, resource); negative: not known. */
int64_t sf_tensor_bytes(const SfTensor *t);
/* With these inputs and outputs, its own or others. Negative: not known, as of a node that failed,
 * whose outputs are assumed. */
double sf_node_flops(const SfNode *n, const SfTensor *inputs, const SfTensor *outs,
                     SfArena *scratch);
/* Fills costs[0 .. sf_graph_size). Dims that are not known, a placeholder's batch above all, are
 * taken as `assumed` where nothing computes them, and what follows from them is inferred again;
 * with `assumed` < 0 they stay unknown. A node that refuses such a number keeps its own shapes.
 * Only SF_OK and SF_NOMEM. */
SfStatus sf_graph_costs(const SfGraph *g, int64_t assumed, SfNodeCost *costs);

#endif
